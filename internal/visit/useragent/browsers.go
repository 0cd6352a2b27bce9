package useragent

import (
	"slices"
	"strings"

	"github.com/ua-parser/uap-go/uaparser"
)

// names are all browsers that are distinguished, so that no visitor can invent one. A name's index
// may be stored in its place: append new ones, never move or remove any.
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
	"Polaris", "Tenta", "Instabridge", "Kindle", "Espial", "Superhuman", "Postbox", "Hola",
	"WhatsApp", "Viber",
}

// Browsers returns all values that Families.Browser can have, in a stable order: new ones come
// last.
func Browsers() []string { return slices.Clone(names) }

// nameOf maps families that the rules name differently: those that they split by device, and former
// names.
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

// known is the set of names.
var known = func() map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}()

// browserOf returns the name of a user agent's browser, never one that the rules copied from the
// user agent.
func browserOf(rules *uaparser.Parser, line, lower string) string {
	if name, ok := tokenName(lower); ok {
		return name
	}
	family := rules.ParseUserAgent(line).Family
	if guesses[family] && !strings.HasPrefix(lower, mozilla) && !has(lower, "webkit", "gecko") {
		return Other
	}
	if name, ok := nameOf[family]; ok {
		return name
	}
	if family == "Safari" && strings.Contains(lower, "android") {
		return "Android Browser" // on tablets
	}
	if known[family] {
		return family
	}
	return Other
}

// guesses are families that the rules infer from the system alone. Apps also name the system in
// requests for things that they don't show.
var guesses = map[string]bool{"Android": true, "Mobile Safari UI/WKWebView": true}

// isOldBrowser reports whether a user agent is one of the many browsers of phones, televisions and
// old computers that have no name here.
func isOldBrowser(lower string) bool {
	return has(lower, oldBrowsers...) ||
		slices.ContainsFunc(oldTelephones, func(maker string) bool {
			return strings.HasPrefix(lower, maker)
		})
}

var (
	oldBrowsers = []string{
		" browser/", "up.browser", "wap-browser", "wap browser", "semc-browser", "telecabrowser",
		"ucbrowser", "webview", "maui", "midp", "cldc", "docomo/", "(nokia", "hbbtv/",
		"hybridcast/", "ce-html/", "rokubrowser/", "smarttv", "amiga", "morphos", "mosaic",
	}
	// oldTelephones are makers and networks that begin the user agents of their phones.
	oldTelephones = []string{
		"nokia", "samsung-", "blackberry", "sonyericsson", "mot-", "sie-", "lg-", "sagem-",
		"kddi-", "j-phone/", "vodafone/", "softbank/",
	}
)

// token is a part of a user agent in lower case, and the name that it stands for.
type token struct{ part, name string }

// tokens take precedence over the rules: apps that show pages themselves, browsers newer than the
// rules, and browsers that the rules take for the one they are based on. The first match counts.
var tokens = []token{
	{"instagram ", "Instagram"},
	{"barcelona ", "Threads"},
	{"metaiab instagram", "Instagram"},
	{"metaiab threads", "Threads"},
	{"metaiab messenger", "Messenger"},
	{"metaiab", "Facebook"},
	{"fban/messenger", "Messenger"},
	{"fb_iab/messenger", "Messenger"},
	{"fb_iab/orca", "Messenger"},
	{"messengerlite", "Messenger"},
	{"fban/", "Facebook"},
	{"fbav/", "Facebook"},
	{"fb_iab/", "Facebook"},
	{"micromessenger", "WeChat"},
	{"wxwork", "WeChat"},
	{"musical_ly", "TikTok"},
	{"trill_", "TikTok"},
	{"tiktok", "TikTok"},
	{"bytedancewebview", "TikTok"},
	{"bytelocale", "TikTok"},
	{" snapchat/", "Snapchat"},
	{"[pinterest/", "Pinterest"},
	{"pinterest for", "Pinterest"},
	{" line/", "LINE"},
	{"kakaotalk", "KakaoTalk"},
	{"twitter for ", "Twitter"},
	{"twitterandroid", "Twitter"},
	{"linkedinapp", "LinkedIn"},
	{"reddit/", "Reddit"},
	{"telegram-", "Telegram"},
	{" discord/", "Discord"},
	{" slack/", "Slack"},
	{"slack_ssb", "Slack"},
	{" teams/", "Microsoft Teams"},
	{"teamsmobile", "Microsoft Teams"},
	{"microsoft outlook", "Outlook"},
	{"weibo", "Weibo"},
	{"alipayclient", "Alipay"},
	{"dingtalk", "DingTalk"},
	{"naver(", "NAVER"},
	{"daumapps", "Daum"},
	{"zalo", "Zalo"},
	{"yjapp", "Yahoo"},
	{"valve steam", "Steam"},
	{"electron/", "Electron"},
	{" gsa/", "Google"},
	{"oculusbrowser", "Meta Quest Browser"},
	{"samsungbrowser", "Samsung Internet"},
	{"opera/", "Opera"},
	{" opr/", "Opera"},
	{" opt/", "Opera"},
	{" opx/", "Opera"},
	{" omi/", "Opera"},
	{" edg/", "Edge"},
	{" brave/", "Brave"},
	{"safari/604.1 brave", "Brave"},
	{"yabrowser", "Yandex"},
	{"yaapp_", "Yandex"},
	{"yasearch", "Yandex"},
	{"yandexsearch", "Yandex"},
	{" qq/", "QQ"},
	{"mqqbrowser", "QQ Browser"},
	{"honorbrowser", "Honor Browser"},
	{"miuibrowser", "MIUI Browser"},
	{"heytapbrowser", "HeyTap Browser"},
	{"oppobrowser", "HeyTap Browser"},
	{"vivobrowser", "vivo Browser"},
	{"ucmobile", "UC Browser"},
	{"slbrowser", "Lenovo Browser"},
	{"hibrowser", "HiBrowser"},
	{"baiduboxapp", "Baidu"},
	{"bidubrowser", "Baidu"},
	{"metasr", "Sogou"},
	{"sogoumobilebrowser", "Sogou"},
	{"sogousearch", "Sogou"},
	{" 360se", "360 Browser"},
	{" 360ee", "360 Browser"},
	{"qihoobrowser", "360 Browser"},
	{" qhbrowser", "360 Browser"},
	{" quark/", "Quark"},
	{" quarkpc/", "Quark"},
	{"wolvic/", "Wolvic"},
	{"mxios/", "Maxthon"},
	{"sleipnir/", "Sleipnir"},
	{" phx/", "Phoenix"},
	{" norton/", "Norton Browser"},
	{" avira/", "Avira Browser"},
	{" ccleaner/", "CCleaner Browser"},
	{"hola/", "Hola"},
	{" atom/", "Mail.ru"},
	{"sberbrowser", "Sber Browser"},
	{"ecosia", "Ecosia"},
	{"alohabrowser", "Aloha"},
	{"tesla/", "Tesla Browser"},
	{"falkon/", "Falkon"},
	{"netsurf/", "NetSurf"},
	{"w3m/", "w3m"},
	{"elinks", "ELinks"},
	{"links (", "Links"},
	{"playstation", "PlayStation Browser"},
	{"nintendo", "Nintendo Browser"},
	{"web0s", "LG Browser"},
	{"lg browser", "LG Browser"},
	{"tizen", "Samsung Internet"},
	{" whatsapp/", "WhatsApp"},
	{" viber/", "Viber"},
	{"fxios/", "Firefox"},
	{" focus/", "Firefox"},
	{" klar/", "Firefox"},
}

// tokenName returns the name of a user agent in lower case according to tokens.
func tokenName(lower string) (name string, ok bool) {
	place, ok := tokenParts.first(lower, false)
	if !ok {
		return "", false
	}
	return tokens[place].name, true
}

var tokenParts = func() *finder {
	parts := make([]string, len(tokens))
	for i, t := range tokens {
		parts[i] = t.part
	}
	return newFinder(parts)
}()
