// Package auth provides bearer tokens: checking them, making them and keeping the one
// that the service made for itself; and sessions, which stand for a token for a while.
//
// It knows header values, cookie values and one file, not HTTP: it answers no request, reads no
// environment, and never logs or returns a token in an error.
package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"

	"terse"
)

// Error is why a request is not authenticated, in the words the caller is told.
type Error string

func (e Error) Error() string { return string(e) }

// The failures of Authenticate (contract: Errors).
const (
	ErrMissing Error = "Unauthorized: missing authorization header"
	ErrFormat  Error = "Unauthorized: invalid authorization format"
	ErrUnknown Error = "Unauthorized: invalid token"
)

// ShortToken is the length in characters below which a token is worth a warning: 16 random ones
// have 64 bits in hexadecimal, too many to try over a network.
const ShortToken = 16

// Tokens are the tokens that the service accepts. Only their hashes are kept. It may be
// used by many goroutines.
type Tokens struct{ hashes [][sha256.Size]byte }

// NewTokens returns the set of the given tokens. It fails when there is none and when one
// could never be sent: an empty one, or one that holds a space, a control or a non-ASCII
// character. The error names such a token by its place only.
func NewTokens(tokens []string) (*Tokens, error) {
	if len(tokens) == 0 {
		return nil, errors.New("no access token")
	}
	t := &Tokens{hashes: make([][sha256.Size]byte, len(tokens))}
	for i, token := range tokens {
		if !sendable(token) {
			return nil, fmt.Errorf(
				"access token %d of %d is not made of visible ASCII characters only", i+1,
				len(tokens))
		}
		t.hashes[i] = sha256.Sum256([]byte(token))
	}
	return t, nil
}

// Authenticate returns the identity that the values of a request's Authorization headers
// prove, or ErrMissing, ErrFormat or ErrUnknown. How long it takes tells nothing about the
// tokens: hashes of one length are compared in constant time, every one of them.
func (t *Tokens) Authenticate(authorization []string) (identity string, err error) {
	switch {
	case len(authorization) == 0 || len(authorization) == 1 && authorization[0] == "":
		return "", ErrMissing
	case len(authorization) > 1: // which one counts would be a guess
		return "", ErrFormat
	}
	token, found := strings.CutPrefix(authorization[0], "Bearer ")
	if !found || token == "" || strings.ContainsAny(token, " \t") {
		return "", ErrFormat
	}
	if _, known := t.find(token); !known {
		return "", ErrUnknown
	}
	return terse.Identity, nil
}

// find returns a text's hash, and whether it is that of an accepted token.
func (t *Tokens) find(token string) (hash [sha256.Size]byte, known bool) {
	hash = sha256.Sum256([]byte(token))
	match := 0
	for i := range t.hashes {
		match |= subtle.ConstantTimeCompare(hash[:], t.hashes[i][:])
	}
	return hash, match == 1
}

// sendable reports whether a token can stand in a header after "Bearer ".
func sendable(token string) bool {
	return token != "" && !strings.ContainsFunc(token,
		func(r rune) bool { return r <= ' ' || r > '~' })
}
