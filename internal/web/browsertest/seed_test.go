package browsertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/link/weburl"
)

const owner = "authenticated-user"

// store opens the database of a data folder.
func store(t testing.TB, dir string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(dir, "terse.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func create(t testing.TB, s *sqlite.Store, code, url string, made time.Time) terse.Link {
	t.Helper()
	link, err := newLink(t, s, code, url, made)
	if err != nil {
		t.Error(err) // and not Fatal, which is for the test's own goroutine
	}
	return link
}

func newLink(t testing.TB, s *sqlite.Store, code, url string, made time.Time) (terse.Link, error) {
	parsed, err := terse.ParseCode(code)
	if err != nil {
		return terse.Link{}, err
	}
	target, err := weburl.Parse(url)
	if err != nil {
		return terse.Link{}, err
	}
	return s.Create(t.Context(), terse.Caller{}, terse.NewLink{
		Code: parsed, URL: target, CreatedBy: owner,
		CreatedAt: made,
	})
}

// known are the links that the tests name, the newest first, with the clicks of the last 400 days
// that are aimed at.
var known = []struct {
	code, url string
	age       time.Duration
	clicks    int
}{
	{"quiet", "https://example.com/nobody-was-here-yet", 2 * time.Hour, 0},
	{
		"launch", "https://shop.example.com/spring?utm_source=newsletter&utm_medium=email" +
			"&utm_campaign=spring-launch", 62 * day, 21_000,
	},
	{"docs", "https://docs.example.com/getting-started/installation", 200 * day, 9_000},
	{"status", "https://status.example.com/", 260 * day, 2_600},
	{"talk", "https://video.example.org/watch?v=dQw4w9WgXcQ&t=42s", 34 * day, 1_900},
	{"roadmap", "https://example.com/blog/2026/roadmap", 120 * day, 1_400},
	{"hiring", "https://jobs.example.com/backend-engineer?ref=short", 90 * day, 700},
}

const (
	day   = 24 * time.Hour
	extra = 350 // links without a name, so that the list has several pages
)

var (
	countries = weights("US", 30, "DE", 21, "GB", 11, "FR", 8, "IN", 7, "CA", 5, "NL", 4, "BR", 4,
		"JP", 3, "AU", 3, "PL", 2, "ES", 2, "SE", 2, "SG", 1, "ZA", 1, "MT", 1, "XX", 2)
	referrers = weights("direct", 38, "https://news.ycombinator.com/", 21, "https://t.co/", 9,
		"https://www.google.com/", 8, "https://github.com/example/launch/blob/main/README.md", 6,
		"https://www.reddit.com/r/selfhosted/comments/1abcde/short_links/", 5,
		"https://mail.example.com/", 4, "https://lobste.rs/", 3, "https://bsky.app/", 3,
		"https://www.linkedin.com/", 2, "https://duckduckgo.com/", 2, "https://example.com/blog/",
		2, "https://mastodon.social/@example/1", 1)
	cities = map[string]weighted{
		"DE": weights("Berlin, DE-BE", 5, "Hamburg, DE-HH", 3, "Munich, DE-BY", 2),
		"US": weights("New York, US-NY", 4, "San Francisco, US-CA", 3, "Austin, US-TX", 2),
		"GB": weights("London, GB-ENG", 3, "Edinburgh, GB-SCT", 1),
		"FR": weights("Paris, FR-IDF", 1),
	}
	// visitor, browser, system and device
	agents = weights("person/Chrome/Windows/desktop", 24, "person/Chrome/Android/mobile", 20,
		"person/Safari/iOS/mobile", 16, "person/Safari/macOS/desktop", 8,
		"person/Firefox/Linux/desktop", 6, "person/Firefox/Windows/desktop", 5,
		"person/Edge/Windows/desktop", 5, "person/Samsung Internet/Android/mobile", 3,
		"person/Safari/iOS/tablet", 3, "person/Opera/Windows/desktop", 1, "bot", 8,
		"prefetch/Chrome/Windows/desktop", 1)
	languages = weights("en", 50, "de", 20, "fr", 8, "hi", 4, "pt", 4, "ja", 3, "nl", 3, "pl", 2)
	campaigns = weights("newsletter/email/spring-launch", 5, "newsletter/email/autumn", 2,
		"twitter/social/spring-launch", 3, "partner/banner/", 1)
)

// weighted draws its values as often as their weights say.
type weighted []string

func weights(pairs ...any) (all weighted) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, slices.Repeat([]string{pairs[i].(string)}, pairs[i+1].(int))...)
	}
	return all
}

func (w weighted) draw(r *rand.Rand) string { return w[r.IntN(len(w))] }

// demo fills a data folder with links and 400 days of clicks, the same each time but for the
// times, which are counted back from now.
func demo(t testing.TB, dir string) {
	t.Helper()
	s, r, now := store(t, dir), rand.New(rand.NewPCG(1, 2)), time.Now()
	var clicks []terse.Click
	visit := func(link terse.Link, age time.Duration, times int) {
		for range times {
			click := terse.Click{
				Link: link.ID, Code: link.Code, Time: moment(r, now, age).UnixMicro(),
				Values: values(r),
			}
			if click.Values[terse.ByVisitor] != terse.Bot {
				click.Visitor = hash(r.Uint64N(800))
			}
			clicks = append(clicks, click)
		}
	}
	for i := range extra {
		code, age := fmt.Sprintf("%s%04d", weighted{"mail", "post", "event", "qr-"}.draw(r), i),
			400*day-time.Duration(i)*3*time.Hour
		visit(create(t, s, code, fmt.Sprintf("https://example.com/archive/%d/page-%d", 2020+i%6, i),
			now.Add(-age)), age, r.IntN(60))
	}
	for _, k := range slices.Backward(known) {
		visit(create(t, s, k.code, k.url, now.Add(-k.age)), k.age, k.clicks)
	}
	slices.SortFunc(clicks, func(a, b terse.Click) int { return int(a.Time - b.Time) })
	add(t, s, clicks)
}

// values draws what is known of a click.
func values(r *rand.Rand) terse.Values {
	from, with := countries.draw(r), strings.Split(agents.draw(r), "/")
	v := terse.Values{
		terse.ByCountry: from, terse.ByReferrer: referrers.draw(r), terse.ByVisitor: with[0],
	}
	if with[0] != terse.Bot {
		v[terse.ByBrowser], v[terse.ByOS], v[terse.ByDevice] = with[1], with[2], with[3]
		v[terse.ByLanguage] = languages.draw(r)
	}
	if places := cities[from]; len(places) > 0 && r.IntN(4) > 0 {
		v[terse.ByCity] = places.draw(r)
		_, v[terse.ByRegion], _ = strings.Cut(v[terse.ByCity], ", ")
	}
	if r.IntN(3) == 0 {
		campaign := strings.Split(campaigns.draw(r), "/")
		v[terse.BySource], v[terse.ByMedium], v[terse.ByCampaign] =
			campaign[0], campaign[1], campaign[2]
	}
	return v
}

// moment draws a time since a link was made: more by day than by night, more on workdays, with
// a wave of attention eleven days ago, and with rising interest.
func moment(r *rand.Rand, now time.Time, age time.Duration) time.Time {
	for {
		back := time.Duration(r.Float64() * float64(age))
		at := now.Add(-back)
		likely := .25 + .2*math.Sin(2*math.Pi*(float64(at.UTC().Hour())-8)/24)
		if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
			likely *= .6
		}
		likely *= 1 - .5*float64(back)/float64(age)
		wave := back.Hours()/24 - 11
		if likely += .5 * math.Exp(-wave*wave); r.Float64() < likely {
			return at
		}
	}
}

// hash spreads the numbers of visitors, as the hash of who clicks does.
func hash(visitor uint64) uint64 { return (1 + visitor) * 0x9E3779B97F4A7C15 }

// add counts clicks in their order, in batches of a UTC day, as ingest would.
func add(t testing.TB, s *sqlite.Store, clicks []terse.Click) {
	t.Helper()
	const most = 5000
	position, last := int64(0), terse.Day(0)
	for len(clicks) > 0 {
		day, n := terse.DayOf(clicks[0].Time), 1
		for n < min(most, len(clicks)) && terse.DayOf(clicks[n].Time) == day {
			n++
		}
		if day != last { // visitors are told apart on days that have a key
			if _, err := s.VisitorKey(t.Context(), day); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.AddClicks(t.Context(), terse.ClickBatch{
			Journal: "seed", From: position, To: position + int64(n),
			Clicks: terse.ClicksOf(clicks[:n]...),
		}); err != nil {
			t.Fatal(err)
		}
		position, last, clicks = position+int64(n), day, clicks[n:]
	}
}

// many fills a data folder with n links that have a click each.
func many(t testing.TB, dir string, n int) {
	t.Helper()
	s, now := store(t, dir), time.Now()
	clicks := make([]terse.Click, n)
	var group sync.WaitGroup
	for worker := range 64 { // callers that wait together share a sync
		group.Go(func() {
			for i := worker; i < n; i += 64 {
				link := create(t, s, fmt.Sprintf("code%06d", i),
					fmt.Sprintf("https://example.com/%d/some/page?number=%d", i%97, i),
					now.Add(-time.Duration(n-i)*time.Minute))
				clicks[i] = terse.Click{Link: link.ID, Code: link.Code, Time: now.UnixMicro()}
			}
		})
	}
	group.Wait()
	add(t, s, clicks)
}

// million fills a data folder with a link that has 1,000,000 clicks of 200 days.
func million(t testing.TB, dir string) {
	t.Helper()
	const n = 1_000_000
	s, r, now := store(t, dir), rand.New(rand.NewPCG(1, 2)), time.Now()
	link, clicks := create(t, s, "busy", "https://example.com/", now.Add(-200*day)),
		make([]terse.Click, n)
	for i := range clicks {
		at := now.Add(-200 * day * time.Duration(n-i) / n)
		clicks[i] = terse.Click{
			Link: link.ID, Code: link.Code, Time: at.UnixMicro(), Values: values(r),
			Visitor: hash(r.Uint64N(1 << 20)),
		}
	}
	add(t, s, clicks)
}
