package terse

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// User is an identity: Identity, which has the tokens of the settings, a service, or a person, who
// signs in with OpenID Connect.
type User struct {
	Identity string // never changes: of a person, the address of the first sign-in in lower case
	Role     Role   // what the identity may do; settings may give a person more
	Disabled bool
	// Of a person, as of the last sign-in. Issuer and Subject tell people apart.
	Issuer, Subject string // the subject has at most 255 bytes (OpenID Connect Core 1.0, section 2)
	Email, Name     string
	Groups          []string // at most MaxGroups

	CreatedAt  time.Time
	LastSeenAt time.Time // to a minute; zero: never

	Links, Tokens int64 // how many it has; only People.Users and People.User fill them in
}

// IsPerson reports whether the user signs in with OpenID Connect.
func (u *User) IsPerson() bool { return u.Subject != "" }

// Bounds of users.
const (
	// MaxUsers bounds the users, so that a list of all of them fits into one answer.
	MaxUsers = 20_000
	// MaxIdentity bounds an identity in bytes: the longest address that mail can be sent to
	// (RFC 5321, 4.5.3.1.3).
	MaxIdentity  = 254
	maxService   = 64
	MaxGroups    = 1_000 // of a person
	MaxGroupName = 256   // in bytes
	MaxUserName  = 200   // in characters
)

// People stores users. It is a part of a store, like Tokens, Sessions and Audit. Each method that
// changes something notes it for the audit in the same transaction, and notes nothing if nothing
// changed. The store always has the user Identity.
type People interface {
	// Users returns all users, ordered by the bytes of their identities. They have no Groups, which
	// together could be gigabytes; each, unless it is nil, gets each user with them. It may be
	// called again for all of them.
	Users(ctx context.Context, each func(*User)) ([]User, error)

	// User returns the user with an identity, or ErrUserNotFound.
	User(ctx context.Context, identity string) (User, error)

	// SignIn opens a session for a person who has just signed in. The person with the Issuer and
	// Subject gets the Email, Name and Groups. If there is none, it creates the user, with the
	// given Identity and Role, or fails with ErrIdentityTaken if the identity exists, or with
	// ErrTooManyUsers. It also fails with ErrIdentityTaken if the Email is that of another person,
	// and with ErrUserDisabled if the user is disabled. Of the session and the caller, it sets the
	// Identity.
	SignIn(ctx context.Context, by Caller, person User, session Session) (User, error)

	// CreateService creates a service with an identity, as an Admin, unless the user exists.
	// ErrTooManyUsers.
	CreateService(ctx context.Context, by Caller, identity string) error

	// UpdateUser changes a user and returns it. Disabling ends its sessions for good.
	// ErrUserNotFound, ErrUserStays.
	UpdateUser(ctx context.Context, by Caller, identity string, change UserChange) (User, error)

	// DeleteUser deletes a user without links, with its tokens and sessions. ErrUserNotFound,
	// ErrUserStays, or an error of StillOwns. A link that the user creates at the same moment may
	// stay, and belong to nobody: AllOwners reaches it. To prevent that, each create would have to
	// wait for the row of its owner.
	DeleteUser(ctx context.Context, by Caller, identity string) error
}

// UserChange is a change of a user. Fields that are nil stay as they are.
type UserChange struct {
	Role     *Role
	Disabled *bool
}

// Of returns a user after the change.
func (c UserChange) Of(u User) User {
	if c.Role != nil {
		u.Role = *c.Role
	}
	if c.Disabled != nil {
		u.Disabled = *c.Disabled
	}
	return u
}

// ParseService parses the name of a service: 1-64 of a-z 0-9 . _ - but not KeepOwners, and neither
// "." nor "..", which no path of an address can name.
func ParseService(name string) (string, error) {
	if slices.Contains([]string{"", KeepOwners, ".", ".."}, name) || len(name) > maxService ||
		strings.Trim(name,
			"abcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
		return "", Invalidf("identity",
			"identity must be that of a user, or a name for a service: 1-%d of a-z 0-9 . _ -",
			maxService)
	}
	return name, nil
}

// ParseEmail returns the identity of a person with an email address: the address in lower case. It
// accepts plain addresses only: ASCII, one @, no quotes, no comment, no space.
func ParseEmail(address string) (identity string, ok bool) {
	local, domain, found := strings.Cut(address, "@")
	if !found || local == "" || domain == "" || len(address) > MaxIdentity {
		return "", false
	}
	for _, c := range []byte(local) {
		if c <= ' ' || c > '~' || strings.IndexByte(`()<>[]:;@\,"`, c) >= 0 {
			return "", false
		}
	}
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || strings.Trim(strings.ToLower(label),
			"abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return "", false
		}
	}
	return strings.ToLower(address), true
}

// CutName shortens a person's name, as a provider gave it, to what a User may have.
func CutName(name string) string {
	name = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(name, ""), func(r rune) bool {
		return r < ' ' || r == 0x7F
	}), " ")
	for utf8.RuneCountInString(name) > MaxUserName {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return name
}

// EncodeGroups returns groups as stores keep them: as JSON, and "" for none.
func EncodeGroups(groups []string) (string, error) {
	if len(groups) == 0 {
		return "", nil
	}
	text, err := json.Marshal(groups)
	return string(text), err
}

// DecodeGroups returns the groups of a text of EncodeGroups, and none of a text that can't be read:
// groups grant, so none grant nothing.
func DecodeGroups(text string) (groups []string) {
	if text == "" || json.Unmarshal([]byte(text), &groups) != nil {
		return nil
	}
	return groups
}
