package postgres_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// TestAccountsOfNodes: several nodes change the users of one database, and see at once what the
// others have changed.
func TestAccountsOfNodes(t *testing.T) {
	t.Parallel()
	storetest.RunAccounts(t, func(t *testing.T) storetest.Store {
		url := pgtest.URL(t)
		var nodes []storetest.Store
		for range 2 {
			s, err := postgres.Open(t.Context(), postgres.WithTracer(
				postgres.Options{URL: url, Timeout: time.Minute}, &ran))
			must(t, err)
			t.Cleanup(func() { must(t, s.Close()) })
			nodes = append(nodes, s)
		}
		return storetest.Nodes(nodes[0], nodes[1:]...)
	})
}

// TestAccountsOnce: a change is tried again if the answer to its COMMIT was lost, but succeeds, and
// is noted, once.
func TestAccountsOnce(t *testing.T) {
	t.Parallel()
	const callers, cuts = 4, 40
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	s, seen := openSeeing(t, url, proxied)
	var done atomic.Int64
	var running atomic.Bool
	running.Store(true)
	want := map[string]int{}
	var mu sync.Mutex // guards want
	var working sync.WaitGroup
	for caller := range callers {
		working.Go(func() {
			for i := 0; running.Load(); i++ {
				name := fmt.Sprintf("own%d-%d", caller, i)
				noted, err := useAccount(t, s, name)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				mu.Lock()
				for _, what := range noted {
					want[what+` by "`+name+`", cause 0`]++
				}
				mu.Unlock()
				done.Add(1)
			}
		})
	}
	for range cuts {
		before := done.Load()
		await(t, "users to be made", func() bool { return done.Load() > before })
		p.loseAnswers(t)
	}
	running.Store(false)
	working.Wait()
	for _, what := range seen() {
		want[what]--
	}
	for what, n := range want {
		if n != 0 {
			t.Errorf("%s: %d times too few", what, n)
		}
	}
}

// useAccount makes a person, a token and sessions, deletes all of them again, and returns what
// should be noted.
func useAccount(t *testing.T, s *postgres.Store, name string) (noted []string, err error) {
	ctx, by := t.Context(), terse.Caller{Identity: name}
	hash := func(kind byte) (hash terse.SecretHash) {
		copy(hash[:], name)
		hash[31] = kind
		return hash
	}
	later := time.Now().Add(time.Hour)
	token := terse.AccessToken{ID: name, Name: "a", Identity: name, Role: terse.Editor}
	disabled := false
	role := terse.Viewer
	for _, step := range []func() error{
		func() error {
			return errOf(s.SignIn(ctx, by, terse.User{
				Identity: name, Role: terse.Editor, Issuer: "i", Subject: name,
			}, terse.Session{Hash: hash(1), CreatedAt: later, ExpiresAt: later}))
		},
		func() error { return errOf(s.CreateToken(ctx, by, token, hash(2))) },
		func() error {
			return s.CreateSession(ctx, by, terse.Session{
				Hash: hash(3), Token: name, CreatedAt: later, ExpiresAt: later,
			})
		},
		func() error {
			return errOf(s.UpdateUser(ctx, by, name,
				terse.UserChange{Role: &role, Disabled: &disabled}))
		},
		func() error { return s.DeleteSession(ctx, by, hash(1)) },
		func() error { return s.DeleteSessions(ctx, by, name) },
		func() error { return s.DeleteToken(ctx, by, name) },
		func() error { return s.DeleteUser(ctx, by, name) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	ofToken := fmt.Sprintf(`%s {"identity":%[1]q,"name":"a","role":"editor"}`, name)
	ofUser := name + ` {"email":"","issuer":"i","role":"%s"}`
	return []string{
		"user.create " + fmt.Sprintf(ofUser, "editor"), "session.create " + name,
		"token.create " + ofToken, "session.create " + name,
		"user.update " + name + ` {"role":{"new":"viewer","old":"editor"}}`,
		"session.delete " + name, "session.delete " + name,
		"token.delete " + ofToken, "user.delete " + fmt.Sprintf(ofUser, "viewer"),
	}, nil
}

// TestManyUsers: of several that would be the last one, one is created.
func TestManyUsers(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s, other := openAt(t, url), openAt(t, url)
	t.Cleanup(func() { must(t, errors.Join(s.Close(), other.Close())) })
	pgtest.Exec(t, url, fmt.Sprintf("INSERT INTO users (identity, role, created_at) "+
		"SELECT 'u' || i, 'admin', 0 FROM generate_series(3, %d) AS i", terse.MaxUsers))
	storetest.LastUser(t, s, other)
	if n := count(t, url, "SELECT count(*) FROM users"); n != terse.MaxUsers {
		t.Errorf("there are %d users", n)
	}
}

// TestAccountsByHand: what belongs to a user goes with it, however it is deleted, and rows that
// can't be read grant nothing.
func TestAccountsByHand(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := openAt(t, url)
	t.Cleanup(func() { must(t, s.Close()) })
	storetest.AccountsByHand(t, s, func(sql string) { pgtest.Exec(t, url, sql) })
}

// BenchmarkUsers lists 10,000 users with 100 links each, as far apart as can be.
func BenchmarkUsers(b *testing.B) {
	url := pgtest.URL(b)
	s := openAt(b, url)
	b.Cleanup(func() { must(b, s.Close()) })
	pgtest.Exec(b, url, "INSERT INTO users (identity, role, created_at) "+
		"SELECT 'u' || i, 'admin', 0 FROM generate_series(0, 9999) AS i")
	pgtest.Exec(b, url, "INSERT INTO link_ranges "+
		"SELECT 'u' || i % 10000, i / 10000, 1, 1, 0, 0 FROM generate_series(0, 999999) AS i")
	pgtest.Exec(b, url, "ANALYZE")
	for b.Loop() {
		must(b, errOf(s.Users(b.Context(), nil)))
	}
}
