package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

// slowStore is a store that takes as long for each create in a transaction as a busy disk does, and
// whose transactions a test can hold up or have fail.
type slowStore struct {
	httpapi.Store
	slow    time.Duration
	before  func(n int64) error // is called before the transaction n, from 1 on; may be nil
	started atomic.Int64
}

func (s *slowStore) Transact(ctx context.Context, do func(terse.Tx) error) error {
	n := s.started.Add(1)
	if s.before != nil {
		if err := s.before(n); err != nil {
			return err
		}
	}
	return s.Store.Transact(ctx, func(tx terse.Tx) error { return do(slowTx{tx, s.slow}) })
}

type slowTx struct {
	terse.Tx
	slow time.Duration
}

func (t slowTx) Delete(ctx context.Context, by terse.Caller, link terse.Link) error {
	time.Sleep(t.slow)
	return t.Tx.Delete(ctx, by, link)
}

func (t slowTx) Create(ctx context.Context, by terse.Caller, link terse.NewLink) (
	terse.Link, error,
) {
	time.Sleep(t.slow)
	return t.Tx.Create(ctx, by, link)
}

// newSlowFixture starts a control plane whose creates take as long as a turn of a bulk request.
func newSlowFixture(t *testing.T) (*fixture, *slowStore) {
	s := &slowStore{slow: 30 * time.Millisecond}
	return newFixture(t, func(o *httpapi.Options) { s.Store, o.Store = o.Store, s }), s
}

func creates(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(
			`{"op":"create","link":{"original_url":"https://example.com/",`+
				`"short_code":"bulk%d"}}`, i))
	}
	return `{"operations":[` + strings.Join(all, ",") + `]}`
}

func (f *fixture) total(t *testing.T) int64 {
	t.Helper()
	return decodeAs[api.Page](t, f.do(t, request{target: "/api/urls"}), http.StatusOK).Total
}

// TestBulkLetsOthersThrough holds a bulk request up in the middle: others have the store meanwhile,
// and what was done before is there for them.
func TestBulkLetsOthersThrough(t *testing.T) {
	t.Parallel()
	f, s := newSlowFixture(t)
	inTheMiddle, goOn := make(chan struct{}), make(chan struct{})
	s.before = func(n int64) error {
		if n == 3 {
			close(inTheMiddle)
			<-goOn
		}
		return nil
	}
	done := make(chan []api.BulkResult)
	go func() { done <- f.bulk(t, creates(10)) }()
	select {
	case <-inTheMiddle:
	case results := <-done:
		t.Fatalf("all was done in %d turns: %v", s.started.Load(), statuses(results))
	}
	made := f.read(t, "bulk1")
	if !f.changed.has("bulk1") {
		t.Error("redirects do not know of what is done")
	}
	f.do(t, patchRequest("bulk1", `{"max_clicks":1}`))
	code, err := terse.ParseCode(made.ShortCode)
	if err == nil {
		err = f.store.Take(t.Context(), terse.LinkRef{ID: terse.LinkID(made.ID), Code: code})
	}
	if err != nil {
		t.Error(err)
	}
	f.do(t, post(`{"original_url":"https://example.com/","short_code":"bulk9"}`))
	close(goOn)
	results := <-done
	for i, result := range results {
		want := http.StatusCreated
		if i == 9 { // others were first
			want = http.StatusConflict
		}
		if result.Status != want {
			t.Errorf("operation %d: %d %s", i, result.Status, result.Error)
		}
	}
}

// TestBulkEndsEarly has the store fail in the middle of a bulk request. The same request with a key
// goes on from there, and each operation is done once.
func TestBulkEndsEarly(t *testing.T) {
	t.Parallel()
	const operations = 8
	for _, key := range []string{"", "k"} {
		f, s := newSlowFixture(t)
		s.before = func(n int64) error {
			if n == 3 {
				return errors.New("the disk is on fire")
			}
			return nil
		}
		r := bulk(creates(operations))
		if key != "" {
			r = r.with("Idempotency-Key", key)
		}
		results := decodeAs[api.BulkResults](t, f.do(t, r), http.StatusOK).Results
		done := int(f.total(t))
		if done < 2 || done > operations-2 {
			t.Errorf("%d operations were done in two turns", done)
		}
		wantStatuses(t, results, append(slices.Repeat([]string{"201"}, done),
			slices.Repeat([]string{"503 not done: the server was too busy"},
				operations-done)...)...)
		if !strings.Contains(f.log.String(), "the disk is on fire") {
			t.Errorf("the log does not say why: %s", f.log)
		}
		if key == "" {
			continue
		}
		other := bulk(creates(2)).with("Idempotency-Key", key)
		wantError(t, f.do(t, other), http.StatusUnprocessableEntity,
			"this Idempotency-Key was sent with another request body")
		again := f.do(t, r)
		for i, result := range decodeAs[api.BulkResults](t, again, http.StatusOK).Results {
			if result.Status != http.StatusCreated || result.Link == nil {
				t.Errorf("operation %d, again: %d %s", i, result.Status, result.Error)
			}
		}
		if again.header.Get("Idempotent-Replayed") != "" {
			t.Error("an answer that was never sent is said to be replayed")
		}
		replayed := f.do(t, r)
		if replayed.body != again.body || replayed.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("once more: %v", replayed)
		}
		if n := f.total(t); n != operations {
			t.Errorf("%d links", n)
		}
	}
}

// TestBulkForgetsAPart has the results of the first turn of a bulk request forgotten before it is
// sent again. Its operations are done again, and no results are taken for those of others.
func TestBulkForgetsAPart(t *testing.T) {
	t.Parallel()
	const operations = 8
	f, s := newSlowFixture(t)
	s.before = func(n int64) error {
		if n == 4 {
			return errors.New("the disk is on fire")
		}
		return nil
	}
	r := bulk(creates(operations)).with("Idempotency-Key", "k")
	f.do(t, r)
	at := "kept_at" // as SQLite's column is called
	if onPostgres {
		at = "at"
	}
	f.exec(t, "DELETE FROM answers WHERE "+at+" = (SELECT min("+at+") FROM answers)")
	results := decodeAs[api.BulkResults](t, f.do(t, r), http.StatusOK).Results
	if len(results) != operations || results[0].Status != http.StatusConflict ||
		results[operations-1].Status != http.StatusCreated || f.total(t) != operations {
		t.Errorf("%d links, %v", f.total(t), statuses(results))
	}
}

// TestBulkEndsWithTheServer: a server that stops has a bulk request end between two turns, and the
// answer says what was done.
func TestBulkEndsWithTheServer(t *testing.T) {
	t.Parallel()
	f, s := newSlowFixture(t)
	stopping := make(chan struct{})
	f.serve(t, func(o *httpapi.Options) { o.Stopping = stopping })
	s.before = func(n int64) error {
		if n == 2 {
			close(stopping)
		}
		return nil
	}
	results := f.bulk(t, creates(8))
	done := int(f.total(t))
	if done == 0 || done == len(results) {
		t.Fatalf("%d operations were done", done)
	}
	wantStatuses(t, results, append(slices.Repeat([]string{"201"}, done),
		slices.Repeat([]string{"503 not done: the server was too busy"}, len(results)-done)...)...)
}

// TestBulkFailsInATurn: of operations whose turn failed nobody knows whether they are done; a
// request of which nothing was done is none.
func TestBulkFailsInATurn(t *testing.T) {
	t.Parallel()
	broken := brokenStore{&slowStore{slow: 30 * time.Millisecond}}
	f := newFixture(t, func(o *httpapi.Options) { broken.Store, o.Store = o.Store, broken })
	results := f.bulk(t, strings.Replace(creates(8), "bulk5", "broken", 1))
	done := int(f.total(t))
	if done < 4 || done > 5 { // a turn ends after the second operation at the latest
		t.Errorf("%d operations were done before the one that failed", done)
	}
	wantStatuses(t, results, slices.Concat(slices.Repeat([]string{"201"}, done),
		slices.Repeat([]string{"500 internal server error"}, 6-done),
		slices.Repeat([]string{"503 not done: the server was too busy"}, 2))...)
	got := f.do(t, bulk(strings.Replace(creates(8), "bulk0", "broken", 1)))
	wantError(t, got, http.StatusInternalServerError, "internal server error")
}

// TestBulkAtItsLimit: operations that run when the time of a bulk request is over are as those that
// come after them.
func TestBulkAtItsLimit(t *testing.T) {
	t.Parallel()
	late := lateStore{&slowStore{slow: 30 * time.Millisecond}}
	f := newFixture(t, func(o *httpapi.Options) { late.Store, o.Store = o.Store, late })
	results := f.bulk(t, creates(8))
	done, perhaps := int(f.total(t)), 0
	for _, result := range results[done:] {
		if result.Status != http.StatusServiceUnavailable {
			t.Errorf("%d %s", result.Status, result.Error)
		}
		if result.Error == "perhaps not done: the server was too busy" {
			perhaps++
		}
	}
	if done == 0 || perhaps == 0 || done+perhaps == len(results) {
		t.Errorf("%d done, %d perhaps: %v", done, perhaps, statuses(results))
	}
}

// lateStore has its time end in the third transaction.
type lateStore struct{ *slowStore }

func (s lateStore) Transact(ctx context.Context, do func(terse.Tx) error) error {
	return s.slowStore.Transact(ctx, func(tx terse.Tx) error {
		err := do(tx)
		if s.started.Load() == 3 {
			return context.DeadlineExceeded
		}
		return err
	})
}

// brokenStore can't make a link whose code is broken.
type brokenStore struct{ *slowStore }

func (s brokenStore) Transact(ctx context.Context, do func(terse.Tx) error) error {
	return s.slowStore.Transact(ctx, func(tx terse.Tx) error { return do(brokenTx{tx}) })
}

type brokenTx struct{ terse.Tx }

func (t brokenTx) Create(ctx context.Context, by terse.Caller, link terse.NewLink) (
	terse.Link, error,
) {
	if link.Code.Text() == "broken" {
		return terse.Link{}, errors.New("the disk is on fire")
	}
	return t.Tx.Create(ctx, by, link)
}

// TestBulkUnderWay sends a request again, with its key, while it is in the middle.
func TestBulkUnderWay(t *testing.T) {
	t.Parallel()
	f, s := newSlowFixture(t)
	inTheMiddle, goOn := make(chan struct{}), make(chan struct{})
	s.before = func(n int64) error {
		if n == 2 {
			close(inTheMiddle)
			<-goOn
		}
		return nil
	}
	r := bulk(creates(4)).with("Idempotency-Key", "k")
	done := make(chan answer)
	go func() { done <- f.do(t, r) }()
	<-inTheMiddle
	wantError(t, f.do(t, r), http.StatusConflict,
		"a request with this Idempotency-Key is under way")
	close(goOn)
	first := <-done
	again := f.do(t, r)
	if first.status != http.StatusOK || again.body != first.body || f.total(t) != 4 {
		t.Errorf("first %v, again %v", first, again)
	}
}

// TestBulkTooLongToBeAtomic: an atomic request that would keep all others waiting changes nothing.
func TestBulkTooLongToBeAtomic(t *testing.T) {
	t.Parallel()
	f, _ := newSlowFixture(t)
	atomic := func(n int) request {
		return bulk(strings.Replace(creates(n), `{`, `{"atomic":true,`, 1)).
			with("Idempotency-Key", "k")
	}
	got := f.do(t, atomic(100)) // of 30 ms or more each
	wantError(t, got, http.StatusServiceUnavailable, "too many operations to be atomic now")
	if got.header.Get("Retry-After") != "2" {
		t.Errorf("Retry-After: %q", got.header.Get("Retry-After"))
	}
	if n := f.total(t); n != 0 {
		t.Errorf("%d links", n)
	}
	if got := f.do(t, atomic(3)); got.status != http.StatusOK || f.total(t) != 3 {
		t.Errorf("the key is still free: %v", got)
	}
}

// TestBulkDeletesTogether: deletes that follow each other take few transactions, even where each by
// itself takes as long as a turn. Each has its own result.
func TestBulkDeletesTogether(t *testing.T) {
	t.Parallel()
	f, s := newSlowFixture(t)
	const links = 20
	f.createForeign(t, "theirs")
	operations := []string{`{"op":"delete","short_code":"theirs"}`, `{"op":"delete"}`}
	want := []string{
		"403 unauthorized to delete this URL", "400 short_code is required to delete a link",
	}
	for i := range links {
		code := fmt.Sprint("bulk", i)
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+`"}`))
		operations = append(operations, `{"op":"delete","short_code":"`+code+`"}`)
		want = append(want, "204")
	}
	for code, why := range map[string]string{
		"bulk7": "404 URL not found", "nobody": "404 URL not found", "a/b": "404 URL not found",
	} {
		operations = append(operations, `{"op":"delete","short_code":"`+code+`"}`)
		want = append(want, why)
	}
	operations = append(operations, `{"op":"update","short_code":"bulk3","link":{"title":"gone"}}`)
	want = append(want, "404 URL not found")
	all := `"operations":[` + strings.Join(operations, ",") + `]}`

	culprit := slices.Repeat([]string{"424 another operation of this request failed"}, len(want))
	culprit[0] = want[0]
	wantStatuses(t, f.bulk(t, `{"atomic":true,`+all), culprit...)
	if n := f.total(t); n != links {
		t.Errorf("%d links after an atomic request that failed", n)
	}
	before := s.started.Load()
	wantStatuses(t, f.bulk(t, "{"+all), want...)
	if n := f.total(t); n != 0 {
		t.Errorf("%d links are left", n)
	}
	// Steps: a delete, what is invalid, the other deletes, an update. Each may take a turn.
	if n := s.started.Load() - before; n > 4 {
		t.Errorf("%d links were deleted in %d transactions", links, n)
	}
	for i := range links {
		if code := fmt.Sprint("bulk", i); !f.changed.has(code) {
			t.Errorf("redirects do not know that %s is gone", code)
		}
	}
}

// TestBulkDeletesWhatChanges: a link that another caller changes after it was looked up is deleted
// nevertheless, like by a single request.
func TestBulkDeletesWhatChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) { o.Store = changingStore{o.Store} })
	for _, code := range []string{"one", "two", "three"} {
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+`"}`))
	}
	wantStatuses(t, f.bulk(t, `{"operations":[{"op":"delete","short_code":"one"},
		{"op":"delete","short_code":"two"},{"op":"delete","short_code":"three"}]}`),
		"204", "204", "204")
	if n := f.total(t); n != 0 {
		t.Errorf("%d links are left", n)
	}
}

// changingStore is a store whose links change before they are deleted together: the first of them.
type changingStore struct{ httpapi.Store }

func (s changingStore) Transact(ctx context.Context, do func(terse.Tx) error) error {
	return s.Store.Transact(ctx, func(tx terse.Tx) error { return do(changingTx{tx}) })
}

type changingTx struct{ terse.Tx }

func (t changingTx) DeleteAll(ctx context.Context, by terse.Caller, links []terse.Link) (
	[]error, error,
) {
	after := links[0]
	after.URL += "changed"
	_, err := t.Update(ctx, terse.Caller{}, terse.LinkChange{Before: links[0], After: after})
	if err != nil {
		return nil, err
	}
	return t.Tx.DeleteAll(ctx, by, links)
}
