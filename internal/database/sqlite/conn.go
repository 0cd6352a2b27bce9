package sqlite

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"modernc.org/libc"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/record"
)

// applicationID marks databases of terse (PRAGMA application_id): "TERS" in ASCII. Versions before
// the first release used earlierID.
const (
	applicationID = 0x54455253
	earlierID     = 0x74657273
)

// EngineVersion is the version of SQLite in this program, for example "3.54.1".
const EngineVersion = sqlite.Version

// migrations are the scripts that build the schema, in the order of their names.
//
//go:embed schema/*.sql
var migrations embed.FS

// Bounds of the page caches. The writer's cache holds the inner pages of the trees of a million
// links, and the leaves being written. Readers need little more than inner pages, because the file
// is in the kernel's cache anyway.
const (
	writerCacheKiB = 16 << 10
	readerCacheKiB = 2 << 10
)

// walPages is the length at which the write-ahead log is moved into the database: long enough that
// a page written many times is moved once, short enough to be read quickly after a crash.
const walPages = 4096

// keepMemory holds a block of 16 KiB of SQLite's allocator for as long as the process lives. The
// allocator returns memory to the kernel when no block of a size is in use, and SQLite uses one of
// this size briefly whenever it balances a tree. Without keepMemory a create would take a tenth
// longer.
var keepMemory = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	libc.Xmalloc(tls, 16<<10)
})

// openConn opens a connection. All have the same settings except the size of the cache.
func openConn(ctx context.Context, path string, cacheKiB int) (*sqlite.Conn, error) {
	keepMemory()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	if err := configure(ctx, conn, cacheKiB); err != nil {
		return nil, errors.Join(openError(err), conn.Close())
	}
	return conn, nil
}

func configure(ctx context.Context, conn *sqlite.Conn, cacheKiB int) error {
	conn.SetInterrupt(ctx.Done())
	defer conn.SetInterrupt(nil)
	if err := setWAL(ctx, conn); err != nil {
		return err
	}
	for _, pragma := range []string{
		"synchronous = FULL",
		fmt.Sprintf("wal_autocheckpoint = %d", walPages),
		fmt.Sprintf("journal_size_limit = %d", walPages*4096),
		fmt.Sprintf("cache_size = -%d", cacheKiB),
		"temp_store = MEMORY",
	} {
		if err := query.Run(conn, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	return nil
}

// walPatience is how long setWAL waits for other processes.
const walPatience = 30 * time.Second

// setWAL turns on the write-ahead log. If several processes open a new database at once, SQLite's
// busy timeout does not apply here, so setWAL waits itself.
func setWAL(ctx context.Context, conn *sqlite.Conn) error {
	for began := time.Now(); ; {
		err := query.Run(conn, "PRAGMA journal_mode = WAL")
		if sqlite.ErrCode(err) != sqlite.ResultBusy || ctx.Err() != nil ||
			time.Since(began) > walPatience {
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// openReader opens a read-only connection.
func openReader(ctx context.Context, path string, naming record.Naming) (*reader, error) {
	conn, err := openConn(ctx, path, readerCacheKiB)
	if err != nil {
		return nil, err
	}
	r := &reader{conn: conn}
	err = query.Run(conn, "PRAGMA query_only = ON")
	if err == nil {
		r.byAddress, err = conn.Prepare(naming.SelectByAddress())
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return r, nil
}

// createFile creates the database file if it is missing. SQLite would make it readable for others.
func createFile(path string) error {
	// Don't open an existing file here: closing it would drop SQLite's locks on it.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// migrate brings the schema up to date, each step in a transaction.
func migrate(ctx context.Context, conn *sqlite.Conn, scripts fs.FS, must bool) error {
	conn.SetInterrupt(ctx.Done())
	defer conn.SetInterrupt(nil)
	steps, err := fs.Glob(scripts, "schema/*.sql")
	if err != nil {
		return err
	}
	for {
		done, err := migrateStep(conn, scripts, steps, must)
		if err != nil || done {
			return err
		}
	}
}

// migrateStep runs the first missing step. It examines the database within the transaction, because
// another process may be creating it.
func migrateStep(conn *sqlite.Conn, scripts fs.FS, steps []string, must bool) (
	done bool, err error,
) {
	end, err := sqlitex.ImmediateTransaction(conn)
	if err != nil {
		return false, err
	}
	defer end(&err)
	version, err := schemaVersion(conn)
	if err != nil {
		return false, err
	}
	if must && version == 0 {
		return false, errors.New("it is empty")
	}
	if version > len(steps) {
		return false, laterVersion(version, len(steps))
	}
	if version == len(steps) {
		return true, nil
	}
	script, err := fs.ReadFile(scripts, steps[version])
	if err != nil {
		return false, err
	}
	for _, sql := range []string{
		string(script),
		fmt.Sprintf("PRAGMA user_version = %d", version+1),
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
	} {
		if err := sqlitex.ExecuteScript(conn, sql, nil); err != nil {
			return false, fmt.Errorf("%s: %w", steps[version], err)
		}
	}
	return false, nil
}

func laterVersion(version, known int) error {
	return fmt.Errorf("its schema has version %d, this program knows %d: it was written by a "+
		"later version", version, known)
}

// schemaVersion returns the number of steps that were applied. It fails for another program's
// database.
func schemaVersion(conn *sqlite.Conn) (int, error) {
	id, err := query.Int(conn, "PRAGMA application_id")
	if err != nil {
		return 0, err
	}
	version, err := query.Int(conn, "PRAGMA user_version")
	if err != nil {
		return 0, err
	}
	tables, err := query.Int(conn, "SELECT count(*) FROM sqlite_schema")
	if err != nil {
		return 0, err
	}
	switch {
	case id == applicationID, id == 0 && version == 0 && tables == 0:
		return int(version), nil
	case id == earlierID:
		return 0, errors.New("it was made by a version before the first release, which this one " +
			"can't read: move it away to start with a new one")
	}
	return 0, errors.New("it is another program's database")
}
