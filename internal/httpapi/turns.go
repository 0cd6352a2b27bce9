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
	"terse/internal/manage"
)

// Bounds of a bulk request that is not atomic.
const (
	// turnTime is for how long it has the store to itself until others have their turn. A visit of
	// a link with max_clicks, which may be among these, hardly notices that. It is long enough for
	// dozens of operations, which share the sync of the disk at its end.
	turnTime = 25 * time.Millisecond
	// bulkTime bounds all turns together, where one may not take longer: a client waits no longer.
	bulkTime = 30 * time.Second
)

// turns are a bulk request that is not atomic. Each turn is a transaction that does some of its
// operations. With an idempotency key, the transaction also keeps their results, under a key of its
// own: when the process dies between two turns, or something fails, the same request goes on behind
// them. The last one keeps the whole answer under the key of the request.
type turns struct {
	*changes
	operations []manage.Operation
	key        *terse.AnswerKey // nil: none was sent
	request    [sha256.Size]byte

	done     results // of the turns that were committed
	tried    int     // operations, by these turns and the last one
	replayed bool    // the answer was there before
}

// doInTurns does operations in their order, and answers.
func (s *service) doInTurns(w http.ResponseWriter, r *http.Request, identity string, body []byte,
	operations []manage.Operation,
) error {
	key, release, err := s.holdKey(r, identity)
	if err != nil {
		return err
	}
	defer release()
	t := &turns{
		changes: s.changesBy(r, identity), operations: operations, key: key,
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
	default: // also where there is no channel
		return false
	}
}

// all takes turns until all operations have results. On an error no turn is known to be committed.
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

// next takes a turn.
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

// recall takes what is kept of the request: its answer, or the results of turns that are not known
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

// recallFrom returns the text that is kept for a key, nil when none is.
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

// take appends results that were kept.
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

// partKey names what is kept of the next turn, by its first operation: a part that was forgotten
// is done again, and no other is taken for it. It is not the key of any request, which are hashes
// of texts with line breaks.
func (t *turns) partKey() terse.AnswerKey {
	return sha256.Sum256(fmt.Appendf(nil, "%x %d", *t.key, len(t.done.texts)))
}

// work does the next operations for turnTime, and keeps what has become of them.
func (t *turns) work(ctx context.Context) error {
	first, partKey := len(t.done.texts), terse.AnswerKey{}
	if t.key != nil {
		partKey = t.partKey()
	}
	var began time.Time // after the first one, which may have waited for its turn
	for i := first; i < len(t.operations); i++ {
		if i > first && time.Since(began) > turnTime {
			break
		}
		t.tried = i + 1
		result, link, err := t.doOne(ctx, t.operations[i])
		if err != nil {
			return err
		}
		if err := t.addTo(&t.done, result, link, len(t.operations)); err != nil {
			return err
		}
		if i == first {
			began = time.Now()
		}
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

// giveUp gives the operations that were not done results that say so.
func (t *turns) giveUp(ctx context.Context, why error) error {
	done := len(t.done.texts)
	t.Logger.LogAttrs(ctx, slog.LevelError, "bulk request ended early",
		slog.String("request_id", t.caller.RequestID),
		slog.Int("operations", len(t.operations)),
		slog.Int("done", done),
		slog.Any("error", why))
	for i := done; i < len(t.operations); i++ {
		result := api.BulkResult{
			Status: http.StatusServiceUnavailable, Error: "not done: the server was too busy",
		}
		if i < t.tried { // it may have been, as after the 500 of a request of its own
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

// holdKey returns the idempotency key of a request that takes several transactions, nil for none,
// and what gives it back. The store holds a key within a transaction only.
func (s *service) holdKey(r *http.Request, identity string) (
	key *terse.AnswerKey, release func(), err error,
) {
	key, err = idempotencyKey(r, identity)
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

// keySet are the keys of requests that are under way, no more than there are requests.
type keySet struct {
	mu   sync.Mutex
	keys map[terse.AnswerKey]bool // guarded by mu
}

// take reports whether nobody has a key; the caller has it then.
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
