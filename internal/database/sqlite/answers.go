package sqlite

import (
	"context"
	"sync"
	"sync/atomic"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

// measureAfter is how many bytes of answers are stored before all are measured again. Measuring a
// million answers keeps a reader busy for half a second.
const measureAfter = 16 << 20

// answering holds the keys of the requests under way, no more than there are requests, and tracks
// the size of stored answers.
type answering struct {
	mu   sync.Mutex // guards keys
	keys map[terse.AnswerKey]bool

	most       int64        // bound of answers, in bytes
	unmeasured atomic.Int64 // bytes stored since the last measurement
	last       atomic.Int64 // answers up to this time exceed most; 0: none do
}

// take reserves a key, and reports whether it was free.
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

// measureAnswers finds out which answers have to be deleted, once many were stored. One caller does
// this at a time. The answers are deleted when the next ones are stored.
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
		s.answering.unmeasured.Add(kept) // so that the next caller tries again
	}
	return err
}
