package useragent

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ua-parser/uap-go/uaparser"
)

const (
	webKit  = "AppleWebKit/537.36 (KHTML, like Gecko) "
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
	iPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 " +
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
			"Safari/537.36": "Samsung Internet other tv",
		"Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
			"Version/13.0 Safari/605.1.15": "PlayStation Browser other console",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) " + webKit +
			"Chrome/48.0.2564.82 Safari/537.36 Edge/20.02": "Edge Windows console",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": "bot",
		"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)":               "bot",
		"curl/8.5.0": "bot", "python-requests/2.31.0": "bot", "Wget/1.21": "bot",
		"UptimeRobot/2.0": "bot", "WhatsApp/2.23.20.0 A": "bot",
		"something else": "bot",
	} {
		f, ok := p.Recognize([]byte(agent))
		got := strings.Join([]string{f.Browser, f.OS, f.Device}, " ")
		if f.Bot && got == "other other other" {
			got = "bot"
		}
		if !ok || got != want {
			t.Errorf("%q is %s, want %s", agent, got, want)
		}
		if again, ok, _ := p.Quick([]byte(agent)); !ok || again != f {
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

// A flood of new user agents is recognized at a bounded rate, at a lower one if that takes the
// rules; the known ones stay known.
func TestFlood(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		agent        string
		burst, later int
	}{
		"plain":    {firefox + " Version/", 500, 100},
		"by rules": {firefox + " Unusual/", 20, 5},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := New()
			p.rules = sync.OnceValue(rules)
			p.all, p.byRules = newBudget(100, 500), newBudget(5, 20)
			known := []byte(iPhone + "Version/17.1 Mobile/15E148 Safari/604.1")
			p.Recognize(known)
			n := 0
			recognized := func() (sum int) {
				for range 600 {
					n++
					if _, ok := p.Recognize(fmt.Append(nil, test.agent, n)); ok {
						sum++
					}
					if _, ok, _ := p.Quick(known); !ok {
						t.Fatal(name, "forgot what it knew")
					}
				}
				return sum
			}
			if got := recognized(); got < test.burst-1 || got > test.burst {
				t.Errorf("%s: recognized %d at once", name, got)
			}
			time.Sleep(time.Second)
			if got := recognized(); got != test.later {
				t.Errorf("%s: recognized %d after a second", name, got)
			}
			if f, ok := p.Recognize([]byte("one more")); ok || f.Bot || f.Browser != Other {
				t.Errorf("%s: beyond the rate: %+v %v", name, f, ok)
			}
			time.Sleep(time.Hour)
			if got := recognized(); got != test.burst {
				t.Errorf("%s: recognized %d after an hour", name, got)
			}
		})
	}
}

// What is asked for stays known while very many others come and go.
func TestKnownOutlastsOthers(t *testing.T) {
	t.Parallel()
	c := newCache()
	asked := []byte("asked for")
	c.put(string(asked), bot)
	for i := range 4 * ways * numSets {
		c.put(strconv.Itoa(i), unknown)
		if f, ok := c.get(asked); !ok || !f.Bot {
			t.Fatalf("forgotten after %d others", i)
		}
	}
	if f, ok := c.get([]byte(strconv.Itoa(4*ways*numSets - 1))); !ok || f.Bot {
		t.Error("the last one is not known")
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	p := New()
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 50 {
				agent := fmt.Sprintf("Mozilla/5.0 (Android %d; Mobile; rv:1.0) Firefox/1.0", i%25)
				f, ok := p.Recognize([]byte(agent))
				if !ok || f.OS != "Android" || f.Browser != "Firefox" {
					t.Errorf("%d: %s is %+v", n, agent, f)
				}
			}
		})
	}
	all.Wait()
}

// RulesTime is true of one version of the module only.
func TestRulesTime(t *testing.T) {
	t.Parallel()
	const module = "github.com/ua-parser/uap-go v0.0.0-20260529044130-17c35e68e58c"
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(mod), module+"\n") {
		t.Error("uap-go has another version: set RulesTime to the commit of its uap-core, " +
			"and this test's constant to the version")
	}
}

func TestLongUserAgent(t *testing.T) {
	p := New()
	long := []byte(iPhone + "Version/17.1 Mobile Safari/604.1" + strings.Repeat(" x", 5000))
	if f, ok := p.Recognize(long); !ok || f.OS != "iOS" {
		t.Errorf("%+v %v", f, ok)
	}
	if n := testing.AllocsPerRun(100, func() { p.Quick(long) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// recognize returns what a user agent is, without bound and memory.
func recognize(rules *uaparser.Parser, line string) Families {
	lower := strings.ToLower(line)
	f, ok := plain(lower)
	if !ok {
		f = byRules(rules, line, lower)
	}
	return f
}

func BenchmarkRecognize(b *testing.B) {
	rules := rules()
	for name, agent := range map[string]string{
		"plain": firefox, "by rules": firefox + " Unusual/1.0", "bot": "ExampleBot/1.0",
	} {
		b.Run(name, func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				recognize(rules, fmt.Sprint(agent, n))
			}
		})
	}
}

func BenchmarkQuick(b *testing.B) {
	p := New()
	agent := []byte(iPhone + "Version/17.1 Mobile Safari/604.1")
	p.Recognize(agent)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			p.Quick(agent)
		}
	})
}

// A user agent that is not known, while none more may be recognized: what each redirect of a flood
// of 1,000,000 invented ones pays.
func BenchmarkFlood(b *testing.B) {
	p := New()
	p.rules()
	agents := make([][]byte, 1_000_000)
	for i := range agents {
		agents[i] = fmt.Appendf(nil, "%sVersion/17.1 Mobile Safari/604.1 %d", iPhone, i)
	}
	for p.all.take() {
	}
	for p.byRules.take() {
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		p.Quick(agents[n%len(agents)])
	}
}
