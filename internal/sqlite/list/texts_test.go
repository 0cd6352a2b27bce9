package list

import (
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/sqlite/query"
)

// Texts take no more memory than they may, whatever their sizes, and one that is too large for all
// of it is not kept.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	texts := NewTexts()
	text := func(bytes int, changes int64) *rangeText {
		return &rangeText{state: rangeState{changes: changes}, text: make([]byte, bytes)}
	}
	check := func() {
		t.Helper()
		size := 0
		for _, text := range texts.of {
			size += text.size()
		}
		if size != texts.size || size > maxTexts {
			t.Fatalf("%d bytes are kept, %d are counted, %d are the bound", size, texts.size,
				maxTexts)
		}
	}
	for i := range int64(100) {
		texts.keep(textKey{id: i % 70}, text(1<<20, i))
		check()
	}
	if n := len(texts.of); n != maxTexts>>20 {
		t.Errorf("%d texts of a MiB are kept, want %d", n, maxTexts>>20)
	}
	for key, kept := range texts.of {
		if texts.get(key, kept.state) != kept || texts.get(key, rangeState{changes: -1}) != nil {
			t.Errorf("text of %+v is not known by its state", key)
		}
	}
	texts.keep(textKey{id: 1000}, text(maxTexts+1, 0))
	check()
	if texts.get(textKey{id: 1000}, rangeState{}) != nil {
		t.Error("a text that is too large is kept")
	}
}

// What is read before a search is what the search would read, of one owner and in any order.
func TestWarm(t *testing.T) {
	t.Parallel()
	conn, err := sqlite.OpenConn(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := sqlitex.ExecuteScript(conn, `
		CREATE TABLE links (id INTEGER PRIMARY KEY, code, url, created_at, created_by, options);
		INSERT INTO links VALUES (1, 'A', 'url1', 9, 'me', ''), (2, 'b', 'url2', 9, 'other', ''),
			(1024, 'c', 'url3', 8, 'me', ''), (3000, 'd', 'url4', 7, 'me', '{"title":"T"}');
		CREATE TABLE link_ranges (created_by, id_range, links, first, last);
		INSERT INTO link_ranges SELECT created_by, id >> 10, 1, created_at, created_at FROM links;
		CREATE TABLE link_range_changes (id_range, changes);
		INSERT INTO link_range_changes VALUES (2, 5)`, nil); err != nil {
		t.Fatal(err)
	}
	texts, snapshots := NewTexts(), 0
	err = Warm("me", texts, func(f func(*sqlite.Conn) error) error {
		snapshots++
		defer func() { must(t, query.Run(conn, "ROLLBACK")) }()
		must(t, query.Run(conn, "BEGIN"))
		return f(conn)
	})
	must(t, err)
	for number, want := range []string{"a\xffurl1", "c\xffurl3", "d\xffurl4\xfft"} {
		state := rangeState{1, 0}
		if number == 2 {
			state.changes = 5
		}
		text := texts.get(textKey{"me", int64(number)}, state)
		if text == nil || string(text.text) != want {
			t.Errorf("range %d: %+v, want %q", number, text, want)
		}
	}
	if len(texts.of) != 3 || snapshots != 4 {
		t.Errorf("%d texts from %d snapshots", len(texts.of), snapshots)
	}
}

func TestFirstRanges(t *testing.T) {
	t.Parallel()
	ranges := []idRange{{links: 3}, {links: 4}, {links: 5}}
	for links, want := range []int{0: 1, 3: 1, 4: 2, 7: 2, 8: 3, 12: 3, 13: 3} {
		if want > 0 {
			if got := len(firstRanges(ranges, int64(links))); got != want {
				t.Errorf("%d links are in %d ranges, want %d", links, got, want)
			}
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
