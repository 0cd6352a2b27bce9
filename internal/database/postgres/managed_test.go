package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// managed returns a link that is to be made, with options.
func managed(t testing.TB, c string, options terse.LinkOptions) terse.NewLink {
	t.Helper()
	encoded, err := options.Encode()
	must(t, err)
	return terse.NewLink{
		Code: code(t, c), URL: "https://example.org/", CreatedBy: terse.Identity,
		Options: encoded,
	}
}

func makeWith(t testing.TB, s *postgres.Store, c string, options terse.LinkOptions) terse.Link {
	t.Helper()
	link, err := s.Create(t.Context(), me, managed(t, c, options))
	must(t, err)
	return link
}

func change(t testing.TB, s *postgres.Store, link terse.Link, options terse.LinkOptions,
) terse.Link {
	t.Helper()
	var err error
	link.Options, err = options.Encode()
	must(t, err)
	changed, err := s.Update(t.Context(), me, terse.LinkChange{Before: link, After: link})
	must(t, err)
	return changed
}

func wantTags(t testing.TB, s *postgres.Store, want ...terse.Tag) {
	t.Helper()
	got, err := s.Tags(t.Context(), terse.Identity)
	must(t, err)
	if diff := cmp.Diff(append([]terse.Tag{}, want...), got); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}

func tagsOf(t testing.TB, link terse.Link) []string {
	t.Helper()
	options, err := link.Options.Decode()
	must(t, err)
	return options.Tags
}

// TestTakeOnNodes: two nodes take clicks of links at once, and together grant all of them, but
// never more.
func TestTakeOnNodes(t *testing.T) {
	t.Parallel()
	const clicks, wishes = 500, 800
	url := pgtest.URL(t)
	nodes := []*postgres.Store{open(t, url), open(t, url)}
	links := []terse.Link{
		makeWith(t, nodes[0], "one", terse.LinkOptions{MaxClicks: clicks}),
		makeWith(t, nodes[0], "two", terse.LinkOptions{MaxClicks: clicks, Tags: []string{"t"}}),
	}
	var granted, refused [2]atomic.Int64
	var taking sync.WaitGroup
	for _, s := range nodes {
		for i, link := range links {
			for range wishes {
				taking.Go(func() {
					switch err := s.Take(t.Context(), link.Ref()); {
					case err == nil:
						granted[i].Add(1)
					case errors.Is(err, terse.ErrUsedUp):
						refused[i].Add(1)
					default:
						t.Error(err)
					}
				})
			}
		}
	}
	taking.Wait()
	for i, link := range links {
		if g, r := granted[i].Load(), refused[i].Load(); g != clicks || r != 2*wishes-clicks {
			t.Errorf("%v: %d granted, %d refused", link.Code, g, r)
		}
		found, err := nodes[1].Link(t.Context(), link.Code)
		must(t, err)
		if found.Used != clicks {
			t.Errorf("%v has used %d", link.Code, found.Used)
		}
	}
	wantNoDeadlocks(t, url, nodes...)
}

// TestTakeLostAnswers cuts connections while clicks are taken: no more clicks are granted than
// there are, and no more than the rows say.
func TestTakeLostAnswers(t *testing.T) {
	t.Parallel()
	const clicks, callers, cuts = 3000, 8, 15
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	s, direct := open(t, proxied), open(t, url)
	link := makeWith(t, direct, "link", terse.LinkOptions{MaxClicks: clicks})
	var granted, unknown atomic.Int64
	var taking, cutting sync.WaitGroup
	for range callers {
		taking.Go(func() {
			for {
				err := s.Take(t.Context(), link.Ref())
				if errors.Is(err, terse.ErrUsedUp) {
					return
				}
				if err == nil {
					granted.Add(1)
				} else {
					unknown.Add(1)
				}
			}
		})
	}
	cutting.Go(func() {
		for range cuts {
			before := granted.Load() + unknown.Load()
			await(t, "clicks to be taken", func() bool {
				n := granted.Load() + unknown.Load()
				return n >= before+20 || n >= clicks-callers
			})
			p.loseAnswers(t)
		}
	})
	taking.Wait()
	cutting.Wait()
	if g, u := granted.Load(), unknown.Load(); g > clicks || g+u < clicks {
		t.Errorf("%d granted of %d, of %d is not known", g, clicks, u)
	}
	found, err := direct.Link(t.Context(), link.Code)
	must(t, err)
	if found.Used != clicks {
		t.Errorf("the link has used %d", found.Used)
	}
}

// TestTags: the first spelling is everyone's, until the last link with the tag is gone.
func TestTags(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	a := makeWith(t, s, "aaa", terse.LinkOptions{Tags: []string{"News", "Straße"}})
	b := makeWith(t, s, "bbb", terse.LinkOptions{Tags: []string{"NEWS"}})
	if got := tagsOf(t, b); !slices.Equal(got, []string{"News"}) {
		t.Errorf("spelled %v", got)
	}
	wantTags(t, s, terse.Tag{Name: "News", Links: 2}, terse.Tag{Name: "Straße", Links: 1})
	a = change(t, s, a, terse.LinkOptions{Tags: []string{"news", "other"}, Title: "x"})
	if got := tagsOf(t, a); !slices.Equal(got, []string{"News", "other"}) {
		t.Errorf("spelled %v", got)
	}
	wantTags(t, s, terse.Tag{Name: "News", Links: 2}, terse.Tag{Name: "other", Links: 1})
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		if err := tx.SpellTag(t.Context(), terse.Identity, "NEWS"); err != nil {
			return err
		}
		updated, err := tx.Update(t.Context(), me, terse.LinkChange{Before: b, After: b})
		b = updated
		return err
	}))
	if got := tagsOf(t, b); !slices.Equal(got, []string{"NEWS"}) {
		t.Errorf("spelled %v", got)
	}
	wantTags(t, s, terse.Tag{Name: "NEWS", Links: 2}, terse.Tag{Name: "other", Links: 1})
	must(t, s.Delete(t.Context(), me, a))
	must(t, s.Delete(t.Context(), me, b))
	wantTags(t, s)
	for _, table := range []string{"link_sets", "link_changes", "tags"} {
		if n := count(t, url, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
}

// linkTags are the links with each tag of theirs, as tag.
const linkTags = "links, unnest(string_to_array(tags, E'\n')) AS tag"

// insertTags counts the tags of links that were written by hand.
const insertTags = "INSERT INTO tags SELECT created_by, tag, tag, count(*) FROM " + linkTags +
	" GROUP BY created_by, tag"

// TestTagsOnNodes: nodes write the same tags at once, in several spellings. One spelling stays, and
// the numbers are right.
func TestTagsOnNodes(t *testing.T) {
	t.Parallel()
	const callers, each = 8, 40
	url := pgtest.URL(t)
	nodes := []*postgres.Store{open(t, url), open(t, url)}
	var working sync.WaitGroup
	for caller := range callers {
		working.Go(func() {
			s := nodes[caller%2]
			for i := range each {
				tags := []string{"news", "Other", fmt.Sprint("n", i/8)}
				for k := range tags {
					if rand.IntN(2) == 0 {
						tags[k] = strings.ToUpper(tags[k])
					}
				}
				link := makeWith(t, s, fmt.Sprintf("c%d-%d", caller, i),
					terse.LinkOptions{Tags: tags})
				if i%4 == 0 {
					must(t, s.Delete(t.Context(), me, link))
				} else if i%4 == 1 {
					change(t, s, link, terse.LinkOptions{Tags: tags[1:]})
				}
			}
		})
	}
	working.Wait()
	for _, sql := range []string{
		"SELECT count(*) FROM tags AS n WHERE links <> (SELECT count(*) FROM " + linkTags +
			" WHERE created_by = n.owner AND tag = n.tag)",
		"SELECT count(*) FROM " + linkTags + " JOIN tags AS n USING (tag) " +
			"WHERE NOT options::jsonb->'tags' ? n.name",
	} {
		if n := count(t, url, sql); n != 0 {
			t.Errorf("%d rows: %s", n, sql)
		}
	}
	if n := count(t, url, "SELECT count(*) FROM "+linkTags); n != callers*each*(3*2+2)/4 {
		t.Errorf("links have %d tags", n)
	}
	wantRanges(t, url)
}

// TestClearClicks clears clicks while two nodes count: rows and totals agree afterwards, and all
// links together keep theirs.
func TestClearClicks(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	const batches = 60
	url := pgtest.URL(t)
	nodes := []*postgres.Store{open(t, url), open(t, url)}
	link := create(t, nodes[0], "link")
	var counting sync.WaitGroup
	for n, s := range nodes {
		counting.Go(func() {
			for i := range int64(batches) {
				addClicks(t, s, fmt.Sprint("j", n), i,
					clicksOf([]terse.Link{link}, 10+rand.IntN(400))...)
			}
		})
	}
	done := make(chan struct{})
	go func() { counting.Wait(); close(done) }()
	for clearing := true; clearing; {
		must(t, nodes[0].ClearClicks(t.Context(), me, link.Ref()))
		select {
		case <-done:
			clearing = false
		default:
		}
		clicks, err := nodes[1].Clicks(t.Context(), link.Ref())
		must(t, err)
		if !clearing {
			wantClicks(t, nodes[1], link.Ref(), clicks.Clicks)
		}
	}
	addClicks(t, nodes[0], "j0", batches, clicksOf([]terse.Link{link}, 7)...)
	must(t, nodes[0].ClearClicks(t.Context(), me, link.Ref()))
	wantClicks(t, nodes[1], link.Ref(), 0)
	all, err := nodes[0].Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	if all.Total < 2*10*batches+7 {
		t.Errorf("all links together have %d clicks", all.Total)
	}
	must(t, nodes[0].Delete(t.Context(), me, link))
	err = nodes[0].ClearClicks(t.Context(), me, link.Ref())
	if !errors.Is(err, terse.ErrNotFound) {
		t.Errorf("clear clicks of a deleted link: %v", err)
	}
}

// TestTransact: all or nothing, what was done before is seen, and refusals do not end it.
func TestTransact(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := open(t, url), open(t, url)
	w := watchClosely(t, other)
	taken := create(t, s, "taken")
	ctx := t.Context()
	errOver := errors.New("over")
	do := func(end error) error {
		return s.Transact(ctx, func(tx terse.Tx) error {
			link, err := tx.Create(ctx, me,
				managed(t, "new", terse.LinkOptions{Tags: []string{"a"}}))
			must(t, err)
			_, err = tx.Create(ctx, me, managed(t, "taken", terse.LinkOptions{}))
			if !errors.Is(err, terse.ErrCodeTaken) {
				t.Errorf("create with a code in use: %v", err)
			}
			link.Options = `{"tags":["A","b"],"max_clicks":3}`
			link, err = tx.Update(ctx, me, terse.LinkChange{Before: link, After: link})
			must(t, err)
			found, err := tx.Link(ctx, link.Code)
			must(t, err)
			if found != link || !slices.Equal(tagsOf(t, link), []string{"a", "b"}) {
				t.Errorf("found %+v, want %+v", found, link)
			}
			stale := link
			stale.UpdatedAt = time.Time{}
			change := terse.LinkChange{Before: stale, After: stale}
			if _, err := tx.Update(ctx, me, change); !errors.Is(err,
				terse.ErrChanged) {
				t.Errorf("update of another version: %v", err)
			}
			must(t, tx.Delete(ctx, me, taken))
			if err := tx.Delete(ctx, me, taken); !errors.Is(err, terse.ErrNotFound) {
				t.Errorf("delete again: %v", err)
			}
			if _, err := tx.Link(ctx, taken.Code); !errors.Is(err, terse.ErrNotFound) {
				t.Errorf("look up what was deleted: %v", err)
			}
			return end
		})
	}
	if err := do(errOver); !errors.Is(err, errOver) {
		t.Errorf("a transaction that is given up: %v", err)
	}
	wantCount(t, url, "SELECT count(*) + (SELECT count(*) FROM tags) FROM links", 1)
	must(t, do(nil))
	w.awaitChanged(t, taken.Code)
	wantTags(t, s, terse.Tag{Name: "a", Links: 1}, terse.Tag{Name: "b", Links: 1})
	wantCount(t, url, "SELECT sum(links)::int FROM link_ranges", 1)
}

// TestTransactDeadlock: transactions change the same links in opposite orders, and all succeed.
func TestTransactDeadlock(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	a, b := create(t, s, "aaa"), create(t, s, "bbb")
	first := make(chan struct{}, 4)
	var working sync.WaitGroup
	for _, order := range [][]terse.Link{{a, b}, {b, a}} {
		working.Go(func() {
			tries := 0
			if err := s.Transact(t.Context(), func(tx terse.Tx) error {
				tries++
				for i, link := range order {
					found, err := tx.Link(t.Context(), link.Code)
					if err != nil {
						return err
					}
					found.URL += "x"
					change := terse.LinkChange{Before: found, After: found}
					if _, err := tx.Update(t.Context(), me, change); err != nil {
						return err
					}
					if i == 0 && tries == 1 {
						first <- struct{}{}
						await(t, "the other to lock its first",
							func() bool { return len(first) == 2 })
					}
				}
				return nil
			}); err != nil && !errors.Is(err, terse.ErrChanged) {
				t.Error(err)
			}
		})
	}
	working.Wait()
	for _, link := range []terse.Link{a, b} {
		found, err := s.Link(t.Context(), link.Code)
		must(t, err)
		if !strings.HasSuffix(string(found.URL), "x") {
			t.Errorf("%v leads to %s", link.Code, found.URL)
		}
	}
}

// TestNewestTo: asked twice at once, one link is made. Links that have ended do not count.
func TestNewestTo(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	nodes := []*postgres.Store{open(t, url), open(t, url)}
	const target = "https://example.org/ä?x=1"
	now := time.Now()
	for i, o := range []terse.LinkOptions{
		{Disabled: true}, {ExpiresAt: now.Add(-time.Second)}, {MaxClicks: 1},
	} {
		l := managed(t, fmt.Sprint("over", i), o)
		l.URL = target
		link, err := nodes[0].Create(t.Context(), me, l)
		must(t, err)
		must(t, nodes[0].Take(t.Context(), link.Ref()))
	}
	var made atomic.Int64
	var asking sync.WaitGroup
	for i := range 20 {
		asking.Go(func() {
			if err := nodes[i%2].Transact(t.Context(), func(tx terse.Tx) error {
				_, err := tx.NewestTo(t.Context(), terse.Identity, terse.DefaultDomain, target, now)
				if !errors.Is(err, terse.ErrNotFound) {
					return err
				}
				l := managed(t, fmt.Sprint("new", i),
					terse.LinkOptions{ExpiresAt: now.Add(time.Hour)})
				l.URL = target
				_, err = tx.Create(t.Context(), me, l)
				made.Add(1)
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	if n := made.Load(); n != 1 {
		t.Errorf("%d links were made", n)
	}
	must(t, nodes[0].Transact(t.Context(), func(tx terse.Tx) error {
		for _, ask := range [][2]string{{terse.Identity, target + "/"}, {"another", target}} {
			_, err := tx.NewestTo(t.Context(), ask[0], terse.DefaultDomain, terse.URL(ask[1]), now)
			if !errors.Is(err, terse.ErrNotFound) {
				t.Errorf("%v: %v", ask, err)
			}
		}
		return nil
	}))
}

// TestAnswers: an answer is kept for a day, and while one is made nobody else gets past it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := open(t, url), open(t, url)
	key, ctx := terse.AnswerKey{1, 2, 3, 4, 5, 6, 7, 8, 9}, t.Context()
	want := terse.Answer{Request: [32]byte{9}, Status: 201, ETag: `"x"`, Body: []byte{0, 1, 0xff}}
	find := func(s *postgres.Store) (a terse.Answer, err error) {
		err = s.Transact(ctx, func(tx terse.Tx) (err error) {
			a, err = tx.Answer(ctx, key)
			return err
		})
		return a, err
	}
	keep := func(key terse.AnswerKey) {
		must(t, s.Transact(ctx, func(tx terse.Tx) error {
			if _, err := tx.Answer(ctx, key); !errors.Is(err, terse.ErrNotFound) {
				t.Errorf("no answer yet: %v", err)
			}
			if _, err := find(other); key[0] == 1 && !errors.Is(err, terse.ErrUnderWay) {
				t.Errorf("while an answer is made: %v", err)
			}
			return tx.KeepAnswer(ctx, key, want)
		}))
	}
	keep(key)
	got, err := find(other)
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	pgtest.Exec(t, url, "UPDATE answers SET at = at - $1", terse.AnswerLifetime.Microseconds())
	if _, err := find(s); !errors.Is(err, terse.ErrNotFound) {
		t.Errorf("an answer of yesterday: %v", err)
	}
	keep(terse.AnswerKey{2})
	wantCount(t, url, "SELECT count(*) FROM answers", 1)
}

func BenchmarkTake64(b *testing.B) {
	s := openAt(b, pgtest.URL(b))
	b.Cleanup(func() { must(b, s.Close()) })
	var links []terse.Link
	for i := range 8 {
		links = append(links, makeWith(b, s, fmt.Sprint("code", i), terse.LinkOptions{
			MaxClicks: terse.MaxMaxClicks,
		}))
	}
	for _, n := range []int{1, len(links)} {
		b.Run(fmt.Sprintf("links=%d", n), func(b *testing.B) {
			b.SetParallelism(32)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					must(b, s.Take(context.Background(), links[rand.IntN(n)].Ref()))
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "takes/s")
		})
	}
}

// TestTransactLostAnswers cuts connections while transactions are committed: none is done twice,
// and none that was acknowledged is lost.
func TestTransactLostAnswers(t *testing.T) {
	t.Parallel()
	const callers, cuts = 4, 15
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	s, direct := open(t, proxied), open(t, url)
	var running atomic.Bool
	var done, unknown atomic.Int64
	running.Store(true)
	var working sync.WaitGroup
	for caller := range callers {
		working.Go(func() {
			for i := 0; running.Load(); i++ {
				l := managed(t, fmt.Sprintf("own%d-%d", caller, i),
					terse.LinkOptions{Tags: []string{"tag"}})
				err := s.Transact(t.Context(), func(tx terse.Tx) error {
					_, err := tx.Create(t.Context(), me, l)
					return err
				})
				switch {
				case errors.Is(err, terse.ErrCodeTaken):
					t.Errorf("%v was made twice", l.Code)
				case err != nil:
					unknown.Add(1)
				default:
					done.Add(1)
					if _, err := direct.Link(t.Context(), l.Code); err != nil {
						t.Errorf("%v was made: %v", l.Code, err)
					}
				}
			}
		})
	}
	for range cuts {
		before := done.Load()
		await(t, "transactions to be done again",
			func() bool { return done.Load() >= before+10 })
		p.loseAnswers(t)
	}
	running.Store(false)
	working.Wait()
	links := count(t, url, "SELECT count(*) FROM links")
	for _, sql := range []string{
		"SELECT sum(links) FROM link_ranges", "SELECT sum(links) FROM tags",
	} {
		if n := count(t, url, sql); n != links {
			t.Errorf("%s: %d, there are %d", sql, n, links)
		}
	}
	d, u := done.Load(), unknown.Load()
	if n := int64(links); n < d || n > d+u {
		t.Errorf("%d links, %d were made, of %d is not known", n, d, u)
	}
}
