package sqlite_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/link/searchtext"
	"terse/internal/tests/longtest"
)

// searched sorts the links that a search has to find.
func searched(all []terse.Link, q terse.LinkQuery) (ids []terse.LinkID) {
	all = slices.Clone(all) // the newest first, also by clicks, as there are none
	if q.Order == terse.OldestFirst {
		slices.Reverse(all)
	}
	for _, l := range all {
		if q.Search.Finds(searchtext.Append(nil, l.Code.String(), string(l.URL), nil)) {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// search follows a search to its end.
func search(t *testing.T, s *sqlite.Store, q terse.LinkQuery) (ids []terse.LinkID) {
	t.Helper()
	var total int64
	for range 5000 {
		page, err := s.Links(t.Context(), q)
		must(t, err)
		for _, l := range page.Links {
			ids = append(ids, l.ID)
		}
		if page.AtLeast || q.After != nil && page.Total != total {
			t.Errorf("%+v: total %d after %d (at least: %v)", q, page.Total, total, page.AtLeast)
		}
		total = page.Total
		if q.After = page.Next; q.After != nil {
			continue
		}
		if int(total) != len(ids) {
			t.Errorf("%+v: total %d, found %d", q, total, len(ids))
		}
		return ids
	}
	t.Fatalf("%+v has no end", q)
	return nil
}

// A search finds what there is, whatever was written by hand.
func TestPlainSearch(t *testing.T) {
	t.Parallel()
	for name, sql := range disorders {
		if name == "IDs far apart" {
			continue // a range for each link
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terse.db")
			s := openAt(t, path)
			defer func() { must(t, s.Close()) }()
			byHand(t, path, sql...)
			compare := func(when string) {
				all := listAll(t, s)
				for _, term := range []terse.Search{
					{{"c00012"}},
					{{"/9"}},
					{{"/96"}},
					{{"/96c0"}},
					{{"c\xff"}},
					{{"c00012"}, {"/9", "/8"}},
					{{"/9"}, {"nothing"}},
				} {
					for _, q := range []terse.LinkQuery{
						{Search: term, Limit: 100},
						{Search: term, Limit: 1000, Order: terse.OldestFirst},
						{Search: term, Limit: 1000, Order: terse.MostClickedFirst},
					} {
						q.Owner = terse.Identity
						want := searched(all, q)
						if got := search(t, s, q); !slices.Equal(got, want) {
							t.Errorf("%s: %+v: %d found, want %d", when, q, len(got), len(want))
						}
						if q.Order != terse.MostClickedFirst {
							if steps := inSteps(t, s, q, want); name == "in order" && steps == 1 {
								t.Errorf("%s: %+v: one search looks at all links", when, q)
							}
						}
					}
				}
			}
			compare("before")
			byHand(t, path, "DELETE FROM links WHERE id % 1500 = 7",
				"UPDATE links SET code = 'x' || code WHERE id % 1400 = 3")
			compare("changed")
		})
	}
}

// inSteps searches range by range, and returns in how many steps.
func inSteps(t *testing.T, s *sqlite.Store, q terse.LinkQuery, want []terse.LinkID) (steps int) {
	t.Helper()
	var got []terse.LinkID
	q.Limit = 10_000
	for ; steps == 0 || q.After != nil && steps < 100; steps++ {
		ids, next, err := s.SearchStep(t.Context(), q)
		must(t, err)
		got = append(got, ids...)
		q.After = next
	}
	if q.After != nil || !slices.Equal(got, want) {
		t.Errorf("in steps: %+v: %d found, want %d", q, len(got), len(want))
	}
	return steps
}

// A search sees each change of a link at once, though it remembers what it read of the others: also
// a change by hand that puts one link in the place of another.
func TestSearchSeesChanges(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer func() { must(t, s.Close()) }()
	insert := func(id int, code, owner string) string {
		return fmt.Sprintf(`INSERT INTO links (id, code, url, created_at, created_by)
			VALUES (%[1]d, '%[2]s', 'https://example.org/%[2]s', %[1]d, '%[3]s')`, id, code, owner)
	}
	change := func(sql ...string) func() { return func() { byHand(t, path, sql...) } }
	var link terse.Link
	for _, step := range []struct {
		what   string
		change func()
		want   []string
	}{
		{"nothing", func() {}, nil},
		{"created", func() { link = create(t, s, "made") }, []string{"made"}},
		{"another URL, updated", func() {
			link.URL, link.Options = "https://other.org/", ""
			link = update(t, s, link)
		}, nil},
		{"a title", func() {
			link.Options = `{"title":"An Example"}`
			link = update(t, s, link)
		}, []string{"made"}},
		{"deleted", func() { must(t, s.Delete(t.Context(), me, link)) }, nil},
		{"inserted", change(insert(5, "aaa", "authenticated-user"),
			insert(6, "bbb", "authenticated-user")), []string{"bbb", "aaa"}},
		{"another in its place", change("DELETE FROM links WHERE id = 6",
			insert(6, "ccc", "authenticated-user")), []string{"ccc", "aaa"}},
		{
			"others in their places", change("DELETE FROM links",
				insert(5, "ddd", "authenticated-user"), insert(6, "eee", "authenticated-user")),
			[]string{"eee", "ddd"},
		},
		{
			"other codes", change("UPDATE links SET code = 'fff' WHERE code = 'ddd'"),
			[]string{"eee", "fff"},
		},
		{"another URL", change("UPDATE links SET url = 'x' WHERE code = 'fff'"), []string{"eee"}},
		{"another's", change("UPDATE links SET created_by = 'other' WHERE code = 'eee'"), nil},
		{
			"options", change(`UPDATE links SET options = '{"title":"made example"}'`),
			[]string{"fff"},
		},
		{"exchanged owners", change("UPDATE links SET created_by = CASE created_by " +
			"WHEN 'other' THEN 'authenticated-user' ELSE 'other' END"), []string{"eee"}},
		{"other times", change("UPDATE links SET created_by = 'authenticated-user'",
			"UPDATE links SET created_at = 9999 WHERE code = 'fff'"), []string{"fff", "eee"}},
	} {
		step.change()
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: terse.Identity, Limit: 10, Search: terse.Search{{"example"}},
		})
		must(t, err)
		var codes []string
		for _, link := range page.Links {
			codes = append(codes, link.Code.String())
		}
		if !slices.Equal(codes, step.want) || page.Total != int64(len(codes)) {
			t.Errorf("%s: found %v of %d, want %v", step.what, codes, page.Total, step.want)
		}
	}
}

// A backup that was put back may come to a state that the database had before, with other links.
func TestSearchAfterPuttingBack(t *testing.T) {
	t.Parallel()
	for name, put := range putBack {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, backup := filepath.Join(t.TempDir(), "terse.db"),
				filepath.Join(t.TempDir(), "backup.db")
			s := openAt(t, path)
			defer func() { must(t, s.Close()) }()
			finds := func(word string) bool {
				page, err := s.Links(t.Context(), terse.LinkQuery{
					Owner: terse.Identity, Limit: 10, Search: terse.Search{{word}},
				})
				return err == nil && page.Total == 1 && page.Links[0].Code.String() == word
			}
			create(t, s, "base")
			byHand(t, path, "VACUUM INTO '"+backup+"'")
			byHand(t, backup, `INSERT INTO links (code, url, created_at, created_by)
				VALUES ('other', 'https://example.org/', 1, 'authenticated-user')`)
			create(t, s, "lost")
			if !finds("lost") {
				t.Fatal("a link is not found")
			}
			put(t, backup, path)
			for began := time.Now(); !finds("other"); time.Sleep(time.Millisecond) {
				if time.Since(began) > time.Minute {
					t.Fatal("a link is not found after a minute")
				}
			}
			if finds("lost") {
				t.Error("a link is found that is gone")
			}
		})
	}
}

func update(t *testing.T, s *sqlite.Store, link terse.Link) terse.Link {
	t.Helper()
	link, err := s.Update(t.Context(),
		me, terse.LinkChange{Before: link, After: link})
	must(t, err)
	return link
}

// One search looks at a bounded number of links, and says that its total is a lower bound. Whoever
// goes on to the end finds all.
func TestSearchIsBounded(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer func() { must(t, s.Close()) }()
	byHand(t, path,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
		INSERT INTO links (code, url, created_at, created_by)
		SELECT printf('c%06d', i),
		CASE WHEN i IN (7, 119999) THEN 'https://rare.example/' ELSE 'https://example.org/' END, i,
			'authenticated-user' FROM n`)
	for order, want := range map[terse.LinkOrder][]terse.LinkID{
		terse.NewestFirst:      {119_999, 7},
		terse.OldestFirst:      {7, 119_999},
		terse.MostClickedFirst: {119_999, 7},
	} {
		q := terse.LinkQuery{
			Owner: terse.Identity, Order: order, Search: terse.Search{{"rare"}},
			Limit: 100,
		}
		page, err := s.Links(t.Context(), q)
		must(t, err)
		if len(page.Links) != 1 || page.Total != 1 || !page.AtLeast || page.Next == nil {
			t.Errorf("order %v: first page: %+v", order, page)
		}
		var found []terse.LinkID
		for steps := 1; ; steps++ {
			for _, link := range page.Links {
				found = append(found, link.ID)
			}
			if page.Next == nil {
				break
			}
			if steps == 20 {
				t.Fatalf("order %v has no end", order)
			}
			q.After = page.Next
			page, err = s.Links(t.Context(), q)
			must(t, err)
		}
		if !slices.Equal(found, want) || page.Total != 2 || page.AtLeast {
			t.Errorf("order %v: found %v, want %v; the last page: %+v", order, found, want, page)
		}
	}
}
