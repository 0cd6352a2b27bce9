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

// maxWaiting bounds the queue of questions, well above what can be answered before all of them time
// out. A waiting question holds its connection, its request and a goroutine: about 40 KiB, or 40
// MiB for all.
const maxWaiting = 1000

// questions is the queue in which questions about clicks wait for their turn, first come, first
// served. Each may read for seconds. All at once, they would take the processor and the database
// away from redirects, and all time out together.
type questions struct {
	turns   *semaphore.Weighted // first in, first out
	waiting atomic.Int64        // those waiting and those running
	timeout time.Duration       // for the wait, and again for the turn
	log     *slog.Logger
}

// newQuestions returns a queue that runs atOnce questions, at least 1, at a time.
func newQuestions(atOnce int, timeout time.Duration, log *slog.Logger) *questions {
	return &questions{
		turns: semaphore.NewWeighted(int64(max(1, atOnce))), timeout: timeout, log: log,
	}
}

// crowdedError says how long a client has to wait before it asks again: the longest wait in the
// queue. By then everyone ahead of it has left.
type crowdedError time.Duration

func (crowdedError) Error() string { return "too many questions at once" }

// ask runs a question when it is its turn. It fails if the queue is full, the turn does not come in
// time, or the question takes too long. A client that leaves ends ctx and loses its place.
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

// wait waits for a turn, and reports whether it came in time.
func (q *questions) wait(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, q.timeout)
	defer cancel()
	return q.turns.Acquire(ctx, 1) == nil
}

// answerQuestion runs a question and sends the answer. The turn ends once the answer is encoded, so
// that a slow client does not hold it.
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
