package terse

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"
)

// Share lets anyone who has it see statistics without a token, those of a ShareTarget. It is 128 or
// more random bits, as secret as their owner keeps them. Its bytes are those that its String
// encodes if that is the only text that encodes them, otherwise the String itself. The zero Share
// is none.
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

// Bounds of shares.
const (
	// MaxShares bounds the shares of an identity. More may come with links that it is given, and
	// with those of an import.
	MaxShares = 1_000
	// MaxListedShares bounds a list of shares: with titles of 200 characters it takes some 20 MB.
	MaxListedShares = 20_000
)

// ShareTarget is what a share shows: a link, or of all links of an owner those with a tag, or all.
type ShareTarget struct {
	// Owner is whose links are shown. Stores know that of a Link.
	Owner string
	Link  LinkRef // the zero LinkRef: no single link
	Tag   string  // as it was spelled when it was shared; "": no tag
}

// ShareOf returns the target of the share of a link.
func ShareOf(link LinkRef) ShareTarget { return ShareTarget{Link: link} }

// IsLink reports whether the target is a single link.
func (t *ShareTarget) IsLink() bool { return t.Link.ID != 0 }

// Same reports whether two targets are one.
func (t *ShareTarget) Same(other *ShareTarget) bool {
	if t.IsLink() || other.IsLink() {
		return t.Link.ID == other.Link.ID
	}
	return t.Owner == other.Owner && FoldTag(t.Tag) == FoldTag(other.Tag)
}

// Shared is a share with what it shows, and all that is set of it.
type Shared struct {
	Share     Share
	Target    ShareTarget
	Title     string    // "": that of what it shows
	CreatedAt time.Time // zero: not known, it is from before that was kept
	CreatedBy string    // "": not known
	ExpiresAt time.Time // from then on nothing is shown; zero: never
	Password  string    // its hash; "": none
}

// IsPlain reports whether nothing is set of the share of a link: an export needs no more of it than
// the Share.
func (s *Shared) IsPlain() bool {
	return s.Target.IsLink() && s.Title == "" && s.ExpiresAt.IsZero() && s.Password == ""
}

// Ended reports whether the share has ended at a time.
func (s *Shared) Ended(now time.Time) bool {
	return !s.ExpiresAt.IsZero() && !now.Before(s.ExpiresAt)
}

// ShareChange is a change of a share. Fields that are nil stay as they are.
type ShareChange struct {
	Title     *string
	ExpiresAt *time.Time
	Password  *string // the hash
}

// Of returns a share after the change.
func (c *ShareChange) Of(s Shared) Shared {
	if c.Title != nil {
		s.Title = *c.Title
	}
	if c.ExpiresAt != nil {
		s.ExpiresAt = *c.ExpiresAt
	}
	if c.Password != nil {
		s.Password = *c.Password
	}
	return s
}

// Shares is the part of a store that keeps shares. A target has at most one. That of a link is
// deleted with the link, others with their owner. Methods fail with ErrNotFound if the target is a
// link that does not exist, and with ErrTagNotFound if it is a tag that has neither a share nor a
// link.
type Shares interface {
	// Share returns the share of a target, or ErrShareNotFound.
	Share(ctx context.Context, target ShareTarget) (Shared, error)

	// Unshare revokes the share of a target for good, or returns ErrShareNotFound.
	Unshare(ctx context.Context, by Caller, target ShareTarget) error

	// Shared returns a share, and the link that it shows, if it is one, without its Clicks.
	// ErrShareNotFound. The share may have ended.
	Shared(ctx context.Context, share Share) (Shared, Link, error)

	// SharesOf returns the shares of an owner, newest first, at most MaxListedShares.
	SharesOf(ctx context.Context, owner string) ([]Shared, error)
}
