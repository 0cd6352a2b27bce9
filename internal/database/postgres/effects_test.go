package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// openSeeing opens a store that adds an effect to what follows from changes of links, through
// another address of its database.
func openSeeing(t *testing.T, url, through string) (s *postgres.Store, seen func() []string) {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.WithRule(
		postgres.Options{URL: through, Timeout: time.Minute}, storetest.Seen))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	pgtest.Exec(t, url, "CREATE TABLE seen (what text)")
	return s, func() []string {
		conn, err := pgx.Connect(t.Context(), url)
		must(t, err)
		defer conn.Close(context.WithoutCancel(t.Context()))
		rows, err := conn.Query(t.Context(), "SELECT what FROM seen")
		must(t, err)
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
		return texts
	}
}

// TestEffects adds an effect to what follows from changes of links.
func TestEffects(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, seen := openSeeing(t, url, url)
	storetest.Effects(t, s, seen, func() error { return errOf(s.MoveDue(t.Context())) })
}

// TestAccountEffects adds an effect to what follows from changes of users, tokens and sessions.
func TestAccountEffects(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, seen := openSeeing(t, url, url)
	storetest.AccountEffects(t, s, seen)
}

// TestEffectsOnce: a create is tried again if the answer to its COMMIT was lost, but what follows
// from it follows once.
func TestEffectsOnce(t *testing.T) {
	t.Parallel()
	const callers, cuts = 4, 8
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	s, seen := openSeeing(t, url, proxied)
	var made atomic.Int64
	var running atomic.Bool
	running.Store(true)
	want := make([]int, callers)
	var working sync.WaitGroup
	for caller := range callers {
		working.Go(func() {
			for i := 0; running.Load(); i++ {
				l := managed(t, fmt.Sprintf("own%d-%d", caller, i), terse.LinkOptions{})
				if _, err := s.Create(t.Context(), me, l); err != nil {
					t.Errorf("create %v: %v", l.Code, err)
					return
				}
				want[caller] = i + 1
				made.Add(1)
			}
		})
	}
	for range cuts {
		before := made.Load()
		await(t, "links to be created", func() bool { return made.Load() >= before+10 })
		p.loseAnswers(t)
	}
	running.Store(false)
	working.Wait()
	times := map[string]int{}
	for _, what := range seen() {
		times[what]++
	}
	for caller, n := range want {
		for i := range n {
			what := fmt.Sprintf(`create own%d-%d by "me", cause 0`, caller, i)
			if times[what] != 1 {
				t.Errorf("%s: %d times", what, times[what])
			}
			delete(times, what)
		}
	}
	if len(times) > 0 {
		t.Errorf("seen, but never acknowledged: %v", times)
	}
}
