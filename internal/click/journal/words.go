package journal

// words are frequent values of clicks. A record refers to them by index, so an index must never
// change. Any other value is written out. docs/format/journal.md lists them.
var words = [...]string{
	// visitors
	"person", "bot", "prefetch",
	// devices
	"desktop", "mobile", "tablet", "tv", "console",
	// systems
	"Windows", "macOS", "iOS", "Android", "Linux", "ChromeOS",
	// browsers
	"Chrome", "Safari", "Firefox", "Edge", "Opera", "Samsung Internet", "DuckDuckGo",
	"Vivaldi", "Yandex", "IE", "Brave", "UC Browser", "Instagram", "Facebook", "WeChat",
	"MIUI Browser", "Whale", "Amazon Silk",
	// languages
	"en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "uk", "cs", "sk", "hu", "ro", "bg",
	"el", "tr", "ar", "he", "fa", "hi", "bn", "ur", "ta", "te", "th", "vi", "id", "ms", "ja",
	"ko", "zh", "sv", "da", "nb", "no", "fi", "et", "lv", "lt", "sl", "hr", "sr", "bs", "ca",
	"eu", "gl", "ka", "hy", "az", "kk", "af", "sw", "tl", "fil",
	// utm values
	"newsletter", "google", "facebook", "instagram", "linkedin", "youtube", "tiktok", "reddit",
	"twitter", "bing", "email", "social", "cpc", "organic", "referral", "qr", "sms", "banner",
	"affiliate", "display",
}

// wordOf maps words to their indexes.
var wordOf = func() map[string]uint8 {
	index := make(map[string]uint8, len(words))
	for i, word := range words {
		index[word] = uint8(i)
	}
	return index
}()
