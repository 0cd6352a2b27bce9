package clickstore_test

import (
	"errors"
	"testing"
	"time"

	"terse"
	"terse/internal/database/storetest"
	"terse/internal/database/storetest/memrows"
)

// TestStore tests what all stores do with clicks, on rows in memory.
func TestStore(t *testing.T) {
	t.Parallel()
	storetest.RunClicks(t, func(*testing.T) storetest.Store { return memrows.NewStore() })
}

// TestStoreAgain undoes each transaction and runs it again, as after a lost connection.
func TestStoreAgain(t *testing.T) {
	t.Parallel()
	storetest.RunModel(t, func(*testing.T) storetest.Store {
		s, again := memrows.NewStore(), false
		s.Commit = func() error {
			if again = !again; again {
				return memrows.ErrAgain
			}
			return nil
		}
		return s
	})
}

// TestStoreAfterCommit: clicks are given up only by a batch that is counted, and a pass of the
// retention that fails is complete when it is tried again.
func TestStoreAfterCommit(t *testing.T) {
	t.Parallel()
	s := memrows.NewStore()
	code, err := terse.ParseCode("link")
	if err != nil {
		t.Fatal(err)
	}
	link, err := s.Create(t.Context(), terse.Caller{},
		terse.NewLink{Code: code, CreatedBy: terse.Identity})
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC)
	batch := storetest.Batch("j", 0,
		terse.Click{Link: link.ID, Code: code, Time: day.UnixMicro()},
		terse.Click{Link: link.ID + 1, Code: code, Time: day.UnixMicro()})
	given := 0
	batch.GiveUp = func(lost int) { given += lost }
	refused := errors.New("refused")
	s.Commit = func() error { return refused }
	for range 2 {
		if err := s.AddClicks(t.Context(), batch); !errors.Is(err, refused) || given > 0 {
			t.Errorf("%v, %d clicks are given up by a batch that is not counted", err, given)
		}
	}
	s.Commit = nil
	if err := s.AddClicks(t.Context(), batch); err != nil || given != 1 {
		t.Errorf("%v, %d clicks are given up, want 1", err, given)
	}
	commits := 0
	s.Commit = func() error {
		if commits++; commits == 3 { // in the middle of the pass
			return refused
		}
		return nil
	}
	if err := s.DropClicks(t.Context(), day.AddDate(0, 0, 1)); !errors.Is(err, refused) {
		t.Errorf("a pass that fails returns %v", err)
	}
	if err := s.DropClicks(t.Context(), day.AddDate(0, 0, 1)); err != nil {
		t.Error(err)
	}
	page, err := s.Events(t.Context(), link.Ref(), terse.EventQuery{Range: terse.AllTime, Limit: 1})
	if err != nil || len(page.Events) > 0 {
		t.Errorf("%v, single clicks %v are left", err, page.Events)
	}
	clicks, err := s.Clicks(t.Context(), link.Ref())
	if err != nil || clicks.Clicks != 1 {
		t.Errorf("%v, %d clicks, want 1", err, clicks.Clicks)
	}
}
