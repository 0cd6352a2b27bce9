package moving

import (
	"context"
	"errors"
	"time"

	"terse/api"
	"terse/internal/cli/console"
)

// Options are those of an import that its target knows.
type Options struct {
	Conflict string // "skip", "overwrite", "rename" or "fail"
	DryRun   bool
	// Owner is to whom the links are to belong: an identity, "keep" for whom their lines name, or
	// "" for the caller.
	Owner string
}

// Target is where links go. Import sends lines, calls each with every result, and returns the
// summary. Its error is a *RetryError if it may succeed later.
type Target interface {
	Import(ctx context.Context, o Options, lines *Part, each func(api.ImportResult)) (
		api.ImportSummary, error)
}

// RetryError is an error after which the same lines can be sent again.
type RetryError struct {
	Err   error
	After time.Duration // the least pause
}

func (e *RetryError) Error() string { return e.Err.Error() }
func (e *RetryError) Unwrap() error { return e.Err }

// Bounds of tries. A server that starts again takes seconds; one that is away for longer than two
// minutes is for people to look at.
const (
	maxTries = 12
	maxPause = 15 * time.Second
)

// send sends a part until the target has answered to all of it. What a try did before it failed is
// unchanged in the next one, and clicks are known.
func (m *Import) send(ctx context.Context, o Options, part *Part, tally *Tally) error {
	before := map[int64]api.ImportResult{}
	for try := 0; ; try++ {
		var results []api.ImportResult
		summary, err := m.To.Import(ctx, o, part, func(r api.ImportResult) {
			results = append(results, again(before[r.Line], r))
		})
		if err == nil {
			return tally.add(part, results, summary)
		}
		for _, r := range results {
			before[r.Line] = r
		}
		failed, ok := errors.AsType[*RetryError](err)
		if !ok || try == maxTries {
			return err
		}
		pause := max(failed.After, min(time.Second<<try, maxPause))
		if m.OnWait != nil {
			m.OnWait(pause, failed.Err)
		}
		select {
		case <-ctx.Done():
			return console.ErrInterrupted
		case <-time.After(pause):
		}
	}
}

// again returns the result of a line that was sent before: what was done then counts.
func again(before, now api.ImportResult) api.ImportResult {
	if now.Result == "unchanged" && before.Result != "" {
		now.Result, now.NewShortCode = before.Result, before.NewShortCode
	}
	added := min(before.ClicksAdded, now.ClicksKnown)
	now.ClicksAdded += added
	now.ClicksKnown -= added
	return now
}
