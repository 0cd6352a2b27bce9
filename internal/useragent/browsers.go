package useragent

import "slices"

// names are all browsers that are told apart, so that no visitor can invent one. A name's place may
// stand for it in what is kept: new ones are appended, none is moved or removed.
var names = []string{
	Other,
	"Chrome", "Safari", "Firefox", "Edge", "Samsung Internet", "Opera", "DuckDuckGo", "Brave",
	"Vivaldi", "Yandex", "IE", "Chromium", "Android Browser", "Google", "Instagram", "Facebook",
	"Messenger", "Threads", "WeChat", "TikTok", "Snapchat", "Pinterest", "LINE", "KakaoTalk",
	"Twitter", "LinkedIn", "Reddit", "Telegram", "Discord", "Slack", "Microsoft Teams", "Outlook",
	"Apple Mail", "Thunderbird", "Weibo", "Alipay", "DingTalk", "QQ", "NAVER", "Daum", "Zalo",
	"Yahoo", "Spotify", "Flipboard", "Steam", "Electron", "UC Browser", "QQ Browser",
	"Huawei Browser", "Honor Browser", "MIUI Browser", "vivo Browser", "HeyTap Browser",
	"Lenovo Browser", "HiBrowser", "Mint Browser", "Baidu", "Sogou", "360 Browser", "Quark",
	"Amazon Silk", "Meta Quest Browser", "Wolvic", "LG Browser", "PlayStation Browser",
	"Nintendo Browser", "Tesla Browser", "Whale", "Coc Coc", "Maxthon", "Puffin", "Aloha",
	"Ecosia", "Avast Secure Browser", "AVG Secure Browser", "Norton Browser", "Avira Browser",
	"CCleaner Browser", "Seznam", "Mail.ru", "Sber Browser", "Mullvad Browser", "Waterfox",
	"Pale Moon", "SeaMonkey", "Basilisk", "Iceweasel", "IceCat", "K-Meleon", "Camino", "Iron",
	"Comodo Dragon", "Sleipnir", "Lunascape", "GNOME Web", "Konqueror", "Falkon", "QupZilla",
	"Midori", "Otter", "qutebrowser", "Rekonq", "LuaKit", "Arora", "Dolphin", "Phoenix",
	"Sailfish Browser", "Nokia Browser", "BlackBerry", "NetFront", "Obigo", "OmniWeb", "iCab",
	"Netscape", "AOL", "Lynx", "Links", "ELinks", "w3m", "Dillo", "NetSurf", "Ladybird",
	"Polaris", "Tenta", "Instabridge", "Kindle", "Espial", "Superhuman", "Postbox",
}

// Browsers returns all values that Families.Browser can have, in an order that stays: new ones
// come last.
func Browsers() []string { return slices.Clone(names) }

// nameOf has the names of families that the rules call by other ones: those that they split by
// device, and those of earlier days.
var nameOf = map[string]string{
	"Mobile Safari": "Safari", "Mobile Safari UI/WKWebView": "Safari", "WebKit Nightly": "Safari",
	"Chrome Mobile": "Chrome", "Chrome Mobile iOS": "Chrome", "Chrome Mobile WebView": "Chrome",
	"HeadlessChrome": "Chrome", "Firefox Mobile": "Firefox", "Firefox iOS": "Firefox",
	"Firefox Alpha": "Firefox", "Firefox Beta": "Firefox", "Firefox (Minefield)": "Firefox",
	"Firefox (Namoroka)": "Firefox", "Firefox (Shiretoko)": "Firefox", "Bon Echo": "Firefox",
	"GranParadiso": "Firefox", "MicroB": "Firefox", "Edge Mobile": "Edge",
	"Opera Mobile": "Opera", "Opera Mini": "Opera", "Opera Tablet": "Opera",
	"Opera Coast": "Opera", "Opera Neon": "Opera", "DuckDuckGo Mobile": "DuckDuckGo",
	"Yandex Browser": "Yandex", "IE Mobile": "IE", "IE Large Screen": "IE", "Chrome Frame": "IE",
	"Android": "Android Browser", "Facebook Messenger": "Messenger",
	"Slack Desktop Client": "Slack", "Ecosia iOS": "Ecosia", "Ecosia Android": "Ecosia",
	"QQ Browser Mobile": "QQ Browser", "QQ Browser Mini": "QQ Browser",
	"MiuiBrowser": "MIUI Browser", "VivoBrowser": "vivo Browser", "Baidu Browser": "Baidu",
	"Baidu Explorer": "Baidu", "Sogou Explorer": "Sogou", "Oculus Browser": "Meta Quest Browser",
	"Aloha Browser": "Aloha", "AVG": "AVG Secure Browser", "Seznam prohlížeč": "Seznam",
	"Mail.ru Chromium Browser": "Mail.ru", "MullvadBrowser": "Mullvad Browser",
	"PaleMoon": "Pale Moon", "IceWeasel": "Iceweasel", "Epiphany": "GNOME Web",
	"webOS Browser": "LG Browser", "QtCarBrowser": "Tesla Browser", "NetFront NX": "NetFront",
	"Netfront": "NetFront", "Ovi Browser": "Nokia Browser", "Nokia OSS Browser": "Nokia Browser",
	"Nokia Services (WAP) Browser": "Nokia Browser", "Nokia": "Nokia Browser",
	"BlackBerry WebKit": "BlackBerry", "Windows Live Mail": "Outlook", "MacOutlook": "Outlook",
	"Outlook-iOS": "Outlook", "Outlook-iOS-Android": "Outlook", "YahooMobileMail": "Yahoo",
	"Tenta Browser": "Tenta", "Tizen Browser": "Samsung Internet", "POLARIS": "Polaris",
	"Dragon": "Comodo Dragon", "Swiftfox": "Firefox", "MAXTHON": "Maxthon",
}

// known has the names themselves.
var known = func() map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}()

// browserOf returns the name of what the rules call a family, some of which they take from the user
// agent itself.
func browserOf(family string) string {
	if name, ok := nameOf[family]; ok {
		return name
	}
	if known[family] {
		return family
	}
	return Other
}
