package sqlite

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
	"zombiezen.com/go/sqlite"

	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/record"
	"terse/internal/database/sqlite/rows"
)

// Contents is what a database holds.
type Contents struct {
	Links  int64
	Clicks int64 // of these links

	Newest time.Time // when the newest link was created; zero without links
}

// stepPages is how many pages of a database are copied at a time. Between two steps a backup
// notices that its context has ended.
const stepPages = 2048

// Backup copies one snapshot of a database to an empty file, syncs that, and returns what the
// snapshot holds. The database may be in use. It is read within one transaction, so however much is
// written meanwhile, SQLite never begins the copy anew. The write-ahead log can't shrink until the
// copy is complete.
func Backup(ctx context.Context, from, to string) (_ Contents, err error) {
	source, err := sqlite.OpenConn(from, sqlite.OpenReadWrite)
	if err != nil {
		return Contents{}, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	source.SetInterrupt(ctx.Done())
	if err := query.Run(source, "PRAGMA query_only = ON"); err != nil {
		return Contents{}, err
	}
	if err := query.Run(source, "BEGIN"); err != nil {
		return Contents{}, openError(err)
	}
	held, err := inspect(source)
	if err == nil {
		err = copyPages(ctx, source, to)
	}
	return held, openError(err)
}

// copyPages copies a database to a file. The file needs neither locks nor a journal, because nobody
// knows it yet, and a backup that fails is deleted.
func copyPages(ctx context.Context, source *sqlite.Conn, to string) (err error) {
	// Whoever may write to the folder of the file may put a link in its place, to a file that only
	// this process may write. SQLite refuses that, and links to folders, too.
	dir, err := filepath.EvalSymlinks(filepath.Dir(to))
	if err != nil {
		return err
	}
	to = filepath.Join(dir, filepath.Base(to))
	target, err := sqlite.OpenConn(fileURI(to, "nolock"), sqlite.OpenReadWrite, sqlite.OpenURI,
		noFollow)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, target.Close()); err == nil {
			err = syncFile(to)
		}
	}()
	for _, pragma := range []string{"journal_mode = OFF", "synchronous = OFF"} {
		if err := query.Run(target, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	pages, err := sqlite.NewBackup(target, "main", source, "main")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pages.Close()) }()
	// What is written goes to disk while more is copied, so that the last sync has little to do.
	var syncs errgroup.Group
	syncs.SetLimit(1)
	defer func() { err = errors.Join(err, syncs.Wait()) }()
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if more, err = pages.Step(stepPages); err != nil {
			return err
		}
		syncs.TryGo(func() error { return syncFile(to) })
	}
	return nil
}

// noFollow is SQLITE_OPEN_NOFOLLOW, which the binding has no name for.
const noFollow = sqlite.OpenFlags(0x01000000)

// syncFile syncs a file on which SQLite has no locks: they would end when it is closed here.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Inspect returns what a database file holds. It refuses what is not a database of this program, or
// is one of a later version, and with check also one that SQLite finds damaged. Nobody may write to
// the file. A write-ahead log beside it is ignored.
func Inspect(ctx context.Context, path string, check bool) (held Contents, err error) {
	conn, err := sqlite.OpenConn(fileURI(path, "immutable"), sqlite.OpenReadOnly, sqlite.OpenURI)
	if err != nil {
		return Contents{}, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	conn.SetInterrupt(ctx.Done())
	err = query.Run(conn, fmt.Sprintf("PRAGMA cache_size = -%d", writerCacheKiB))
	if err != nil {
		return Contents{}, openError(err)
	}
	if held, err = inspect(conn); err == nil && check {
		err = checkIntegrity(conn)
	}
	if ctx.Err() != nil {
		return Contents{}, ctx.Err()
	}
	return held, openError(err)
}

func checkIntegrity(conn *sqlite.Conn) error {
	var found string
	err := query.Each(conn, "PRAGMA integrity_check(1)", func(row *sqlite.Stmt) error {
		found = row.ColumnText(0)
		return nil
	})
	if err == nil && found != "ok" {
		found = strings.TrimPrefix(found, "*** in database main ***\n")
		err = fmt.Errorf("it is damaged: %s", found)
	}
	return err
}

// inspect counts links, and the clicks of those that exist.
func inspect(conn *sqlite.Conn) (held Contents, err error) {
	version, err := schemaVersion(conn)
	if err != nil {
		return Contents{}, err
	}
	known, err := migrations.ReadDir("schema")
	switch {
	case err != nil:
		return Contents{}, err
	case version == 0:
		return Contents{}, errors.New("it is empty")
	case version > len(known):
		return Contents{}, laterVersion(version, len(known))
	}
	if err := checkForeign(conn, migrations); err != nil {
		return Contents{}, err
	}
	err = query.Each(conn, "SELECT max(created_at) FROM links", func(row *sqlite.Stmt) error {
		if row.ColumnType(0) == sqlite.TypeInteger {
			held.Newest = time.UnixMicro(row.ColumnInt64(0)).UTC()
		}
		return nil
	})
	if err != nil {
		return Contents{}, err
	}
	links, err := record.AllIDs(conn)
	if err != nil {
		return Contents{}, err
	}
	held.Links = links.Count()
	held.Clicks, err = clickstore.ClicksOf(rows.New(conn), links)
	return held, err
}

// fileURI names a file for SQLite, with a parameter that is set.
func fileURI(path, parameter string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: parameter + "=1"}).String()
}
