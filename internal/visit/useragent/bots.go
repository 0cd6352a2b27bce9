package useragent

import (
	"slices"
	"strings"
)

// isProgram reports whether a user agent in lower case is a program without a person at the screen:
// a crawler, a monitor, a link preview, a library. Programs say so in one of a few ways.
func isProgram(lower string) bool {
	if namesItself(lower) || isCompatible(lower) || isLinkPreview(lower) {
		return true
	}
	_, found := programs.first(lower, true)
	return found
}

// namesItself looks for words that programs call themselves, and for an e-mail address.
func namesItself(lower string) bool {
	switch plainSystem(lower) {
	case "Android", "iOS":
		return namesItselfOnPhone(lower)
	}
	if callsItselfBot(lower) || hasMailAddress(lower) {
		return true
	}
	_, found := words.first(lower, false)
	return found
}

// namesItselfOnPhone looks outside comments. Comments of phones, and those that apps add, name
// models, which may be called anything: CUBOT, M bot, Spider. Names of apps may end in any word,
// too: CamScanner, BabyMonitor.
func namesItselfOnPhone(lower string) bool {
	if strings.Contains(lower, "(compatible") { // crawlers add this to the browser's user agent
		return true
	}
	for {
		text, rest := lower, ""
		if i := strings.IndexAny(lower, "(["); i >= 0 {
			text, rest = lower[:i], lower[i:]
		}
		_, found := words.first(text, true)
		if found || callsItselfBot(text) || hasMailAddress(text) {
			return true
		}
		end := strings.IndexAny(rest, ")]")
		if end < 0 {
			return false
		}
		lower = rest[end+1:]
	}
}

var (
	words    = newFinder(programWords, libraries)
	programs = newFinder(contacts, crawlers, monitors)
)

// callsItselfBot looks for words that end in bot or bots, except one maker of phones, and for the
// other two endings of crawlers' names.
func callsItselfBot(lower string) bool {
	if has(lower, "crawl", "spider") {
		return true
	}
	for rest := lower; ; {
		before, after, found := strings.Cut(rest, "bot")
		if !found {
			return false
		}
		next := strings.TrimPrefix(after, "s")
		if (next == "" || !isLetter(next[0])) && !strings.HasSuffix(before, "cu") {
			return true
		}
		rest = after
	}
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

// isCompatible reports whether a user agent calls itself compatible, as crawlers do. Only a few old
// browsers did.
func isCompatible(lower string) bool {
	name, found := strings.CutPrefix(lower, "mozilla/5.0 (compatible")
	if !found {
		return has(lower, "; compatible;", " compatible/", "(compatible)")
	}
	name = strings.TrimLeft(name, "; ")
	return !slices.ContainsFunc(compatibles, func(browser string) bool {
		return strings.HasPrefix(name, browser)
	})
}

// compatibles are the browsers that did.
var compatibles = []string{
	"msie", "konqueror", "ibrowse", "origyn", "u; abrowse", "u; webpositive",
}

// hasMailAddress reports whether a user agent contains an e-mail address. An @ alone also occurs in
// locales (en_IR@calendar=gregorian) and in versions of apps (600000@taobao_android_7.8.3).
func hasMailAddress(lower string) bool {
	for {
		before, after, found := strings.Cut(lower, "@")
		if !found {
			return false
		}
		end := strings.IndexFunc(after, func(r rune) bool {
			return r != '.' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
		})
		domain := after
		if end >= 0 {
			domain = after[:end]
		}
		domain = strings.TrimRight(domain, ".-")
		dot := strings.LastIndexByte(domain, '.')
		if before != "" && before[len(before)-1] > ' ' && dot > 0 && isTopLevel(domain[dot+1:]) {
			return true
		}
		lower = after
	}
}

// isTopLevel reports whether a label may be a domain's last one, which has only letters.
func isTopLevel(label string) bool {
	return len(label) >= 2 && strings.Trim(label, "abcdefghijklmnopqrstuvwxyz") == ""
}

// contacts are the beginnings of other contact addresses.
var contacts = []string{"http://", "https://", "+http", "www.", "mailto:"}

// programWords are words in the names of programs, in lower case.
var programWords = []string{
	"scrap", "slurp", "archiver", "fetch", "validat", "checker", "scanner", "scanning", "monitor",
	"uptime", "healthcheck", "health check", "health-check", "headless", "synthetic", "screenshot",
	"thumbnail", "favicon", "metadata", "webhook", "linkcheck", "link check", "feed parser",
	"feedparser", "feedreader", "analyzer", "search console", "subscribers", " rss", "rss/", "rss-",
	"indexer", "imageproxy", "imgproxy", "image proxy",
}

// libraries are HTTP clients, and programs that drive browsers.
var libraries = []string{
	"curl", "wget", "libwww-perl", "lwp-", "lwp::", "python", "aiohttp", "httpx/", "urllib",
	"httpie", "okhttp", "axios", "got (", "got/", "node-fetch", "undici", "superagent", "node.js",
	"deno/", "bun/", "java/1", "java/2", "java/8", "java/9", "httpclient", "http client",
	"http-client", "http_client", "jersey/", "ahc/", "reactornetty", "jakarta", "go-http",
	"go-resty", "resty/", "fasthttp", "colly", "ruby/", "faraday", "httparty", "typhoeus",
	"rest-client", "restsharp", "php/5", "php/7",
	"php/8", "guzzle", "symfony", "perl/", "winhttp", "powershell",
	"dart/", "dart:io", "reqwest", "ureq/", "hyper/", "rust/", "aria2", "alamofire", "cfnetwork",
	"dalvik/", "postman", "insomnia/", "bruno-", "soapui", "k6/", "jmeter", "siege/", "apachebench",
	"vegeta", "locust", "selenium", "webdriver", "playwright", "puppeteer", "phantomjs", "slimerjs",
	" splash ", "scrapy", "lua-resty", "libcurl", "urlgrabber", "httrack", "webcopier", "webzip",
	"offline explorer", "sitesucker", "indy library", "jetty/", "newspaper/",
	"microsoft url control", "xmlhttp",
}

// crawlers are names without such a word: of search engines, archives, companies that train models,
// feed readers and scanners.
var crawlers = []string{
	"googlebot", "google-", "googleother", "-google", "google favicon", "google trust",
	"mediapartners", "adsbot", "apis-google", "feedfetcher", "googleassociation", "adidxbot",
	"yandex.com/bots", "baiduspider", "yeti/", "daum/", "daumoa", "ichiro/", "napoveda.seznam",
	"qwantify", "exabot", "teoma", "ask jeeves", "ia_archiver", "archive.org", "archive-it",
	"heritrix", "nutch", "larbin", "grub-client", "gigablast", "zyborg", "mojeek", "wotbox",
	"semanticscholar", "turnitin", "gptbot", "chatgpt-user", "oai-search", "claude-", "anthropic",
	"perplexity-user", "cohere-ai", "mistralai", "meta-external", "bytespider", "bytedance.com",
	"ai2bot", "diffbot", "omgili", "webzio", "timpi", "imagesift", "manus-user", "gemini-deep",
	"novellum", "ahrefs", "semrush", "majestic-12", "mj12", "rogerbot", "moz.com", "screaming frog",
	"sitebulb", "siteimprove", "sistrix", "seokicks", "serpstat", "seoscanners", "xenu",
	"deepcrawl", "linkdex", "netcraft", "brandverity", "brandwatch", "meltwater", "trendiction",
	"proximic", "admantx", "grapeshot", "comscore", "integralads", "pixalate", "adbeat", "datanyze",
	"builtwith", "wappalyzer", "whatweb", "netsystemsresearch", "dataprovider", "bublup", "nmap",
	"nikto", "sqlmap", "masscan", "zgrab", "censys", "nessus", "openvas", "acunetix", "wpscan",
	"zmeu", "expanse, a", "palo alto", "l9explore", "l9tcpid", "nuclei", "internetmeasure",
	"qualys", "detectify", "dirbuster", "gobuster", "shodan", "onyphe", "projectdiscovery",
	"feedbin", "feedburner", "feeder", "tiny tiny", "simplepie", "magpierss", "bloglines",
	"miniflux", "freshrss", "nextcloud-news", "commafeed", "blogtrottr", "superfeedr",
	"universalfeed", "sogou web", "yacy", "panscient", "ezooms", "ltx71", "wordpress/", "zapier",
	"nuzzel", "outbrain", "ifttt", "yahoomailproxy", "yahoocache", "feedspot",
}

// monitors are names of programs that check whether a site is up, how fast or how good it is.
var monitors = []string{
	"pingdom", "statuscake", "site24x7", "newrelic", "datadog", "catchpoint", "gomezagent",
	"dynatrace", "ruxit", "checkly", "hetrix", "betterstack", "better stack", "nodeping",
	"updown.io", "freshping", "uptimia", "uptrends", "montastic", "zabbix", "nagios", "check_http",
	"icinga", "blackbox exporter", "blackbox-exporter", "prometheus", "route53", "elb-",
	"kube-probe", "googlehc", "googlestackdriver", "stackdriver", "consul ", "haproxy",
	"cloudflare", "cloudfront", "azure traffic", "alwayson", "lighthouse", "pagespeed",
	"page speed", "gtmetrix", "ptst/", "webpagetest", "speedcurve", "dareboost", "calibreapp",
	"thousandeyes", "; rigor", "panopta", "solarwinds", "appinsights", "applicationinsights",
	"sentry/", "bugsnag", "ssl labs", "ssllabs", "hardenize", "oh dear", "ohdear", "grafana",
	"instana", "w3c_", "w3c-", "jigsaw/", "monspark", "mxtoolbox", "onlineornot", "keycdn",
	"checkhost", "ghost inspector", "neustar wpm", "ips-agent",
}

// IsLinkPreview reports whether a user agent fetches posted links to show a preview of them. Such a
// user agent is a bot.
func IsLinkPreview(agent []byte) bool {
	return isLinkPreview(strings.ToLower(string(agent[:min(len(agent), maxBytes)])))
}

func isLinkPreview(lower string) bool {
	_, found := previews.first(lower, false)
	if !found && !strings.HasPrefix(lower, mozilla) {
		_, found = previewsAndApps.first(lower, false)
	}
	return found
}

var (
	previews        = newFinder(previewNames)
	previewsAndApps = newFinder(previewAndAppNames)
)

// previewAndAppNames are names of fetchers that apps share. The apps show pages in a browser
// window, whose user agent begins with Mozilla/: a person reads there.
var previewAndAppNames = []string{
	"whatsapp", "viber", "microsoft teams", "msteams", "rocket.chat", "tumblr/", "notion/1",
	"asana/", "zalo",
}

// previewNames are names that only fetchers have, grouped by owner: Slack, Teams and Skype,
// messengers, social networks, forums, and services that others use for this.
var previewNames = []string{
	"slackbot", "slack-imgproxy", "skypeuripreview", "microsoftpreview", "teamsbot", "telegrambot",
	"discordbot", "viberbot", "groupmebot", "keybasebot", "zoombot", "facebookexternalhit",
	"facebot", "facebookcatalog", "meta-externalfetcher", "twitterbot", "linkedinbot", "applebot",
	"redditbot", "pinterestbot", "pinterest/0.", "mastodon/", "bluesky cardyb", "blueskypreview",
	"snap url preview", "kakaotalk-scrap", "vkshare", "vkrobot", "odklbot", "synapse (bot",
	"mattermost-bot", "google-pagerenderer", "chat.google.com", "notionbot", "embedly", "iframely",
	"line-poker", "linespider", "urlpreview", "linkpreview", "link preview", "web preview",
	"bingpreview", "pleroma", "misskey", "summaly", "akkoma", "gotosocial", "friendica", "lemmy/",
	"peertube", "flipboardproxy", "discourse forum onebox", "steamchaturllookup", "bitlybot",
	"xing-content", "xing bot", "quora-bot", "linkunfurler", "richlinkbot",
	"nextcloud server crawler",
}
