package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"terse"
	"terse/api"
	"terse/internal/archive"
	"terse/internal/archive/importer"
	"terse/internal/cli"
	"terse/internal/cli/moving"
	"terse/internal/geo"
	"terse/internal/manage"
)

// stopped is the data of a server that is stopped.
type stopped struct {
	*node
	importer *importer.Importer
	release  []func() // to be called at the end, the last one first
}

// openStopped returns what opens the data of a server that is stopped, with the server's other
// settings from the environment.
func openStopped(env cli.Env) cli.OpenStore {
	return func(ctx context.Context, dataDir, databaseURL string, create bool) (
		_ cli.Store, err error,
	) {
		s, err := settingsOf(env.Vars, dataDir, databaseURL)
		if err != nil {
			return nil, err
		}
		d := &stopped{node: &node{settings: s, logger: slog.New(slog.NewTextHandler(env.Err,
			&slog.HandlerOptions{Level: slog.LevelWarn}))}}
		d.baseURL = cmp.Or(s.baseURL, "http://localhost:8080")
		if err := d.open(ctx, dataDir != "", create); err != nil {
			return nil, errors.Join(err, d.Close())
		}
		return d, nil
	}
}

// settingsOf returns a server's settings with another data folder or database.
func settingsOf(vars map[string]string, dataDir, databaseURL string) (settings, error) {
	vars = maps.Clone(vars)
	for _, name := range []string{"DATABASE_URL", "DATABASE_URL_FILE", "BACKUP_DIR"} {
		delete(vars, name)
	}
	vars["DATABASE_URL"] = databaseURL
	if dataDir != "" {
		vars["DATA_DIR"] = dataDir
	}
	var raw rawSettings
	parser, err := kong.New(&raw, kong.Resolvers(environment(vars)))
	if err != nil {
		return settings{}, err
	}
	if _, err := parser.Parse(nil); err != nil {
		return settings{}, cli.SettingsError{Err: err}
	}
	return raw.parse()
}

// open opens the data. folder says that a data folder was named, create that there may be no data
// yet.
func (d *stopped) open(ctx context.Context, folder, create bool) error {
	path := d.settings.databasePath // "" on PostgreSQL
	if _, err := os.Stat(path); path != "" && errors.Is(err, os.ErrNotExist) && !create {
		return cli.NotFound("No database %s.", path)
	}
	temporary := d.settings.dataDir
	var err error
	if folder && path != "" {
		err = d.openFolder(ctx)
	} else {
		temporary, err = d.openDatabase(ctx)
	}
	if err == nil {
		d.importer = d.node.importer(temporary, func(string) {})
	}
	return err
}

// lock locks what a server would use, until the end.
func (d *stopped) lock(lock func(string) (func(), error), path, dir string) error {
	unlock, err := lock(path)
	if err == nil {
		d.release = append(d.release, unlock)
	}
	return running(dir, err)
}

// openFolder opens a data folder with its database.
func (d *stopped) openFolder(ctx context.Context) error {
	dir, path := d.settings.dataDir, d.settings.databasePath
	if err := d.lock(lockDataDir, dir, dir); err != nil {
		return err
	}
	if err := d.lock(lockDatabase, path, filepath.Dir(path)); err != nil {
		return err
	}
	if err := d.openData(ctx); err != nil {
		return err
	}
	// Clicks that a crash has left in the journal belong to the data.
	return d.ingester.Drain(ctx)
}

// openDatabase opens a database alone, for nothing tells which folder has its server's journal. It
// returns a folder for temporary files. Other nodes may use PostgreSQL.
func (d *stopped) openDatabase(ctx context.Context) (temporary string, err error) {
	if path := d.settings.databasePath; path != "" {
		if err := d.lock(lockDatabase, path, filepath.Dir(path)); err != nil {
			return "", err
		}
	}
	if temporary, err = os.MkdirTemp("", "terse-import-"); err != nil {
		return "", err
	}
	d.release = append(d.release, func() { _ = os.RemoveAll(temporary) })
	if d.geo, err = geo.Open(d.settings.geoDatabase, d.logger); err != nil {
		return "", fmt.Errorf("GEOIP_DATABASE: %w", err)
	}
	return temporary, d.openStore(ctx)
}

// Close closes the data.
func (d *stopped) Close() error {
	err := d.close()
	for _, release := range slices.Backward(d.release) {
		release()
	}
	return err
}

// Export implements cli.Store.
func (d *stopped) Export(ctx context.Context, to io.Writer, q api.ExportQuery) error {
	write := archive.WriteLines
	if q.Format == "csv" {
		write = archive.WriteCSV
	}
	return write(ctx, d.store, to, archive.ExportOptions{
		Owner: terse.Identity, WithoutClicks: q.WithoutClicks, Generator: "terse " + version,
		BaseURL: d.baseURL, Logger: d.logger,
	})
}

// Import implements moving.Target.
func (d *stopped) Import(ctx context.Context, o moving.Options, lines *moving.Part,
	each func(api.ImportResult),
) (summary api.ImportSummary, err error) {
	request := importer.Request{
		Caller:   manage.Caller{Identity: terse.Identity},
		Conflict: importer.Conflict(o.Conflict), DryRun: o.DryRun,
	}
	body, err := d.importer.Receive(ctx, lines.Text(), "")
	if err != nil {
		return summary, err
	}
	defer body.Close()
	if err := d.importer.Check(ctx, body, request); err != nil {
		return summary, err
	}
	err = d.importer.Run(ctx, body, request, func(results []any) error {
		for _, result := range results {
			switch result := result.(type) {
			case api.ImportResult:
				each(result)
			case api.ImportEnd:
				summary = result.Summary
			}
		}
		return nil
	})
	return summary, err
}
