package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
)

// putBack restores a backup while the database is in use: like the shell's .restore, page by page
// into the file, or by replacing the file.
var putBack = map[string]func(t *testing.T, backup, path string){
	"restored": func(t *testing.T, backup, path string) {
		from, err := driver.OpenConn(backup, driver.OpenReadOnly)
		must(t, err)
		to, err := driver.OpenConn(path, driver.OpenReadWrite)
		must(t, err)
		restore, err := driver.NewBackup(to, "main", from, "main")
		must(t, err)
		for more := true; more; {
			more, err = restore.Step(-1)
			if driver.ErrCode(err).ToPrimary() == driver.ResultBusy {
				more, err = true, nil
			}
			must(t, err)
		}
		must(t, restore.Close())
		must(t, to.Close())
		must(t, from.Close())
	},
	"replaced": func(t *testing.T, backup, path string) {
		must(t, os.Rename(backup, path))
	},
}

// After a backup is restored, IDs are assigned again. Clicks on links that it lacks are not
// counted, and clicks on the links that have their IDs now are.
func TestClicksAfterPuttingBack(t *testing.T) {
	t.Parallel()
	for name, put := range putBack {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, backup := filepath.Join(t.TempDir(), "terse.db"),
				filepath.Join(t.TempDir(), "backup.db")
			s := openAt(t, path)
			create(t, s, "base")
			byHand(t, path, "VACUUM INTO '"+backup+"'")
			lost := create(t, s, "lost")
			count(t, s, "before", click(lost), click(lost))
			must(t, s.Check(t.Context()))
			put(t, backup, path)
			for began := time.Now(); s.Check(t.Context()) != nil; time.Sleep(time.Millisecond) {
				// a commit may just be under way to the old file
				if time.Since(began) > time.Minute {
					t.Fatal(s.Check(t.Context()))
				}
			}
			count(t, s, "between", click(lost))
			other := create(t, s, "other")
			if other.ID != lost.ID {
				t.Fatalf("%s: ID %d is given out instead of %d", name, other.ID, lost.ID)
			}
			count(t, s, "after", click(lost), click(other), click(lost), click(other))
			for link, want := range map[terse.LinkRef]int64{other.Ref(): 2, terse.AllLinks: 2} {
				if got, err := s.Series(t.Context(), link,
					storetest.AllTime); err != nil || got.Total != want {
					t.Errorf("%s: %d clicks of %q, %v, want %d",
						name, got.Total, link.Code, err, want)
				}
			}
			must(t, s.Close())
		})
	}
}

func click(link terse.Link) terse.Click {
	return terse.Click{
		Link: link.ID, Code: link.Code, Time: time.Now().UnixMicro(),
	}
}

// count adds clicks as the only batch of a journal.
func count(t *testing.T, s *sqlite.Store, journal string, clicks ...terse.Click) {
	t.Helper()
	must(t, s.AddClicks(t.Context(), storetest.Batch(journal, 0, clicks...)))
}
