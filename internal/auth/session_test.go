package auth_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"terse/internal/auth"
)

func TestSession(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 999, time.FixedZone("", 3600))
	tokens := newTokens(t, "first", "second")
	session, err := tokens.SignIn("second", now)
	if err != nil {
		t.Fatal(err)
	}
	end := time.Date(2026, 11, 28, 11, 0, 0, 0, time.UTC)
	if session.Expires != end || strings.Contains(session.Value, "second") {
		t.Errorf("session %+v", session)
	}
	// It is known after a restart, as long as its token is accepted and its time has not come.
	for _, row := range []struct {
		name     string
		accepted []string
		at       time.Time
		want     error
	}{
		{"at once", []string{"first", "second"}, now, nil},
		{"tokens in another order", []string{"other", "second", "first"}, now, nil},
		{"at the last moment", []string{"second"}, end.Add(-1), nil},
		{"at its end", []string{"second"}, end, auth.ErrSession},
		{"token withdrawn", []string{"first"}, now, auth.ErrSession},
	} {
		got, err := newTokens(t, row.accepted...).Session(session.Value, row.at)
		if !errors.Is(err, row.want) || err == nil && got != session {
			t.Errorf("%s: %+v, %v", row.name, got, err)
		}
	}
}

func TestSignInWithAWrongToken(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t, "first", "second")
	for _, token := range []string{"", "third", "firs", "first ", "first,second"} {
		if session, err := tokens.SignIn(token, time.Now()); !errors.Is(err, auth.ErrUnknown) ||
			session != (auth.Session{}) {
			t.Errorf("%q: %+v, %v", token, session, err)
		}
	}
}

// No value but the one that was given out is a session.
func TestForgedSession(t *testing.T) {
	t.Parallel()
	now := time.Now()
	tokens := newTokens(t, "token")
	session, err := tokens.SignIn("token", now)
	if err != nil {
		t.Fatal(err)
	}
	forged := []string{
		"", ".", "..", "1..", "1.99999999999.", session.Value + "=",
		session.Value + ".", "." + session.Value, strings.ToUpper(session.Value),
		"1.99999999999" + session.Value[12:],
	}
	for i := range session.Value {
		forged = append(forged, session.Value[:i],
			session.Value[:i]+string(session.Value[i]^1)+session.Value[i+1:])
	}
	for _, value := range forged {
		if _, err := tokens.Session(value, now); value != session.Value &&
			!errors.Is(err, auth.ErrSession) {
			t.Errorf("%q is taken for a session: %v", value, err)
		}
	}
}
