package httpapi

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/internal/link/manage"
)

// answer is the answer to a request that changes something. A nil body means none.
type answer struct {
	status int
	etag   string
	body   any
}

// changes are the changes of one request. Links is the store or, within a transaction, tx. touched
// collects the addresses to announce.
type changes struct {
	*service
	manage.Links
	tx         terse.Tx // nil outside a transaction
	by         terse.Caller
	wantsField bool // the caller wants to know which fields errors are about
	touched    []string
}

// changesBy returns empty changes for a request.
func (s *service) changesBy(r *http.Request, by terse.Caller) *changes {
	return &changes{
		service: s, Links: s.Store, by: by, wantsField: wantsField(r),
	}
}

// Create, Update and Delete record the addresses even if they fail, because after an error nobody
// knows what was written.

func (c *changes) Create(ctx context.Context, by terse.Caller, link terse.NewLink) (
	terse.Link, error,
) {
	c.touched = append(c.touched, terse.Addresses(link.Code, link.Options)...)
	return c.Links.Create(ctx, by, link)
}

func (c *changes) Update(ctx context.Context, by terse.Caller, change terse.LinkChange) (
	terse.Link, error,
) {
	c.touched = append(c.touched, change.Before.Addresses()...)
	c.touched = append(c.touched, change.After.Addresses()...)
	return c.Links.Update(ctx, by, change)
}

func (c *changes) Delete(ctx context.Context, by terse.Caller, link terse.Link) error {
	c.touched = append(c.touched, link.Addresses()...)
	return c.Links.Delete(ctx, by, link)
}

// LinkAll and DeleteAll need a transaction.

func (c *changes) LinkAll(ctx context.Context, codes []terse.Code) ([]terse.Link, []error, error) {
	return c.tx.LinkAll(ctx, codes)
}

func (c *changes) DeleteAll(ctx context.Context, by terse.Caller, links []terse.Link) (
	[]error, error,
) {
	for _, link := range links {
		c.touched = append(c.touched, link.Addresses()...)
	}
	return c.tx.DeleteAll(ctx, by, links)
}

// announce invalidates the links that may have changed in the redirects' cache.
func (c *changes) announce() {
	for _, address := range c.touched {
		c.Changed(address)
	}
}

// within runs f in the request's transaction, or in a new one if there is none.
func (c *changes) within(ctx context.Context, f func() error) error {
	if c.tx != nil {
		return f()
	}
	defer func() { c.tx, c.Links = nil, c.Store }()
	return c.Store.Transact(ctx, func(tx terse.Tx) error {
		c.tx, c.Links = tx, tx
		return f()
	})
}

// change performs do and sends the answer.
func (s *service) change(w http.ResponseWriter, r *http.Request, by terse.Caller, body []byte,
	do func(context.Context, *changes) (answer, error),
) error {
	a, err := s.perform(r, by, body, do)
	if err != nil {
		return err
	}
	return a.send(w, r)
}

// finalAnswer is the answer that is sent.
type finalAnswer struct {
	terse.Answer
	repeated bool // an earlier request with the same idempotency key got it
}

// perform runs do, which changes something and may be called more than once, and returns the
// answer. body is the whole request body. With an idempotency key, do runs in a transaction that
// also keeps the answer.
func (s *service) perform(r *http.Request, by terse.Caller, body []byte,
	do func(context.Context, *changes) (answer, error),
) (finalAnswer, error) {
	key, err := idempotencyKey(r, by)
	if err != nil {
		return finalAnswer{}, err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	c := s.changesBy(r, by)
	if key != nil {
		return c.performOnce(ctx, *key, sha256.Sum256(body), do)
	}
	a, err := do(ctx, c)
	c.announce()
	if none, ok := errors.AsType[undone](err); ok {
		a, err = none.answer, nil
	}
	if err != nil {
		return finalAnswer{}, err
	}
	kept, err := a.encode()
	return finalAnswer{Answer: kept}, err
}

// encode returns an answer in the form in which it is sent and kept.
func (a answer) encode() (kept terse.Answer, err error) {
	kept = terse.Answer{Status: a.status, ETag: a.etag}
	if a.body != nil {
		kept.Body, err = encode(a.body)
	}
	return kept, err
}

// send sends the answer.
func (a finalAnswer) send(w http.ResponseWriter, r *http.Request) error {
	if a.repeated {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	if a.ETag != "" {
		w.Header().Set("ETag", a.ETag)
	}
	switch {
	case len(a.Body) == 0:
		w.WriteHeader(a.Status)
	case a.Status >= http.StatusBadRequest:
		var kept keptError
		if err := json.Unmarshal(a.Body, &kept); err != nil {
			return fmt.Errorf("decode kept error: %w", err)
		}
		respondError(w, r, a.Status, kept.Error, kept.Field)
	default:
		respondText(w, r, a.Status, a.Body)
	}
	return nil
}

// keptError is the body of a kept error. It has the field, in case a repeated request wants it.
type keptError struct {
	Error string `json:"error"`
	Field string `json:"field,omitzero"`
}

// maxIdempotencyKey bounds an Idempotency-Key in bytes.
const maxIdempotencyKey = 255

var (
	errIdempotencyKey = terse.Invalidf("Idempotency-Key",
		"Idempotency-Key must be 1 to %d visible ASCII characters", maxIdempotencyKey)
	errOtherRequest = &httpError{
		http.StatusUnprocessableEntity,
		"this Idempotency-Key was sent with another request body", "Idempotency-Key",
	}
)

// idempotencyKey returns the key of a request's kept answer: a hash of the caller, method, address
// and Idempotency-Key, of whose links the request is about, if not the caller's, of what the caller
// may do, and of the domain. It is nil without that header, and for methods that are safe to
// repeat.
func idempotencyKey(r *http.Request, by terse.Caller) (*terse.AnswerKey, error) {
	keys, sent := r.Header["Idempotency-Key"]
	if !sent || r.Method != http.MethodPost && r.Method != http.MethodPatch {
		return nil, nil
	}
	if len(keys) != 1 || len(keys[0]) == 0 || len(keys[0]) > maxIdempotencyKey {
		return nil, errIdempotencyKey
	}
	for _, c := range []byte(keys[0]) {
		if c <= ' ' || c >= 0x7F {
			return nil, errIdempotencyKey
		}
	}
	// No part contains a line break.
	text := by.Identity + "\n" + r.Method + "\n" + r.URL.EscapedPath() + "\n" + keys[0]
	if by.Asks() != by.Identity {
		text += "\n" + by.Asks()
	}
	if by.Role != terse.Admin { // answers to admins may be kept since before there were roles
		text += "\n\n" + by.Role.String()
	}
	if d := domainOf(r); d != nil && *d != terse.DefaultDomain {
		text += "\n\n\n" + d.Key("")
	}
	key := terse.AnswerKey(sha256.Sum256([]byte(text)))
	return &key, nil
}

// undone is an answer to a request whose changes must be undone.
type undone struct{ answer }

func (undone) Error() string { return "the changes are undone" }

// performOnce is perform with an idempotency key.
func (c *changes) performOnce(ctx context.Context, key terse.AnswerKey, request [sha256.Size]byte,
	do func(context.Context, *changes) (answer, error),
) (finalAnswer, error) {
	kept, repeated, err := c.once(ctx, key, request, do)
	if none, ok := errors.AsType[undone](err); ok {
		kept, repeated, err = c.once(ctx, key, request,
			func(context.Context, *changes) (answer, error) { return none.answer, nil })
	}
	c.announce()
	if err == nil && kept.Request != request {
		err = errOtherRequest
	}
	return finalAnswer{kept, repeated}, err
}

// once returns the answer kept under a key, or runs do and keeps its answer in the same
// transaction.
func (c *changes) once(ctx context.Context, key terse.AnswerKey, request [sha256.Size]byte,
	do func(context.Context, *changes) (answer, error),
) (kept terse.Answer, repeated bool, err error) {
	err = c.within(ctx, func() error {
		kept, err = c.tx.Answer(ctx, key)
		if repeated = err == nil; repeated || !errors.Is(err, terse.ErrNotFound) {
			return err
		}
		a, err := do(ctx, c)
		if kept, err = final(request, a, err); err != nil {
			return err
		}
		return c.tx.KeepAnswer(ctx, key, kept)
	})
	return kept, repeated, err
}

// final encodes an answer, or an error that a repeat would meet again, for keeping. It returns any
// other error.
func final(request [sha256.Size]byte, a answer, err error) (terse.Answer, error) {
	if err != nil {
		known, ok := errors.AsType[*terse.Error](err)
		if !ok || known.Kind == terse.Forbidden || known.Kind == terse.Damaged {
			return terse.Answer{}, err
		}
		a = answer{status: statusOf(known.Kind), body: keptError{known.Message, fieldOf(known)}}
	}
	kept, err := a.encode()
	kept.Request = request
	return kept, err
}
