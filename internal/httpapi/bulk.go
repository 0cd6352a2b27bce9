package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
	"terse/internal/link/manage"
	"terse/internal/move/archive/importer"
)

const bulkPath = "/api/bulk"

// Bounds of a bulk request.
const (
	maxBulkBytes     = 8 << 20
	operationsAtOnce = 100 // operations that cost as much as one request
)

var (
	errBulkTooLarge = &httpError{
		http.StatusRequestEntityTooLarge,
		"request body must be at most 8 MiB", "",
	}
	errOtherFailed = &httpError{
		http.StatusFailedDependency,
		"another operation of this request failed", "",
	}
)

// BodyLimit returns the server's bound for the body of a request in bytes; 0 means the default. It
// is higher only where a token is checked before the body is read.
func BodyLimit(method string, path []byte) int {
	if method == http.MethodPost && string(path) == importPath {
		return importer.MaxBody
	}
	if (method == http.MethodPost || method == http.MethodPatch) &&
		bytes.HasPrefix(path, []byte(apiPrefix)) {
		return maxBulkBytes
	}
	return 0
}

// bulk serves POST /api/bulk.
func (s *service) bulk(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readUpTo(w, r, maxBulkBytes, errBulkTooLarge)
	var b manage.Bulk
	var invalid error
	if err == nil {
		b, invalid = manage.ParseBulk(body)
	}
	if err := s.limitBulk(w, by, b.Len()); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	operations := s.manager.Operations(b)
	if invalid == nil && !b.Atomic {
		return s.doInTurns(w, r, by, body, operations)
	}
	err = s.change(w, r, by, body, func(ctx context.Context, c *changes) (a answer,
		err error,
	) {
		if invalid != nil {
			return answer{}, invalid
		}
		err = c.within(ctx, func() (err error) {
			a, err = c.doAtOnce(ctx, operations)
			return err
		})
		return a, err
	})
	if errors.Is(err, errTooMany) {
		w.Header().Set("Retry-After", strconv.Itoa(int(atomicTime/time.Second)))
	}
	return err
}

// limitBulk takes a bulk request's cost from the client's budget, all or nothing. A body that can't
// be parsed costs as much as one without operations.
func (s *service) limitBulk(w http.ResponseWriter, by terse.Caller, operations int) error {
	budget := s.policyOf(by)
	cost := max(1, (operations+operationsAtOnce-1)/operationsAtOnce)
	if most := budget.Limit(); most > 0 && cost > most {
		return &httpError{http.StatusRequestEntityTooLarge, fmt.Sprintf(
			"this server's rate limit allows at most %d operations at once",
			most*operationsAtOnce), ""}
	}
	return budget.take(w, cost)
}

func anyVersion(terse.Link) bool { return true }

// atomicTime bounds how long a request may have the store to itself: others wait for 5 s.
const atomicTime = 2 * time.Second

var errTooMany = &httpError{
	http.StatusServiceUnavailable, "too many operations to be atomic now", "",
}

// doAtOnce executes operations in order in one transaction. If one fails, all are undone.
func (c *changes) doAtOnce(ctx context.Context, operations []manage.Operation) (answer, error) {
	var all results
	var began time.Time // set after the first operation, which may have waited for its turn
	for i := 0; i < len(operations); {
		if i > 0 && time.Since(began) > atomicTime {
			return answer{}, errTooMany
		}
		step := together(operations[i:])
		done, err := c.doStep(ctx, step)
		if err != nil {
			return answer{}, err
		}
		for k, d := range done {
			if d.result.Error != "" {
				return allBut(len(operations), i+k, d.result)
			}
			if err := c.addTo(&all, d, len(operations)); err != nil {
				return answer{}, err
			}
		}
		if i == 0 {
			began = time.Now()
		}
		i += len(step)
	}
	return all.answer(), nil
}

// together returns the first operations that are done in one step: one, or deletes that follow each
// other: a hundred deletes take a distributed database little longer than one, and SQLite less than
// a turn.
func together(operations []manage.Operation) []manage.Operation {
	n := 0
	for n < min(len(operations), operationsAtOnce) &&
		operations[n].Op == manage.Delete && operations[n].Err == nil {
		n++
	}
	return operations[:max(n, 1)]
}

// outcome is the result of an operation, and the link to include in it, if any.
type outcome struct {
	result api.BulkResult
	link   terse.Link
}

// doStep executes operations of a step. An error concerns the whole request, not one operation.
func (c *changes) doStep(ctx context.Context, step []manage.Operation) ([]outcome, error) {
	if len(step) == 1 {
		d, err := c.doOne(ctx, step[0])
		return []outcome{d}, err
	}
	codes := make([]terse.Code, len(step))
	for i, o := range step {
		codes[i] = o.Code
	}
	refused, err := c.manager.DeleteAll(ctx, c, c.by, codes)
	if err != nil {
		return nil, err
	}
	all := make([]outcome, len(step))
	for i, why := range refused {
		all[i].result.Status = http.StatusNoContent
		if all[i], err = c.resultOf(ctx, codes[i], all[i], why); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// doOne executes one operation.
func (c *changes) doOne(ctx context.Context, o manage.Operation) (d outcome, err error) {
	err = o.Err
	switch {
	case err != nil:
	case o.Op == manage.Create:
		d.link, d.result.Status, err = c.create(ctx, o.Draft)
	case o.Op == manage.Update:
		d.result.Status = http.StatusOK
		d.link, err = c.update(ctx, o.Code, o.Patch, anyVersion)
	case o.Op == manage.Delete:
		d.result.Status = http.StatusNoContent
		err = c.manager.Delete(ctx, c, c.by, o.Code, anyVersion)
	}
	return c.resultOf(ctx, o.Code, d, err)
}

// resultOf returns what was done, or the result of an operation that failed.
func (c *changes) resultOf(ctx context.Context, code terse.Code, d outcome, err error) (
	outcome, error,
) {
	if known, ok := errors.AsType[*terse.Error](err); ok {
		if known.Kind == terse.Damaged {
			c.Logger.LogAttrs(ctx, slog.LevelError, "bulk operation failed",
				slog.String("request_id", c.by.RequestID),
				slog.String("short_code", c.shownCode(code)), slog.Any("error", err))
		}
		result := api.BulkResult{Status: statusOf(known.Kind), Error: known.Message}
		if c.wantsField {
			result.Field = fieldOf(known)
		}
		return outcome{result: result}, nil
	}
	return d, err
}

// allBut returns the answer to a request that did nothing because one operation failed.
func allBut(operations, culprit int, why api.BulkResult) (answer, error) {
	var all results
	for i := range operations {
		result := api.BulkResult{Status: errOtherFailed.status, Error: errOtherFailed.message}
		if i == culprit {
			result = why
		}
		if err := all.add(result); err != nil {
			return answer{}, err
		}
	}
	return answer{}, undone{all.answer()}
}

// Bounds of the answer to a bulk request.
const (
	// maxBulkAnswer is in bytes. A small request may name one large link again and again.
	maxBulkAnswer = 8 << 20
	// maxResult is the space reserved for each operation's result without a link. The longest error
	// lists the allowed values.
	maxResult = 2 << 10
)

// results are the results of a bulk request's first operations.
type results struct {
	texts []jsontext.Value
	bytes int // of all texts and their separators
}

// addTo appends the result of one of so many operations, with its link if there is room.
func (c *changes) addTo(all *results, d outcome, operations int) error {
	result, link := d.result, d.link
	if link.ID == 0 {
		return all.add(result)
	}
	room := maxBulkAnswer - len(`{"results":[]}`) - all.bytes -
		maxResult*(operations-len(all.texts)-1)
	if len(link.URL)+len(link.Options) < room { // otherwise encoding it is pointless
		result.Link = c.linkRecord(link)
		text, err := encode(result)
		if err != nil {
			return err
		}
		if len(text)+len(",") <= room {
			all.append(text)
			return nil
		}
	}
	result.Link, result.LinkOmitted = nil, true
	return all.add(result)
}

// add appends a result without a link.
func (r *results) add(result api.BulkResult) error {
	text, err := encode(result)
	r.append(text)
	return err
}

func (r *results) append(text jsontext.Value) {
	r.texts = append(r.texts, text)
	r.bytes += len(text) + len(",")
}

// bulkAnswer is an api.BulkResults with encoded parts.
type bulkAnswer struct {
	Results []jsontext.Value `json:"results"`
}

func (r *results) answer() answer {
	return answer{status: http.StatusOK, body: jsontext.Value(textOf(r.texts))}
}

// textOf encodes results as a bulkAnswer.
func textOf(texts []jsontext.Value) []byte {
	text := []byte(`{"results":[`)
	for i, result := range texts {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, result...)
	}
	return append(text, "]}"...)
}
