package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
	"terse/internal/tests/longtest"
)

// me changes links where it does not matter who does.
var me = terse.Caller{Identity: "me"}

// byHand runs SQL on a database as an operator would.
func byHand(t testing.TB, path string, sql ...string) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadWrite, driver.OpenCreate)
	must(t, err)
	for _, s := range sql {
		must(t, sqlitex.ExecuteTransient(conn, s, nil))
	}
	must(t, conn.Close())
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		prepare func(path string)
		want    string
	}{
		"no database": {
			func(path string) {
				must(t, os.WriteFile(path, []byte(strings.Repeat("text ", 1000)),
					0o600))
			}, "not an SQLite database",
		},
		"a directory": {func(path string) { must(t, os.Mkdir(path, 0o700)) }, ""},
		"another program's": {
			func(path string) { byHand(t, path, "CREATE TABLE notes (note TEXT)") },
			"another program's",
		},
		"another program's 2": {
			func(path string) { byHand(t, path, "PRAGMA application_id = 7") },
			"another program's",
		},
		"one of before the first release": {
			func(path string) {
				byHand(t, path, "CREATE TABLE links (id)", "PRAGMA user_version = 10",
					"PRAGMA application_id = 0x74657273")
			}, "before the first release",
		},
		"a later version's": {
			func(path string) {
				must(t, openAt(t, path).Close())
				byHand(t, path, "PRAGMA user_version = 99")
			}, "later version",
		},
		"a missing folder": {
			func(path string) { must(t, os.Remove(filepath.Dir(path))) },
			"no such file",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "sub", "terse.db")
			must(t, os.Mkdir(filepath.Dir(path), 0o700))
			tc.prepare(path)
			s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
			if err == nil {
				s.Close()
				t.Fatal("it is opened")
			}
			if !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%v, want it to tell of %q and the path", err, tc.want)
			}
		})
	}
}

func TestOpenModeAndSettings(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(path + suffix)
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", path+suffix, info.Mode())
		}
	}
}

func TestOpenDeadline(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	must(t, openAt(t, path).Close())
	other, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	defer other.Close()
	must(t, sqlitex.ExecuteTransient(other, "PRAGMA locking_mode = EXCLUSIVE", nil))
	must(t, sqlitex.ExecuteTransient(other, "BEGIN EXCLUSIVE", nil))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if s, err := sqlite.Open(ctx, sqlite.Options{Path: path}); err == nil {
		s.Close()
		t.Error("a locked database is opened")
	}
}

// Two processes may open a new database at once: one of them makes the schema.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			s := openAt(t, path)
			create(t, s, fmt.Sprintf("code%d", i))
			must(t, s.Close())
		})
	}
	wg.Wait()
	s := openAt(t, path)
	defer s.Close()
	if _, total, err := list(t, s, terse.Identity, 10, 0); err != nil || total != 4 {
		t.Errorf("%d links, %v", total, err)
	}
}

// Rows that an operator writes by hand are listed and counted like others.
func TestByHand(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	create(t, s, "ours")
	total := func(owner string, want int64) {
		t.Helper()
		if _, total, err := list(t, s, owner, 10, 0); err != nil || total != want {
			t.Errorf("%s has %d links, %v, want %d", owner, total, err, want)
		}
	}
	byHand(t, path,
		"INSERT INTO links (code, url, created_at, created_by) VALUES ('theirs', "+
			"'https://example.org/', 1, 'somebody')")
	total("somebody", 1)
	total(terse.Identity, 1)
	link, err := s.Link(t.Context(), code(t, "theirs"))
	must(t, err)
	if link.CreatedBy != "somebody" || link.CreatedAt.UnixMicro() != 1 {
		t.Error(link)
	}
	byHand(t, path, "UPDATE links SET created_by = 'another'")
	total("somebody", 0)
	total(terse.Identity, 0)
	total("another", 2)
	byHand(t, path, "DELETE FROM links WHERE code = 'ours'")
	total("another", 1)
}

// Writes that are committed together do not harm each other, and none is lost.
func TestGroups(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	defer s.Close()
	create(t, s, "taken")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for k := range 20 {
				link := create(t, s, fmt.Sprintf("code-%d-%d", i, k))
				if _, err := s.Create(t.Context(), me, newLink(t, "taken")); !errors.Is(err,
					terse.ErrCodeTaken) {
					t.Error(err)
				}
				if _, err := s.Create(cancelled, me, newLink(t,
					fmt.Sprintf("late-%d-%d", i, k))); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				if k%2 == 0 {
					must(t, s.Delete(t.Context(), me, link))
				}
			}
		})
	}
	wg.Wait()
	if _, total, err := list(t, s, terse.Identity, 1, 0); err != nil || total != 1+32*10 {
		t.Errorf("%d links, %v", total, err)
	}
}

// A write that fails when it has done some of its work leaves nothing of that.
func TestHalfDone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	create(t, s, "first")
	must(t, s.Close())
	damage(t, path, "link_ranges") // so that the link is stored and can't be counted
	s = openAt(t, path)
	if _, err := s.Create(t.Context(), me, newLink(t, "second")); err == nil ||
		!strings.Contains(err.Error(), "malformed") {
		t.Errorf("created in a damaged database: %v", err)
	}
	if _, err := s.Link(t.Context(), code(t, "second")); !errors.Is(err, terse.ErrNotFound) {
		t.Errorf("a link whose creation failed is there: %v", err)
	}
	must(t, s.Close())
}

// damage overwrites the first page of a table or an index.
func damage(t *testing.T, path, name string) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadOnly)
	must(t, err)
	page, err := sqlitex.ResultInt64(conn.Prep("SELECT rootpage FROM sqlite_schema WHERE name = '" +
		name + "'"))
	must(t, errors.Join(err, conn.Close()))
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xFF}, 4096), (page-1)*4096)
	must(t, errors.Join(err, f.Close()))
}

// To make a link no page is copied first: see the triggers.
func TestCreateCopiesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	must(t, openAt(t, path).Close())
	conn, err := driver.OpenConn(path, driver.OpenReadOnly)
	must(t, err)
	defer conn.Close()
	const abort = 2 // OE_Abort, what a failed constraint does unless the statement says otherwise
	inserts := 0
	must(t, sqlitex.ExecuteTransient(conn, "EXPLAIN "+sqlite.InsertLink,
		&sqlitex.ExecOptions{
			Args: []any{"code", "https://example.org/", 1, "me", nil},
			ResultFunc: func(op *driver.Stmt) error {
				switch name := op.GetText("opcode"); name {
				case "Insert":
					inserts++
				case "Function", "PureFunc":
					t.Errorf("calls %s", op.GetText("p4"))
				case "Halt", "HaltIfNull":
					if op.GetInt64("p1") != 0 && op.GetInt64("p2") == abort {
						t.Errorf("aborts: %s", op.GetText("p4"))
					}
				}
				return nil
			},
		}))
	if inserts == 0 {
		t.Error("inserts nothing")
	}
}

// lock takes the write lock as another process would.
func lock(t *testing.T, path string) (unlock func()) {
	t.Helper()
	other, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	must(t, sqlitex.ExecuteTransient(other, "BEGIN IMMEDIATE", nil))
	unlock = sync.OnceFunc(func() { must(t, other.Close()) }) // which ends the transaction
	t.Cleanup(unlock)
	return unlock
}

// keepLog keeps another reader open until the test ends, so that the write-ahead log can't restart.
func keepLog(t *testing.T, path string) {
	t.Helper()
	reader, err := driver.OpenConn(path, driver.OpenReadOnly)
	must(t, err)
	t.Cleanup(func() { must(t, reader.Close()) })
	must(t, sqlitex.ExecuteTransient(reader, "BEGIN", nil))
	must(t, sqlitex.ExecuteTransient(reader, "SELECT count(*) FROM links", nil))
}

// While another process holds the lock, reads go on and writes end with their deadline, undone.
func TestLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Timeout: time.Minute})
	must(t, err)
	defer s.Close()
	link := create(t, s, "abc")
	unlock := lock(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = s.Create(ctx, me, newLink(t, "late"))
	wantDeadline(t, "Create", err)
	batch := terse.ClickBatch{
		Journal: "j", To: 1,
		Clicks: terse.ClicksOf([]terse.Click{{Link: link.ID, Code: link.Code}}...),
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	wantDeadline(t, "AddClicks", s.AddClicks(ctx, batch))
	_, err = s.Link(t.Context(), link.Code)
	must(t, err)

	unlock()
	create(t, s, "late")
	must(t, s.AddClicks(t.Context(), batch))
	links, _, err := list(t, s, terse.Identity, 10, 0)
	must(t, err)
	if len(links) != 2 || links[1].Clicks != 1 {
		t.Error(links)
	}
}

// While another process holds the lock, a write without a deadline ends with the store's timeout.
func TestLockedWithoutDeadline(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Timeout: 30 * time.Millisecond})
	must(t, err)
	defer s.Close()
	lock(t, path)
	if _, err := s.Create(t.Context(), me, newLink(t, "never")); err == nil {
		t.Error("Create succeeds")
	}
}

// A write that its caller gave up before it began is not done later.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Timeout: time.Minute})
	must(t, err)
	defer s.Close()
	link := create(t, s, "abc")
	unlock := lock(t, path)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = s.Create(ctx, me, newLink(t, "late"))
	wantDeadline(t, "Create", err)
	wantDeadline(t, "Delete", s.Delete(ctx, me, link))
	unlock()
	create(t, s, "next") // is done after them
	for c, want := range map[string]bool{"abc": true, "late": false, "next": true} {
		if _, err := s.Link(t.Context(), code(t, c)); (err == nil) != want {
			t.Errorf("%s: %v", c, err)
		}
	}
}

func wantDeadline(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%s: %v, want the deadline's error", what, err)
	}
}

// Another process that holds the lock does not hold up Close, and loses nothing.
func TestCloseLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	// Close waits so long; a busy machine writes a link in less.
	s, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Timeout: 2 * time.Second})
	must(t, err)
	create(t, s, "abc")
	unlock := lock(t, path)
	must(t, s.Close())
	unlock()
	s = openAt(t, path)
	defer s.Close()
	_, err = s.Link(t.Context(), code(t, "abc"))
	must(t, err)
}

// Acknowledged writes are in the files at that moment: a copy, as a killed process leaves it, has
// them.
func TestKill(t *testing.T) {
	t.Parallel()
	dir, left := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "terse.db")
	s := openAt(t, path)
	defer s.Close()
	link := create(t, s, "abc")
	clicks := make([]terse.Click, 5000)
	for i := range clicks {
		clicks[i] = terse.Click{Link: link.ID, Code: link.Code, Time: int64(i) * 1e7}
	}
	must(t, s.AddClicks(t.Context(), terse.ClickBatch{
		Journal: "j", To: 5, Clicks: terse.ClicksOf(clicks...),
	}))
	for _, suffix := range []string{"", "-wal"} {
		copyFile(t, path+suffix, filepath.Join(left, "terse.db"+suffix))
	}
	s2 := openAt(t, filepath.Join(left, "terse.db"))
	defer s2.Close()
	stats, err := s2.Series(t.Context(), link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
	must(t, err)
	if at, err := s2.JournalPosition(t.Context(), "j"); err != nil || at != 5 ||
		stats.Total != 5000 {
		t.Errorf("position %d, %v, %d clicks", at, err, stats.Total)
	}
}

func TestPositionError(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	defer s.Close()
	err := s.AddClicks(t.Context(), storetest.Batch("j", 1))
	if !errors.Is(err, clickstore.ErrPosition) {
		t.Errorf("%v, want ErrPosition", err)
	}
}

// A batch with more clicks than the store counts at a time is refused as a whole.
func TestBatchIsBounded(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	defer s.Close()
	if err := s.AddClicks(t.Context(),
		storetest.Batch("j", 0, make([]terse.Click, 1<<20+1)...)); err == nil {
		t.Error("AddClicks succeeds")
	}
	if at, err := s.JournalPosition(t.Context(), "j"); err != nil || at != 0 {
		t.Errorf("position %d, %v", at, err)
	}
}

// Damaged clicks fail the call and change nothing.
func TestDamagedClicks(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	link := create(t, s, "abc")
	batch := terse.ClickBatch{
		Journal: "j", To: 1,
		Clicks: terse.ClicksOf([]terse.Click{{Link: link.ID, Code: link.Code}}...),
	}
	must(t, s.AddClicks(t.Context(), batch))
	byHand(t, path, "UPDATE level0 SET value = x'0102030405'", "UPDATE totals SET value = x'02'")
	if _, err := s.Series(t.Context(), link.Ref(),
		terse.SeriesQuery{Range: terse.AllTime}); err == nil {
		t.Error("Series succeeds")
	}
	batch.From, batch.To = 1, 2
	if err := s.AddClicks(t.Context(), batch); err == nil {
		t.Error("AddClicks succeeds")
	}
	if at, err := s.JournalPosition(t.Context(), "j"); err != nil || at != 1 {
		t.Errorf("position %d, %v", at, err)
	}
	must(t, s.Check(t.Context()))
}

// A closed store refuses everything; Close may be called again.
func TestClose(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			// Created, or refused: never without an answer.
			_, err := s.Create(context.Background(), me, newLink(t, fmt.Sprintf("code%d", i)))
			_, found := s.Link(context.Background(), code(t, fmt.Sprintf("code%d", i)))
			if err != nil && found == nil {
				t.Error(err)
			}
		})
	}
	must(t, s.Close())
	wg.Wait()
	must(t, s.Close())
	_, err := s.Create(t.Context(), me, newLink(t, "late"))
	if err == nil {
		t.Error("Create after Close succeeds")
	}
	if _, err = s.Link(t.Context(), code(t, "late")); err == nil ||
		errors.Is(err, terse.ErrNotFound) {
		t.Errorf("Link after Close: %v", err)
	}
	if err := s.Check(t.Context()); err == nil {
		t.Error("Check after Close succeeds")
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the write-ahead log is left: %v", err)
	}
}

// A large batch does not make Check wait for its end, and is given up at its deadline.
func TestCheckDuringBatch(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	defer s.Close()
	link := create(t, s, "abc")
	clicks := make([]terse.Click, 50_000)
	for i := range clicks {
		clicks[i] = terse.Click{Link: link.ID, Code: link.Code, Time: int64(i) * 1e9}
	}
	done := make(chan error, 1)
	go func() {
		done <- s.AddClicks(t.Context(), storetest.Batch("j", 0, clicks...))
	}()
	for running := true; running; {
		must(t, s.Check(t.Context()))
		select {
		case err := <-done:
			must(t, err)
			running = false
		default:
		}
	}
}

// createLong creates links of 8 KB each by 64 callers. The number of earlier calls makes their
// codes differ.
func createLong(t *testing.T, s *sqlite.Store, round, each int) {
	t.Helper()
	url := terse.URL("https://example.org/" + strings.Repeat("x", 8000))
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for k := range each {
				l := newLink(t, fmt.Sprintf("c-%d-%d-%d", round, i, k))
				l.URL = url
				_, err := s.Create(t.Context(), me, l)
				must(t, err)
			}
		})
	}
	wg.Wait()
}

// The write-ahead log does not grow without bound.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	createLong(t, s, 0, 60)
	info, err := os.Stat(path + "-wal")
	must(t, err)
	if size := info.Size(); size > 24<<20 {
		t.Errorf("the log has %d bytes after 31 MB were written", size)
	}
}

// queryByHand returns a number from a database as an operator would.
func queryByHand(t testing.TB, path, sql string) (n int64) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	must(t, sqlitex.ExecuteTransient(
		conn, sql, &sqlitex.ExecOptions{ResultFunc: func(stmt *driver.Stmt) error {
			n = stmt.ColumnInt64(0)
			return nil
		}}))
	must(t, conn.Close())
	return n
}

// slowClicks returns clicks of a link, n a day.
func slowClicks(link terse.Link, days, n int) []terse.Click {
	clicks := make([]terse.Click, days*n)
	for i := range clicks {
		clicks[i] = terse.Click{
			Link: link.ID, Code: link.Code,
			Time: terse.Day(i/n).Start() + int64(i),
		}
	}
	return clicks
}

// A deleted link leaves no row, and when the next clicks are counted, no click among those of its
// neighbours.
func TestDeleteLeavesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	link, other := create(t, s, "abc"), create(t, s, "def")
	link.Options = `{"tags":["a"],"disabled":true}`
	link = update(t, s, link)
	err := s.Transact(t.Context(), func(tx terse.Tx) error {
		_, _, err := tx.Share(t.Context(), me, terse.ShareOf(link.Ref()), terse.NewShare(),
			terse.ShareChange{})
		return err
	})
	must(t, err)
	byHand(t, path, "UPDATE sqlite_sequence SET seq = 300 WHERE name = 'links'")
	distant := create(t, s, "ghi") // in another bucket of the region
	for i, clicks := range [][]terse.Click{
		slices.Concat(slowClicks(link, 500, 6), slowClicks(link, 5, 900),
			slowClicks(other, 500, 2)),
		slices.Concat(slowClicks(link, 1800, 1), slowClicks(distant, 1, 6500)),
		slowClicks(link, 1, 1),
	} {
		must(t, s.AddClicks(t.Context(), storetest.Batch("j", int64(i), clicks...)))
	}
	rows := []string{"link_states", "link_sets", "link_changes", "tags", "shares"}
	size := func() int64 {
		return queryByHand(t, path, `SELECT (SELECT coalesce(sum(length(value)), 0) FROM level0)
			+ (SELECT coalesce(sum(length(value)), 0) FROM level1 WHERE id > 0)
			+ (SELECT coalesce(sum(length(value)), 0) FROM level2 WHERE a > 0)
			+ (SELECT coalesce(sum(length(value)), 0) FROM day_counts WHERE a > 0)`)
	}
	before := size()
	for _, of := range rows {
		if queryByHand(t, path, "SELECT count(*) FROM "+of) == 0 {
			t.Errorf("there is no row in %s", of)
		}
	}
	must(t, s.Delete(t.Context(), me, link))
	must(t, s.AddClicks(t.Context(), terse.ClickBatch{Journal: "j", From: 3, To: 4}))
	if now := size(); now > 16_000 || now > before/2 { // the others have 1,001 clicks
		t.Errorf("%d bytes of clicks are left of %d", now, before)
	}
	for _, of := range rows {
		if n := queryByHand(t, path, "SELECT count(*) FROM "+of); n > 0 {
			t.Errorf("of the deleted link, %d rows are left in %s", n, of)
		}
	}
	stats, err := s.Series(t.Context(), other.Ref(), terse.SeriesQuery{Range: terse.AllTime})
	must(t, err)
	if stats.Total != 1000 {
		t.Errorf("the other link has %d clicks left", stats.Total)
	}
}

// However slowly clicks come, an answer reads a bounded number of blocks: their clicks get into
// days after all.
func TestLooseBlocksAreBounded(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	link := create(t, s, "abc")
	for i := range int64(100) {
		must(t, s.AddClicks(t.Context(), storetest.Batch("j", i, slowClicks(link, 300, 14)...)))
		if n := queryByHand(t, path,
			"SELECT count(*) FROM level2 WHERE b < 0 AND a > 0"); n > 64 {
			t.Fatalf("%d loose blocks after %d batches", n, i+1)
		}
	}
	if n := queryByHand(t, path,
		"SELECT count(*) FROM day_counts WHERE b BETWEEN 0 AND 0xffffffff AND a > 0"); n < 250 {
		t.Errorf("%d days are counted of 300", n)
	}
	stats, err := s.Series(t.Context(), link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
	must(t, err)
	if stats.Total != 420_000 || len(stats.ByInterval) != 300 {
		t.Errorf("%d clicks on %d days", stats.Total, len(stats.ByInterval))
	}
}

// textsByHand returns the first column of a query.
func textsByHand(t testing.TB, path, sql string) (texts []string) {
	t.Helper()
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	must(t, sqlitex.ExecuteTransient(
		conn, sql, &sqlitex.ExecOptions{ResultFunc: func(stmt *driver.Stmt) error {
			texts = append(texts, stmt.ColumnText(0))
			return nil
		}}))
	must(t, conn.Close())
	return texts
}
