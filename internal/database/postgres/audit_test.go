package postgres_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	open := func(off bool) *postgres.Store {
		s, err := postgres.Open(t.Context(),
			postgres.Options{URL: url, Timeout: time.Minute, NoAudit: off})
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	}
	storetest.RunAudit(t, open(false), open(false), open(true),
		func(sql string) { pgtest.Exec(t, url, sql) })
}

// TestAuditOnce: what is changed again because the answer to its COMMIT was lost is in the audit
// once.
func TestAuditOnce(t *testing.T) {
	t.Parallel()
	const callers, cuts = 4, 8
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	s, err := postgres.Open(t.Context(), postgres.Options{URL: proxied, Timeout: time.Minute})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	var done atomic.Int64
	var running atomic.Bool
	running.Store(true)
	want := make([]int, callers)
	var working sync.WaitGroup
	for caller := range callers {
		working.Go(func() {
			for i := 0; running.Load(); i++ {
				code := fmt.Sprintf("own%d-%d", caller, i)
				if err := liveOf(t, s, code, fmt.Sprint("journal", caller), i); err != nil {
					t.Errorf("%s: %v", code, err)
					return
				}
				want[caller] = i + 1
				done.Add(1)
			}
		})
	}
	for range cuts {
		before := done.Load()
		await(t, "links to live", func() bool { return done.Load() >= before+2 })
		p.loseAnswers(t)
	}
	running.Store(false)
	working.Wait()
	times := map[string]int{}
	for q := (terse.AuditQuery{Limit: 1000}); ; {
		page, err := s.Audit(t.Context(), q)
		must(t, err)
		for _, e := range page {
			times[string(e.Action)+" "+e.Target]++
		}
		if len(page) < q.Limit {
			break
		}
		q.Before = page[len(page)-1].ID
	}
	for caller, n := range want {
		for i := range n {
			for _, action := range []terse.Action{
				terse.ActionCreate, terse.ActionUpdate, terse.ActionReset, terse.ActionExport,
				terse.ActionDelete,
			} {
				what := fmt.Sprintf("%s own%d-%d", action, caller, i)
				if times[what] != 1 {
					t.Errorf("%s: %d times", what, times[what])
				}
				delete(times, what)
			}
		}
	}
	if len(times) > 0 {
		t.Errorf("in the audit, but never acknowledged: %v", times)
	}
}

// liveOf creates a link, changes it, clears its click, notes something about it, and deletes it.
func liveOf(t *testing.T, s *postgres.Store, code, journal string, batch int) error {
	ctx := t.Context()
	link, err := s.Create(ctx, me, managed(t, code, terse.LinkOptions{}))
	if err != nil {
		return err
	}
	after := link
	after.URL += "?changed"
	link, err = s.Update(ctx, me, terse.LinkChange{Before: link, After: after})
	if err == nil {
		err = s.AddClicks(ctx, storetest.Batch(journal, int64(batch), terse.Click{
			Link: link.ID, Code: link.Code, Time: time.Now().UnixMicro(),
		}))
	}
	if errors.Is(err, clickstore.ErrPosition) { // as ingest does, if the answer was lost
		var at int64
		at, err = s.JournalPosition(ctx, journal)
		if err == nil && at != int64(batch)+1 {
			err = fmt.Errorf("the position is %d after the batch %d", at, batch)
		}
	}
	if err == nil {
		err = s.ClearClicks(ctx, me, link.Ref())
	}
	if err == nil {
		err = s.Note(ctx, me, terse.Noted{Action: terse.ActionExport, Target: code})
	}
	if err == nil {
		err = s.Delete(ctx, me, link)
	}
	return err
}
