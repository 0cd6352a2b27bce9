package sqlite_test

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"testing"

	"terse"
)

// TestAnswersAreBounded keeps answers of ten times the bytes that all may take, small ones first
// and then large ones: the oldest go, and the newest stay.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	const most, small, large = 1 << 20, 2000, 50
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer s.Close()
	s.BoundAnswers(most)
	key := func(i int) (k terse.AnswerKey) {
		binary.LittleEndian.PutUint64(k[:], uint64(i))
		return k
	}
	for i := range small + large {
		size := 100
		if i >= small {
			size = 100_000
		}
		must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
			return tx.KeepAnswer(t.Context(), key(i), terse.Answer{
				Status: 200, Body: make([]byte, size),
			})
		}))
		if i%100 > 0 {
			continue
		}
		bytes := queryByHand(t, path, "SELECT sum(length(body) + 512) FROM answers")
		if bytes > most*5/4 {
			t.Fatalf("after %d, answers take %d bytes", i, bytes)
		}
	}
	if bytes := queryByHand(t, path, "SELECT sum(length(body)) FROM answers"); bytes < most/2 {
		t.Errorf("answers take %d bytes", bytes)
	}
	for i, want := range map[int]error{
		small + large - 1: nil, small + large - 5: nil,
		0: terse.ErrNotFound, small: terse.ErrNotFound,
	} {
		err := s.Transact(t.Context(), func(tx terse.Tx) error {
			_, err := tx.Answer(t.Context(), key(i))
			return err
		})
		if !errors.Is(err, want) {
			t.Errorf("answer %d: %v, want %v", i, err, want)
		}
	}
}
