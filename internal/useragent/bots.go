package useragent

import (
	"bytes"
	"slices"
	"strings"
)

// isProgram reports whether a user agent in lower case is one of a program that nobody looks at:
// a crawler, a monitor, a link preview, a library. Programs say so in one of a few ways.
func isProgram(lower string) bool {
	if callsItselfBot(lower) || isCompatible(lower) || hasAddress(lower) {
		return true
	}
	_, found := programs.first(lower)
	return found
}

var programs = newFinder(contacts, words, libraries, crawlers, monitors, previewParts)

// callsItselfBot looks for words that end in bot or bots, but for one maker of telephones.
func callsItselfBot(lower string) bool {
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

// isCompatible reports whether a user agent says that it is compatible, as crawlers do: of browsers
// only few of long ago did.
func isCompatible(lower string) bool {
	name, found := strings.CutPrefix(lower, "mozilla/5.0 (compatible")
	if !found {
		return has(lower, "; compatible;", " compatible/", "(compatible)")
	}
	name = strings.TrimLeft(name, "; ")
	return !strings.HasPrefix(name, "msie") && !strings.HasPrefix(name, "konqueror")
}

// hasAddress reports whether a user agent has an address of e-mail to turn to.
func hasAddress(lower string) bool {
	_, domain, found := strings.Cut(lower, "@")
	return found && domain != "" && isLetter(domain[0]) && strings.Contains(domain, ".")
}

// contacts begin what else there is to turn to.
var contacts = []string{"http://", "https://", "+http", "www.", "mailto:"}

// words are those that programs have in their names, in lower case.
var words = []string{
	"crawl", "spider", "scrap", "slurp", "archiver", "fetch", "validat", "checker", "scanner",
	"scanning", "monitor", "uptime", "healthcheck", "health check", "health-check", "headless",
	"synthetic", "screenshot", "thumbnail", "favicon", "metadata", "webhook", "web preview",
	"linkpreview", "link preview", "linkcheck", "link check", "feed parser", "feedparser",
	"feedreader", "analyzer", "page speed", "search console", "subscribers", " rss", "rss/",
	"rss-", "indexer", "imageproxy", "imgproxy", "image proxy",
}

// libraries are what programs make requests with, and what drives browsers.
var libraries = []string{
	"curl", "wget", "libwww-perl", "lwp-", "lwp::", "python", "aiohttp", "httpx/", "urllib",
	"httpie", "okhttp", "axios", "got (", "got/", "node-fetch", "undici", "superagent", "node.js",
	"deno/", "bun/", "java/", "httpclient", "http client", "http-client", "http_client", "jersey/",
	"ahc/", "reactornetty", "jakarta", "go-http", "go-resty", "resty/", "fasthttp", "colly",
	"ruby/", "faraday", "httparty", "typhoeus", "rest-client", "restsharp", "php/", "guzzle",
	"symfony", "perl/", "winhttp", "powershell", "dart/", "dart:io", "reqwest", "ureq/", "hyper/",
	"rust/", "aria2", "alamofire", "cfnetwork", "dalvik/", "postman", "insomnia/", "bruno-",
	"soapui", "k6/", "jmeter", "siege/", "apachebench", "vegeta", "locust", "selenium",
	"webdriver", "playwright", "puppeteer", "phantomjs", "slimerjs", " splash ", "scrapy",
	"lua-resty", "libcurl", "urlgrabber", "httrack", "webcopier", "webzip", "offline explorer",
	"sitesucker", "indy library", "jetty/", "newspaper/", "microsoft url control", "xmlhttp",
}

// crawlers are names of those that have none of the words: of search engines, archives, companies
// that train models, feed readers and scanners.
var crawlers = []string{
	"googlebot", "google-", "googleother", "-google", "google favicon", "google trust",
	"mediapartners", "adsbot", "apis-google", "feedfetcher", "googleassociation", "bingpreview",
	"adidxbot", "yandex.com/bots", "baiduspider", "yeti/", "daum/", "daumoa", "coccoc/", "ichiro/",
	"seznam.cz", "qwantify", "exabot", "teoma", "ask jeeves", "ia_archiver", "archive.org",
	"archive-it", "heritrix", "nutch", "larbin", "grub-client", "gigablast", "zyborg", "mojeek",
	"wotbox", "semanticscholar", "turnitin", "gptbot", "chatgpt-user", "oai-search", "claude-",
	"anthropic", "perplexity", "cohere-ai", "mistralai", "meta-external", "bytespider",
	"bytedance.com", "ai2bot", "diffbot", "omgili", "webzio", "timpi", "imagesift", "deepseek",
	"manus-user", "gemini-deep", "novellum", "ahrefs", "semrush", "majestic-12", "mj12",
	"rogerbot", "moz.com", "screaming frog", "sitebulb", "siteimprove", "sistrix", "seokicks",
	"serpstat", "seoscanners", "xenu", "deepcrawl", "linkdex", "netcraft", "brandverity",
	"brandwatch", "meltwater", "trendiction", "proximic", "admantx", "grapeshot", "comscore",
	"integralads", "pixalate", "adbeat", "datanyze", "builtwith", "wappalyzer", "whatweb",
	"netsystemsresearch", "dataprovider", "bublup", "nmap", "nikto", "sqlmap", "masscan", "zgrab",
	"censys", "nessus", "openvas", "acunetix", "wpscan", "zmeu", "expanse, a", "palo alto",
	"l9explore", "l9tcpid", "nuclei", "internetmeasure", "qualys", "detectify", "dirbuster",
	"gobuster", "shodan", "onyphe", "projectdiscovery", "feedly", "feedbin", "feedburner",
	"feeder", "newsblur", "inoreader", "theoldreader", "tiny tiny", "simplepie", "magpierss",
	"bloglines", "netvibes", "miniflux", "freshrss", "nextcloud-news", "netnewswire", "newsify",
	"commafeed", "blogtrottr", "superfeedr", "universalfeed", "flipboardproxy", "sogou web",
	"yacy", "panscient", "ezooms", "ltx71", "wordpress/", "zapier", "viber", "bluesky", "tumblr/",
	"nuzzel", "asana/", "notion/1", "outbrain", "whatsapp", "ifttt", "yahoomailproxy",
	"yahoocache", "feedspot",
}

// monitors are names of those that ask whether a site is up, how quick or how good it is.
var monitors = []string{
	"pingdom", "statuscake", "site24x7", "newrelic", "datadog", "catchpoint", "gomezagent",
	"dynatrace", "ruxit", "checkly", "hetrix", "betterstack", "better stack", "nodeping",
	"updown.io", "freshping", "uptimia", "uptrends", "montastic", "zabbix", "nagios", "check_http",
	"icinga", "blackbox exporter", "blackbox-exporter", "prometheus", "route53", "elb-",
	"kube-probe", "googlehc", "googlestackdriver", "stackdriver", "consul ", "haproxy",
	"cloudflare", "cloudfront", "azure traffic", "alwayson", "lighthouse", "pagespeed", "gtmetrix",
	"ptst/", "webpagetest", "speedcurve", "dareboost", "calibreapp", "thousandeyes", "; rigor",
	"panopta", "solarwinds", "appinsights", "applicationinsights", "sentry/", "bugsnag",
	"ssl labs", "ssllabs", "hardenize", "oh dear", "ohdear", "grafana", "instana", "w3c_", "w3c-",
	"jigsaw/", "monspark", "mxtoolbox", "onlineornot", "keycdn", "checkhost", "ghost inspector",
}

// IsLinkPreview reports whether a user agent fetches links that were posted, in order to show what
// is behind them.
func IsLinkPreview(agent []byte) bool {
	lower := bytes.ToLower(agent[:min(len(agent), maxBytes)])
	return slices.ContainsFunc(previewParts, func(part string) bool {
		return bytes.Contains(lower, []byte(part))
	})
}

// previewParts are parts of such user agents in lower case, by who they are of: Slack, Teams and
// Skype, messengers, social networks, forums, and services that others use for this.
var previewParts = []string{
	"slackbot", "slack-imgproxy", "skypeuripreview", "microsoftpreview", "microsoft teams",
	"msteams", "teamsbot", "whatsapp/", "telegrambot", "discordbot", "facebookexternalhit",
	"facebot", "facebookcatalog", "meta-externalfetcher", "twitterbot", "linkedinbot", "applebot",
	"redditbot", "pinterestbot", "pinterest/0.", "mastodon/", "bluesky cardyb", "snap url preview",
	"viberbot", "kakaotalk-scrap", "vkshare", "synapse (bot", "mattermost-bot", "rocket.chat",
	"zoombot", "google-pagerenderer", "chat.google.com", "notionbot", "embedly", "iframely",
	"line-poker", "urlpreview", "linkpreview", "link preview", "pleroma", "misskey", "akkoma",
	"gotosocial", "friendica", "lemmy/", "peertube", "flipboardproxy", "discourse forum onebox",
	"steamchaturllookup", "bitlybot", "xing-content", "nextcloud server crawler",
}
