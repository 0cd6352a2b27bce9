package cli

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/go-json-experiment/json"

	"terse/internal/cli/console"
)

// maxMade bounds what --template makes of one answer, in bytes. It is many times the largest answer
// of a server; only a loop makes more.
const maxMade = 64 << 20

// newTemplate returns the filter of a Go template, which runs no longer than ctx. Like jq it sees
// neither variables of the environment nor files.
func newTemplate(ctx context.Context, e Env, text string) (filter, error) {
	made, err := template.New("--template").Funcs(templateFunctions(e)).Parse(text)
	if err != nil {
		return nil, misuse("--template is %q; it must be a Go template (%s)", text,
			templateError(err))
	}
	return func(answer []byte, _ ...json.Options) error {
		value, err := decoded(answer)
		if err != nil {
			return fmt.Errorf("--template: %w", err)
		}
		out, err := console.Until(ctx, func() (string, error) {
			var out templateOut
			err := made.Execute(&out, plainNumbers(value))
			return out.String(), err
		})
		switch {
		case errors.Is(err, console.ErrInterrupted):
			return err
		case err != nil:
			return fail(ExitFailure, "--template: %s.", templateError(err))
		}
		return e.PrintMade(out)
	}, nil
}

// templateError returns the error of a template without the name that each has in front.
func templateError(err error) string {
	return console.Printable(strings.TrimPrefix(err.Error(), "template: --template:"))
}

// plainNumbers returns a decoded value with numbers that templates can compare: whole ones as
// int64, which float64 would round.
func plainNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = plainNumbers(member)
		}
	case []any:
		for i, element := range value {
			value[i] = plainNumbers(element)
		}
	case stdjson.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
		if number, err := value.Float64(); err == nil {
			return number
		}
		return value.String()
	}
	return value
}

// templateOut is what a template has made so far.
type templateOut struct{ made strings.Builder }

func (o *templateOut) String() string { return o.made.String() }

// Write implements io.Writer. A field that the answer lacks, because the link does not use it, is
// written by the template as "<no value>", in one call. People want nothing there.
func (o *templateOut) Write(p []byte) (int, error) {
	if o.made.Len()+len(p) > maxMade {
		return 0, fmt.Errorf("more than %s", humanize.IBytes(maxMade))
	}
	if string(p) == "<no value>" {
		return len(p), nil
	}
	return o.made.Write(p)
}

var _ io.Writer = (*templateOut)(nil)

// templateFunctions are those beside Go's own, by the names that gh gives them. They make nothing
// of a field that the answer lacks.
func templateFunctions(e Env) template.FuncMap {
	return template.FuncMap{
		"join": func(between string, values []any) string {
			texts := make([]string, len(values))
			for i, value := range values {
				texts[i] = fmt.Sprint(value)
			}
			return strings.Join(texts, between)
		},
		"timeago": func(at any) (string, error) { return ofTime(at, humanize.Time) },
		"timefmt": func(layout string, at any) (string, error) {
			return ofTime(at, func(t time.Time) string { return t.In(e.Zone()).Format(layout) })
		},
		"truncate": func(columns int, text any) string {
			if text == nil {
				return ""
			}
			return console.Cells.Truncate(fmt.Sprint(text), max(columns, 0), "…")
		},
	}
}

// ofTime returns what is made of a time in an answer.
func ofTime(at any, text func(time.Time) string) (string, error) {
	if at == nil {
		return "", nil
	}
	t, err := time.Parse(time.RFC3339Nano, fmt.Sprint(at))
	if err != nil {
		return "", fmt.Errorf("%q is no time", fmt.Sprint(at))
	}
	return text(t), nil
}
