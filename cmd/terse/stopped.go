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
	"terse/internal/archive/exporter"
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
		if err := d.open(ctx, create); err != nil {
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
		return settings{}, cli.UsageError{Err: err}
	}
	return raw.parse()
}

// open opens the data. create says that there may be none yet.
func (d *stopped) open(ctx context.Context, create bool) error {
	openData, temporary := d.openSQLite, d.settings.dataDir
	if d.settings.postgresURL != "" {
		var err error
		if temporary, err = os.MkdirTemp("", "terse-import-"); err != nil {
			return err
		}
		d.release = append(d.release, func() { _ = os.RemoveAll(temporary) })
		openData = d.openPostgres
	}
	if err := openData(ctx, create); err != nil {
		return err
	}
	d.importer = d.node.importer(temporary, func(string) {})
	return nil
}

// openPostgres opens a database that other nodes may use.
func (d *stopped) openPostgres(ctx context.Context, _ bool) (err error) {
	if d.geo, err = geo.Open(d.settings.geoDatabase, d.logger); err != nil {
		return fmt.Errorf("GEOIP_DATABASE: %w", err)
	}
	return d.openStore(ctx)
}

func (d *stopped) openSQLite(ctx context.Context, create bool) error {
	path := d.settings.databasePath
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && !create {
		return cli.NotFound("No database %s.", path)
	}
	for _, lock := range []func() (func(), error){
		func() (func(), error) { return lockDataDir(d.settings.dataDir) },
		func() (func(), error) { return lockDatabase(path) },
	} {
		unlock, err := lock()
		if _, used := errors.AsType[inUseError](err); used {
			return fmt.Errorf("the server is running on %s", filepath.Dir(path))
		}
		if err != nil {
			return err
		}
		d.release = append(d.release, unlock)
	}
	if err := d.openData(ctx); err != nil {
		return err
	}
	// Clicks that a crash has left in the journal belong to the data.
	return d.ingester.Drain(ctx)
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
	write := exporter.Lines
	if q.Format == "csv" {
		write = exporter.CSV
	}
	return write(ctx, d.store, to, exporter.Options{
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
	body, err := d.importer.Receive(lines.Text(), "")
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
