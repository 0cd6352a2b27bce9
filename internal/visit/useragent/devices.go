package useragent

import "strings"

// systems maps the rules' names of systems to ours.
var systems = map[string]string{
	"Windows": "Windows", "Windows Phone": "Windows", "Windows Mobile": "Windows",
	"Windows CE": "Windows", "Mac OS X": "macOS", "Mac OS": "macOS", "iOS": "iOS",
	"Android": "Android", "Chrome OS": "ChromeOS", "Linux": "Linux",
}

// systemOf returns the name of a system. All Linux distributions are Linux; systems that contain
// Linux but are not called so are not.
func systemOf(family, lower string) string {
	name, ok := systems[family]
	switch {
	case has(lower, "tizen", "web0s", "webos", "kaios", "openharmony", "playstation", "nintendo",
		"roku", "firefoxos", "freebsd", "openbsd", "netbsd", "sunos"):
		return Other
	case has(lower, "andr0id", "; adr "): // alternative spellings
		return "Android"
	case ok:
		return name
	case has(lower, "android"):
		return "Android"
	case strings.Contains(lower, "linux"):
		return "Linux"
	}
	return Other
}

// Parts of devices' user agents, in lower case. Android devices that don't call themselves mobile
// are tablets; the list tablets has those that do so wrongly.
var (
	consoles = []string{"playstation", "; xbox", "nintendo", "ouya ", "archos gamepad"}
	tvs      = []string{
		"smart-tv", "(tv;", "smarttv", "smart tv", "hbbtv", "appletv", "apple tv", "tvos",
		"googletv",
		"google tv", "android tv", "fire tv", "tv build/", "tv box", "tvbox", "tv stick", "crkey",
		"chromecast", "bravia", "roku", "netcast", "web0s", "webos.tv", "opera tv", "nettv",
		"inettv", "; aft", " tv safari", "; viera", "viera/", "vidaa", " omi/", "mibox", "mitv",
		"brightsign", "large screen", "samsungtv", "shield android",
	}
	tablets = []string{
		"ipad", "tablet", "playbook", "kindle", "mediapad", "matepad", "redmi pad", "xiaomi pad",
		"mi pad", "; sm-t", "; sm-x", "; tb-", "; tb3", "nexus 7", "nexus 9", "nexus 10", "/apad",
	}
	telephones = []string{
		"iphone", "ipod", "mobile", "phone", "opera mini", "opera mobi", "kaios", "midp", "ucweb",
		"up.browser", "docomo", "symbian", "series60", "series40", "blackberry", "bb10", "nokia",
		"sonyericsson", "samsung-", "windows ce", "palmos", "palmsource",
	}
	// headsets and cars
	otherDevices = []string{"oculusbrowser", "; quest", "tesla/", "qtcarbrowser"}
)

// deviceOf returns the kind of a device. The order matters, because many also claim to be others.
func deviceOf(system, lower string) string {
	switch {
	case has(lower, consoles...):
		return "console"
	case has(lower, tvs...) || strings.HasSuffix(lower, " tv"):
		return "tv"
	case has(lower, otherDevices...):
		return Other
	// Windows names the hardware it was prepared for, not the one it runs on.
	case has(lower, tablets...) && !strings.Contains(lower, "tablet pc"):
		return "tablet"
	case has(lower, telephones...):
		return "mobile"
	case system == "Android":
		return "tablet"
	case system == Other && !strings.Contains(lower, "(x11;"): // BSD, SunOS, Haiku
		return Other
	}
	return "desktop"
}
