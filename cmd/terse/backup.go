package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"terse/internal/cli"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
	"terse/internal/database/sqlite"
	"terse/internal/move/backup"
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
	File string `arg:"" help:"The backup to make; - is standard output." complete:"files"`
	dataFlags
	Force bool `help:"Replace FILE if it exists." variable:""`
}

func (c *backupCommand) Run(ctx context.Context, env cli.Env) error {
	if c.File == "-" {
		return c.print(ctx, env)
	}
	return c.make(ctx, c.File, env.Out)
}

// print makes the backup in a temporary file, where it is verified, and then prints that.
func (c *backupCommand) print(ctx context.Context, env cli.Env) error {
	if console.IsTerminal(env.Out) {
		return cli.UsageError{Err: errors.New("a backup is no text for a terminal")}
	}
	dir, err := os.MkdirTemp("", "terse-backup-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "backup.db")
	if err := c.make(ctx, file, env.Err); err != nil {
		return err
	}
	made, err := os.Open(file)
	if err != nil {
		return err
	}
	defer made.Close()
	if _, err = io.Copy(env.Out, made); err != nil {
		err = fmt.Errorf("print the backup: %w", err)
	}
	return err
}

// make makes the backup in a file, and says so.
func (c *backupCommand) make(ctx context.Context, file string, say io.Writer) error {
	place, err := c.place()
	if err != nil {
		return err
	}
	began := time.Now()
	made, err := backup.Make(ctx, place.Database, file, c.Force)
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
	name := file
	if c.File == "-" {
		name = "The backup"
	}
	_, err = fmt.Fprintf(say, "%s has %s, in %s; made and verified in %s.\n", name,
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
	newest := ""
	if at := restored.Newest; !at.IsZero() {
		newest = ", the newest link of " + at.Format("2006-01-02 15:04 UTC")
	}
	_, err = fmt.Fprintf(env.Out, "%s is restored from %s: %s%s, verified in %s.\n",
		place.Database, c.File, holds(restored.Contents), newest, rounded(time.Since(began)))
	if restored.Bare {
		fmt.Fprintf(env.Out, "Warning: %s was not made by terse backup. If it was copied from a "+
			"server that ran, what was in %[1]s-wal there is missing.\n", filepath.Base(c.File))
	}
	for _, folder := range restored.Aside {
		fmt.Fprintf(env.Out, "What was there before is in %s.\n", folder)
	}
	return err
}

func holds(c sqlite.Contents) string {
	return words.Count(c.Links, "link") + " and " + words.Count(c.Clicks, "click")
}

func rounded(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
