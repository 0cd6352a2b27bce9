package redirect

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terse/internal/link/blocked"
)

// blockedBy returns the list of some lines.
func blockedBy(t testing.TB, lines string) *blocked.List {
	t.Helper()
	path := filepath.Join(t.TempDir(), "blocked")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := blocked.Open(path, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return file.List()
}

// block sets where no link may lead from now on.
func (f *fixture) block(list *blocked.List) {
	f.opts.Blocked = func() *blocked.List { return list }
	f.InvalidateAll()
}

// What is blocked while the store is away is blocked at once, although the links that lead there
// are served from memory.
func TestBlockedWhileStoreAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "plain", "https://evil.example/")
	f.linkAt(t, "other", "https://evil.example/", []string{"some/where"})
	f.linkWith(t, "ruled", "https://fine.example/",
		`rules [{"name":"a","url":"https://evil.example/"}]`)
	f.linkWith(t, "query", "https://evil.example/", "forward_query true")
	paths := []string{"/plain", "/some/where", "/ruled", "/query"}
	for _, path := range paths {
		f.want(t, path, "https://evil.example/")
	}
	away := errors.New("away")
	f.links.err.Store(&away)
	clicks := len(f.clicks.clicks)
	f.block(blockedBy(t, "evil.example"))
	for range 2 { // the store is tried, and then not
		for _, path := range paths {
			f.wantStatus(t, 410, "GET "+path)
		}
	}
	if n := len(f.clicks.clicks) - clicks; n > 0 {
		t.Errorf("%d clicks on blocked links", n)
	}
	f.block(nil)
	for _, path := range paths {
		f.want(t, path, "https://evil.example/")
	}
}

// A look-up under way while the list changes is not cached as it was.
func TestALookUpThatTheListOvertook(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "plain", "https://evil.example/")
	list := blockedBy(t, "evil.example")
	f.links.during = func() { f.block(list) }
	_, _ = f.ask("GET /plain") // may go either way
	f.links.during = nil
	f.wantStatus(t, 410, "GET /plain")
}

func TestBlockedAllocatesNothing(t *testing.T) { //nolint:paralleltest // it counts allocations
	f := newFixture(t)
	f.linkWith(t, "launch", "https://evil.example/",
		`rules [{"name":"a","url":"https://www.fine.example/"}]`)
	h := hotHandler(f)
	list := blockedBy(t, "evil.example")
	h.opts.Blocked = func() *blocked.List { return list }
	if n := testing.AllocsPerRun(1000, func() { hit(t, h) }); n > 0 {
		t.Errorf("%v allocations a redirect", n)
	}
}

// BenchmarkCacheHitBlocked compares redirects without a list with those beside a million blocked
// hosts. A destination by a rule is looked up at each visit, that of a plain link is not.
func BenchmarkCacheHitBlocked(b *testing.B) {
	var lines strings.Builder
	for i := range 1_000_000 {
		fmt.Fprintf(&lines, "tracker-%d.ads.example\n", i)
	}
	million := blockedBy(b, lines.String())
	for _, link := range []string{"plain", "rule"} {
		for name, list := range map[string]*blocked.List{"nothing": nil, "million": million} {
			b.Run(link+"/"+name, func(b *testing.B) {
				f := newFixture(b)
				if link == "plain" {
					f.link(b, "launch", "https://www.fine.example/")
				} else {
					f.linkWith(b, "launch", "https://fine.example/",
						`rules [{"name":"a","url":"https://www.fine.example/"}]`)
				}
				h := hotHandler(f)
				h.opts.Blocked = func() *blocked.List { return list }
				b.ReportAllocs()
				for b.Loop() {
					hit(b, h)
				}
			})
		}
	}
}
