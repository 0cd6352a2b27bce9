package operations

import (
	"context"
	"iter"

	"github.com/go-json-experiment/json/jsontext"

	"terse/internal/cli/console"
)

// Bounds of a bulk request.
const (
	// maxBatch is how many operations the rate limit counts as one request.
	maxBatch = 100
	// MaxAtOnce is how many operations the server takes in one request.
	MaxAtOnce = 1000
	// maxBatchBytes leaves room below the server's 8 MiB for one more operation.
	maxBatchBytes = 4 << 20
	// maxBatchPasswords is how many passwords the server hashes for one request.
	maxBatchPasswords = 50
)

// Batch is the tasks of one request.
type Batch struct {
	Tasks     []Task
	bytes     int
	passwords int
}

// Add adds a task.
func (b *Batch) Add(t Task) {
	b.Tasks = append(b.Tasks, t)
	if link, ok := t.Op.Link.(jsontext.Value); ok {
		b.bytes += len(link)
	}
	if t.Password {
		b.passwords++
	}
}

func (b *Batch) full() bool {
	return len(b.Tasks) == maxBatch || b.bytes > maxBatchBytes || b.passwords == maxBatchPasswords
}

// TooLarge reports whether the batch is too large for one request.
func (b *Batch) TooLarge() bool { return len(b.Tasks) > MaxAtOnce || b.bytes > 2*maxBatchBytes }

// queued is a task, or the error that ends the tasks.
type queued struct {
	Task
	end error
}

// Batches groups tasks in order. A batch holds the tasks that are waiting, so tasks typed one by
// one are answered at once. An error comes as the last pair.
func Batches(ctx context.Context, tasks iter.Seq2[Task, error]) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		filling, stop := context.WithCancel(ctx)
		defer stop()
		queue := make(chan queued, maxBatch)
		go fill(filling, queue, tasks)
		for {
			b, end := nextBatch(queue)
			if len(b.Tasks) == 0 && end == nil && ctx.Err() != nil {
				end = console.ErrInterrupted
			}
			if len(b.Tasks) > 0 && !yield(b, nil) {
				return
			}
			if end != nil {
				yield(Batch{}, end)
			}
			if end != nil || len(b.Tasks) == 0 {
				return
			}
		}
	}
}

func fill(ctx context.Context, queue chan<- queued, tasks iter.Seq2[Task, error]) {
	defer close(queue)
	for t, err := range tasks {
		select {
		case queue <- queued{t, err}:
		case <-ctx.Done():
			return
		}
	}
}

// nextBatch waits for a task and adds those that are already waiting. At the end it returns none.
func nextBatch(queue <-chan queued) (b Batch, end error) {
	next, more := <-queue
	for more && next.end == nil {
		if b.Add(next.Task); b.full() {
			return b, nil
		}
		select {
		case next, more = <-queue:
		default:
			return b, nil
		}
	}
	return b, next.end
}
