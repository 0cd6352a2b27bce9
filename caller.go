package terse

import "net/netip"

// Names that stand for something else than an identity.
const (
	// AllOwners stands for every owner of links, where a query names one.
	AllOwners = "*"
	// KeepOwners stands for the owner that each line of an import names.
	KeepOwners = "keep"
)

// Caller is who changes something, and why. Each method of a store that changes something takes
// one, and everything that follows from the change may depend on it.
type Caller struct {
	// Identity is on whose behalf the change is made, for example Identity. Nobody's is empty: time
	// and visits change links, too.
	Identity string
	// Owner is whose links a request is about: an identity or AllOwners; "" is Identity.
	Owner     string
	Role      Role
	Via       Via
	Token     string     // ID of the AccessToken; "" without one
	Address   netip.Addr // of the client; the zero Addr without one
	RequestID string     // of the HTTP request; "" without one
	Cause     Cause
}

// Asks returns whose links the caller's request is about: an identity, or AllOwners.
func (c *Caller) Asks() string {
	if c.Owner == "" {
		return c.Identity
	}
	return c.Owner
}

// Others returns whose links the caller's request is about if they are not the caller's own, else
// "".
func (c *Caller) Others() string {
	if c.Owner == c.Identity {
		return ""
	}
	return c.Owner
}

// Gives returns to whom the caller's request gives links that it creates: the owner that it is
// about, or the caller.
func (c *Caller) Gives() string {
	if c.Owner == "" || c.Owner == AllOwners {
		return c.Identity
	}
	return c.Owner
}

// Reaches reports whether the caller's request is about the links of an owner.
func (c *Caller) Reaches(owner string) bool {
	asks := c.Asks()
	return asks == AllOwners || asks == owner
}

// Via is how a caller proved who it is.
type Via string

// The ways to prove it.
const (
	// ViaAuthTokens is with one of the tokens of the settings.
	ViaAuthTokens Via = "auth_tokens" //nolint:gosec // a name, and no secret
	ViaToken      Via = "token"       // with an AccessToken
	ViaSession    Via = "session"     // with a session, whatever it was opened with
)

// Cause is the kind of event that changes a link.
type Cause uint8

// The causes.
const (
	CauseRequest Cause = iota // a request about the link
	CauseTag                  // a tag is renamed or deleted on all its links
	CauseImport
	CauseTime  // the link starts or expires
	CauseVisit // a visit uses up one of its MaxClicks
)
