package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"terse"
	"terse/internal/storetest"
)

// VACUUM INTO by another connection, which the README recommends, ends while clicks are counted and
// links are created. The copy opens, is whole, and has all that was acknowledged before.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	path, backup := filepath.Join(t.TempDir(), "terse.db"), filepath.Join(t.TempDir(), "copy.db")
	s := openAt(t, path)
	links, batch := []terse.Link{}, []terse.Click{}
	for i := range 1000 {
		links = append(links, create(t, s, fmt.Sprint("before", i)))
		batch = append(batch, click(links[i]))
	}
	count(t, s, "before", batch...)
	ctx, cancel := context.WithCancel(t.Context())
	var load sync.WaitGroup
	load.Go(func() {
		for at := int64(0); ctx.Err() == nil; at++ {
			err := s.AddClicks(t.Context(), storetest.Batch("load", at, batch...))
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	load.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			if _, err := s.Create(t.Context(), newLink(t, fmt.Sprint("during", i))); err != nil {
				t.Error(err)
				return
			}
		}
	})
	before, err := s.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	byHand(t, path, "VACUUM INTO '"+backup+"'")
	cancel()
	load.Wait()
	must(t, s.Close())

	must(t, os.Chmod(backup, 0o600)) // it has the mode that the umask says
	const sound = "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"
	if queryByHand(t, backup, sound) != 1 {
		t.Error("the copy is damaged")
	}
	restored := openAt(t, backup)
	for _, link := range links {
		if found, err := restored.Link(t.Context(), link.Code); err != nil || found != link {
			t.Fatalf("%v, %v, want %v", found, err, link)
		}
	}
	after, err := restored.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	must(t, err)
	if after.Total < before.Total || after.Total%1000 != 0 {
		t.Errorf("%d clicks in the copy, %d were counted before, 1000 at a time", after.Total,
			before.Total)
	}
	must(t, restored.Close())
}
