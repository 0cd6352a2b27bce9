package postgres_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/tests/pgtest"
)

// When a day is over, its key and the hashes of its visitors are in none of the files of tables and
// indexes.
func TestPlainVisitorsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := openAt(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	today := terse.DayOf(time.Now().UnixMicro())
	yesterday, err := s.VisitorKey(t.Context(), today-1)
	must(t, err)
	key, err := s.VisitorKey(t.Context(), today)
	must(t, err)
	var links []terse.Link
	for i := range 300 {
		links = append(links, create(t, s, fmt.Sprint("link", i)))
	}
	must(t, s.EndDays(t.Context(), "j", today-1, true))
	rng := rand.New(rand.NewPCG(1, 1))
	var hashes []uint64
	for position := range int64(20) {
		var clicks []terse.Click
		for range 200 {
			link := links[rng.IntN(len(links))*rng.IntN(2)]
			hashes = append(hashes, rng.Uint64())
			clicks = append(clicks, terse.Click{
				Link: link.ID, Code: link.Code, Visitor: hashes[len(hashes)-1],
				Time: (today - 1).Start(),
			})
		}
		addClicks(t, s, "j", position, clicks...)
	}
	if found := traces(t, url, yesterday, hashes); found < 2000 {
		t.Fatalf("%d traces of yesterday: the search finds too little", found)
	}
	// The planner's statistics are made from the rows, and outlive them.
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), "ANALYZE")
	must(t, err)
	must(t, s.EndDays(t.Context(), "j", today, true))
	if found := traces(t, url, yesterday, hashes); found > 0 {
		t.Errorf("%d traces of yesterday", found)
	}
	if found := traces(t, url, key, nil); found == 0 {
		t.Error("there is no key of today")
	}
}

// traces returns how often a key and hashes are in the files of a database, as far as six bytes
// of a hash tell.
func traces(t *testing.T, url string, key terse.VisitorKey, hashes []uint64) (found int) {
	t.Helper()
	wanted := map[[6]byte]bool{}
	for _, hash := range hashes {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], hash)
		wanted[[6]byte(b[:6])] = true
	}
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), "CHECKPOINT")
	must(t, err)
	rows, err := conn.Query(t.Context(), `SELECT pg_read_binary_file(pg_relation_filepath(oid))
		FROM pg_class WHERE relkind IN ('r', 'i', 't') AND pg_relation_filepath(oid) IS NOT NULL`)
	must(t, err)
	files, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	must(t, err)
	for _, content := range files {
		found += bytes.Count(content, key[:])
		for ; len(content) >= 6; content = content[1:] {
			if wanted[[6]byte(content[:6])] {
				found++
			}
		}
	}
	return found
}
