// Package useragent tells browsers, systems, kinds of devices and bots apart by their User-Agent.
//
// To recognize one takes a millisecond, so what was recognized is remembered, and how many are
// recognized a second is bounded. The rules are those of the ua-parser project; they are read when
// they are first needed, which takes some 50 ms. Bots and devices it tells by rules of its own.
package useragent

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ua-parser/uap-go/uaparser"
)

// Families are what is known of a user agent, without versions.
type Families struct {
	Browser string // one of Browsers, for example Chrome, Samsung Internet; Other
	OS      string // Windows, macOS, iOS, Android, Linux, ChromeOS; Other
	Device  string // desktop, mobile, tablet, tv, console; Other
	Bot     bool   // a crawler, monitor, link preview or other program; all else is Other
}

// Other stands for what is none of the values.
const Other = "other"

var (
	bot     = Families{Other, Other, Other, true}
	unknown = Families{Other, Other, Other, false}
)

// RulesTime is when the rules in the version of uap-go that go.mod names were last changed. It is the
// commit of uap-core that they were made of, for that module does not say it.
var RulesTime = time.Date(2024, 9, 27, 14, 38, 21, 0, time.UTC)

const (
	// maxBytes is how much of a user agent is looked at and remembered. Real ones are shorter,
	// but for what apps append.
	maxBytes = 512
	// perSecond bounds how many are recognized a second: a twentieth of a core.
	perSecond = 50
	// burst is how many more there may be at once: those of a server that has just started.
	burst = 500
)

// Parser recognizes user agents. It may be used by many at once.
type Parser struct {
	known  *cache
	rules  func() *uaparser.Parser
	budget budget
}

// New returns a Parser.
func New() *Parser {
	return &Parser{
		known: newCache(), rules: sync.OnceValue(rules), budget: budget{began: time.Now()},
	}
}

// rules reads the built-in rules, without those for devices, which take most of the time and know
// models, not kinds.
func rules() *uaparser.Parser {
	// The built-in rules can be read, which is all that may fail. Its own cache would hold a lock
	// that all wait for.
	p, _ := uaparser.New(uaparser.WithCacheSize(1))
	p.Device = nil
	return p
}

// Known returns what is remembered of a user agent. It is quick and does not allocate.
func (p *Parser) Known(agent []byte) (f Families, ok bool) {
	if len(agent) == 0 {
		return bot, true
	}
	return p.known.get(agent[:min(len(agent), maxBytes)])
}

// MayRecognize reports whether Recognize would not be beyond the bound for new ones now. It is
// quick and does not allocate.
func (p *Parser) MayRecognize() bool { return p.budget.left() }

// Recognize returns what a user agent is. Beyond the bound for new ones it is not known.
func (p *Parser) Recognize(agent []byte) (f Families, ok bool) {
	if f, ok = p.Known(agent); ok {
		return f, true
	}
	if !p.budget.take() {
		return unknown, false
	}
	line := string(agent[:min(len(agent), maxBytes)])
	f = families(p.rules(), line)
	p.known.put(line, f)
	return f, true
}

func families(rules *uaparser.Parser, line string) Families {
	lower := strings.ToLower(line)
	if isProgram(lower) {
		return bot
	}
	f := Families{Browser: browserOf(rules.ParseUserAgent(line).Family)}
	f.OS = systemOf(rules.ParseOs(line).Family, lower)
	f.Device = deviceOf(f.OS, lower)
	return f
}

var systems = map[string]string{
	"Windows": "Windows", "Windows Phone": "Windows", "Windows Mobile": "Windows",
	"Mac OS X": "macOS", "Mac OS": "macOS", "iOS": "iOS", "Android": "Android",
	"Chrome OS": "ChromeOS", "Linux": "Linux",
}

// notDesktops are systems with Linux inside that people don't call so.
var notDesktops = []string{"Tizen", "webOS", "WebTV", "FirefoxOS", "KaiOS", "Chromecast", "FireOS"}

func systemOf(family, lower string) string {
	name, ok := systems[family]
	switch {
	case ok:
		return name
	case slices.Contains(notDesktops, family):
		return Other
	case has(lower, "android"):
		return "Android"
	case has(lower, "linux", "x11;"): // a distribution
		return "Linux"
	}
	return Other
}

// deviceOf looks for what the makers of televisions, consoles and telephones put into their user
// agents. The order matters: many claim to be others as well.
func deviceOf(system, lower string) string {
	switch {
	case has(lower, "smart-tv", "smarttv", "smart tv", "hbbtv", "appletv", "apple tv", "tvos",
		"googletv", "android tv", "crkey", "bravia", "roku", "netcast", "web0s", "webos.tv",
		"opera tv", "; aft", " tv safari"):
		return "tv"
	case has(lower, "playstation", "xbox", "nintendo"):
		return "console"
	case has(lower, "ipad", "tablet", "playbook", "kindle"):
		return "tablet"
	case has(lower, "iphone", "ipod", "mobile", "windows phone", "opera mini", "kaios"):
		return "mobile"
	case system == "Android": // which says so when it is a telephone
		return "tablet"
	case system == Other:
		return Other
	}
	return "desktop"
}

// isProgram reports whether a user agent in lower case is one of a program that nobody looks at.
func isProgram(lower string) bool {
	return has(lower, "bot/", "bot;", "bot)", "bot ", "crawler", "spider", "+http", "headless",
		"curl/", "wget/", "python", "go-http-client", "java/", "libwww", "okhttp", "axios/",
		"node-fetch", "undici", "ruby", "php/", "guzzle", "httpie", "postman", "uptime", "pingdom",
		"statuscake", "monitor", "lighthouse", "phantomjs") && !has(lower, "cubot") ||
		strings.HasSuffix(lower, "bot") || isPreview([]byte(lower))
}

// IsLinkPreview reports whether a user agent fetches links that were posted, in order to show what
// is behind them.
func IsLinkPreview(agent []byte) bool {
	return isPreview(bytes.ToLower(agent[:min(len(agent), maxBytes)]))
}

func isPreview(lower []byte) bool {
	return slices.ContainsFunc(previewParts, func(part string) bool {
		return bytes.Contains(lower, []byte(part))
	})
}

// previewParts are parts of such user agents in lower case, by who they are of: Slack, Teams and
// Skype, WhatsApp and Signal, Telegram, Discord, Facebook and all who claim to be it (iMessage,
// Line), X, LinkedIn, Apple, Reddit, Pinterest, Mastodon, Bluesky, Snapchat, Viber, KakaoTalk, VK,
// Matrix, Mattermost, Rocket.Chat, Zoom, Google Chat, Notion, and services that do it for others.
var previewParts = []string{
	"slackbot", "slack-imgproxy", "skypeuripreview", "microsoftpreview", "microsoft teams",
	"msteams", "teamsbot", "whatsapp/", "telegrambot", "discordbot", "facebookexternalhit",
	"facebot", "facebookcatalog", "meta-externalfetcher", "twitterbot", "linkedinbot", "applebot",
	"redditbot", "pinterestbot", "pinterest/0.", "mastodon/", "bluesky cardyb", "snap url preview",
	"viberbot", "kakaotalk-scrap", "vkshare", "synapse (bot", "mattermost-bot", "rocket.chat",
	"zoombot", "google-pagerenderer", "chat.google.com", "notionbot", "embedly", "iframely",
	"line-poker", "urlpreview", "linkpreview", "link preview",
}

func has(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}
