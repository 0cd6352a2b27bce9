package sqlite_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"terse"
	"terse/internal/database/storetest"
)

// When a day is over, its key and the hashes of its visitors are in none of the files.
func TestPlainVisitorsLeaveNoTrace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openAt(t, filepath.Join(dir, "terse.db"))
	t.Cleanup(func() { must(t, s.Close()) })
	today := terse.DayOf(time.Now().UnixMicro())
	var keys []terse.VisitorKey
	for _, day := range []terse.Day{today, today + 1} {
		key, err := s.VisitorKey(t.Context(), day)
		must(t, err)
		keys = append(keys, key)
	}
	var links []terse.Link
	for i := range 600 {
		links = append(links, create(t, s, fmt.Sprint("link", i)))
	}
	must(t, s.EndDays(t.Context(), "j", today, true))
	var hashes [2][]uint64
	rng := rand.New(rand.NewPCG(1, 1))
	position := int64(0)
	visit := func(part, n int) {
		var clicks []terse.Click
		for range n {
			// The first link gets many visitors, the others a few.
			link := links[rng.IntN(len(links))*rng.IntN(2)]
			hash := rng.Uint64()
			hashes[part] = append(hashes[part], hash)
			clicks = append(clicks, terse.Click{
				Link: link.ID, Code: link.Code, Visitor: hash,
				Time: (today + terse.Day(part)).Start() + rng.Int64N(time.Hour.Microseconds()),
			})
		}
		must(t, s.AddClicks(t.Context(), storetest.Batch("j", position, clicks...)))
		position++
	}
	for range 100 {
		visit(0, 200)
		visit(1, 20)
	}
	for _, link := range links[:10] {
		must(t, s.ClearClicks(t.Context(), me, link.Ref()))
		visit(0, 20)
	}
	if found := traces(t, dir, keys[0], hashes[0]); found < 5000 {
		t.Fatalf("%d traces of today: the search finds too little", found)
	}
	must(t, s.EndDays(t.Context(), "j", today+1, true))
	if found := traces(t, dir, keys[0], hashes[0]); found > 0 {
		t.Errorf("%d traces of yesterday", found)
	}
	if found := traces(t, dir, keys[1], hashes[1]); found < 500 {
		t.Errorf("%d traces of today", found)
	}
	visit(1, 500)
	must(t, s.EndDays(t.Context(), "j", today+2, true))
	if found := traces(t, dir, keys[1], hashes[1]); found > 0 {
		t.Errorf("%d traces of the day after", found)
	}
}

// traces returns how often a key and hashes are in files, as far as six bytes of a hash tell.
func traces(t *testing.T, dir string, key terse.VisitorKey, hashes []uint64) (found int) {
	t.Helper()
	wanted := map[[6]byte]bool{}
	for _, hash := range hashes {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], hash)
		wanted[[6]byte(b[:6])] = true
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		found += bytes.Count(content, key[:])
		for len(content) >= 6 {
			if wanted[[6]byte(content[:6])] {
				found++
			}
			content = content[1:]
		}
	}
	return found
}
