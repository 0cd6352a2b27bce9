package terse

import (
	"errors"
	"fmt"
)

// ErrorKind is a category of failure. The edge turns it into a status.
type ErrorKind uint8

// The kinds of failure that callers see. Any other error is internal and never shown.
const (
	Invalid   ErrorKind = iota + 1 // the request breaks a rule
	NotFound                       // the link does not exist
	Conflict                       // the short code is taken
	Forbidden                      // the caller is not the creator
	Changed                        // the link is not the version that the caller knew
	UnderWay                       // the same request is in progress
	Damaged                        // the stored link cannot be decoded
)

// Error is a failure whose message may be shown to the caller.
type Error struct {
	Kind    ErrorKind
	Message string
	// Field is the one thing that the failure is about, if any: the path of a JSON member such as
	// "rules[2].url", or the name of a query parameter, path parameter or header. If two fields
	// conflict, it is the one that the message names first. It may be, or end in, a name that the
	// caller made up.
	Field string
}

func (e *Error) Error() string { return e.Message }

// Invalidf returns an *Error of kind Invalid about a field, or about none if field is "".
func Invalidf(field, format string, args ...any) error {
	return &Error{Invalid, fmt.Sprintf(format, args...), field}
}

// NeedsRole returns the error that a caller's role does not suffice.
func NeedsRole(needed Role) error {
	return &Error{Kind: Forbidden, Message: "needs the role " + needed.String()}
}

// StillOwns returns the error that a user with links can't be deleted.
func StillOwns(links int64) error {
	if links == 1 {
		return &Error{Conflict, "still owns 1 link", "identity"}
	}
	return &Error{Conflict, fmt.Sprintf("still owns %d links", links), "identity"}
}

// ErrUnknownLink means that a batch has clicks of a link that neither exists nor is known to be
// deleted. Another node may have created it a moment ago.
var ErrUnknownLink = errors.New("clicks of a link that is not known yet")

// ErrNoDomainLeft means that all numbers of domains belong to a host.
var ErrNoDomainLeft = fmt.Errorf("a database can have %d other hosts in its lifetime", MaxDomain)

// ErrNoRoom means that the database's disk is full.
var ErrNoRoom = errors.New("no room on the disk")

// Failures with fixed texts (contract: Errors).
var (
	ErrNotFound  = &Error{NotFound, "URL not found", "short_code"}
	ErrCodeTaken = &Error{Conflict, "short code already exists", "short_code"}
	ErrChanged   = &Error{Changed, "URL was changed meanwhile", ""}
	ErrDamaged   = &Error{Damaged, "the stored options of this URL cannot be read", ""}
	ErrUsedUp    = &Error{NotFound, "URL has answered as many clicks as it may", ""}
	ErrUnderWay  = &Error{
		UnderWay, "a request with this Idempotency-Key is under way", "Idempotency-Key",
	}
	ErrTagNotFound      = &Error{NotFound, "tag not found", "tag"}
	ErrShareNotFound    = &Error{NotFound, "share not found", "share"}
	ErrShareTaken       = &Error{Conflict, "share belongs to something else", "share"}
	ErrShared           = &Error{Conflict, "there is another share of it", "share"}
	ErrTooManyShares    = &Error{Conflict, fmt.Sprintf("at most %d shares", MaxShares), ""}
	ErrWebhookNotFound  = &Error{NotFound, "webhook not found", "webhook"}
	ErrDeliveryNotFound = &Error{NotFound, "delivery not found", "delivery"}
	ErrWebhookDisabled  = &Error{Conflict, "webhook is disabled", "webhook"}
	ErrTooManyWebhooks  = &Error{Conflict, fmt.Sprintf("at most %d webhooks", MaxWebhooks), ""}
	ErrUpdateForbidden  = &Error{Forbidden, "unauthorized to update this URL", ""}
	ErrDeleteForbidden  = &Error{Forbidden, "unauthorized to delete this URL", ""}
	ErrStatsForbidden   = &Error{Forbidden, "unauthorized to view analytics for this URL", ""}
	ErrUserNotFound     = &Error{NotFound, "user not found", "identity"}
	ErrIdentityTaken    = &Error{Conflict, "identity belongs to somebody else", "identity"}
	ErrUserDisabled     = &Error{Forbidden, "account disabled", ""}
	ErrUserStays        = &Error{Conflict, Identity + " can't be changed or deleted", "identity"}
	ErrTooManyUsers     = &Error{Conflict, fmt.Sprintf("at most %d users", MaxUsers), "identity"}
	ErrTokenNotFound    = &Error{NotFound, "token not found", "id"}
	ErrTokenNameTaken   = &Error{Conflict, "token name already exists", "name"}
	ErrTooManyTokens    = &Error{Conflict, fmt.Sprintf("at most %d tokens", MaxTokens), ""}
	ErrSessionNotFound  = &Error{NotFound, "session not found", ""}
	ErrDomainNotFound   = &Error{NotFound, "domain not found", "domain"}
	ErrUnknownOwner     = &Error{Invalid, "unknown owner", "owner"}
	ErrURLRequired      = &Error{Invalid, "original_url is required", "original_url"}
	ErrBadURL           = &Error{
		Invalid, "original URL must be a valid http or https URL", "original_url",
	}
	ErrLongURL = &Error{
		Invalid, fmt.Sprintf("original_url must be at most %d bytes", MaxURLBytes), "original_url",
	}
)
