package useragent

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	webKit = "AppleWebKit/537.36 (KHTML, like Gecko) "
	iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 " +
		"(KHTML, like Gecko) "
)

func TestFamilies(t *testing.T) {
	t.Parallel()
	p := New()
	for agent, want := range map[string]string{
		"": "bot",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webKit + "Chrome/120.0.0.0 " +
			"Safari/537.36": "Chrome Windows desktop",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webKit + "Chrome/120.0.0.0 " +
			"Safari/537.36 Edg/120.0.0.0": "Edge Windows desktop",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webKit + "Chrome/120.0.0.0 " +
			"Safari/537.36 OPR/106.0.0.0": "Opera Windows desktop",
		"Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko": "IE Windows " +
			"desktop",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like " +
			"Gecko) Version/17.1 Safari/605.1.15": "Safari macOS desktop",
		"Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:109.0) Gecko/20100101 " +
			"Firefox/121.0": "Firefox Linux desktop",
		"Mozilla/5.0 (X11; Linux x86_64) " + webKit + "Chrome/120.0.0.0 Safari/537.36": "" +
			"Chrome Linux desktop",
		"Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:109.0) Gecko/20100101 " +
			"Firefox/121.0": "Firefox Linux desktop",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) " + webKit + "Chrome/120.0.0.0 " +
			"Safari/537.36": "Chrome ChromeOS desktop",
		iPhone + "Version/17.1 Mobile/15E148 Safari/604.1":      "Safari iOS mobile",
		iPhone + "CriOS/119.0 Mobile/15E148 Safari/604.1":       "Chrome iOS mobile",
		iPhone + "FxiOS/119.0 Mobile/15E148 Safari/604.1":       "Firefox iOS mobile",
		iPhone + "Version/17.0 EdgiOS/119.0 Mobile/15E148 S/1":  "Edge iOS mobile",
		iPhone + "Mobile/15E148":                                "Safari iOS mobile",
		strings.ReplaceAll(iPhone, "iPhone", "iPad") + "Mobile": "Safari iOS tablet",
		"Mozilla/5.0 (Linux; Android 13; SM-S901B) " + webKit + "SamsungBrowser/23.0 " +
			"Chrome/115.0.0.0 Mobile Safari/537.36": "Samsung Internet Android mobile",
		"Mozilla/5.0 (Linux; Android 13; SM-X906C) " + webKit + "Chrome/115.0.0.0 " +
			"Safari/537.36": "Chrome Android tablet",
		"Mozilla/5.0 (Linux; Android 10; K) " + webKit + "Chrome/120.0.0.0 Mobile " +
			"Safari/537.36": "Chrome Android mobile",
		"Mozilla/5.0 (Linux; Android 9; CUBOT NOTE 20) " + webKit + "Chrome/120.0.0.0 Mobile " +
			"Safari/537.36": "Chrome Android mobile",
		"Mozilla/5.0 (Android 13; Tablet; rv:121.0) Gecko/121.0 Firefox/121.0": "Firefox " +
			"Android tablet",
		"Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) " + webKit + "76.0.3809.146/6.0 TV " +
			"Safari/537.36": "Safari other tv",
		"Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Version/13.0 Safari/605.1.15": "Safari other console",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) " + webKit +
			"Chrome/48.0.2564.82 Safari/537.36 Edge/20.02": "Edge Windows console",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": "bot",
		"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)":               "bot",
		"curl/8.5.0": "bot", "python-requests/2.31.0": "bot", "Wget/1.21": "bot",
		"UptimeRobot/2.0": "bot", "WhatsApp/2.23.20.0 A": "bot",
		"something else": "other other other",
	} {
		f, ok := p.Recognize([]byte(agent))
		got := strings.Join([]string{f.Browser, f.OS, f.Device}, " ")
		if f.Bot && got == "other other other" {
			got = "bot"
		}
		if !ok || got != want {
			t.Errorf("%q is %s, want %s", agent, got, want)
		}
		if again, ok := p.Known([]byte(agent)); !ok || again != f {
			t.Errorf("%q is forgotten: %+v %v", agent, again, ok)
		}
	}
}

func TestLinkPreviews(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]bool{
		"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)": true,
		"Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 " +
			"skype-url-preview@microsoft.com": true,
		"WhatsApp/2.23.20.0 A": true, "TelegramBot (like TwitterBot)": true,
		"Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)":         true,
		"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)": true,
		"Twitterbot/1.0": true, "LinkedInBot/1.0 (compatible; Mozilla/5.0)": true,
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) " +
			"Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0": true,
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": false,
		iPhone + "Version/17.1 Mobile/15E148 Safari/604.1":                         false,
		"curl/8.5.0": false, "": false,
	} {
		if got := IsLinkPreview([]byte(agent)); got != want {
			t.Errorf("%q: %v", agent, got)
		}
	}
}

// A flood of new user agents is recognized at a bounded rate; the known ones stay known.
func TestFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := New()
		p.rules = New().rules
		p.Recognize([]byte("Mozilla/5.0 known"))
		p.budget = 3
		recognized := 0
		for i := range 1000 {
			if _, ok := p.Recognize(fmt.Appendf(nil, "Mozilla/5.0 new %d", i)); ok {
				recognized++
			}
			if _, ok := p.Recognize([]byte("Mozilla/5.0 known")); !ok {
				t.Fatal("forgot what it knew")
			}
		}
		if recognized != 3 {
			t.Errorf("recognized %d", recognized)
		}
		time.Sleep(time.Second)
		for range perSecond {
			if _, ok := p.Recognize([]byte(time.Now().String() + fmt.Sprint(recognized))); !ok {
				t.Error("does not recover")
			}
			recognized++
		}
		if f, ok := p.Recognize([]byte("one more")); ok || f.Bot || f.Browser != Other {
			t.Errorf("beyond the rate: %+v %v", f, ok)
		}
	})
}

func TestLongUserAgent(t *testing.T) {
	p := New()
	long := []byte(iPhone + "Version/17.1 Mobile Safari/604.1" + strings.Repeat(" x", 5000))
	if f, ok := p.Recognize(long); !ok || f.OS != "iOS" {
		t.Errorf("%+v %v", f, ok)
	}
	if n := testing.AllocsPerRun(100, func() { p.Known(long) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRecognize(b *testing.B) {
	p := New()
	rules := p.rules()
	for n := 0; b.Loop(); n++ {
		families(rules, fmt.Sprint(iPhone+"Version/17.1 Mobile Safari/604.1 ", n))
	}
}
