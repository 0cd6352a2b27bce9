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
	"terse/internal/auth"
	"terse/internal/text/accept"
)

// httpError is a failure without a kind in the domain. Its field is like that of terse.Error.
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

// readUpTo reads a request body of up to most bytes.
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

// setRetryAfter tells a client how long to wait.
func setRetryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.FormatInt(wholeSeconds(wait), 10))
}

// wholeSeconds rounds a wait up to seconds, so that the promise holds, and to at least 1.
func wholeSeconds(wait time.Duration) int64 {
	return max(1, int64((wait+time.Second-1)/time.Second))
}

// minGzip is the length in bytes from which a JSON answer is compressed; a shorter one fits into
// one packet anyway.
const minGzip = 1 << 10

// respond sends a JSON body, compressed if it is long and the client accepts that.
//
// The length of a compressed answer can reveal its contents to an attacker who sees the traffic and
// can add text to the answer (BREACH). But answers contain no token, cookie or other secret, and
// sessions need no CSRF token. Nor can another site make a browser fetch an answer: session cookies
// are SameSite=Strict, and the site does not know the token for the header.
func respond(w http.ResponseWriter, r *http.Request, status int, body any) error {
	made, err := encodeFor(r, body)
	if err != nil {
		return err
	}
	made.send(w, status)
	return nil
}

// encoding are the options of encoded answers. Duplicate names need no check: structs and maps have
// none.
var encoding = json.JoinOptions(json.Deterministic(true), jsontext.AllowDuplicateNames(true))

func encode(body any) ([]byte, error) {
	text, err := json.Marshal(body, encoding)
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return text, nil
}

// respondText sends an encoded JSON body like respond.
func respondText(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	compressFor(r, text).send(w, status)
}

// encoded is an answer that is ready to be sent.
type encoded struct {
	bytes []byte
	gzip  bool
}

// encodeFor encodes the answer to a request.
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
	_, _ = w.Write(e.bytes) // JSON, which no browser renders as a page
}

// compressors are idle gzip writers. One takes 1.2 MB, and is in use only for one compression into
// memory, never for the life of a connection, so there are about as many as cores. The garbage
// collector frees idle ones.
var compressors = sync.Pool{New: func() any {
	gz, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
	return gz
}}

func compress(w io.Writer, text []byte) {
	gz := compressors.Get().(*gzip.Writer) //nolint:errcheck // the pool has nothing else
	gz.Reset(w)
	_, _ = gz.Write(text) // fails only if the caller has gone
	_ = gz.Close()
	gz.Reset(nil) // drops the answer
	compressors.Put(gz)
}

// fail answers with an error. It is the one place that turns errors into statuses.
func (s *service) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, message, field := http.StatusInternalServerError, "internal server error", ""
	var (
		domain  *terse.Error
		unauth  auth.Error
		wait    limited
		crowded crowdedError
		alone   underWayError
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
	case errors.As(err, &alone):
		status, message = http.StatusTooManyRequests, alone.Error()
		setRetryAfter(w, time.Second)
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

// respondError sends an error, with the field that it is about if there is one and the client asked
// for it. Neither Vary nor Preference-Applied (RFC 7240, 2 and 3) is needed: no cache keeps these
// answers, and a client sees whether there is a field.
func respondError(w http.ResponseWriter, r *http.Request, status int, message, field string) {
	if field != "" && wantsField(r) {
		w.Header().Set("Error-Field", field)
	}
	// Messages are valid UTF-8, so encoding can't fail.
	_ = respond(w, r, status, api.ErrorBody{Error: message})
}

// wantsField reports whether a client wants to know which field an error is about.
func wantsField(r *http.Request) bool { return accept.Prefers(r.Header, "error-field") }

// maxField bounds the field in an error, in bytes. Fields with known names are shorter.
const maxField = 100

// fieldOf returns the field of an error for the client, or "". Names of unknown fields come from
// the client: one that is too long, or has characters other than letters, digits, "-" and "_", must
// not get into a header.
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
