package httpapi

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/api"
	"terse/internal/link/manage"
)

// Bounds of a bulk request that is not atomic.
const (
	// turnTime bounds how long the request has the store to itself before others get a turn. A
	// visit to a link with max_clicks, which may be among them, hardly notices. It is long enough
	// for dozens of operations, which share the disk sync at its end.
	turnTime = 25 * time.Millisecond
	// bulkTime bounds all turns together, unless one may take longer: clients wait no longer than
	// this.
	bulkTime = 30 * time.Second
)

// turns are a bulk request that is not atomic. Each turn is a transaction for some of its
// operations. With an idempotency key, the transaction also keeps their results, under a key of its
// own: if the process dies between two turns, or a turn fails, the repeated request resumes behind
// them. The last turn keeps the whole answer under the request's key.
type turns struct {
	*changes
	operations []manage.Operation
	key        *terse.AnswerKey // nil: not sent
	request    [sha256.Size]byte

	done     results // of committed turns
	tried    int     // operations tried, including the last turn
	replayed bool    // the answer was kept before
}

// doInTurns executes operations in order and sends the answer.
func (s *service) doInTurns(w http.ResponseWriter, r *http.Request, by terse.Caller, body []byte,
	operations []manage.Operation,
) error {
	key, release, err := s.holdKey(r, by)
	if err != nil {
		return err
	}
	defer release()
	t := &turns{
		changes: s.changesBy(r, by), operations: operations, key: key,
		request: sha256.Sum256(body),
	}
	ctx, cancel := context.WithTimeout(r.Context(), max(bulkTime, s.StoreTimeout))
	defer cancel()
	if err := t.all(ctx); err != nil {
		return err
	}
	if t.replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	respondText(w, r, http.StatusOK, textOf(t.done.texts))
	return nil
}

var errStopping = errors.New("the server is stopping")

func (s *service) isStopping() bool {
	select {
	case <-s.Stopping:
		return true
	default: // also for a nil channel
		return false
	}
}

// all takes turns until every operation has a result. If it returns an error, no turn is known to
// be committed.
func (t *turns) all(ctx context.Context) error {
	for {
		err := t.next(ctx)
		switch {
		case err != nil && len(t.done.texts) == 0:
			return err
		case err == nil && len(t.done.texts) == len(t.operations):
			return nil
		case err == nil && t.isStopping():
			err = errStopping
		case err == nil:
			err = ctx.Err()
		}
		if err != nil {
			return t.giveUp(ctx, err)
		}
	}
}

// next takes one turn.
func (t *turns) next(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, t.StoreTimeout)
	defer cancel()
	var now turns
	err := t.within(ctx, func() error {
		now = *t
		now.done.texts = slices.Clip(t.done.texts)
		err := now.recall(ctx)
		if err == nil && !now.replayed {
			err = now.work(ctx)
		}
		t.tried = now.tried
		return err
	})
	if err == nil {
		t.done, t.replayed = now.done, now.replayed
	}
	t.announce()
	t.touched = nil
	return err
}

// recall loads what is kept of the request: its answer, or results of turns that are not known
// here.
func (t *turns) recall(ctx context.Context) error {
	if t.key == nil {
		return nil
	}
	switch found, err := t.recallFrom(ctx, *t.key); {
	case err != nil:
		return err
	case found != nil:
		t.done, t.replayed = results{}, true
		return t.take(found)
	}
	for {
		found, err := t.recallFrom(ctx, t.partKey())
		if err != nil || found == nil {
			return err
		}
		if err := t.take(found); err != nil {
			return err
		}
	}
}

// recallFrom returns the text kept under a key, or nil.
func (t *turns) recallFrom(ctx context.Context, key terse.AnswerKey) ([]byte, error) {
	kept, err := t.tx.Answer(ctx, key)
	switch {
	case errors.Is(err, terse.ErrNotFound):
		return nil, nil
	case err == nil && kept.Request != t.request:
		return nil, errOtherRequest
	}
	return kept.Body, err
}

// take appends kept results.
func (t *turns) take(text []byte) error {
	var kept bulkAnswer
	if err := json.Unmarshal(text, &kept); err != nil {
		return fmt.Errorf("decode kept results: %w", err)
	}
	for _, text := range kept.Results {
		t.done.append(text)
	}
	if len(t.done.texts) > len(t.operations) {
		return fmt.Errorf("%d kept results of %d operations", len(t.done.texts), len(t.operations))
	}
	return nil
}

// partKey is the key of the next turn's results. It includes the first operation's index, so that a
// part that was forgotten is run again and no other part is taken for it. It differs from the keys
// of requests, which are hashes of texts with line breaks.
func (t *turns) partKey() terse.AnswerKey {
	return sha256.Sum256(fmt.Appendf(nil, "%x %d", *t.key, len(t.done.texts)))
}

// work executes the next operations for turnTime, and keeps their results.
func (t *turns) work(ctx context.Context) error {
	first, partKey := len(t.done.texts), terse.AnswerKey{}
	if t.key != nil {
		partKey = t.partKey()
	}
	var began time.Time // set after the first operation, which may have waited for its turn
	for i := first; i < len(t.operations); {
		if i > first && time.Since(began) > turnTime {
			break
		}
		step := together(t.operations[i:])
		t.tried = i + len(step)
		done, err := t.doStep(ctx, step)
		if err != nil {
			return err
		}
		for _, d := range done {
			if err := t.addTo(&t.done, d, len(t.operations)); err != nil {
				return err
			}
		}
		if i == first {
			began = time.Now()
		}
		i += len(step)
	}
	if t.key == nil {
		return nil
	}
	key, kept := *t.key, terse.Answer{Request: t.request, Status: http.StatusOK}
	if len(t.done.texts) < len(t.operations) {
		key, kept.Status = partKey, terse.Unfinished
		kept.Body = textOf(t.done.texts[first:])
	} else {
		kept.Body = textOf(t.done.texts)
	}
	return t.tx.KeepAnswer(ctx, key, kept)
}

// giveUp adds results for the operations that were not done.
func (t *turns) giveUp(ctx context.Context, why error) error {
	done := len(t.done.texts)
	t.Logger.LogAttrs(ctx, slog.LevelError, "bulk request ended early",
		slog.String("request_id", t.by.RequestID),
		slog.Int("operations", len(t.operations)),
		slog.Int("done", done),
		slog.Any("error", why))
	late := ctx.Err() != nil || errors.Is(why, context.DeadlineExceeded)
	for i := done; i < len(t.operations); i++ {
		result := api.BulkResult{
			Status: http.StatusServiceUnavailable, Error: "not done: the server was too busy",
		}
		switch {
		case i >= t.tried:
		case late: // not done, unless the commit was under way
			result.Error = "perhaps not done: the server was too busy"
		default: // may have been done, as after the 500 of a single request
			result = api.BulkResult{
				Status: http.StatusInternalServerError, Error: "internal server error",
			}
		}
		if err := t.done.add(result); err != nil {
			return err
		}
	}
	return nil
}

// holdKey reserves the idempotency key of a request that takes several transactions, and returns it
// and its release; nil without a key. The store itself holds a key only within a transaction.
func (s *service) holdKey(r *http.Request, by terse.Caller) (
	key *terse.AnswerKey, release func(), err error,
) {
	key, err = idempotencyKey(r, by)
	switch {
	case err != nil:
		return nil, nil, err
	case key == nil:
		return nil, func() {}, nil
	case !s.underWay.take(*key):
		return nil, nil, terse.ErrUnderWay
	}
	return key, func() { s.underWay.release(*key) }, nil
}

// keySet holds the keys of running requests, at most as many as there are requests.
type keySet struct {
	mu   sync.Mutex
	keys map[terse.AnswerKey]bool // guarded by mu
}

// take reserves a key and reports whether it was free.
func (s *keySet) take(key terse.AnswerKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys[key] {
		return false
	}
	if s.keys == nil {
		s.keys = map[terse.AnswerKey]bool{}
	}
	s.keys[key] = true
	return true
}

func (s *keySet) release(key terse.AnswerKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.keys, key)
}
