// Package auth says who a request comes from: it checks and creates tokens and sessions, and keeps
// the token that the service made for itself.
//
// There are tokens of the settings (Tokens), which stand for terse.Identity and need no store, and
// named tokens and the sessions of people, about which a Gate asks the store. A session that was
// opened with a token of the settings is a text with the time of its end, signed with the hash of
// that token. Nothing is stored, so it survives a restart, and ends with its token.
//
// It knows header values, cookie values and one file, but not HTTP. It answers no request, reads no
// environment, and never logs a token or returns one in an error.
package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"strings"
)

// Error says why a request is not authenticated, in the words for the caller.
type Error string

func (e Error) Error() string { return string(e) }

// The failures of Gate.Bearer (contract: Errors).
const (
	ErrMissing  Error = "Unauthorized: missing authorization header"
	ErrFormat   Error = "Unauthorized: invalid authorization format"
	ErrUnknown  Error = "Unauthorized: invalid token"
	ErrExpired  Error = "Unauthorized: token expired"
	ErrDisabled Error = "Unauthorized: account disabled"
)

// ShortToken is the length in characters below which a token deserves a warning. 16 random
// hexadecimal characters are 64 bits, too many to try over a network.
const ShortToken = 16

// Tokens are the tokens of the settings. It keeps only their hashes. Its methods may be called
// concurrently.
type Tokens struct{ hashes [][sha256.Size]byte }

// NewTokens returns the set of the given tokens. It fails if there is none, or if one can never be
// sent: an empty one, or one with a space, a control or a non-ASCII character. The error names such
// a token only by its position.
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

// bearer returns the token in the values of a request's Authorization headers.
func bearer(authorization []string) (token string, err error) {
	switch {
	case len(authorization) == 0 || len(authorization) == 1 && authorization[0] == "":
		return "", ErrMissing
	case len(authorization) > 1: // choosing one would be a guess
		return "", ErrFormat
	}
	token, found := strings.CutPrefix(authorization[0], "Bearer ")
	if !found || token == "" || strings.ContainsAny(token, " \t") {
		return "", ErrFormat
	}
	return token, nil
}

// find returns the hash of a token, and whether the token is accepted. Its duration reveals nothing
// about the tokens: it compares hashes of equal length in constant time, and always all of them.
func (t *Tokens) find(token string) (hash [sha256.Size]byte, known bool) {
	hash = sha256.Sum256([]byte(token))
	match := 0
	for i := range t.hashes {
		match |= subtle.ConstantTimeCompare(hash[:], t.hashes[i][:])
	}
	return hash, match == 1
}

// sendable reports whether a token can follow "Bearer " in a header.
func sendable(token string) bool {
	return token != "" && !strings.ContainsFunc(token,
		func(r rune) bool { return r <= ' ' || r > '~' })
}
