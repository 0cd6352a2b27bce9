package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/operations"
)

// eachLink changes each link and prints a line for it, with what is said of it. A missing link does
// not stop the others.
func (f *clientFlags) eachLink(
	ctx context.Context, r *remote, codes []string, change func(code string) (api.Link, error),
	said func(api.Link) string,
) error {
	failed := 0
	for _, code := range codes {
		var link api.Link
		err := r.onLink(ctx, &code, func() (err error) {
			link, err = change(code)
			return err
		})
		answer, refused := errors.AsType[*api.Error](err)
		switch {
		case err == nil && f.JSON:
			err = r.PrintJSON(link)
		case err == nil:
			err = r.PrintRow(code, said(link))
		case refused && (errors.Is(answer, api.ErrNotFound) || errors.Is(answer, api.ErrInvalid) ||
			errors.Is(answer, api.ErrForbidden)):
			failed++
			_, err = fmt.Fprintf(r.Err, "%s: %v\n", console.Printable(code), r.explain(err, code))
		default:
			err = r.explain(err, code)
		}
		if err != nil {
			return err
		}
	}
	if failed > 0 {
		return fail(ExitFailure, "%d of %d links were not changed.", failed, len(codes))
	}
	return nil
}

// outcome is the result of a task.
type outcome struct {
	operations.Task
	api.BulkResult
}

// refusal returns the server's error for a task that it refused.
func (o outcome) refusal() *api.Error {
	return &api.Error{Status: o.Status, Message: o.Error, Field: o.Field}
}

// doAll executes tasks in order, and calls done with each outcome.
func (r *remote) doAll(
	ctx context.Context, tasks iter.Seq2[operations.Task, error], done func(outcome) error,
) (n int, err error) {
	for b, err := range operations.Batches(ctx, tasks) {
		if err != nil {
			return n, err
		}
		if err := r.doBatch(ctx, r.Client, b.Tasks, false, done); err != nil {
			return n, fmt.Errorf("%w\nStopped at %s; %d done before", err,
				console.Printable(b.Tasks[0].Name), n)
		}
		n += len(b.Tasks)
	}
	return n, nil
}

// doBatch executes tasks in one request.
func (r *remote) doBatch(
	ctx context.Context, client *api.Client, tasks []operations.Task, atomic bool,
	done func(outcome) error,
) error {
	request := api.Bulk{Atomic: atomic, Operations: []api.Operation{}}
	for _, t := range tasks {
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
	for _, t := range tasks {
		o := outcome{Task: t}
		if t.Err != nil {
			o.BulkResult = api.BulkResult{Status: http.StatusBadRequest, Error: t.Err.Error()}
		} else {
			o.BulkResult, results = results[0], results[1:]
		}
		switch {
		case o.LinkOmitted && t.Code == "":
			o.Err = errors.New("done, but the answer had no room for the link; see terse list")
		case o.LinkOmitted:
			var link api.Link
			if link, err = client.At(t.Domain).Link(ctx, t.Code); err != nil {
				return r.explain(err, t.Code)
			}
			o.Link = &link
		case o.Error != "":
			if t.Op.ShortCode != "" && o.Status != http.StatusConflict {
				o.Code = t.Op.ShortCode // it is not about the new one
			}
			o.Err = r.explain(o.refusal(), o.Code)
		}
		if err := done(o); err != nil {
			return err
		}
	}
	return nil
}
