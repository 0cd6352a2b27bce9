package sqlite

import (
	"context"
	"sync"
	"sync/atomic"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/record"
)

// measureAfter is how many bytes of answers are kept until all are added up again. That takes half
// a second for a million answers, of a reader.
const measureAfter = 16 << 20

// answering has the keys of requests that are under way, and how much the kept answers take. It has
// no more keys than there are requests.
type answering struct {
	mu   sync.Mutex // guards keys
	keys map[terse.AnswerKey]bool

	most       int64        // bytes that answers may take
	unmeasured atomic.Int64 // bytes that were kept since all were added up
	last       atomic.Int64 // answers up to this time exceed most; 0: none do
}

// take takes a key, and reports whether it was free.
func (a *answering) take(key terse.AnswerKey) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.keys[key] {
		return false
	}
	if a.keys == nil {
		a.keys = map[terse.AnswerKey]bool{}
	}
	a.keys[key] = true
	return true
}

func (a *answering) release(keys []terse.AnswerKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, key := range keys {
		delete(a.keys, key)
	}
}

// measureAnswers finds out up to when answers have to be deleted, if many were kept. One caller
// does so; the answers are deleted when the next ones are kept.
func (s *Store) measureAnswers(ctx context.Context) error {
	kept := s.answering.unmeasured.Load()
	if kept < min(measureAfter, s.answering.most/16) ||
		!s.answering.unmeasured.CompareAndSwap(kept, 0) {
		return nil
	}
	err := s.read(ctx, func(conn *sqlite.Conn) error {
		last, err := record.LastBeyond(conn, s.answering.most)
		if err == nil {
			s.answering.last.Store(last)
		}
		return err
	})
	if err != nil {
		s.answering.unmeasured.Add(kept) // for the next caller to try
	}
	return err
}
