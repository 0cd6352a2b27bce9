package bindings

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
)

const (
	links     = 100_000
	groups    = 400
	groupSize = 2 << 10 // bytes of clicks in a group's row
	batch     = 64
)

// database is one connection, with its statements prepared.
type database interface {
	exec(sql string) error
	link(code string) (id int64, url string, err error)
	insert(code, url string, createdAt int64) error
	putGroup(id int64, clicks []byte) error
	scan(below int64, limit int) (bytes int, err error)
	close() error
}

// The statements are like the store's.
const (
	selectLink = "SELECT id, url, created_at, created_by FROM links WHERE code = ?"
	insertLink = "INSERT OR FAIL INTO links (code, url, created_at, created_by) VALUES (?, ?, " +
		"?, 'authenticated-user')"
	replaceRow  = "INSERT OR REPLACE INTO click_buckets (id, clicks) VALUES (?, ?)"
	selectLinks = "SELECT id, code, url, created_at FROM links WHERE id < ? ORDER BY id DESC " +
		"LIMIT ?"
)

// schema includes the settings of the store's connections.
var schema = []string{
	"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA cache_size = -16384",
	"PRAGMA wal_autocheckpoint = 4096",
	`CREATE TABLE IF NOT EXISTS links (
		id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL UNIQUE,
		url TEXT NOT NULL, created_at INTEGER NOT NULL, created_by TEXT NOT NULL) STRICT`,
	"CREATE INDEX IF NOT EXISTS links_by_owner ON links (created_by, created_at DESC, id DESC)",
	"CREATE TABLE IF NOT EXISTS click_buckets (id INTEGER PRIMARY KEY, clicks BLOB NOT NULL) " +
		"STRICT",
	fmt.Sprintf(`INSERT INTO links (code, url, created_at, created_by)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT printf('c%%07d', i), 'https://example.org/some/longer/path/' || i, i,
			'authenticated-user' FROM n`, links),
	"PRAGMA wal_checkpoint(TRUNCATE)",
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// each runs a benchmark with every binding.
func each(b *testing.B, f func(*testing.B, database)) {
	for _, binding := range []struct {
		name string
		open func(path string) (database, error)
	}{
		{"zombiezen", openZombiezen}, {"modernc", openModernc}, {"ncruces", openNcruces},
	} {
		b.Run(binding.name, func(b *testing.B) {
			db, err := binding.open(filepath.Join(b.TempDir(), "terse.db"))
			must(b, err)
			defer func() { must(b, db.close()) }()
			b.ReportAllocs()
			f(b, db)
		})
	}
}

func BenchmarkLookUp(b *testing.B) {
	each(b, func(b *testing.B, db database) {
		rng := rand.New(rand.NewPCG(1, 2))
		for b.Loop() {
			id, url, err := db.link(fmt.Sprintf("c%07d", 1+rng.IntN(links)))
			must(b, err)
			if id == 0 || url == "" {
				b.Fatal("no link")
			}
		}
	})
}

// BenchmarkCreate64 measures a transaction that 64 callers share. An operation is one link.
func BenchmarkCreate64(b *testing.B) {
	each(b, func(b *testing.B, db database) {
		n := 0
		for b.Loop() {
			if n%batch == 0 {
				must(b, db.exec("BEGIN IMMEDIATE"))
			}
			must(b, db.insert(fmt.Sprintf("n%08d", n*7919%100_000_007),
				"https://example.org/some/longer/path", int64(n)))
			if n++; n%batch == 0 {
				must(b, db.exec("COMMIT"))
			}
		}
		if n%batch != 0 {
			must(b, db.exec("COMMIT"))
		}
	})
}

// BenchmarkCount measures a batch of clicks: it replaces the rows of 400 groups of links.
func BenchmarkCount(b *testing.B) {
	each(b, func(b *testing.B, db database) {
		clicks := make([]byte, groupSize)
		for b.Loop() {
			must(b, db.exec("BEGIN IMMEDIATE"))
			for id := range int64(groups) {
				must(b, db.putGroup(id, clicks[:groupSize/2+int(id)]))
			}
			must(b, db.exec("COMMIT"))
		}
	})
}

// BenchmarkScan reads 10,000 rows.
func BenchmarkScan(b *testing.B) {
	each(b, func(b *testing.B, db database) {
		for b.Loop() {
			n, err := db.scan(links/2, 10_000)
			must(b, err)
			if n < 10_000*40 {
				b.Fatal(n)
			}
		}
	})
}
