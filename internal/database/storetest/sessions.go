package storetest

import (
	"errors"
	"testing"
	"time"

	"terse"
)

func sessionGrants(t *testing.T, s Store) {
	user, own := signIn(t, s, anna)
	token, _ := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	opened := openSession(t, s, token)
	wantGrant(t, s, own, user, terse.AccessToken{})
	wantGrant(t, s, opened, user, token)
	wantNoSession(t, s, "unknown", newSession())
	none := newSession()
	wantError(t, "without a token", s.CreateSession(t.Context(), me, none), terse.ErrTokenNotFound)
	wantNoSession(t, s, "without a token", none)
	ended := newSession()
	ended.Token, ended.ExpiresAt = token.ID, spring
	must(t, s.CreateSession(t.Context(), me, ended))
	ended.Identity = anna.Identity
	wantGrant(t, s, ended, user, token)
}

func manySessions(t *testing.T, s Store) {
	// The oldest of all is the person's: the holder of a token can't end it by opening others.
	now := time.Now().UTC().Truncate(time.Microsecond)
	own := newSession()
	own.CreatedAt = now.Add(-time.Hour)
	must(t, errOf(s.SignIn(t.Context(), me, anna, own)))
	token := tokenOf(t, s, anna.Identity)
	sessions := make([]terse.Session, terse.MaxSessions+20)
	for i := range sessions { // the oldest come last
		sessions[i] = terse.Session{
			Hash: newHash(), Token: token.ID, CreatedAt: now.Add(-time.Duration(i) * time.Second),
			ExpiresAt: now.Add(time.Hour),
		}
	}
	for _, session := range sessions[:terse.MaxSessions-1] {
		must(t, s.CreateSession(t.Context(), me, session))
	}
	together(4, func(i int) {
		err := s.CreateSession(t.Context(), me, sessions[terse.MaxSessions-1+i])
		if err != nil {
			t.Error(err)
		}
	})
	count := func() (n int) {
		for _, session := range sessions {
			_, err := s.SessionGrant(t.Context(), session.Hash)
			if err == nil {
				n++
			} else if !errors.Is(err, terse.ErrSessionNotFound) {
				t.Error(err)
			}
		}
		return n
	}
	wantEqual(t, "sessions", count(), terse.MaxSessions)
	// A new one stays even if it seems to be the oldest.
	last := sessions[len(sessions)-1]
	must(t, s.CreateSession(t.Context(), me, last))
	must(t, errOf(s.SessionGrant(t.Context(), last.Hash)))
	must(t, errOf(s.SessionGrant(t.Context(), sessions[0].Hash)))
	wantEqual(t, "sessions", count(), terse.MaxSessions)
	must(t, errOf(s.SessionGrant(t.Context(), own.Hash)))
	// The same the other way round.
	for range terse.MaxSessions + 1 {
		signIn(t, s, anna)
	}
	wantEqual(t, "sessions", count(), terse.MaxSessions)
	wantNoSession(t, s, "the person's oldest", own)
}

// endedSessions are deleted at some time, while others stay.
func endedSessions(t *testing.T, s Store) {
	_, own := signIn(t, s, anna)
	token := tokenOf(t, s, anna.Identity)
	var old []terse.Session
	for range 30 {
		session := newSession()
		session.Token, session.ExpiresAt = token.ID, session.CreatedAt.Add(-time.Hour)
		must(t, s.CreateSession(t.Context(), me, session))
		old = append(old, session)
	}
	for range 5 {
		signIn(t, s, bert)
	}
	wantNoSession(t, s, "ended", old...)
	must(t, errOf(s.SessionGrant(t.Context(), own.Hash)))
}

func deleteSessions(t *testing.T, s Store) {
	_, first := signIn(t, s, anna)
	user, second := signIn(t, s, anna)
	_, others := signIn(t, s, bert)
	token, hash := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	opened := openSession(t, s, token)
	for range 2 {
		must(t, s.DeleteSession(t.Context(), me, first.Hash))
	}
	wantNoSession(t, s, "deleted", first)
	wantGrant(t, s, second, user, terse.AccessToken{})
	for range 2 {
		must(t, s.DeleteSessions(t.Context(), admin, anna.Identity))
	}
	wantNoSession(t, s, "all deleted", first, second, opened)
	must(t, errOf(s.TokenGrant(t.Context(), hash)))
	must(t, errOf(s.SessionGrant(t.Context(), others.Hash)))
	wantError(t, "nobody", s.DeleteSessions(t.Context(), admin, "nobody"), terse.ErrUserNotFound)
}
