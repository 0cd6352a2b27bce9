package httpapi

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"

	"terse"
	"terse/api"
	"terse/internal/manage"
)

const bulkPath = "/api/bulk"

// Bounds of a bulk request.
const (
	maxBulkBytes     = 8 << 20
	operationsAtOnce = 100 // that cost as much as one request
)

var (
	errBulkTooLarge = &httpError{
		http.StatusRequestEntityTooLarge,
		"request body must be at most 8 MiB",
	}
	errOtherFailed = &httpError{
		http.StatusFailedDependency,
		"another operation of this request failed",
	}
)

// BodyLimit returns what the server should bound the body of a request by, in bytes; 0: as usual.
// It is more only where a token is asked for before the body is read.
func BodyLimit(method, path []byte) int {
	if (string(method) == http.MethodPost || string(method) == http.MethodPatch) &&
		bytes.HasPrefix(path, []byte(apiPrefix)) {
		return maxBulkBytes
	}
	return 0
}

// bulk serves POST /api/bulk.
func (s *service) bulk(w http.ResponseWriter, r *http.Request, identity string) error {
	body, err := readUpTo(w, r, maxBulkBytes, errBulkTooLarge)
	if err != nil {
		return err
	}
	operations, atomic, invalid := s.manager.ParseBulk(body)
	if err := s.limitBulk(r, len(operations)); err != nil {
		return err
	}
	return s.change(w, r, identity, body, func(ctx context.Context, c *changes) (a answer,
		err error,
	) {
		if invalid != nil {
			return answer{}, invalid
		}
		err = c.within(ctx, func() (err error) {
			a, err = c.doAll(ctx, operations, atomic)
			return err
		})
		return a, err
	})
}

// limitBulk takes what a bulk request costs beyond one request from the client's budget.
func (s *service) limitBulk(r *http.Request, operations int) error {
	limit := s.Limit
	if _, bySession, _ := s.authenticate(r); bySession { // it has succeeded before
		limit = s.LimitSessions
	}
	for n := operationsAtOnce; n < operations; n += operationsAtOnce {
		if wait := limit(clientAddr(r)); wait > 0 {
			return limited(wait)
		}
	}
	return nil
}

func anyVersion(terse.Link) bool { return true }

// doAll does operations in their order. When all are to be done or none, one that fails undoes
// those before it.
func (c *changes) doAll(
	ctx context.Context, operations []manage.Operation, atomic bool,
) (answer, error) {
	results := make([]api.BulkResult, len(operations))
	for i, o := range operations {
		var err error
		if results[i], err = c.doOne(ctx, o); err != nil {
			return answer{}, err
		}
		if atomic && results[i].Error != "" {
			return answer{}, undone{allBut(results, i)}
		}
	}
	return answer{status: http.StatusOK, body: api.BulkResults{Results: results}}, nil
}

// doOne does one operation. An error is none of the operation, but of all.
func (c *changes) doOne(ctx context.Context, o manage.Operation) (
	result api.BulkResult, err error,
) {
	var link terse.Link
	err = o.Err
	switch {
	case err != nil:
	case o.Op == manage.Create:
		link, result.Status, err = c.create(ctx, o.Draft)
	case o.Op == manage.Update:
		result.Status = http.StatusOK
		link, err = c.update(ctx, o.Code, o.Patch, anyVersion)
	case o.Op == manage.Delete:
		result.Status = http.StatusNoContent
		err = c.manager.Delete(ctx, c, c.caller, o.Code, anyVersion)
	}
	if known, ok := errors.AsType[*terse.Error](err); ok {
		if known.Kind == terse.Damaged {
			c.Logger.LogAttrs(ctx, slog.LevelError, "bulk operation failed",
				slog.String("request_id", c.caller.RequestID),
				slog.String("short_code", o.Code), slog.Any("error", err))
		}
		return api.BulkResult{Status: statusOf(known.Kind), Error: known.Message}, nil
	}
	if err == nil && link.ID != 0 {
		result.Link = c.linkRecord(link)
	}
	return result, err
}

// allBut returns the answer to a request of which nothing was done because of one operation.
func allBut(results []api.BulkResult, culprit int) answer {
	for i := range results {
		if i != culprit {
			results[i] = api.BulkResult{
				Status: errOtherFailed.status, Error: errOtherFailed.message,
			}
		}
	}
	return answer{status: http.StatusOK, body: api.BulkResults{Results: results}}
}
