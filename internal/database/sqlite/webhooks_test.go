package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"terse"
	"terse/internal/database/storetest"
)

func TestWebhooks(t *testing.T) {
	t.Parallel()
	storetest.RunWebhooks(t, func(t *testing.T) (storetest.Store, func(sql string)) {
		path := filepath.Join(t.TempDir(), "terse.db")
		s := openAt(t, path)
		t.Cleanup(func() {
			ran.add(s.Statements())
			must(t, s.Close())
		})
		return s, func(sql string) { byHand(t, path, sql) }
	})
}

// TestTakenBeforeTheStart: what a process had taken that was killed is due at once.
func TestTakenBeforeTheStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	const event = terse.EventTest
	for start := range 3 {
		s := openAt(t, path)
		if start == 0 {
			_, err := s.CreateWebhook(t.Context(), me, terse.Webhook{
				ID: "w", Owner: terse.Identity, CreatedBy: terse.Identity, Secret: []byte("s"),
				URL: "https://hooks.example/", Events: []terse.EventType{event},
			})
			must(t, err)
			must(t, s.AddDelivery(t.Context(), terse.Delivery{ID: "d", Webhook: "w", Type: event}))
		}
		for _, want := range []int{1, 0} {
			taken, _, err := s.TakeDeliveries(t.Context(),
				terse.Room{All: 64, Maker: 64, Webhook: 4}, time.Now().Add(time.Hour))
			must(t, err)
			if len(taken) != want {
				t.Errorf("start %d: %d deliveries were taken, want %d", start, len(taken), want)
			}
		}
		must(t, s.Close())
	}
}
