package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"terse"
	"terse/api"
	"terse/internal/cli"
	"terse/internal/cli/moving"
	"terse/internal/move/archive"
	"terse/internal/move/archive/importer"
)

// stopped is the data of a server that is stopped.
type stopped struct {
	*node
	importer  *importer.Importer
	temporary string // a folder
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
		d := &stopped{node: newNode(s), temporary: s.dataDir}
		d.logger = slog.New(slog.NewTextHandler(env.Err,
			&slog.HandlerOptions{Level: slog.LevelWarn}))
		d.baseURL = cmp.Or(s.baseURL, "http://localhost:8080")
		if err := d.open(ctx, dataDir != "", create); err != nil {
			return nil, err
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
	parts := d.databaseParts()
	if folder && path != "" {
		parts = d.folderParts()
	}
	if err := d.start(ctx, parts); err != nil {
		return err
	}
	d.importer = d.node.importer(d.temporary, func(string) {})
	return nil
}

// folderParts are a data folder with its database.
func (d *stopped) folderParts() []part {
	dir, path := d.settings.dataDir, d.settings.databasePath
	return []part{
		{"lock of the data folder", lockOfStopped(lockDataDir, dir, dir)},
		{"lock of the database", lockOfStopped(lockDatabase, path, filepath.Dir(path))},
		{"country data", (*node).openPlaces},
		{"blocked targets", (*node).openBlocked},
		{"interrupted restore", (*node).finishRestore},
		{"room in the journal", (*node).trimJournal},
		{"database", (*node).openStore},
		{"domains", (*node).openDomains},
		{"click journal", (*node).openJournal},
		{"counting", (*node).openIngest},
		// Clicks that a crash has left in the journal belong to the data.
		{"uncounted clicks", func(n *node, ctx context.Context) (work, error) {
			return work{}, n.ingester.Drain(ctx)
		}},
	}
}

// databaseParts are a database alone: it does not say which folder has its server's journal. Other
// nodes may use PostgreSQL.
func (d *stopped) databaseParts() []part {
	var parts []part
	if path := d.settings.databasePath; path != "" {
		parts = []part{
			{"lock of the database", lockOfStopped(lockDatabase, path, filepath.Dir(path))},
		}
	}
	return append(parts,
		part{"folder for temporary files", func(*node, context.Context) (work, error) {
			return d.makeTemporary()
		}},
		part{"country data", (*node).openPlaces},
		part{"blocked targets", (*node).openBlocked},
		part{"database", (*node).openStore},
		part{"domains", (*node).openDomains})
}

// lockOfStopped locks what a server would use. dir names that server.
func lockOfStopped(lock func(string) (func(), error), path, dir string) func(
	*node, context.Context) (work, error) {
	return func(*node, context.Context) (work, error) {
		w, err := locked(lock(path))
		return w, running(dir, err)
	}
}

func (d *stopped) makeTemporary() (_ work, err error) {
	d.temporary, err = os.MkdirTemp("", "terse-import-")
	return work{close: func() error { _ = os.RemoveAll(d.temporary); return nil }}, err
}

// Close closes the data.
func (d *stopped) Close() error { return d.end(context.Background()) }

// checkOwner refuses an owner that there is not.
func (d *stopped) checkOwner(ctx context.Context, owner string) error {
	switch owner {
	case "", terse.AllOwners, terse.KeepOwners:
		return nil
	}
	return d.importer.Manager.KnowsOwner(ctx, owner)
}

// Export implements cli.Store.
func (d *stopped) Export(
	ctx context.Context, to io.Writer, owner, host string, q api.ExportQuery,
) error {
	if err := d.checkOwner(ctx, owner); err != nil {
		return err
	}
	query := terse.ExportQuery{Owner: cmp.Or(owner, terse.AllOwners)}
	if host != "" {
		domain, err := d.domains.Table().DomainOf(host)
		if err != nil {
			return err
		}
		query.Domain = &domain
	}
	write := archive.WriteLines
	if q.Format == "csv" {
		write = archive.WriteCSV
	}
	return write(ctx, d.store, to, archive.ExportOptions{
		ExportQuery: query, WithoutClicks: q.WithoutClicks, Generator: "terse " + version,
		BaseURL: d.baseURL, Host: d.domains.Table().Shown, Logger: d.logger,
	})
}

// Domains implements cli.Store.
func (d *stopped) Domains(context.Context) (rows []api.Domain, err error) {
	for _, row := range d.domains.Table().Rows() {
		rows = append(rows, api.Domain{
			Domain: row.Host, Default: row.Domain == terse.DefaultDomain,
			Configured: row.Configured, Links: row.Links,
		})
	}
	return rows, nil
}

// Import implements moving.Target.
func (d *stopped) Import(ctx context.Context, o moving.Options, lines *moving.Part,
	each func(api.ImportResult),
) (summary api.ImportSummary, err error) {
	if o.Owner == terse.AllOwners {
		return summary, terse.Invalidf("owner", "owner must be one identity here")
	}
	if err := d.checkOwner(ctx, o.Owner); err != nil {
		return summary, err
	}
	request := importer.Request{
		Caller: terse.Caller{
			Identity: terse.Identity, Owner: o.Owner, Role: terse.Admin,
			Cause: terse.CauseImport,
		},
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
