package terse

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Share lets anyone who has it see one link's statistics without a token. It is 128 random bits, as
// secret as their owner keeps them. The zero Share is none.
type Share [16]byte

// NewShare returns a new random share.
func NewShare() (s Share) {
	_, _ = rand.Read(s[:]) // never fails
	return s
}

// ParseShare parses the String of a share.
func ParseShare(text string) (s Share, ok bool) {
	if len(text) != base64.RawURLEncoding.EncodedLen(len(s)) {
		return Share{}, false
	}
	// The decoder ignores line breaks and trailing bits, but a share has only one spelling.
	n, err := base64.RawURLEncoding.Decode(s[:], []byte(text))
	if err != nil || n != len(s) || s.String() != text {
		return Share{}, false
	}
	return s, true
}

// String returns the share as URLs have it: 22 characters of base64url.
func (s Share) String() string { return base64.RawURLEncoding.EncodeToString(s[:]) }

// Hash is the key that shares are looked up by, so that the time of a look-up reveals nothing of
// the share itself.
func (s Share) Hash() [sha256.Size]byte { return sha256.Sum256(s[:]) }

// Shares is the part of a store that keeps shares. A link has at most one, deleted with the link.
type Shares interface {
	// Share returns the share that Tx.Share made for a link. ErrShareNotFound if it has none,
	// ErrNotFound if the link does not exist.
	Share(ctx context.Context, link LinkRef) (Share, error)

	// Unshare revokes a link's share for good. ErrShareNotFound if it has none, ErrNotFound if the
	// link does not exist.
	Unshare(ctx context.Context, link LinkRef) error

	// Shared returns the link that a share belongs to, without its Clicks, or ErrShareNotFound.
	Shared(ctx context.Context, share Share) (Link, error)
}
