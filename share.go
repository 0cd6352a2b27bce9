package terse

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// Share lets anyone who has it see one link's statistics without a token. It is 128 or more random
// bits, as secret as their owner keeps them. Its bytes are those that its String encodes if that is
// the only text that encodes them, otherwise the String itself. The zero Share is none.
type Share string

// A share of NewShare has shareBytes bytes. Others are texts of the lengths that an import may
// bring, so no two texts are one share.
const (
	shareBytes    = 16
	shortestShare = 22 // what shareBytes take as base64url
	longestShare  = 64
)

// NewShare returns a new random share.
func NewShare() Share {
	var s [shareBytes]byte
	_, _ = rand.Read(s[:]) // never fails
	return Share(s[:])
}

// ParseShare parses the String of a share: 22 to 64 characters of base64url.
func ParseShare(text string) (s Share, ok bool) {
	if len(text) < shortestShare || len(text) > longestShare {
		return "", false
	}
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			c != '_' && c != '-' {
			return "", false
		}
	}
	if len(text) == shortestShare {
		// The decoder ignores trailing bits.
		own, err := base64.RawURLEncoding.DecodeString(text)
		if s := Share(own); err == nil && s.String() == text {
			return s, true
		}
	}
	return Share(text), true
}

// String returns the share as URLs have it.
func (s Share) String() string {
	if len(s) == shareBytes {
		return base64.RawURLEncoding.EncodeToString([]byte(s))
	}
	return string(s)
}

// IsOwn reports whether NewShare may have made the share.
func (s Share) IsOwn() bool { return len(s) == shareBytes }

// Hash is the key that shares are looked up by, so that the time of a look-up reveals nothing of
// the share itself.
func (s Share) Hash() [sha256.Size]byte { return sha256.Sum256([]byte(s)) }

// Shares is the part of a store that keeps shares. A link has at most one, deleted with the link.
type Shares interface {
	// Share returns the share that Tx.Share made for a link. ErrShareNotFound if it has none,
	// ErrNotFound if the link does not exist.
	Share(ctx context.Context, link LinkRef) (Share, error)

	// Unshare revokes a link's share for good. ErrShareNotFound if it has none, ErrNotFound if the
	// link does not exist.
	Unshare(ctx context.Context, by Caller, link LinkRef) error

	// Shared returns the link that a share belongs to, without its Clicks, or ErrShareNotFound.
	Shared(ctx context.Context, share Share) (Link, error)
}
