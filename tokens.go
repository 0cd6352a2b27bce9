package terse

import (
	"context"
	"time"
)

// AccessToken is a named token. Its text is known only to its holder: stores keep its SHA-256.
type AccessToken struct {
	ID         string // 1-64 of A-Z a-z 0-9 _ -
	Name       string // 1-64 characters, unique for the identity
	Identity   string // for whom it acts
	Role       Role   // what it may do at most
	CreatedAt  time.Time
	CreatedBy  string
	ExpiresAt  time.Time // zero: never
	LastUsedAt time.Time // to a minute; zero: never
	Hint       string    // the last characters of its text
}

// Bounds of tokens.
const (
	// MaxTokens bounds the tokens of an identity, those that have expired included.
	MaxTokens = 100
	// MaxTokenName bounds a token's name in characters.
	MaxTokenName = 64
	// MaxListedTokens bounds the tokens of all users in a list: all that MaxUsers may have would
	// take a gigabyte.
	MaxListedTokens = 20_000
)

// SecretHash is the SHA-256 of the text of a token, or of a session's.
type SecretHash [32]byte

// Tokens stores named tokens, see People.
type Tokens interface {
	// CreateToken stores a token, whose CreatedAt and CreatedBy it sets, and returns it.
	// ErrUserNotFound, ErrTokenNameTaken, ErrTooManyTokens.
	CreateToken(ctx context.Context, by Caller, token AccessToken, hash SecretHash) (
		AccessToken, error)

	// Tokens returns the tokens of an identity, or of AllOwners, newest first, and at most
	// MaxListedTokens.
	Tokens(ctx context.Context, identity string) ([]AccessToken, error)

	// Token returns a token, or ErrTokenNotFound.
	Token(ctx context.Context, id string) (AccessToken, error)

	// DeleteToken deletes a token and the sessions that were opened with it. ErrTokenNotFound.
	DeleteToken(ctx context.Context, by Caller, id string) error

	// TokenGrant returns what a token proves, or ErrTokenNotFound. It may have expired, and its
	// user be disabled.
	TokenGrant(ctx context.Context, hash SecretHash) (Grant, error)
}

// Grant is what a token or a session proves.
type Grant struct {
	User    User        // without its numbers
	Token   AccessToken // that was shown, or that the session was opened with; ID "": none
	Session Session     // the zero Session: none
}
