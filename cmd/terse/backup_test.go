package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/api"
	"terse/internal/cli"
	"terse/internal/cli/words"
	"terse/internal/durable"
	"terse/internal/tests/doctest"
	"terse/internal/tests/foreign"
	"terse/internal/tests/tersetest"
)

// totals are those of all links, as the commands say them: 2 links and 1,234 clicks.
func (i *instance) totals(t testing.TB) string {
	t.Helper()
	i.drain(t)
	links, clicks := int64(0), int64(0)
	for {
		page, err := i.client().List(t.Context(), 100, int(links))
		must(t, err)
		for _, link := range page.URLs {
			clicks += link.ClickCount
		}
		if links += int64(len(page.URLs)); links >= page.Total {
			return words.Count(links, "link") + " and " + words.Count(clicks, "click")
		}
	}
}

// onData runs a command for the server of a data folder.
func onData(t testing.TB, dir string, args ...string) result {
	t.Helper()
	return command(t, []string{"DATA_DIR=" + dir}, "", args...)
}

// done fails a test if a command has failed.
func done(t testing.TB, r result) result {
	t.Helper()
	if r.code != cli.ExitOK || r.err != "" {
		t.Fatalf("%+v", r)
	}
	return r
}

// filesIn lists a folder.
func filesIn(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// A backup of a running server has what it says. Restored, it takes the place of what was there,
// which is kept, and also works where there is nothing.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it counts what is in the database")
	i := start(t)
	visit := i.visitor(t)
	i.choose(t, "kept", "https://kept.example/")
	visit("kept", 3)
	before := i.totals(t)
	file := filepath.Join(t.TempDir(), "copy of terse.db")
	r := done(t, onData(t, i.dir, "backup", file))
	if !strings.HasPrefix(r.out, file+" has "+before+", in ") {
		t.Errorf("%s; the server has %s", r.out, before)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	i.choose(t, "later", "https://later.example/")
	visit("kept", 2)
	later := i.totals(t)
	r = onData(t, i.dir, "restore", file)
	if r.code != cli.ExitFailure || r.err != saysRunning(i.dir) {
		t.Errorf("%+v", r)
	}
	i.stop(t)

	journal, err := os.ReadFile(filepath.Join(i.dir, "journal", "id"))
	must(t, err)
	r = done(t, onData(t, i.dir, "restore", file))
	_, aside, _ := strings.Cut(r.out, "\nWhat was there before is in ")
	aside = strings.TrimSuffix(aside, ".\n")
	if !strings.Contains(r.out, ": "+before+", ") ||
		!strings.HasPrefix(aside, filepath.Join(i.dir, "before-restore-")) {
		t.Errorf("%q", r.out)
	}
	restored := startIn(t, i.dir)
	if got := restored.totals(t); got != before {
		t.Errorf("%s, want %s", got, before)
	}
	renewed, err := os.ReadFile(filepath.Join(i.dir, "journal", "id"))
	if err != nil || string(renewed) == string(journal) {
		t.Errorf("journal %s, %v, was %s", renewed, err, journal)
	}
	// What was moved aside can be restored, too.
	restored.stop(t)
	undo := filepath.Join(t.TempDir(), "undo.db")
	done(t, command(t, nil, "", "backup", undo, "--data-dir", aside))
	done(t, onData(t, i.dir, "restore", undo))
	if got := startIn(t, i.dir).totals(t); got != later {
		t.Errorf("after undoing the restore: %s, want %s", got, later)
	}

	empty := filepath.Join(t.TempDir(), "new")
	if r := done(t, onData(t, empty, "restore", file)); strings.Contains(r.out, "before") {
		t.Errorf("in an empty folder: %s", r.out)
	}
	if got := startIn(t, empty).totals(t); got != before {
		t.Errorf("in an empty folder: %s, want %s", got, before)
	}
}

// A backup of an earlier version is restored as it is, and brought up to date at the next start.
func TestRestoreEarlierVersion(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../internal/database/sqlite/testdata/version1.sql")
	must(t, err)
	file, dir := filepath.Join(t.TempDir(), "version1.db"), t.TempDir()
	must(t, os.WriteFile(file, nil, 0o600))
	must(t, sqlitex.ExecuteScript(openByHand(t, file), string(script), nil))
	r := done(t, onData(t, dir, "restore", file))
	if got := startIn(t, dir).totals(t); !strings.Contains(r.out, ": "+got+", ") ||
		strings.HasPrefix(got, "0 ") {
		t.Errorf("%s; restore: %s", got, r.out)
	}
}

// A restore says what it has brought, and whether that may be less than there was: a mere copy of
// the file of a running server lacks what is in its write-ahead log.
func TestRestoreSaysWhatItBrings(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it counts what is in the database")
	i := start(t)
	i.choose(t, "abc", "https://example.com/")
	file, bare := filepath.Join(t.TempDir(), "backup.db"), filepath.Join(t.TempDir(), "bare.db")
	done(t, onData(t, i.dir, "backup", file))
	content, err := os.ReadFile(filepath.Join(i.dir, "terse.db"))
	must(t, err)
	must(t, os.WriteFile(bare, content, 0o600))
	const warning = "was not made by terse backup"
	if out := done(t, onData(t, t.TempDir(), "restore", file)).out; strings.Contains(out,
		warning) || !strings.Contains(out, ": 1 link and 0 clicks, the newest link of "+
		time.Now().UTC().Format("2006-01-02")) {
		t.Error(out)
	}
	if out := done(t, onData(t, t.TempDir(), "restore", bare)).out; !strings.Contains(out,
		warning) {
		t.Error(out)
	}
}

// What root restores belongs to the owner of the data folder, whose server can use it.
func TestRestoreByRoot(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root gives files to others")
	}
	const owner = 65532
	i := start(t)
	i.choose(t, "abc", "https://example.com/")
	file := filepath.Join(t.TempDir(), "backup.db")
	done(t, onData(t, i.dir, "backup", file))
	dir := t.TempDir()
	must(t, os.Chown(dir, owner, owner))
	for range 2 { // the second has something to move aside
		done(t, onData(t, dir, "restore", file))
	}
	for _, name := range filesIn(t, dir) {
		var info unix.Stat_t
		must(t, unix.Stat(filepath.Join(dir, name), &info))
		if info.Uid != owner || info.Gid != owner {
			t.Errorf("%s belongs to %d:%d", name, info.Uid, info.Gid)
		}
	}
	if got := len(filesIn(t, dir)); got != 4 { // database, two locks, and the folder
		t.Errorf("%d files", got)
	}
}

// A database at the end of a symbolic link is backed up and restored where it is.
func TestRestoreBehindALink(t *testing.T) {
	t.Parallel()
	dir, disk := t.TempDir(), t.TempDir()
	must(t, os.Symlink(filepath.Join(disk, "links.db"), filepath.Join(dir, "there.db")))
	must(t, os.WriteFile(filepath.Join(disk, "links.db"), nil, 0o600))
	url := "DATABASE_URL=sqlite:" + filepath.Join(dir, "there.db")
	i := startIn(t, dir, url)
	i.choose(t, "kept", "https://kept.example/")
	file := filepath.Join(t.TempDir(), "backup.db")
	environ := []string{"DATA_DIR=" + dir, url}
	done(t, command(t, environ, "", "backup", file))
	i.choose(t, "later", "https://later.example/")
	i.stop(t)
	r := done(t, command(t, environ, "", "restore", file))
	if n := strings.Count(r.out, "What was there before is in "); n != 2 {
		t.Errorf("not both database and journal were moved: %s", r.out)
	}
	if target, err := os.Readlink(filepath.Join(dir, "there.db")); err != nil ||
		target != filepath.Join(disk, "links.db") {
		t.Errorf("%q, %v", target, err)
	}
	if got := startIn(t, dir, url).totals(t); got != "1 link and 0 clicks" {
		t.Error(got)
	}
}

// A backup may be printed, as it would be in a file.
func TestBackupToStandardOutput(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it counts what is in the database")
	i := start(t)
	i.choose(t, "kept", "https://kept.example/")
	r := onData(t, i.dir, "backup", "-")
	if r.code != cli.ExitOK ||
		!strings.HasPrefix(r.err, "The backup has 1 link and 0 clicks, in ") {
		t.Fatalf("code %d, %s", r.code, r.err)
	}
	file, data := filepath.Join(t.TempDir(), "copy.db"), t.TempDir()
	must(t, os.WriteFile(file, []byte(r.out), 0o600))
	done(t, onData(t, data, "restore", file))
	if r := command(t, nil, "", "export", "-", "--data-dir", data); !strings.Contains(r.out,
		`"short_code":"kept"`) {
		t.Errorf("restored %+v", r)
	}
	if _, err := os.Stat("-"); !os.IsNotExist(err) {
		t.Errorf("there is a file -: %v", err)
	}
}

// What can't be backed up or restored is refused with a reason, and nothing is changed.
func TestBackupRefuses(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.choose(t, "abc", "https://example.com/")
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	done(t, onData(t, i.dir, "backup", in("good.db")))
	whole, err := os.ReadFile(in("good.db"))
	must(t, err)
	for name, content := range map[string][]byte{
		"text.db": []byte("no database"), "half.db": whole[:len(whole)/2], "empty.db": nil,
		"used.db": whole, "used.db-wal": []byte("not yet in the database"),
	} {
		must(t, os.WriteFile(in(name), content, 0o600))
	}
	must(t, os.Symlink("good.db", in("link.db")))
	must(t, os.Mkdir(in("folder"), 0o700))
	database := filepath.Join(i.dir, "terse.db")
	stopped := t.TempDir()
	must(t, os.WriteFile(filepath.Join(stopped, "terse.db"), whole, 0o600))
	const postgres = "DATABASE_URL=postgres://db.example/terse"
	before := filesIn(t, dir)

	for _, c := range []struct {
		environ string
		args    []string
		code    int
		want    string
	}{
		{"", []string{"backup", in("good.db")}, 1, in("good.db") + " exists; --force replaces it"},
		{"", []string{"backup", in("folder")}, 1, "is a folder"},
		{"", []string{"backup", in("link.db"), "--force"}, 1, "is not a regular file"},
		{"", []string{"backup", database, "--force"}, 1, "belongs to the database itself"},
		{"", []string{"backup", database + "-wal", "--force"}, 1, "belongs to the database itself"},
		{"", []string{"backup", database + ".restored"}, 1, "belongs to the database itself"},
		{"", []string{"backup", in("none/b.db")}, 1, "no such file or directory"},
		{"", []string{"backup", "/proc/b.db"}, 1, "/proc/b.db"},
		{"", []string{"backup"}, 2, "expected \"<file>\""},
		{"DATA_DIR=" + in("none"), []string{"backup", in("b.db")}, 3, "No database at "},
		{postgres, []string{"backup", in("b.db")}, cli.ExitSettings, "pg_dump"},
		{postgres, []string{"restore", in("good.db")}, cli.ExitSettings, "pg_dump"},
		{"DATA_DIR=" + stopped, []string{"restore", in("none.db")}, 3, "No file "},
		{"DATA_DIR=" + stopped, []string{"restore", in("folder")}, 1, "is not a file"},
		{"DATA_DIR=" + stopped, []string{"restore", in("text.db")}, 1, "not an SQLite database"},
		{"DATA_DIR=" + stopped, []string{"restore", in("half.db")}, 1, "damaged or cut off"},
		{"DATA_DIR=" + stopped, []string{"restore", in("empty.db")}, 1, "it is empty"},
		{"DATA_DIR=" + stopped, []string{"restore", in("used.db")}, 1, "back that database up"},
		{
			"DATA_DIR=" + stopped,
			[]string{"restore", filepath.Join(stopped, "terse.db")},
			1, "the database itself",
		},
	} {
		r := command(t, []string{"DATA_DIR=" + i.dir, c.environ}, "", c.args...)
		if r.code != c.code || !strings.Contains(r.err, c.want) || r.out != "" {
			t.Errorf("%s %s: %+v, want %d and %q", c.environ, c.args, r, c.code, c.want)
		}
	}
	if after := filesIn(t, dir); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%s are there, before %s", after, before)
	}
	if got := fmt.Sprint(filesIn(t, stopped)); got != "[lock terse.db terse.db.lock]" {
		t.Error(got)
	}
	if b, err := os.ReadFile(in("good.db")); err != nil || string(b) != string(whole) {
		t.Errorf("the backup has changed: %v", err)
	}
	if r := command(t, []string{postgres, "BACKUP_DIR=" + dir}, "", "serve"); r.code !=
		cli.ExitSettings || !strings.Contains(r.err, "BACKUP_DIR: ") ||
		!strings.Contains(r.err, "pg_dump") {
		t.Errorf("%+v", r)
	}
}

// On a full disk neither a backup nor a restore changes what is there, and both say why.
func TestBackupOnFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	i := start(t)
	i.choose(t, "abc", "https://example.com/")
	file := filepath.Join(t.TempDir(), "good.db")
	done(t, onData(t, i.dir, "backup", file))
	must(t, os.Mkdir(filepath.Join(disk, "data"), 0o700))
	done(t, onData(t, filepath.Join(disk, "data"), "restore", file))
	fillDisk(t, filepath.Join(disk, "filler"))
	for _, r := range []result{
		onData(t, i.dir, "backup", filepath.Join(disk, "backup.db")),
		onData(t, filepath.Join(disk, "data"), "restore", file),
	} {
		if r.code != cli.ExitFailure || !strings.Contains(r.err, "full") &&
			!strings.Contains(r.err, "no space left") {
			t.Errorf("%+v", r)
		}
	}
	if got := fmt.Sprint(filesIn(t, disk), filesIn(t, filepath.Join(disk, "data"))); got !=
		"[data filler] [lock terse.db terse.db.lock]" {
		t.Error(got)
	}

	// The server goes on, and says that it can't make backups.
	old := "terse-" + time.Now().Add(-50*time.Hour).UTC().Format("20060102T150405Z") + ".db"
	must(t, os.Rename(filepath.Join(disk, "filler"), filepath.Join(disk, old)))
	server := start(t, "BACKUP_DIR="+disk)
	await(t, "a failed backup", func() bool {
		return server.metric(t, "terse_backup_failures_total") == 1
	})
	server.logLines(t, `"msg":"backup failed"`)
	ready := server.do(t, "GET /ready?verbose", "", authorized())
	if ready.StatusCode != http.StatusOK || !strings.Contains(ready.body,
		"backup: none was made for 50h") {
		t.Error(ready.Status, ready.body)
	}
	if got := fmt.Sprint(filesIn(t, disk)); got != "[data "+old+" terse-backups.lock]" {
		t.Error(got)
	}
}

// A server with BACKUP_DIR makes backups itself, at once if none is there, and shows it.
func TestBackupDir(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "backups")
	first := start(t, "BACKUP_DIR="+dir, "BACKUP_KEEP=1")
	await(t, "a backup", func() bool {
		return first.metric(t, "terse_backup_last_success_timestamp_seconds") > 0
	})
	names := filesIn(t, dir)
	if len(names) != 2 {
		t.Fatal(names)
	}
	info, err := os.Stat(filepath.Join(dir, names[0]))
	must(t, err)
	if got := first.metric(t, "terse_backup_last_size_bytes"); got != float64(info.Size()) ||
		first.metric(t, "terse_backup_last_duration_seconds") <= 0 ||
		first.metric(t, "terse_backup_failures_total") != 0 ||
		first.metric(t, "terse_backup_interval_seconds") != 24*60*60 {
		t.Errorf("%v bytes, want %d", got, info.Size())
	}
	first.logLines(t, `"msg":"backup made"`)
	if ready := first.do(t, "GET /ready?verbose", "", authorized()); strings.Contains(ready.body,
		"backup") {
		t.Error(ready.body)
	}
	// Another server would delete its backups.
	r := command(t, environFor(t.TempDir(), []string{"BACKUP_DIR=" + dir}), "", "serve")
	if want := "BACKUP_DIR " + dir + " is in use by another terse server"; r.code !=
		cli.ExitFailure || !strings.Contains(r.err, want) {
		t.Errorf("%+v, want %q", r, want)
	}
	empty := t.TempDir()
	done(t, onData(t, empty, "restore", filepath.Join(dir, names[0])))
	if got := startIn(t, empty).totals(t); got != "0 links and 0 clicks" {
		t.Error(got)
	}
	// After a restart the newest backup is known, and no other is due.
	first.stop(t)
	second := startIn(t, first.dir, "BACKUP_DIR="+dir)
	if at := second.metric(t, "terse_backup_last_success_timestamp_seconds"); at <= 0 {
		t.Error(at)
	}
	if again := filesIn(t, dir); fmt.Sprint(again) != fmt.Sprint(names) {
		t.Errorf("%s, want %s", again, names)
	}
}

// Under full load redirects do not fail because of backups, and each backup, restored, has the
// totals that it said.
func TestBackupsUnderLoad(t *testing.T) {
	backups := 10
	if testing.Short() {
		backups = 2
	}
	i := startProcess(t, t.TempDir())
	// 10 MB, so that much is written while they are copied
	var operations []api.Operation
	for range 1000 {
		operations = append(operations, api.Operation{Op: "create", Link: api.CreateRequest{
			OriginalURL: "https://example.com/" + strings.Repeat("x", 4000),
		}})
	}
	var codes []string
	for range 2 {
		results, err := i.client().Bulk(t.Context(), api.Bulk{Operations: operations})
		must(t, err)
		for _, result := range results {
			codes = append(codes, result.Link.ShortCode)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	client := plain(t, 16)
	var load sync.WaitGroup
	var visits atomic.Int64
	for v := range 16 {
		load.Go(func() {
			for n := v; ctx.Err() == nil; n++ {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
					i.url+"/"+codes[n%len(codes)], http.NoBody)
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Referer", fmt.Sprintf("https://r.example/%d", n%1000))
				resp, err := client.Do(req)
				if err != nil || resp.StatusCode != http.StatusFound {
					t.Errorf("a redirect: %v, %v", resp, err)
					return
				}
				_ = resp.Body.Close()
				visits.Add(1)
			}
		})
	}
	load.Go(func() {
		for ctx.Err() == nil {
			if _, err := i.client().Create(t.Context(), api.CreateRequest{
				OriginalURL: "https://example.com/",
			}); err != nil {
				t.Errorf("a create: %v", err)
				return
			}
		}
	})
	path := tersetest.Binary(t)
	dir := t.TempDir()
	said := map[string]string{}
	for n := range backups {
		// between them there is something to count
		for goal := visits.Load() + 1000; visits.Load() < goal && !t.Failed(); {
			time.Sleep(time.Millisecond)
		}
		file := filepath.Join(dir, fmt.Sprintf("%d.db", n))
		out, err := exec.CommandContext(t.Context(), path, "backup", "--data-dir", i.dir,
			file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		said[file] = string(out)
	}
	cancel()
	load.Wait()
	i.stop(t)
	for file, report := range said {
		data := t.TempDir()
		r := done(t, onData(t, data, "restore", file))
		restored := startIn(t, data)
		got := restored.totals(t)
		if !strings.HasPrefix(report, file+" has "+got+", in ") ||
			!strings.Contains(r.out, ": "+got+", ") {
			t.Errorf("restored: %s; backup: %srestore: %s", got, report, r.out)
		}
		restored.stop(t)
		if testing.Verbose() {
			t.Log(report)
		}
	}
}

// oldAndNew makes the data folder of a server that was killed and has clicks to count, and a backup
// from before. It returns the totals of both.
func oldAndNew(t *testing.T) (dir, file, old, restored string) {
	t.Helper()
	dir, file = t.TempDir(), filepath.Join(t.TempDir(), "backup.db")
	i := startProcess(t, dir)
	i.choose(t, "kept", "https://kept.example/")
	i.visitor(t)("kept", 2)
	restored = i.totals(t)
	done(t, onData(t, dir, "backup", file))
	i.choose(t, "later", "https://later.example/")
	i.visitor(t)("kept", 3)
	old = "2 links and 5 clicks" // of which some may be in the journal only
	i.kill()
	for _, name := range []string{"terse.db", "terse.db-wal", "journal"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, file, old, restored
}

// killAt names the variable that has TestRestoreIsKilled restore a backup in its process, until
// that is killed.
const killAt = "TERSE_TEST_KILL_AT"

// A restore that is killed leaves the old data or the new, whole, whichever of its steps was the
// last: each ends with the sync of a folder. The next start completes what was decided.
func TestRestoreIsKilled(t *testing.T) { // not parallel: Observe sees the syncs of one test
	if at, err := strconv.Atoi(os.Getenv(killAt)); err == nil {
		synced := 0
		defer durable.Observe(func(string) {
			if synced++; synced == at {
				_ = unix.Kill(os.Getpid(), unix.SIGKILL)
				select {}
			}
		})()
		done(t, command(t, os.Environ(), "", "restore", os.Getenv("TERSE_TEST_FILE")))
		return
	}
	source, file, old, restored := oldAndNew(t)
	found := map[string]int{}
	for at := 1; ; at++ {
		dir := filepath.Join(t.TempDir(), "data")
		must(t, os.CopyFS(dir, os.DirFS(source)))
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRestoreIsKilled$")
		child.Env = append(os.Environ(), killAt+"="+strconv.Itoa(at), "TERSE_TEST_FILE="+file,
			"DATA_DIR="+dir)
		out, err := child.CombinedOutput()
		if err != nil && child.ProcessState.ExitCode() != -1 {
			t.Fatalf("%v: %s", err, out)
		}
		i := startIn(t, dir)
		got := i.totals(t)
		i.stop(t)
		found[got]++
		switch {
		case got != restored && (got != old || found[restored] > 0):
			t.Errorf("killed at %d: %s; the old data are %s, the new %s", at, got, old, restored)
		case got == restored:
			aside, _ := filepath.Glob(filepath.Join(dir, "before-restore-*"))
			if len(aside) != 1 {
				t.Fatalf("killed at %d: moved to %s", at, aside)
			}
			before := startIn(t, aside[0])
			if got := before.totals(t); got != old {
				t.Errorf("killed at %d: %s were moved aside, want %s", at, got, old)
			}
			before.stop(t)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*.restored*")); len(left) > 0 {
			t.Errorf("killed at %d: %s are left", at, left)
		}
		if err == nil { // it came to its end
			break
		}
	}
	if found[restored] < 5 {
		t.Errorf("found %v", found)
	}
}

// A restore that is killed while it copies leaves the old data.
func TestRestoreIsKilledWhileCopying(t *testing.T) {
	t.Parallel()
	dir, file, old, restored := oldAndNew(t)
	path := tersetest.Binary(t)
	for range 3 {
		child := exec.CommandContext(t.Context(), path, "restore", file, "--data-dir", dir)
		must(t, child.Start())
		ended := make(chan error, 1)
		go func() { ended <- child.Wait() }()
		await(t, "the copy to begin", func() bool {
			_, err := os.Stat(filepath.Join(dir, "terse.db.restored.part"))
			return !errors.Is(err, fs.ErrNotExist) || len(ended) > 0
		})
		_ = child.Process.Kill()
		<-ended
	}
	i := startIn(t, dir)
	if got := i.totals(t); got != old && got != restored {
		t.Errorf("%s, want %s or %s", got, old, restored)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.restored*")); len(left) > 0 {
		t.Errorf("%s are left", left)
	}
}

// inShell runs a document's lines in a folder, with the programs that they name.
func inShell(t *testing.T, dir, script string, programs map[string]string) (out string) {
	t.Helper()
	bin := t.TempDir()
	for name, path := range programs {
		must(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	command := exec.CommandContext(t.Context(), "sh", "-exc", script)
	command.Dir = dir
	command.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir}
	b, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return string(b)
}

// The drill works as the document has it: the restored server lists what the running one does.
func TestBackupDrill(t *testing.T) {
	t.Parallel()
	path := tersetest.Binary(t)
	dir := t.TempDir()
	i := startProcess(t, filepath.Join(dir, "data"))
	i.choose(t, "drilled", "https://example.com/")
	i.visitor(t)("drilled", 3)
	totals := i.totals(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, port, _ := net.SplitHostPort(free.Addr().String())
	must(t, free.Close())
	script := strings.ReplaceAll(
		doctest.Blocks(t, "../../docs/backup.md", "## A drill", "sh")[0], "8081", port)
	out := inShell(t, dir, script, map[string]string{"terse": path})
	list := done(t, command(t, i.environ(), "", "list")).out
	if strings.Count(out, totals) != 2 || !strings.Contains(out, list) {
		t.Errorf("%s\nThe server has %s and lists %s", out, totals, list)
	}
	if got := fmt.Sprint(filesIn(t, dir)); got != "[data]" {
		t.Errorf("%s are left", got)
	}
}
