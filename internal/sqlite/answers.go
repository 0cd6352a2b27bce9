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

// answering are the keys whose answers are in the making, and how much the answers take that are
// made. There are no more keys than requests.
type answering struct {
	mu   sync.Mutex // guards keys
	keys map[terse.AnswerKey]bool

	most       int64        // bytes that answers may take
	unmeasured atomic.Int64 // bytes that were kept since all were added up
	last       atomic.Int64 // when the last of those was kept that are beyond most; 0: none is
}

// take reports whether nobody has a key; the caller has it then.
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

// measureAnswers finds out which answers are to be forgotten, if many were kept. One caller does
// so; the answers go with the next ones that are kept.
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
