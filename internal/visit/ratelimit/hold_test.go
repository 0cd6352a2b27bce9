package ratelimit_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/tests/redistest"
	"terse/internal/visit/ratelimit"
)

// However many come to two nodes at once, no more hold a place than there are.
func TestNodesSharePlaces(t *testing.T) {
	t.Parallel()
	const places = 10
	server := redistest.Start(t)
	_, shared := nodes(t, server, 2, 1, nil)
	var all sync.WaitGroup
	var held atomic.Int64
	back := make(chan func(), 4*places)
	for i := range 4 * places {
		all.Go(func() {
			giveBack, wait := shared[i%2].Hold("key", places, time.Hour)
			if wait == 0 {
				held.Add(1)
				back <- giveBack
			} else if wait > time.Hour || wait < time.Minute {
				t.Errorf("wait %v", wait)
			}
		})
	}
	all.Wait()
	if held.Load() != places {
		t.Fatalf("%d places are held", held.Load())
	}
	if _, wait := shared[0].Hold("another", places, time.Hour); wait != 0 {
		t.Errorf("another key: wait %v", wait)
	}
	for i := range 3 {
		(<-back)()
		if _, wait := shared[i%2].Hold("key", places, time.Hour); wait != 0 {
			t.Errorf("a place that was given back: wait %v", wait)
		}
		if _, wait := shared[i%2].Hold("key", places, time.Hour); wait == 0 {
			t.Error("it was given twice")
		}
	}
}

func TestPlacesAreFreeAfterTheWindow(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	_, shared := nodes(t, server, 1, 1, nil)
	client := dial(t, server)
	const window = 100 * time.Millisecond
	for range 3 {
		if _, wait := shared[0].Hold("key", 1, window); wait > window {
			t.Errorf("wait %v", wait)
		}
		await(t, "the window is over", func() bool {
			_, wait := shared[0].Hold("key", 1, window)
			return wait == 0
		})
	}
	await(t, "Redis has forgotten it", func() bool {
		return client.do("DBSIZE").Number == 0
	})
}

func TestPlacesWithoutRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	_, shared := nodes(t, server, 1, 1,
		func(s *ratelimit.Shared) { s.SetTimes(ratelimit.Window, 50*time.Millisecond) })
	giveBack, _ := shared[0].Hold("key", 1, time.Hour)
	server.Kill()
	for range 3 {
		giveAnother, wait := shared[0].Hold("key", 1, time.Hour)
		if wait != 0 {
			t.Errorf("wait %v", wait)
		}
		giveAnother()
	}
	giveBack()
	if shared[0].Failures() == 0 {
		t.Error("no failure")
	}
}
