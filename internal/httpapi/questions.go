package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// maxWaiting bounds the line of questions, well above what can be answered before all in it have
// waited for too long. One that waits takes its connection, its request and a goroutine: some
// 40 KiB, and all together 40 MiB.
const maxWaiting = 1000

// questions is the line in which questions about clicks wait for their turn, first come, first
// served. Each may read for seconds, so all at once would take the processor and the database from
// redirects, and end together without an answer.
type questions struct {
	turns   *semaphore.Weighted // first in, first out
	waiting atomic.Int64        // those in the line, and those whose turn it is
	timeout time.Duration       // of the wait, and then of the turn
	log     *slog.Logger
}

// newQuestions returns a line of which so many have their turn at a time, at least 1.
func newQuestions(atOnce int, timeout time.Duration, log *slog.Logger) *questions {
	return &questions{
		turns: semaphore.NewWeighted(int64(max(1, atOnce))), timeout: timeout, log: log,
	}
}

// crowdedError is how long a client has to wait before it asks again: the longest wait in the line.
// By then everyone ahead of it has left.
type crowdedError time.Duration

func (crowdedError) Error() string { return "too many questions at once" }

// ask runs a question when it is its turn. It fails when the line is too long, when the turn does
// not come in time, and when it does not suffice. A client that leaves ends the context, and
// loses its place.
func (q *questions) ask(ctx context.Context, question func(context.Context) error) error {
	defer q.waiting.Add(-1)
	if q.waiting.Add(1) > maxWaiting || !q.wait(ctx) {
		return crowdedError(q.timeout)
	}
	defer q.turns.Release(1)
	turn, cancel := context.WithTimeout(ctx, q.timeout)
	defer cancel()
	err := question(turn)
	if err == nil || turn.Err() == nil {
		return err
	}
	if errors.Is(turn.Err(), context.DeadlineExceeded) {
		q.log.Warn("a question about clicks took too long", "timeout", q.timeout, "error", err)
	}
	return crowdedError(q.timeout)
}

// wait reports whether the turn came in time.
func (q *questions) wait(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, q.timeout)
	defer cancel()
	return q.turns.Acquire(ctx, 1) == nil
}

// answerQuestion sends what a question is answered. The turn ends when the answer is made, so that
// it does not wait for a client that reads slowly.
func (s *service) answerQuestion(w http.ResponseWriter, r *http.Request,
	question func(context.Context) (any, error),
) error {
	var made encoded
	err := s.questions.ask(r.Context(), func(ctx context.Context) error {
		answer, err := question(ctx)
		if err == nil {
			made, err = encodeFor(r, answer)
		}
		return err
	})
	if err != nil {
		return err
	}
	made.send(w, http.StatusOK)
	return nil
}
