package sqlite_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"terse/internal/database/sqlite"
)

// BenchmarkBackup copies a database of 85 MB, in turns with cp and sync, and reports how many times
// as long as those it takes. Verifying is apart: what is counted in the original, and the check of
// the copy.
func BenchmarkBackup(b *testing.B) {
	dir := b.TempDir()
	path, backup := filepath.Join(dir, "terse.db"), filepath.Join(dir, "backup.db")
	must(b, openAt(b, path).Close())
	byHand(b, path, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
		INSERT INTO links (code, url, created_at, created_by)
			SELECT printf('c%07d', i), 'https://example.com/' || hex(randomblob(60)), i, 'me'
			FROM n`)
	var copied, byCP, verified time.Duration
	for b.Loop() {
		must(b, os.WriteFile(backup, nil, 0o600))
		began := time.Now()
		must(b, sqlite.Copy(b.Context(), path, backup))
		copied += time.Since(began)
		must(b, os.Remove(backup))
		began = time.Now()
		script := fmt.Sprintf("cp '%s' '%s' && sync '%[2]s'", path, backup)
		must(b, exec.CommandContext(b.Context(), "sh", "-c", script).Run())
		byCP += time.Since(began)
		must(b, os.WriteFile(backup, nil, 0o600))
		began = time.Now()
		held, err := sqlite.Backup(b.Context(), path, backup)
		must(b, err)
		if found, err := sqlite.Inspect(b.Context(), backup, true); err != nil || found != held {
			b.Fatalf("%+v, %v, want %+v", found, err, held)
		}
		verified += time.Since(began)
		must(b, os.Remove(backup))
	}
	info, err := os.Stat(path)
	must(b, err)
	b.SetBytes(info.Size())
	b.ReportMetric(copied.Seconds()/byCP.Seconds(), "times-cp")
	b.ReportMetric(verified.Seconds()/float64(b.N), "verified-s")
}
