package operations

import (
	"context"
	"iter"

	"github.com/go-json-experiment/json/jsontext"

	"terse/internal/cli/console"
)

// Bounds of a request with many operations.
const (
	// maxBatch is how many cost as much of the rate limit as a single request.
	maxBatch = 100
	// MaxAtOnce is how many the server takes in a request.
	MaxAtOnce = 1000
	// maxBatchBytes leaves room below the server's 8 MiB for one more operation.
	maxBatchBytes = 4 << 20
	// maxBatchPasswords is how many passwords the server hashes for one request.
	maxBatchPasswords = 50
)

// Batch is what goes into one request.
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

// TooLarge reports whether the server takes less in a request.
func (b *Batch) TooLarge() bool { return len(b.Tasks) > MaxAtOnce || b.bytes > 2*maxBatchBytes }

// queued is a task, or why there are no more.
type queued struct {
	Task
	end error
}

// Batches returns tasks in their order, as many at once as are waiting, so that who types them one
// by one has each answered at once. An error is the last pair.
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

// nextBatch waits for a task, and takes those along that wait as well. There is none at the end.
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
