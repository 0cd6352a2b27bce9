package httpapi

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
	"terse/internal/accept"
	"terse/internal/auth"
)

// httpError is a failure that has no kind in the domain. Its field is as terse.Error has it.
type httpError struct {
	status         int
	message, field string
}

func (e *httpError) Error() string { return e.message }

var (
	errUnknownRoute = &httpError{http.StatusNotFound, "not found", ""}
	errMethod       = &httpError{http.StatusMethodNotAllowed, "method not allowed", ""}
	errTooLarge     = &httpError{
		http.StatusRequestEntityTooLarge,
		"request body must be at most 1 MiB", "",
	}
)

// maxBodyBytes bounds a request body. The largest sensible one has 20 rules with URLs of 8192
// bytes.
const maxBodyBytes = 1 << 20

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return readUpTo(w, r, maxBodyBytes, errTooLarge)
}

// readUpTo reads the request body, which must not have more than most bytes.
func readUpTo(w http.ResponseWriter, r *http.Request, most int64, tooLarge error) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, tooLarge
	}
	if err != nil {
		return nil, terse.Invalidf("", "request body ended early")
	}
	return body, nil
}

// limited is how long a caller over its budget has to wait.
type limited time.Duration

func (limited) Error() string { return "rate limit exceeded" }

// setRetryAfter tells a client how long to wait: rounded up to seconds, so that the promise holds,
// and at least one.
func setRetryAfter(w http.ResponseWriter, wait time.Duration) {
	seconds := max(1, int64((wait+time.Second-1)/time.Second))
	w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
}

// minGzip is the length in bytes from which a JSON answer is compressed: a shorter one fits into
// one packet as it is.
const minGzip = 1 << 10

// respond sends a JSON body, compressed when it is long and the client accepts that.
//
// The length of a compressed answer can tell what it holds to those who see it on the wire and can
// add text to it (BREACH). No answer holds a token, a cookie or another secret; sessions need no
// token against requests of other sites, and those can't have a browser ask for an answer: a
// session's cookie is SameSite=Strict, and a token is in a header that they do not know.
func respond(w http.ResponseWriter, r *http.Request, status int, body any) error {
	made, err := encodeFor(r, body)
	if err != nil {
		return err
	}
	made.send(w, status)
	return nil
}

// encoding is how answers are written. None has a name twice: neither structs nor maps do.
var encoding = json.JoinOptions(json.Deterministic(true), jsontext.AllowDuplicateNames(true))

func encode(body any) ([]byte, error) {
	text, err := json.Marshal(body, encoding)
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return text, nil
}

// respondText sends a JSON text as respond does.
func respondText(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	compressFor(r, text).send(w, status)
}

// encoded is an answer as it is sent.
type encoded struct {
	bytes []byte
	gzip  bool
}

// encodeFor makes the answer to a request.
func encodeFor(r *http.Request, body any) (encoded, error) {
	text, err := encode(body)
	if err != nil {
		return encoded{}, err
	}
	return compressFor(r, text), nil
}

func compressFor(r *http.Request, text []byte) encoded {
	if len(text) < minGzip || !accept.Gzip(r.Header) {
		return encoded{bytes: text}
	}
	var compressed bytes.Buffer
	compress(&compressed, text)
	return encoded{compressed.Bytes(), true}
}

func (e encoded) send(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Add("Vary", "Accept-Encoding")
	if e.gzip {
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(e.bytes)))
	w.WriteHeader(status)
	_, _ = w.Write(e.bytes) // JSON, which no browser takes for a page
}

// compressors are writers that wait for the next answer. One takes 1.2 MB, and is taken for the
// time of one compression into memory, never for that of a connection: there are about as many as
// cores. The garbage collector takes those that are idle.
var compressors = sync.Pool{New: func() any {
	gz, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is a valid one
	return gz
}}

func compress(w io.Writer, text []byte) {
	gz := compressors.Get().(*gzip.Writer) //nolint:errcheck // the pool has nothing else
	gz.Reset(w)
	_, _ = gz.Write(text) // fails only when the caller is gone
	_ = gz.Close()
	gz.Reset(nil) // lets go of the answer
	compressors.Put(gz)
}

// fail answers with an error: the one place that turns errors into statuses.
func (s *service) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, message, field := http.StatusInternalServerError, "internal server error", ""
	var (
		domain  *terse.Error
		unauth  auth.Error
		wait    limited
		crowded crowdedError
		request *httpError
	)
	switch {
	case errors.As(err, &domain):
		status, message, field = statusOf(domain.Kind), domain.Message, fieldOf(domain)
	case errors.As(err, &unauth):
		status, message = http.StatusUnauthorized, unauth.Error()
		w.Header().Set("WWW-Authenticate", "Bearer")
	case errors.As(err, &wait):
		status, message = http.StatusTooManyRequests, wait.Error()
		setRetryAfter(w, time.Duration(wait))
	case errors.As(err, &crowded):
		status, message = http.StatusServiceUnavailable, crowded.Error()
		setRetryAfter(w, time.Duration(crowded))
	case errors.As(err, &request):
		status, message, field = request.status, request.message, request.field
	}
	if status == http.StatusInternalServerError {
		s.Logger.LogAttrs(r.Context(), slog.LevelError, "request failed",
			slog.String("request_id", r.Header.Get("X-Request-ID")),
			slog.String("method", r.Method),
			slog.String("route", r.Pattern),
			slog.Any("error", err))
	}
	respondError(w, r, status, message, field)
}

// respondError sends an error, and to a client that asks for it the field that it is about, if it
// is about one. No cache keeps answers, and a client sees whether there is a field: so they need
// neither Vary nor Preference-Applied (RFC 7240, 2 and 3).
func respondError(w http.ResponseWriter, r *http.Request, status int, message, field string) {
	if field != "" && wantsField(r) {
		w.Header().Set("Error-Field", field)
	}
	// every message is valid UTF-8, so that it can be encoded
	_ = respond(w, r, status, api.ErrorBody{Error: message})
}

// wantsField reports whether a client asks which field an error is about.
func wantsField(r *http.Request) bool { return accept.Prefers(r.Header, "error-field") }

// maxField bounds the field of an error that clients are told, in bytes. Those with known names are
// shorter.
const maxField = 100

// fieldOf returns the field that an error is about as clients are told it, "" for none. The names
// of unknown fields are the client's: one that is too long, or has other characters than letters,
// digits, "-" and "_", has no place in a header.
func fieldOf(err *terse.Error) string {
	other := func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			!strings.ContainsRune("-_.[]", c)
	}
	if len(err.Field) > maxField || strings.ContainsFunc(err.Field, other) {
		return ""
	}
	return err.Field
}

func statusOf(kind terse.ErrorKind) int {
	switch kind {
	case terse.Invalid:
		return http.StatusBadRequest
	case terse.NotFound:
		return http.StatusNotFound
	case terse.Conflict, terse.UnderWay:
		return http.StatusConflict
	case terse.Forbidden:
		return http.StatusForbidden
	case terse.Changed:
		return http.StatusPreconditionFailed
	}
	return http.StatusInternalServerError
}
