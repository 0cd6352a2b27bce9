package postgres_test

import (
	"context"
	"encoding/json"
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
	"terse/internal/pgtest"
	"terse/internal/postgres"
	"terse/internal/storetest"
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
	link, err := s.Create(t.Context(), managed(t, c, options))
	must(t, err)
	return link
}

func change(t testing.TB, s *postgres.Store, link terse.Link, options terse.LinkOptions,
) terse.Link {
	t.Helper()
	var err error
	link.Options, err = options.Encode()
	must(t, err)
	changed, err := s.Update(t.Context(), terse.LinkChange{
		Link: link, By: "someone", RequestID: "request",
	})
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

// TestTakeOnNodes has two nodes take clicks of links at once: each gives what there is, never more.
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

// TestTakeLostAnswers cuts connections while clicks are taken: what is granted is never more than
// there is, and what the rows say is never less than what was granted.
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

// TestTakeChanges: what was used stays with another number of clicks, and is forgotten without.
func TestTakeChanges(t *testing.T) {
	t.Parallel()
	s := open(t, pgtest.URL(t))
	link := makeWith(t, s, "link", terse.LinkOptions{MaxClicks: 2})
	plain := create(t, s, "plain")
	take := func(want error) {
		t.Helper()
		if err := s.Take(t.Context(), link.Ref()); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	wantUsed := func(want int64) {
		t.Helper()
		found, err := s.Link(t.Context(), link.Code)
		must(t, err)
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: terse.Identity, Order: terse.OldestFirst, Limit: 1,
		})
		must(t, err)
		if link.Used != want || found != link || page.Links[0] != link {
			t.Errorf("used %d of the link, it is %+v, listed %+v, want %d", link.Used, found,
				page.Links[0], want)
		}
	}
	take(nil)
	take(nil)
	take(terse.ErrUsedUp)
	link = change(t, s, link, terse.LinkOptions{MaxClicks: 3, Title: "more"})
	wantUsed(2)
	take(nil)
	take(terse.ErrUsedUp)
	link = change(t, s, link, terse.LinkOptions{MaxClicks: 1})
	wantUsed(3)
	take(terse.ErrUsedUp)
	link = change(t, s, link, terse.LinkOptions{Disabled: true})
	wantUsed(0)
	take(nil)
	link = change(t, s, link, terse.LinkOptions{MaxClicks: 1})
	wantUsed(0)
	take(nil)
	take(terse.ErrUsedUp)
	link = change(t, s, link, terse.LinkOptions{})
	wantUsed(0)
	take(nil)
	must(t, s.Delete(t.Context(), link.Ref()))
	take(terse.ErrNotFound)
	must(t, s.Take(t.Context(), plain.Ref()))
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
		updated, err := tx.Update(t.Context(), terse.LinkChange{Link: b})
		b = updated
		return err
	}))
	if got := tagsOf(t, b); !slices.Equal(got, []string{"NEWS"}) {
		t.Errorf("spelled %v", got)
	}
	wantTags(t, s, terse.Tag{Name: "NEWS", Links: 2}, terse.Tag{Name: "other", Links: 1})
	must(t, s.Delete(t.Context(), a.Ref()))
	must(t, s.Delete(t.Context(), b.Ref()))
	wantTags(t, s)
	for _, table := range []string{"link_tags", "link_states", "link_changes", "tags"} {
		if n := count(t, url, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
}

// TestTagsOnNodes has nodes write the same tags at once, in several spellings: one stays, and the
// numbers are right.
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
					must(t, s.Delete(t.Context(), link.Ref()))
				} else if i%4 == 1 {
					change(t, s, link, terse.LinkOptions{Tags: tags[1:]})
				}
			}
		})
	}
	working.Wait()
	for _, sql := range []string{
		"SELECT count(*) FROM tags AS n WHERE links <> (" +
			"SELECT count(*) FROM link_tags AS l WHERE l.owner = n.owner AND l.tag = n.tag)",
		"SELECT count(*) FROM links AS l JOIN link_tags AS t ON t.code = l.code " +
			"JOIN tags AS n ON n.tag = t.tag WHERE NOT l.options::jsonb->'tags' ? n.name",
	} {
		if n := count(t, url, sql); n != 0 {
			t.Errorf("%d rows: %s", n, sql)
		}
	}
	if n := count(t, url, "SELECT count(*) FROM link_tags"); n != callers*each*(3*2+2)/4 {
		t.Errorf("%d rows of link_tags", n)
	}
}

// TestHistory: changes are kept with who made them, the last 100.
func TestHistory(t *testing.T) {
	t.Parallel()
	s := open(t, pgtest.URL(t))
	link := makeWith(t, s, "link", terse.LinkOptions{Title: "0"})
	if history, err := s.History(t.Context(), link.Ref()); err != nil || len(history) != 0 {
		t.Errorf("history of a new link: %v, %v", history, err)
	}
	var want []terse.HistoryEntry
	for i := range 120 {
		before := json.RawMessage(fmt.Sprintf(`"%d"`, i))
		link = change(t, s, link, terse.LinkOptions{Title: fmt.Sprint(i + 1)})
		want = append(want, terse.HistoryEntry{
			Time: link.UpdatedAt, By: "someone", RequestID: "request",
			Fields: terse.FieldChanges{
				"title": {Old: before, New: json.RawMessage(fmt.Sprintf(`"%d"`, i+1))},
			},
		})
	}
	link = change(t, s, link, terse.LinkOptions{})
	want = append(want[21:], terse.HistoryEntry{
		Time: link.UpdatedAt, By: "someone", RequestID: "request",
		Fields: terse.FieldChanges{"title": {Old: json.RawMessage(`"120"`)}},
	})
	slices.Reverse(want)
	got, err := s.History(t.Context(), link.Ref())
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	must(t, s.Delete(t.Context(), link.Ref()))
	if _, err := s.History(t.Context(), link.Ref()); !errors.Is(err, terse.ErrNotFound) {
		t.Errorf("history of a deleted link: %v", err)
	}
}

// TestClearClicks clears clicks while two nodes count: rows and totals agree afterwards, and all
// links together keep theirs.
func TestClearClicks(t *testing.T) {
	t.Parallel()
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
		must(t, nodes[0].ClearClicks(t.Context(), link.Ref()))
		select {
		case <-done:
			clearing = false
		default:
		}
		clicks, err := nodes[1].Clicks(t.Context(), link.Ref())
		must(t, err)
		if !clearing {
			wantClicks(t, nodes[1], link.Ref(), clicks)
		}
	}
	addClicks(t, nodes[0], "j0", batches, clicksOf([]terse.Link{link}, 7)...)
	must(t, nodes[0].ClearClicks(t.Context(), link.Ref()))
	wantClicks(t, nodes[1], link.Ref(), 0)
	all, err := nodes[0].Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	if all.Total < 2*10*batches+7 {
		t.Errorf("all links together have %d clicks", all.Total)
	}
	must(t, nodes[0].Delete(t.Context(), link.Ref()))
	if err := nodes[0].ClearClicks(t.Context(), link.Ref()); !errors.Is(err, terse.ErrNotFound) {
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
			link, err := tx.Create(ctx, managed(t, "new", terse.LinkOptions{Tags: []string{"a"}}))
			must(t, err)
			_, err = tx.Create(ctx, managed(t, "taken", terse.LinkOptions{}))
			if !errors.Is(err, terse.ErrCodeTaken) {
				t.Errorf("create with a code in use: %v", err)
			}
			link.Options = `{"tags":["A","b"],"max_clicks":3}`
			link, err = tx.Update(ctx, terse.LinkChange{Link: link})
			must(t, err)
			found, err := tx.Link(ctx, link.Code)
			must(t, err)
			if found != link || !slices.Equal(tagsOf(t, link), []string{"a", "b"}) {
				t.Errorf("found %+v, want %+v", found, link)
			}
			stale := link
			stale.UpdatedAt = time.Time{}
			if _, err := tx.Update(ctx, terse.LinkChange{Link: stale}); !errors.Is(err,
				terse.ErrChanged) {
				t.Errorf("update of another version: %v", err)
			}
			must(t, tx.Delete(ctx, taken.Ref()))
			if err := tx.Delete(ctx, taken.Ref()); !errors.Is(err, terse.ErrNotFound) {
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
	wantCount(t, url, "SELECT sum(links)::int FROM owners", 1)
}

// TestTransactDeadlock has transactions change the same links in opposite orders: all are made.
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
					if _, err := tx.Update(t.Context(), terse.LinkChange{Link: found}); err != nil {
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
		link, err := nodes[0].Create(t.Context(), l)
		must(t, err)
		must(t, nodes[0].Take(t.Context(), link.Ref()))
	}
	var made atomic.Int64
	var asking sync.WaitGroup
	for i := range 20 {
		asking.Go(func() {
			if err := nodes[i%2].Transact(t.Context(), func(tx terse.Tx) error {
				_, err := tx.NewestTo(t.Context(), terse.Identity, target, now)
				if !errors.Is(err, terse.ErrNotFound) {
					return err
				}
				l := managed(t, fmt.Sprint("new", i),
					terse.LinkOptions{ExpiresAt: now.Add(time.Hour)})
				l.URL = target
				_, err = tx.Create(t.Context(), l)
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
			_, err := tx.NewestTo(t.Context(), ask[0], terse.URL(ask[1]), now)
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

// TestFilters compares lists with filters with what each link says.
func TestFilters(t *testing.T) {
	t.Parallel()
	const links = 300
	url := pgtest.URL(t)
	s := open(t, url)
	now := time.Now().Truncate(time.Microsecond)
	tags := []string{"Common", "half", "rare"}
	made := map[terse.Code]terse.Link{}
	for i := range links {
		o := terse.LinkOptions{Disabled: rand.IntN(6) == 0}
		for k, tag := range tags {
			if rand.IntN(k*k*2+1) == 0 {
				o.Tags = append(o.Tags, tag)
			}
		}
		if rand.IntN(3) == 0 {
			o.StartsAt = now.Add(time.Duration(rand.IntN(3)-1) * time.Second)
		}
		if rand.IntN(3) == 0 {
			o.ExpiresAt = now.Add(time.Duration(rand.IntN(3)-1) * time.Second).Add(time.Microsecond)
		}
		o.MaxClicks = max(0, rand.Int64N(4)-1)
		l := managed(t, fmt.Sprint("code", i), o)
		l.CreatedAt = now.Add(time.Duration(rand.IntN(50)) * time.Hour)
		link, err := s.Create(t.Context(), l)
		must(t, err)
		if o.MaxClicks > 0 {
			must(t, s.Take(t.Context(), link.Ref()))
			link.Used = 1
		}
		made[link.Code] = link
	}
	must(t, s.AddClicks(t.Context(), terse.ClickBatch{
		Journal: "j", To: 1,
		Clicks: terse.ClicksOf(clicksOf(slices.Collect(func(yield func(terse.Link) bool) {
			for _, l := range made {
				if rand.IntN(2) == 0 && !yield(l) {
					return
				}
			}
		}), 2000)...),
	}))
	for code, l := range made {
		l.Clicks, _ = s.Clicks(t.Context(), l.Ref())
		made[code] = l
	}
	fits := func(l terse.Link, f terse.LinkFilter) bool {
		o, err := l.Options.Decode()
		must(t, err)
		for _, tag := range f.Tags {
			if !slices.ContainsFunc(o.Tags, func(has string) bool {
				return terse.FoldTag(has) == terse.FoldTag(tag)
			}) {
				return false
			}
		}
		return (f.Status == "" || o.Status(f.Now, l.Used) == f.Status) &&
			(f.CreatedAfter.IsZero() || !l.CreatedAt.Before(f.CreatedAfter)) &&
			(f.CreatedBefore.IsZero() || !l.CreatedAt.After(f.CreatedBefore))
	}
	for code, l := range made { // half of them get their options later
		o, err := l.Options.Decode()
		must(t, err)
		if rand.IntN(2) == 0 {
			changed := change(t, s, change(t, s, l, terse.LinkOptions{Tags: []string{"half"}}), o)
			for range l.Used {
				must(t, s.Take(t.Context(), l.Ref()))
			}
			changed.Clicks, changed.Used = l.Clicks, l.Used
			made[code] = changed
		}
	}
	for i := range 400 {
		f := terse.LinkFilter{Now: now}
		for _, tag := range append(tags, "none") {
			if rand.IntN(3) == 0 && (tag != "none" || i%20 == 0) {
				f.Tags = append(f.Tags, strings.ToUpper(tag))
			}
		}
		if rand.IntN(4) > 0 {
			f.Status = terse.Statuses[rand.IntN(len(terse.Statuses))]
		}
		if rand.IntN(3) == 0 {
			f.CreatedAfter = now.Add(10 * time.Hour)
		}
		if rand.IntN(3) == 0 {
			f.CreatedBefore = now.Add(40 * time.Hour)
		}
		var want []terse.Link
		for _, l := range made {
			if fits(l, f) {
				want = append(want, l)
			}
		}
		q := terse.LinkQuery{
			Owner: terse.Identity, Order: terse.LinkOrder(rand.IntN(3)), Filter: f,
			Limit: 1 + rand.IntN(60),
		}
		slices.SortFunc(want, func(a, b terse.Link) int {
			by := b.CreatedAt.Compare(a.CreatedAt)
			if q.Order == terse.MostClickedFirst {
				by = int(b.Clicks - a.Clicks)
			}
			if by == 0 {
				by = int(b.ID - a.ID)
			}
			if q.Order == terse.OldestFirst {
				by = -by
			}
			return by
		})
		total := len(want)
		if q.Order != terse.MostClickedFirst && rand.IntN(2) == 0 {
			q.Offset = rand.IntN(30)
			want = want[min(q.Offset, len(want)):]
		}
		var got []terse.Link
		for more := true; more; more = q.After != nil {
			page, err := s.Links(t.Context(), q)
			must(t, err)
			if got = append(got, page.Links...); page.Total != int64(total) {
				t.Errorf("%+v: total %d, want %d", q, page.Total, total)
			}
			q.After = page.Next
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v: got %d links, want %d", q, len(got), len(want))
		}
		if q.Offset == 0 {
			q.After, q.Limit, q.Search = nil, links, terse.Search{{"example"}}
			page, err := s.Links(t.Context(), q)
			must(t, err)
			if !slices.Equal(page.Links, want) && len(want) > 0 || page.Total != int64(total) {
				t.Fatalf("%+v: found %d links, total %d, want %d", q, len(page.Links), page.Total,
					len(want))
			}
		}
	}
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
					_, err := tx.Create(t.Context(), l)
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
	for _, sql := range []string{"SELECT sum(links) FROM owners", "SELECT sum(links) FROM tags"} {
		if n := count(t, url, sql); n != links {
			t.Errorf("%s: %d, there are %d", sql, n, links)
		}
	}
	d, u := done.Load(), unknown.Load()
	if n := int64(links); n < d || n > d+u {
		t.Errorf("%d links, %d were made, of %d is not known", n, d, u)
	}
}
