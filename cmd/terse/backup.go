package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/dustin/go-humanize"

	"terse/internal/backup"
	"terse/internal/cli"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
	"terse/internal/sqlite"
)

var errOnlySQLite = errors.New(
	"backups are of SQLite databases; back up a PostgreSQL database with pg_dump")

// dataFlags say where a server on this machine has its data.
type dataFlags struct {
	DataDir     string `help:"The server's data folder." default:"./data" complete:"files"`
	DatabaseURL string `name:"database-url" help:"The server's database, a path or sqlite:<path>; default terse.db in DATA_DIR." secret:""`
}

// place returns where the data of a server on SQLite is.
func (f *dataFlags) place() (backup.Place, error) {
	p := &problems{}
	path, postgresURL := p.database(f.DatabaseURL, f.DataDir)
	if postgresURL != "" {
		p.errs = append(p.errs, errOnlySQLite)
	}
	if len(p.errs) > 0 {
		return backup.Place{}, cli.SettingsError{Err: errors.Join(p.errs...)}
	}
	return backup.Place{Database: path, Journal: journalIn(f.DataDir)}, nil
}

type backupCommand struct {
	File string `arg:"" help:"The backup to make." complete:"files"`
	dataFlags
	Force bool `help:"Replace FILE if it exists." variable:""`
}

func (c *backupCommand) Run(ctx context.Context, env cli.Env) error {
	place, err := c.place()
	if err != nil {
		return err
	}
	began := time.Now()
	made, err := backup.Make(ctx, place.Database, c.File, c.Force)
	switch {
	case err != nil && ctx.Err() != nil:
		return console.ErrInterrupted
	case errors.Is(err, backup.ErrNoDatabase):
		return cli.NotFound("No database at %s. Run it where the server runs, or set DATA_DIR.",
			place.Database)
	case errors.Is(err, backup.ErrExists):
		return fmt.Errorf("%w; --force replaces it", err)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(env.Out, "%s has %s, in %s; made and verified in %s.\n", c.File,
		holds(made.Contents), humanize.IBytes(uint64(made.Bytes)), rounded(time.Since(began)))
	return err
}

type restoreCommand struct {
	File string `arg:"" help:"The backup to restore." complete:"files"`
	dataFlags
}

func (c *restoreCommand) Run(ctx context.Context, env cli.Env) error {
	place, err := c.place()
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.File); errors.Is(err, fs.ErrNotExist) {
		return cli.NotFound("No file %s.", c.File)
	}
	unlock, err := lockStopped(c.DataDir, place.Database)
	if err != nil {
		return err
	}
	defer unlock()
	began := time.Now()
	restored, err := backup.Restore(ctx, c.File, place)
	switch {
	case err != nil && ctx.Err() != nil:
		return console.ErrInterrupted
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(env.Out, "%s is restored from %s: %s, verified in %s.\n", place.Database,
		c.File, holds(restored.Contents), rounded(time.Since(began)))
	for _, folder := range restored.Aside {
		fmt.Fprintf(env.Out, "What was there before is in %s.\n", folder)
	}
	return err
}

func holds(c sqlite.Contents) string {
	return words.Count(c.Links, "link") + " and " + words.Count(c.Clicks, "click")
}

func rounded(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
