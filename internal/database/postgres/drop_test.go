package postgres_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/tests/pgtest"
)

// While the database is away, whoever drops clicks does not keep those who count from trying, who
// learn why they fail.
func TestDropWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	p, address := through(t, pgtest.URL(t))
	s := open(t, address)
	p.refuse.Store(true)
	p.cut()
	ctx, cancel := context.WithCancel(t.Context())
	dropped := make(chan error, 1)
	go func() { dropped <- s.DropClicks(ctx, time.Now()) }()
	defer func() {
		cancel()
		if err := <-dropped; err == nil {
			t.Error("clicks are dropped while the database is away")
		}
	}()
	for p.refused.Load() == 0 { // until it tries again and again
		time.Sleep(time.Millisecond)
	}
	bounded, end := context.WithTimeout(ctx, 2*time.Second)
	defer end()
	err := s.AddClicks(bounded, terse.ClickBatch{Journal: "j"})
	if err == nil || !strings.Contains(err.Error(), "connect") {
		t.Errorf("count clicks: %v, want an error about the connection", err)
	}
}
