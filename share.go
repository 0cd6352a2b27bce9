package terse

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Share lets whoever has it see the statistics of one link, without a token: 128 random bits, which
// are as secret as their owner keeps them. The zero Share is none.
type Share [16]byte

// NewShare returns a share that nobody has.
func NewShare() (s Share) {
	_, _ = rand.Read(s[:]) // never fails
	return s
}

// ParseShare returns the share that a text is the String of, if it is one.
func ParseShare(text string) (s Share, ok bool) {
	if len(text) != base64.RawURLEncoding.EncodedLen(len(s)) {
		return Share{}, false
	}
	// The decoder passes over line breaks and bits at the end; a share has one spelling.
	n, err := base64.RawURLEncoding.Decode(s[:], []byte(text))
	if err != nil || n != len(s) || s.String() != text {
		return Share{}, false
	}
	return s, true
}

// String returns the share as it stands in addresses: 22 characters of base64url.
func (s Share) String() string { return base64.RawURLEncoding.EncodeToString(s[:]) }

// Hash is what a share is looked up by: how long that takes tells nothing of the share itself.
func (s Share) Hash() [sha256.Size]byte { return sha256.Sum256(s[:]) }

// Shares is the part of a Store that keeps the shares of links. A link has one at most, which goes
// with the link.
type Shares interface {
	// Share returns a link's share, which Tx.Share made. ErrShareNotFound when it has none,
	// ErrNotFound when it is gone.
	Share(ctx context.Context, link LinkRef) (Share, error)

	// Unshare takes a link's share back, for good. ErrShareNotFound when it has none, ErrNotFound
	// when it is gone.
	Unshare(ctx context.Context, link LinkRef) error

	// Shared returns the link that a share is of, without its Clicks, or ErrShareNotFound.
	Shared(ctx context.Context, share Share) (Link, error)
}
