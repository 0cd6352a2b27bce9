package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
)

// The errors of failed requests, for errors.Is. Use errors.As to get the *Error with the details.
var (
	ErrInvalid      = errors.New("invalid request")                    // 400
	ErrUnauthorized = errors.New("missing or invalid token")           // 401
	ErrForbidden    = errors.New("created by someone else")            // 403
	ErrNotFound     = errors.New("no such link")                       // 404
	ErrConflict     = errors.New("address already exists")             // 409
	ErrChanged      = errors.New("changed meanwhile")                  // 412
	ErrOtherRequest = errors.New("idempotency key of another request") // 422
	ErrRateLimited  = errors.New("rate limit exceeded")                // 429
	ErrBusy         = errors.New("too many at once")                   // 503 with Retry-After
	ErrServer       = errors.New("the server failed")                  // 500 and above
)

// Error is any answer but success.
type Error struct {
	Status     int           // for example 404
	Message    string        // what the server said, for example "URL not found"
	RetryAfter time.Duration // how long to wait after a 429 or 503; 0: unknown
	RequestID  string        // identifies the request in the server's log
	// Field is the one thing that the error is about, if any: the path of a field such as
	// "rules[2].url" or "tags[1]", or the name of a query parameter or header. If something was not
	// found it is "short_code", "tag", "share", "id" or "identity".
	Field string
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Status, e.Message) }

// Is reports whether target is the Err… variable for the status.
func (e *Error) Is(target error) bool {
	if known, ok := byStatus[e.Status]; ok {
		return target == known
	}
	if target == ErrBusy {
		return e.Status == http.StatusServiceUnavailable && e.RetryAfter > 0
	}
	return target == ErrServer && e.Status >= http.StatusInternalServerError
}

var byStatus = map[int]error{
	http.StatusBadRequest:          ErrInvalid,
	http.StatusUnauthorized:        ErrUnauthorized,
	http.StatusForbidden:           ErrForbidden,
	http.StatusNotFound:            ErrNotFound,
	http.StatusConflict:            ErrConflict,
	http.StatusPreconditionFailed:  ErrChanged,
	http.StatusUnprocessableEntity: ErrOtherRequest,
	http.StatusTooManyRequests:     ErrRateLimited,
}

// responseError makes do with the status if the body is not the server's own, for example a
// proxy's.
func responseError(resp *http.Response) error {
	e := &Error{
		Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-ID"),
		Field: resp.Header.Get("Error-Field"),
	}
	if e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable {
		e.RetryAfter = retryAfter(resp.Header.Get("Retry-After"))
	}
	var body ErrorBody
	err := json.UnmarshalRead(io.LimitReader(resp.Body, maxErrorBytes), &body)
	if err != nil || body.Error == "" {
		body.Error = http.StatusText(resp.StatusCode)
	}
	e.Message = body.Error
	return e
}

// retryAfter parses seconds, as the server sends them, or a date, as a proxy may (RFC 9110, section
// 10.2.3). A date is rounded up, because a request that comes a moment early is refused again.
func retryAfter(value string) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at).Truncate(time.Second)+time.Second)
	}
	return 0
}
