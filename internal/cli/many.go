package cli

import (
	"context"
	"fmt"
	"iter"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/operations"
)

// Bounds of a request with many operations.
const (
	// maxBatch is how many cost as much of the rate limit as a single request.
	maxBatch = 100
	// maxAtOnce is how many the server takes in a request.
	maxAtOnce = 1000
	// maxBatchBytes leaves room below the server's 8 MiB for one more operation.
	maxBatchBytes = 4 << 20
	// maxBatchPasswords is how many passwords the server hashes for one request.
	maxBatchPasswords = 50
)

// batch is what goes into one request.
type batch struct {
	tasks     []operations.Task
	bytes     int
	passwords int
}

func (b *batch) add(t operations.Task) {
	b.tasks = append(b.tasks, t)
	if link, ok := t.Op.Link.(jsontext.Value); ok {
		b.bytes += len(link)
	}
	if t.Password {
		b.passwords++
	}
}

func (b *batch) full() bool {
	return len(b.tasks) == maxBatch || b.bytes > maxBatchBytes || b.passwords == maxBatchPasswords
}

// outcome is what became of a task.
type outcome struct {
	operations.Task
	api.BulkResult
}

// queued is a task, or why there are no more.
type queued struct {
	operations.Task
	end error
}

// doAll does tasks in their order, and calls done with what became of each. A request takes along
// as many as are waiting, so that who types them one by one has each answered at once.
func (r *remote) doAll(
	ctx context.Context, tasks iter.Seq2[operations.Task, error], done func(outcome) error,
) (n int, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	queue := make(chan queued, maxBatch)
	go func() {
		defer close(queue)
		for t, err := range tasks {
			select {
			case queue <- queued{t, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		b, end := nextBatch(queue)
		if len(b.tasks) > 0 {
			err = r.doBatch(ctx, r.Client, b, false, done)
		}
		switch {
		case err != nil:
			return n, fmt.Errorf("%w\nStopped at %s; %d done before", err,
				console.Printable(b.tasks[0].Name), n)
		case end != nil:
			return n, end
		case len(b.tasks) == 0 && ctx.Err() != nil:
			return n, console.ErrInterrupted
		case len(b.tasks) == 0:
			return n, nil
		}
		n += len(b.tasks)
	}
}

// nextBatch waits for a task, and takes those along that wait as well. There is none at the end.
func nextBatch(queue <-chan queued) (b batch, end error) {
	next, more := <-queue
	for more && next.end == nil {
		if b.add(next.Task); b.full() {
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

// doBatch does tasks with one request.
func (r *remote) doBatch(
	ctx context.Context, client *api.Client, b batch, atomic bool, done func(outcome) error,
) error {
	request := api.Bulk{Atomic: atomic, Operations: []api.Operation{}}
	for _, t := range b.tasks {
		if t.Err == nil {
			request.Operations = append(request.Operations, t.Op)
		}
	}
	var results []api.BulkResult
	var err error
	if len(request.Operations) > 0 {
		results, err = client.Bulk(ctx, request)
	}
	if err == nil && len(results) != len(request.Operations) {
		err = fmt.Errorf("%d results of %d operations", len(results), len(request.Operations))
	}
	if err != nil {
		return r.explain(err, "")
	}
	for _, t := range b.tasks {
		o := outcome{Task: t}
		if t.Err != nil {
			o.BulkResult = api.BulkResult{Status: http.StatusBadRequest, Error: t.Err.Error()}
		} else {
			o.BulkResult, results = results[0], results[1:]
		}
		if o.Error != "" {
			o.Err = r.explain(&api.Error{Status: o.Status, Message: o.Error}, t.Op.ShortCode)
		}
		if err := done(o); err != nil {
			return err
		}
	}
	return nil
}
