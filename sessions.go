package terse

import (
	"context"
	"time"
)

// Session is a person's or a named token's session in a browser. Its text is known only to the
// browser: stores keep its SHA-256. Sessions of the tokens of the settings are not stored.
type Session struct {
	Hash      SecretHash
	Identity  string
	Token     string // ID of the AccessToken that it was opened with, and ends with; "": none
	CreatedAt time.Time
	ExpiresAt time.Time
}

// MaxSessions bounds the sessions that a person has opened, and those of each token. A new one ends
// the oldest beyond it.
const MaxSessions = 100

// Sessions stores sessions, see People. Those that have ended are deleted at some later time.
type Sessions interface {
	// CreateSession stores a session of a named token, for the token's identity. ErrTokenNotFound,
	// ErrUserDisabled.
	CreateSession(ctx context.Context, by Caller, session Session) error

	// SessionGrant returns what a session proves, or ErrSessionNotFound. It may have ended, and its
	// user be disabled.
	SessionGrant(ctx context.Context, hash SecretHash) (Grant, error)

	// DeleteSession ends a session. It does nothing if there is none.
	DeleteSession(ctx context.Context, by Caller, hash SecretHash) error

	// DeleteSessions ends all sessions of an identity. ErrUserNotFound.
	DeleteSessions(ctx context.Context, by Caller, identity string) error

	// Seen notes that a user was seen, and its token used, at a time. It changes nothing of a user
	// or a token that is gone.
	Seen(ctx context.Context, identity, token string, at time.Time) error
}
