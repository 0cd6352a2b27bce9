package redirect

import (
	"errors"
	"net/http"
	"net/netip"
	"time"
)

// TryPassword checks the password of a request for what is no link: in the form that it posts or,
// unless it is a POST, in a header field. All passwords wait in one line. of is a number that no
// other thing with a password has. status is 200; or 401 without a password, 403 for a wrong one,
// 415 for what is no form, and 429 or 503 with how long to wait if it was not checked.
func (h *Handler) TryPassword(r *http.Request, client netip.Addr, of uint64, hash, header string) (
	status int, wait time.Duration, err error,
) {
	sent, foreign := []byte(r.Header.Get(header)), false
	if r.Method == http.MethodPost {
		sent, foreign = formOf(r)
	}
	switch {
	case foreign:
		return http.StatusUnsupportedMediaType, 0, nil
	case len(sent) == 0:
		return http.StatusUnauthorized, 0, nil
	}
	ok, _, wait, err := h.locks.try(&Visitor{Addr: client}, of, hash, sent)
	switch {
	case wait > 0:
		return http.StatusTooManyRequests, wait, nil
	case errors.Is(err, errBusy):
		return http.StatusServiceUnavailable, time.Second, nil
	case err != nil:
		return http.StatusInternalServerError, 0, err
	case !ok:
		return http.StatusForbidden, 0, nil
	}
	return http.StatusOK, 0, nil
}
