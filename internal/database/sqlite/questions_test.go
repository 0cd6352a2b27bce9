package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"terse"
	"terse/internal/database/sqlite"
)

// Questions leave readers for everything else, however many there are and however long they take.
func TestQuestionsLeaveReaders(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), sqlite.Options{
		Path: filepath.Join(t.TempDir(), "terse.db"), Questions: 2,
	})
	must(t, err)
	defer s.Close()
	link := create(t, s, "launch")
	reading, end := make(chan struct{}, 20), make(chan struct{})
	var asking sync.WaitGroup
	for range cap(reading) {
		asking.Go(func() {
			err := s.Ask(context.Background(), func() {
				reading <- struct{}{}
				<-end
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	<-reading
	<-reading
	for range 10 {
		_, err := s.Link(t.Context(), link.Code)
		must(t, err)
		must(t, s.Check(t.Context()))
		must(t, s.Take(t.Context(), link.Ref()))
		_, err = s.Links(t.Context(), terse.LinkQuery{Owner: terse.Identity, Limit: 1})
		must(t, err)
	}
	create(t, s, "another")
	if n := len(reading); n > 0 {
		t.Errorf("%d questions are read at a time", n+2)
	}
	// Callers can stop waiting, for statistics, events, searches and lists by clicks.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, series := s.Series(ctx, link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
	_, events := s.Events(ctx, link.Ref(), terse.EventQuery{Range: terse.AllTime, Limit: 1})
	_, search := s.Links(ctx, terse.LinkQuery{
		Owner: terse.Identity, Limit: 1, Search: terse.Search{{"a"}},
	})
	_, byClicks := s.Links(ctx, terse.LinkQuery{
		Owner: terse.Identity, Limit: 1, Order: terse.MostClickedFirst,
	})
	for _, err := range []error{series, events, search, byClicks} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a question that nobody waits for: %v", err)
		}
	}
	close(end)
	asking.Wait()
}
