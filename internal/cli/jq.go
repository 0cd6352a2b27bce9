package cli

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/itchyny/gojq"

	"terse/internal/cli/console"
)

// filter prints what --jq or --template makes of an answer in JSON.
type filter func(answer []byte, options ...json.Options) error

// newFilter returns the filter of an expression, which runs no longer than ctx. It sees neither
// variables of the environment nor files.
func newFilter(ctx context.Context, e Env, expression string) (filter, error) {
	query, err := gojq.Parse(expression)
	var code *gojq.Code
	if err == nil {
		code, err = gojq.Compile(query)
	}
	if err != nil {
		return nil, misuse("--jq is %q; it must be a jq expression (%w)", expression, err)
	}
	return func(answer []byte, options ...json.Options) error {
		value, err := decoded(answer)
		if err != nil {
			return fmt.Errorf("--jq: %w", err)
		}
		results := code.RunWithContext(ctx, value)
		for result, more := results.Next(); more; result, more = results.Next() {
			switch result := result.(type) {
			case error:
				return filterError(ctx, result)
			case string:
				err = e.PrintText(result)
			default:
				var text []byte
				if text, err = gojq.Marshal(result); err == nil {
					err = e.PrintJSON(jsontext.Value(text), options...)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// decoded returns an answer with its numbers as they are: float64 would round.
func decoded(answer []byte) (value any, err error) {
	d := stdjson.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

// filterError explains the error of an expression. The function halt ends it without one.
func filterError(ctx context.Context, err error) error {
	if halt, ok := errors.AsType[*gojq.HaltError](err); ok && halt.Value() == nil {
		return nil
	}
	if ctx.Err() != nil {
		return console.ErrInterrupted
	}
	return fail(ExitFailure, "--jq: %s.", console.Printable(err.Error()))
}
