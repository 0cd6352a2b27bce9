package terse

import (
	"errors"
	"fmt"
)

// ErrorKind is what sort of failure an Error is; the edge turns it into a status.
type ErrorKind uint8

// The kinds of failure that callers are told about. Any other error is internal
// and never shown.
const (
	Invalid   ErrorKind = iota + 1 // the request breaks a rule
	NotFound                       // there is no such link
	Conflict                       // the short code is taken
	Forbidden                      // the caller is not the creator
	Changed                        // the link is not as the caller knew it
	UnderWay                       // the same is being done just now
	Damaged                        // what is stored of the link can't be read
)

// Error is a failure whose message may be shown to the caller.
type Error struct {
	Kind    ErrorKind
	Message string
}

func (e *Error) Error() string { return e.Message }

// Invalidf returns an *Error of kind Invalid.
func Invalidf(format string, args ...any) error {
	return &Error{Invalid, fmt.Sprintf(format, args...)}
}

// ErrUnknownLink says that a batch of clicks has some of a link that is neither there nor known to
// be deleted: another node may have made it a moment ago.
var ErrUnknownLink = errors.New("clicks of a link that is not known yet")

// The failures whose texts are fixed (contract: Errors).
var (
	ErrNotFound        = &Error{NotFound, "URL not found"}
	ErrCodeTaken       = &Error{Conflict, "short code already exists"}
	ErrChanged         = &Error{Changed, "URL was changed meanwhile"}
	ErrDamaged         = &Error{Damaged, "the stored options of this URL cannot be read"}
	ErrUsedUp          = &Error{NotFound, "URL has answered as many clicks as it may"}
	ErrUnderWay        = &Error{UnderWay, "a request with this Idempotency-Key is under way"}
	ErrTagNotFound     = &Error{NotFound, "tag not found"}
	ErrShareNotFound   = &Error{NotFound, "share not found"}
	ErrUpdateForbidden = &Error{Forbidden, "unauthorized to update this URL"}
	ErrDeleteForbidden = &Error{Forbidden, "unauthorized to delete this URL"}
	ErrStatsForbidden  = &Error{Forbidden, "unauthorized to view analytics for this URL"}
	ErrURLRequired     = &Error{Invalid, "original_url is required"}
	ErrBadURL          = &Error{Invalid, "original URL must be a valid http or https URL"}
	ErrLongURL         = &Error{
		Invalid, fmt.Sprintf("original_url must be at most %d bytes", MaxURLBytes),
	}
)
