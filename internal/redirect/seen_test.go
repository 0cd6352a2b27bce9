package redirect

import (
	"testing"
	"time"

	"terse"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"

// A loop does not recognize a user agent, which takes long: it is done apart, once.
func TestANewUserAgent(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.linkWith(t, "forward", "https://example.com/", "forward_query true")
	visit := func(path, agent string, wait time.Duration) Answer {
		v := Visit{Path: []byte(path), Time: time.Now()}
		v.Header[UserAgent] = []byte(agent)
		return f.Answer(&v, Attempt{Wait: wait})
	}
	for _, path := range []string{"/launch", "/forward"} {
		agent := firefox + path
		for name, got := range map[string]Answer{
			"known": visit(path, "", time.Minute), "new, waits": visit(path, agent, 0),
		} {
			if got.Reply == nil || got.Err != nil {
				t.Errorf("%s, %s: %+v", path, name, got)
			}
		}
		if got := visit(path, agent+" 2", time.Minute); got.Reply != nil || !got.Apart {
			t.Errorf("%s: a loop recognizes a user agent: %+v", path, got)
		}
		if got := visit(path, agent, time.Minute); got.Reply == nil {
			t.Errorf("%s: a user agent is recognized twice", path)
		}
	}
	var counted []string
	for _, click := range f.clicks.clicks {
		counted = append(counted, click.Values.Of(terse.ByBrowser))
	}
	if n := len(counted); n != 6 {
		t.Errorf("%d clicks, want one for each answer: %v", n, counted)
	}
	if counted[len(counted)-1] != "Firefox" {
		t.Errorf("browsers %v", counted)
	}
}
