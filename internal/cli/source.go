package cli

import (
	"context"
	"net/url"
	"strings"
	"sync/atomic"

	"terse/internal/cli/console"
	"terse/internal/cli/moving"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/sources"
	"terse/internal/move/archive/sources/database"
	"terse/internal/move/archive/sources/webapi"
)

// open opens the source. What is no text is read into a temporary file.
func (c *importCommand) open(ctx context.Context, env Env, o formats.Options) (
	*moving.File, error,
) {
	format := formats.Named(c.Format)
	scheme, _, isURL := strings.Cut(c.Source, "://")
	isDatabase := scheme == "postgres" || scheme == "postgresql"
	if !isURL && c.Source != "-" {
		var err error
		if isDatabase, err = database.IsFile(c.Source); err != nil {
			return nil, err
		}
	}
	var read func(*sources.Out) error
	switch {
	case isDatabase && format.Database != nil:
		from, err := database.Open(ctx, c.Source)
		if err != nil {
			return nil, err
		}
		defer from.Close()
		read = func(to *sources.Out) error { return format.Database(ctx, from, to) }
	case isURL && !isDatabase && format.API != nil:
		key, err := c.key(env)
		if err != nil {
			return nil, err
		}
		from, err := webapi.New(c.Source, key)
		if err != nil {
			return nil, misuse("SOURCE: %v", err)
		}
		read = func(to *sources.Out) error { return format.API(ctx, from, to) }
	case isURL || isDatabase || format.Open == nil:
		return nil, misuse("SOURCE is %s, which %s is not imported from: %s", c.sourceName(),
			c.Format, format.Help)
	default:
		return moving.Open(ctx, env.In, c.Source)
	}
	var records atomic.Int64
	defer env.Progress("Reading", func() console.Work {
		return console.Work{Text: plural(records.Load(), "link")}
	})()
	return moving.Keep(sources.Read(o.Options, read), c.sourceName(), records.Store)
}

// sourceName names the source for people. The address of a database may have a password.
func (c *importCommand) sourceName() string {
	if at, err := url.Parse(c.Source); err == nil && at.Host != "" {
		return at.Redacted()
	}
	return c.Source
}

// key returns the key for the API of the source, "" if there is none.
func (c *importCommand) key(env Env) (string, error) {
	if c.KeyFile == "" {
		return strings.TrimSpace(env.Vars["TERSE_SOURCE_KEY"]), nil
	}
	text, err := readFile(c.KeyFile)
	if text = strings.TrimSpace(text); err == nil && text == "" {
		err = misuse("the file of --key-file is empty")
	}
	return text, err
}
