package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickblock"
	"terse/internal/database/postgres"
	"terse/internal/database/postgres/rows"
	"terse/internal/database/storetest"
	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// counted are the tables that counting clicks writes.
var counted = []string{
	"journals", "tombstones", "totals", "level0", "level1", "level2", "day_counts", "month_counts",
	"visitor_hashes_even", "visitor_hashes_odd",
}

// TestFaultAtEachTable fails a write to each table, once with an error that is tried again and once
// for good: each batch counts once, and a failed batch leaves no trace.
func TestFaultAtEachTable(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	url := pgtest.URL(t)
	s := open(t, url)
	pgtest.Exec(t, url, "CREATE SEQUENCE faults")
	pgtest.Exec(t, url, "CREATE TABLE fault (table_name text, code text)")
	pgtest.Exec(t, url, "INSERT INTO fault VALUES ('', '')")
	pgtest.Exec(t, url, `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$
		DECLARE with_code text := (SELECT code FROM fault WHERE table_name = TG_TABLE_NAME); BEGIN
		IF with_code IS NOT NULL AND nextval('faults') = 1 THEN
			RAISE EXCEPTION 'fault' USING ERRCODE = with_code; END IF;
		RETURN NULL;
	END $$`)
	for _, table := range counted {
		when := "INSERT OR UPDATE OR DELETE"
		if table == "tombstones" { // deletes insert them
			when = "UPDATE"
		}
		pgtest.Exec(t, url, "CREATE TRIGGER fault BEFORE "+when+" ON "+table+
			" FOR EACH STATEMENT EXECUTE FUNCTION fault()")
	}
	f := newFaulty(t, s)
	for _, table := range counted {
		for _, code := range []string{"40001", "XX001"} {
			pgtest.Exec(t, url, "UPDATE fault SET table_name = $1, code = $2", table, code)
			pgtest.Exec(t, url, "SELECT setval('faults', 1, false)")
			const tries = 12 // until there is so much that it goes down to the table
			for try := 0; ; try++ {
				err := f.add(t)
				tried := count(t, url,
					"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM faults")
				switch {
				case tried > 0 && code == "XX001" &&
					(err == nil || !strings.Contains(err.Error(), "fault")):
					t.Errorf("%s, %s: %v", table, code, err)
				case (tried == 0 || code == "40001") && err != nil:
					t.Fatalf("%s, %s: %v", table, code, err)
				}
				if tried > 0 {
					break
				}
				if try == tries {
					t.Fatalf("no batch writes to %s", table)
				}
			}
			f.check(t)
		}
	}
	pgtest.Exec(t, url, "UPDATE fault SET table_name = ''")
	must(t, f.add(t))
	f.check(t)
}

// faulty counts clicks of people on a busy link and some others, and deletes one with each batch.
type faulty struct {
	s        *postgres.Store
	links    []terse.Link
	at       int64 // of the journal
	all      int64 // clicks
	each     map[terse.LinkID]int64
	visitors int64 // of the busy link, each of whom clicked once
	today    terse.Day
}

func newFaulty(t *testing.T, s *postgres.Store) *faulty {
	f := &faulty{
		s: s, each: map[terse.LinkID]int64{}, today: terse.DayOf(time.Now().UnixMicro()),
	}
	for _, day := range []terse.Day{f.today - 1, f.today} {
		_, err := s.VisitorKey(t.Context(), day)
		must(t, err)
	}
	for i := range 5 {
		f.links = append(f.links, create(t, s, fmt.Sprint("link", i)))
	}
	return f
}

// add adds a batch, and notes what was counted when that succeeds.
func (f *faulty) add(t *testing.T) error {
	t.Helper()
	must(t, f.s.Delete(t.Context(), me, create(t, f.s, "gone")))
	clicks := clicksOf(f.links[:1], 20_000)
	clicks = append(clicks, clicksOf(f.links, 500)...)
	if f.at%2 == 1 { // few stay in a run of their region
		clicks = clicks[:1000]
	}
	for i := range clicks[:1000] {
		// A batch that failed is sent again: its visitors are not known from the first time.
		clicks[i].Visitor = uint64(f.visitors+int64(i)+1) * 0x9E3779B97F4A7C15
		clicks[i].Time = (f.today - terse.Day(i%2)).Start()
	}
	for i := range clicks[1000:] { // batch by batch new days, and months that are over
		clicks[1000+i].Time = (f.today - 1000 + terse.Day(10*f.at) + terse.Day(i%5)).Start()
	}
	err := f.s.AddClicks(t.Context(), storetest.Batch("j", f.at, clicks...))
	if err == nil {
		f.at++
		f.all += int64(len(clicks))
		f.visitors += 1000
		for _, c := range clicks {
			f.each[c.Link]++
		}
	}
	return err
}

func (f *faulty) check(t *testing.T) {
	t.Helper()
	for _, link := range f.links {
		wantClicks(t, f.s, link.Ref(), f.each[link.ID])
	}
	wantClicks(t, f.s, terse.AllLinks, f.all)
	if at, err := f.s.JournalPosition(t.Context(), "j"); err != nil || at != f.at {
		t.Errorf("the position is %d, want %d (%v)", at, f.at, err)
	}
	got, err := f.s.Series(t.Context(), f.links[0].Ref(), storetest.AllTime)
	must(t, err)
	if got.Visitors != f.visitors {
		t.Errorf("%d visitors, want %d", got.Visitors, f.visitors)
	}
}

// TestDamagedRows: damaged rows are errors, and are not ignored.
func TestDamagedRows(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	url := pgtest.URL(t)
	s := open(t, url)
	f := newFaulty(t, s)
	for range 16 {
		must(t, f.add(t))
	}
	for _, table := range []string{
		"totals", "level0", "level1", "level2", "day_counts", "month_counts",
	} {
		pgtest.Exec(t, url, "CREATE TABLE kept AS TABLE "+table)
		if count(t, url, "SELECT count(*) FROM kept") == 0 {
			t.Errorf("there are no rows in %s", table)
		}
		pgtest.Exec(t, url, "UPDATE "+table+` SET value = '\xffffff'`)
		q := storetest.AllTime
		if table == "level2" { // which an answer of all time adds up from counts
			q.Filter = only(terse.ByCountry, "AB")
		}
		_, err := s.Series(t.Context(), f.links[0].Ref(), q)
		if table == "totals" {
			_, err = s.Clicks(t.Context(), f.links[0].Ref())
		}
		if !errors.Is(err, clickblock.ErrDamaged) {
			t.Errorf("damaged %s: %v", table, err)
		}
		pgtest.Exec(t, url, "TRUNCATE "+table)
		pgtest.Exec(t, url, "INSERT INTO "+table+" TABLE kept")
		pgtest.Exec(t, url, "DROP TABLE kept")
	}
	f.check(t)
}

// TestDeleteCommitsLate commits a delete after one that began later: the counted clicks of its link
// are deleted all the same, and no click on it is counted afterwards.
func TestDeleteCommitsLate(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := patient(t, url), open(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	slow, err := s.Create(t.Context(), me, terse.NewLink{
		Code: code(t, "slow"), URL: "https://example.org/", CreatedBy: "somebody",
	})
	must(t, err)
	fast := create(t, s, "fast")
	links := []terse.Link{slow, fast}
	clicks := append(clicksOf(links[:1], 200), clicksOf(links[1:], 100)...)
	addClicks(t, s, "j", 0, clicks...)
	release := block(t, url, "SELECT FROM link_ranges WHERE owner = 'somebody' FOR UPDATE")
	var some calls
	some.do("Delete", func() error { return s.Delete(t.Context(), me, slow) })
	awaitBlocked(t, url, 1)
	must(t, other.Delete(t.Context(), me, fast))
	addClicks(t, s, "j", 1, clicks...)
	if got := totalsOf(t, url); got[fast.ID] != 0 || got[slow.ID] != 400 {
		t.Errorf("while a delete is not committed, links have %v", got)
	}
	release()
	some.wantNone(t)
	addClicks(t, s, "j", 2, clicks...)
	wantNoOrphans(t, s, url)
	if got := totalsOf(t, url); got[slow.ID] != 0 {
		t.Errorf("deleted links have %v", got)
	}
	wantClicks(t, s, terse.AllLinks, 100) // of the fast one, before it was deleted
	wantCount(t, url, "SELECT count(*) FROM tombstones WHERE link_id > 0 AND number IS NOT NULL", 2)
}

// TestClicksBeforeTheirLink counts clicks on a link whose create is not committed yet: the node
// must try again until the link exists or it gives up.
func TestClicksBeforeTheirLink(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := open(t, url), open(t, url)
	known := create(t, s, "known")
	batch := func(at int64, link terse.Link) terse.ClickBatch {
		b := storetest.Batch("j", at, clicksOf([]terse.Link{known, link, known}, 30)...)
		b.Clicks.List[0].Link, b.Clicks.List[0].Code = link.ID, link.Code
		b.GiveUp = nil
		return b
	}
	var pending terse.Link
	must(t, other.Transact(t.Context(), func(tx terse.Tx) (err error) {
		pending, err = tx.Create(t.Context(), me, terse.NewLink{
			Code: code(t, "pending"), URL: "https://example.org/", CreatedBy: terse.Identity,
		})
		must(t, err)
		for range 2 { // the second finds nothing that the first remembered
			err := s.AddClicks(t.Context(), batch(0, pending))
			if !errors.Is(err, terse.ErrUnknownLink) {
				t.Errorf("clicks of a link that is not committed: %v", err)
			}
		}
		wantClicks(t, s, known.Ref(), 0)
		return nil
	}))
	if at, err := s.JournalPosition(t.Context(), "j"); err != nil || at != 0 {
		t.Errorf("the position is %d (%v)", at, err)
	}
	must(t, s.AddClicks(t.Context(), batch(0, pending)))
	wantClicks(t, s, terse.AllLinks, 30)

	never, lost := terse.Link{ID: pending.ID + 1000, Code: code(t, "never")}, 0
	b := batch(1, never)
	b.GiveUp = func(n int) { lost += n }
	of := 0
	for _, c := range b.Clicks.List {
		if c.Link == never.ID {
			of++
		}
	}
	must(t, s.AddClicks(t.Context(), b))
	if lost != of || of == 0 {
		t.Errorf("%d clicks are lost, want %d", lost, of)
	}
	wantClicks(t, s, terse.AllLinks, int64(60-of))

	must(t, other.Delete(t.Context(), me, pending))
	must(t, s.AddClicks(t.Context(), batch(2, pending))) // a tombstone says that it is gone
}

// TestCodeChangesMeanwhile: while a batch waits for the lock, another transaction changes the code
// of a link that the node has cached. Clicks on both codes count, clicks on other codes don't.
func TestCodeChangesMeanwhile(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	link := create(t, s, "before")
	renamed, never := link, link
	renamed.Code, never.Code = code(t, "after"), code(t, "never")
	addClicks(t, s, "j", 0, clicksOf([]terse.Link{link}, 100)...)
	_, commit := hold(t, url, writersLock)
	var some calls
	some.do("AddClicks", func() error {
		return s.AddClicks(t.Context(), storetest.Batch("j", 1, append(append(
			clicksOf([]terse.Link{link}, 100), clicksOf([]terse.Link{renamed}, 50)...),
			clicksOf([]terse.Link{never}, 7)...)...))
	})
	awaitBlocked(t, url, 1)
	commit(fmt.Sprintf(`UPDATE links SET code = 'after' WHERE id = %d;
		INSERT INTO former_codes VALUES (%[1]d, 'before');
		INSERT INTO tombstones (link_id, code, deleted, applied)
			VALUES (%[1]d, 'before', false, true)`, link.ID))
	some.wantNone(t)
	wantClicks(t, s, renamed.Ref(), 250)
	wantClicks(t, s, terse.AllLinks, 250)
}

// TestDaysEndDespiteDump: while a dump reads the tables of visitors, days neither begin nor end,
// calls fail at once, and clicks are counted.
func TestDaysEndDespiteDump(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	link := create(t, s, "link")
	today := terse.DayOf(time.Now().UnixMicro())
	for _, day := range []terse.Day{today - 1, today} {
		_, err := s.VisitorKey(t.Context(), day)
		must(t, err)
	}
	visit := func(at int64, visitor uint64) {
		t.Helper()
		var clicks []terse.Click
		for _, day := range []terse.Day{today - 1, today} {
			clicks = append(clicks, terse.Click{
				Link: link.ID, Code: link.Code, Visitor: visitor, Time: day.Start(),
			})
		}
		addClicks(t, s, "j", at, clicks...)
	}
	visit(0, 1)
	release := block(t, url, "LOCK TABLE visitor_keys, visitor_days, visitor_hashes_even, "+
		"visitor_hashes_odd IN ACCESS SHARE MODE")
	for range 2 {
		err := s.EndDays(t.Context(), "j", today+1, true)
		if !errors.Is(err, rows.ErrInUse) {
			t.Errorf("days end while a dump reads: %v", err)
		}
	}
	if _, err := s.VisitorKey(t.Context(), today+1); !errors.Is(err, rows.ErrInUse) {
		t.Errorf("a day begins while a dump reads: %v", err)
	}
	visit(1, 2)
	awaitBlocked(t, url, 0)
	release()
	must(t, s.EndDays(t.Context(), "j", today+1, true))
	wantCount(t, url, "SELECT count(*) FROM visitor_keys", 0)
	_, err := s.VisitorKey(t.Context(), today+1)
	must(t, err)
	wantClicks(t, s, link.Ref(), 4)
}
