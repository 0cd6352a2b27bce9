package sqlite_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/sqlite"
)

// waitTexts waits until all runs that are used up have their texts.
func waitTexts(t testing.TB, path string) {
	t.Helper()
	for began := time.Now(); queryByHand(t, path, `SELECT count(*) FROM link_runs AS r WHERE run < (SELECT seq >> 10 FROM sqlite_sequence)
		AND NOT EXISTS (SELECT 1 FROM link_texts AS t WHERE t.created_by = r.created_by AND t.run = r.run)`) > 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("texts are still missing after a minute")
		}
	}
}

// searched sorts the links that a search has to find.
func searched(all []terse.Link, q terse.LinkQuery) (ids []terse.LinkID) {
	all = slices.Clone(all) // the newest first
	if q.Order == terse.OldestFirst {
		slices.Reverse(all)
	}
	if q.Order == terse.MostClickedFirst { // without clicks
		slices.SortFunc(all, func(a, b terse.Link) int { return int(b.ID - a.ID) })
	}
	for _, l := range all {
		if q.Search.Finds(terse.AppendSearchText(nil, l.Code.String(), string(l.URL))) {
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

// A search finds the same whether the links' texts are packed or not, whatever was written by hand.
func TestSearch(t *testing.T) {
	t.Parallel()
	for name, sql := range disorders {
		if name == "IDs far apart" {
			continue // a run for each link
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
					{{"c00012"}}, {{"/9"}}, {{"/96"}}, {{"/96c0"}}, {{"c\xff"}}, {{"c00012"}, {"/9", "/8"}}, {{"/9"}, {"nothing"}},
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
						if q.Order != terse.MostClickedFirst && strings.HasPrefix(when, "packed") {
							if steps := inSteps(t, s, q, want); name == "in order" && steps == 1 {
								t.Errorf("%s: %+v: one search looks at all links", when, q)
							}
						}
					}
				}
			}
			compare("before")
			waitTexts(t, path)
			compare("packed")
			byHand(t, path, "DELETE FROM links WHERE id % 1500 = 7", "UPDATE links SET code = 'x' || code WHERE id % 1400 = 3", "UPDATE links SET id = 5000 WHERE id = (SELECT min(id) FROM links)")
			compare("changed")
			waitTexts(t, path)
			compare("packed again")
		})
	}
}

// inSteps searches run by run, and returns in how many steps.
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

// What was deleted is in no text any more.
func TestDeletedIsInNoText(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer func() { must(t, s.Close()) }()
	byHand(t, path, fmt.Sprintf(orderly, "i"), "UPDATE links SET url = 'https://secret.example/' WHERE id = 42")
	waitTexts(t, path)
	const holding = "SELECT count(*) FROM link_texts WHERE instr(texts, CAST('secret.example' AS BLOB)) > 0"
	if n := queryByHand(t, path, holding); n != 1 {
		t.Fatalf("%d texts hold the link", n)
	}
	link, err := s.Link(t.Context(), code(t, "c0000042"))
	must(t, err)
	must(t, s.Delete(t.Context(), link))
	if n := queryByHand(t, path, holding); n != 0 {
		t.Errorf("%d texts hold the deleted link", n)
	}
	waitTexts(t, path)
	if n := queryByHand(t, path, holding); n != 0 {
		t.Errorf("%d texts made anew hold the deleted link", n)
	}
}

// Damaged rows are an error, never a panic or an endless search.
func FuzzSearchRow(f *testing.F) {
	f.Add([]byte("\x06\x01\x02\x04\x02\x02\x04a\xffbca\xffbd"), "b")
	f.Add([]byte{}, "")
	f.Add([]byte("\x03\x00\x00\xff\x01"), "\x01")
	f.Fuzz(func(t *testing.T, row []byte, search string) {
		ids, err := sqlite.SearchRow(row, search)
		if err == nil && len(ids) > len(row) {
			t.Errorf("%d found in %d bytes", len(ids), len(row))
		}
	})
}
