package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"

	"terse/internal/auth"
	"terse/internal/cli"
	"terse/internal/cli/console"
	"terse/internal/click/journal"
	"terse/internal/database/postgres"
	"terse/internal/database/sqlite"
	"terse/internal/link/blocked"
	"terse/internal/link/derive"
)

type doctorCommand struct {
	rawSettings `embed:""`

	JSON bool `name:"json" help:"Print the findings as JSON." variable:""`
}

// Help implements kong.HelpProvider.
func (*doctorCommand) Help() string {
	return "Run it with the settings of the server, as its user, where it runs: beside it, or " +
		"when it does not start. It looks at the settings, the data folder and its rights, the " +
		"blocked targets, free space, the database and its rows, the server, BASE_URL, what " +
		"stands in front of the server (proxy, certificate, clock), the authority for " +
		"certificates with the names in TLS_DOMAINS, and the OpenID provider. It changes " +
		"nothing. It fails if a check does; a warning is no failure. The settings are flags " +
		"here, too: see terse serve --help."
}

// hideSettings hides the flags of terse serve in the help of terse doctor, which has them, too.
func hideSettings(app *kong.Application) {
	for _, command := range app.Children {
		if command.Name != "doctor" {
			continue
		}
		for _, flag := range command.Flags {
			flag.Hidden = flag.Name != "json"
		}
	}
}

// The results of a check.
const (
	statusOK   = "ok"
	statusWarn = "warn"
	statusFail = "fail"
)

// finding is what a check has found, and what to do about it.
type finding struct {
	Check   string `json:"check"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Advice  string `json:"advice,omitzero"`
}

// findings is what terse doctor --json prints.
type findings struct {
	Status string    `json:"status"` // the worst of them
	Checks []finding `json:"checks"`
}

// doctor checks one set-up.
type doctor struct {
	settings settings
	found    []finding
	token    string // to ask the server with; "": none is known
	running  bool   // a server answers at the local address
	database *postgres.Inspection
	front    *front // what answers at BASE_URL; nil: nothing that could be asked
	// authority is the clock of what issues certificates; nil: it could not be asked.
	authority *clockOf
	httpPort  string // at which authorities ask; "": 80
}

func (d *doctor) ok(check, format string, args ...any) {
	d.found = append(d.found, finding{check, statusOK, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) warn(check, advice, format string, args ...any) {
	d.found = append(d.found, finding{check, statusWarn, fmt.Sprintf(format, args...), advice})
}

func (d *doctor) fail(check, advice, format string, args ...any) {
	d.found = append(d.found, finding{check, statusFail, fmt.Sprintf(format, args...), advice})
}

// Run prints a line for each check.
func (c *doctorCommand) Run(ctx context.Context, env cli.Env) error {
	d := &doctor{}
	var err error
	if d.settings, err = c.parse(); err != nil {
		for problem := range strings.SplitSeq(err.Error(), "\n") {
			d.fail("settings", "Correct it; terse serve --help lists the settings.", "%s", problem)
		}
	} else {
		d.ok("settings", "all are valid")
		d.checkTokens()
		d.checkFolder()
		d.checkBackups()
		d.checkBlocked()
		d.checkSpace()
		d.checkDatabase(ctx)
		d.checkServer(ctx)
		d.checkPorts(ctx)
		d.checkACME(ctx)
		d.checkFront(ctx)
		d.checkSignIn(ctx)
		d.checkClock()
	}
	all := findings{statusOK, d.found}
	failed := 0
	for _, f := range d.found {
		if f.Status == statusFail {
			failed++
		}
		if severity(f.Status) > severity(all.Status) {
			all.Status = f.Status
		}
	}
	if c.JSON {
		err = env.PrintJSON(all)
	} else {
		err = all.print(env)
	}
	switch {
	case err != nil:
		return err
	case failed == 1:
		return errors.New("a check failed")
	case failed > 1:
		return fmt.Errorf("%d checks failed", failed)
	}
	return nil
}

func severity(status string) int {
	return slices.Index([]string{statusOK, statusWarn, statusFail}, status)
}

func (all *findings) print(env cli.Env) error {
	colors := env.Colors()
	for _, f := range all.Checks {
		status := fmt.Sprintf("%-4s", f.Status)
		if f.Status != statusOK {
			status = colors.Bold(status)
		}
		text := fmt.Sprintf("%s  %-11s  %s\n", status, f.Check, console.Printable(f.Message))
		if f.Advice != "" {
			text += fmt.Sprintf("%19s%s\n", "", colors.Dim(console.Printable(f.Advice)))
		}
		if _, err := fmt.Fprint(env.Out, text); err != nil {
			return err
		}
	}
	return nil
}

func (d *doctor) checkTokens() {
	const check = "token"
	tokens, source := d.settings.tokens, "the settings"
	if len(tokens) == 0 {
		token, err := auth.LoadToken(d.settings.dataDir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			d.ok(check, "there is none yet; the first start makes one")
			return
		case err != nil:
			d.fail(check, "The server starts only with a token that it can read.", "%v", err)
			return
		}
		tokens, source = []string{token}, "the data folder"
	}
	if _, err := auth.NewTokens(tokens); err != nil {
		d.fail(check, "Correct AUTH_TOKENS.", "%v", err)
		return
	}
	d.token = tokens[0]
	short := 0
	for i, token := range tokens {
		if quoted(token) {
			d.warn(check, "If that is not meant: take the marks away. In files for Docker "+
				"they are a part of the value.", "access token %d of %d begins or ends with "+
				"a quotation mark, which belongs to it", i+1, len(tokens))
		}
		if len(token) < auth.ShortToken {
			short++
			d.warn(check, "Set a longer one, such as what openssl rand -hex 16 prints.",
				"access token %d of %d has fewer than %d characters, and may be guessed", i+1,
				len(tokens), auth.ShortToken)
		}
	}
	if short == 0 {
		d.ok(check, "%d of %s, long enough", len(tokens), source)
	}
}

// maxFolderEntries bounds how many files of a folder are checked. A journal has few.
const maxFolderEntries = 1000

func (d *doctor) checkFolder() {
	const check = "folder"
	dir := d.settings.dataDir
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if parent := existing(dir); unix.Access(parent, unix.W_OK|unix.X_OK) != nil {
			d.fail(check, "Make it, and give it to the user of the server.",
				"%s does not exist, and %s can't make it in %s", dir, whoami(), parent)
			return
		}
		d.ok(check, "%s does not exist yet; the first start makes it", dir)
		return
	case err != nil:
		d.fail(check, "The user of the server needs to reach it.", "%v", err)
		return
	case !info.IsDir():
		d.fail(check, "Set DATA_DIR to a folder.", "%s is not a folder", dir)
		return
	}
	advice := fmt.Sprintf("Run terse doctor as the user of the server. If that is %s: "+
		"chown -R %[1]s %s", whoami(), dir)
	if unix.Access(dir, unix.R_OK|unix.W_OK|unix.X_OK) != nil {
		d.fail(check, advice, "%s can't write to %s (mode %04o, owner %s)", whoami(), dir,
			info.Mode().Perm(), ownerOf(info))
		return
	}
	for _, path := range d.files() {
		file, err := os.Lstat(path)
		if err != nil {
			continue // it was deleted meanwhile
		}
		need := uint32(unix.R_OK | unix.W_OK)
		if file.IsDir() {
			need |= unix.X_OK
		}
		switch {
		case unix.Access(path, need) != nil:
			d.fail(check, advice, "%s can't write %s (mode %04o, owner %s)", whoami(), path,
				file.Mode().Perm(), ownerOf(file))
			return
		case os.Geteuid() == 0 && ownerOf(file) != ownerOf(info):
			d.warn(check, fmt.Sprintf("If the server runs as %s: chown -R %[1]s %s", ownerOf(info),
				dir), "%s belongs to %s, and the folder to %s", path, ownerOf(file), ownerOf(info))
			return
		}
	}
	if info.Mode().Perm()&0o077 != 0 {
		d.warn(check, "chmod 700 "+dir, "other users can look into %s (mode %04o)", dir,
			info.Mode().Perm())
		return
	}
	d.ok(check, "%s can be written by %s", dir, whoami())
}

// checkBackups looks at the folder for backups, which the server makes if it is missing.
func (d *doctor) checkBackups() {
	const check = "backups"
	switch dir := d.settings.backupDir; {
	case dir == "":
	case unix.Access(existing(dir), unix.W_OK|unix.X_OK) != nil:
		d.fail(check, "Make the folder, and give it to the user of the server.",
			"%s can't write to BACKUP_DIR %s", whoami(), dir)
	default:
		d.ok(check, "%s can be written by %s", dir, whoami())
	}
}

// checkBlocked reads the file of blocked targets as the start does.
func (d *doctor) checkBlocked() {
	const check = "blocked"
	path := d.settings.blockedTargets
	if path == "" {
		return
	}
	s, err := blocked.Check(path)
	switch {
	case err != nil:
		d.fail(check, "Without a file that it can read, the server does not start.",
			"BLOCKED_TARGETS: %v", err)
	case s.SkippedLines > 0:
		d.warn(check, "Each line must be a host, =host, an address, a CIDR block or a line of a "+
			"hosts file.", "the server skips %s of %s, first line %s",
			counted(int64(s.SkippedLines), "line"), path, s.FirstSkipped)
	default:
		d.ok(check, "%s and %s in %s", counted(int64(s.Hosts), "host"),
			counted(int64(s.AddressBlocks), "address block"), path)
	}
}

// files returns the paths of what the server writes, apart from its folder.
func (d *doctor) files() (paths []string) {
	if path := d.settings.databasePath; path != "" {
		for _, name := range []string{path, path + "-wal", path + "-shm", path + ".lock"} {
			if filepath.Dir(name) != filepath.Clean(d.settings.dataDir) {
				paths = append(paths, name)
			}
		}
	}
	for _, dir := range []string{
		d.settings.dataDir, journalIn(d.settings.dataDir),
		string(certificatesIn(d.settings.dataDir)),
	} {
		f, err := os.Open(dir)
		if err != nil {
			continue // there is no journal yet
		}
		names, _ := f.Readdirnames(maxFolderEntries)
		_ = f.Close()
		for _, name := range names {
			if name != "lost+found" { // of the file system
				paths = append(paths, filepath.Join(dir, name))
			}
		}
	}
	return paths
}

// existing returns the closest folder above a path that exists.
func existing(path string) string {
	path, err := filepath.Abs(path)
	for err == nil && path != "/" {
		if _, err := os.Stat(path); err == nil {
			break
		}
		path = filepath.Dir(path)
	}
	return path
}

func whoami() string { return userName(os.Geteuid()) }

func ownerOf(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return userName(int(stat.Uid))
	}
	return "unknown"
}

// userName returns a user's name, or the ID: an image may have no list of names.
func userName(uid int) string {
	id := strconv.Itoa(uid)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}

// Free space. The journal takes 16 MiB at a time, and keeps one such file beside the one in use.
const (
	leastSpace = 32 << 20
	fewSpace   = 1 << 30
	leastFiles = 16
)

func (d *doctor) checkSpace() {
	const check = "space"
	dirs := []string{existing(d.settings.dataDir)}
	if path := d.settings.databasePath; path != "" {
		dirs = append(dirs, existing(filepath.Dir(path)))
	}
	if dir := d.settings.backupDir; dir != "" {
		dirs = append(dirs, existing(dir))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		var disk unix.Statfs_t
		if err := unix.Statfs(dir, &disk); err != nil {
			d.fail(check, "The user of the server needs to reach it.", "%s: %v", dir, err)
			continue
		}
		free := disk.Bavail * uint64(disk.Bsize)
		const advice = "Make room: without it, clicks are lost and links can't be created."
		switch {
		case free < leastSpace:
			d.fail(check, advice, "the disk of %s is full: %s are free", dir, humanize.IBytes(free))
		case disk.Files > 0 && disk.Ffree < leastFiles:
			d.fail(check, advice, "the disk of %s can't have more files: %d inodes are free", dir,
				disk.Ffree)
		case free < fewSpace:
			d.warn(check, advice, "%s are free on the disk of %s", humanize.IBytes(free), dir)
		default:
			d.ok(check, "%s are free on the disk of %s", humanize.IBytes(free), dir)
		}
	}
}

func (d *doctor) checkDatabase(ctx context.Context) {
	const check = "database"
	if d.settings.postgresURL != "" {
		found, err := postgres.Inspect(ctx, d.settings.postgresURL, d.settings.dbTimeout)
		if err != nil {
			d.fail(check, "Check DATABASE_URL, and whether the database runs and can be reached "+
				"from here.", "PostgreSQL: %v", err)
			return
		}
		d.database = &found
		switch {
		case found.ReadOnly:
			d.fail(check, "Set DATABASE_URL to the primary server, or to all with "+
				"target_session_attrs=read-write.", "PostgreSQL takes no writes")
		case found.Version < found.Known && !found.MayCreate:
			d.fail(check, "Let it own the database, or GRANT CREATE ON SCHEMA public to it.",
				"PostgreSQL: the user of DATABASE_URL may not create tables")
		default:
			if d.checkSchema("PostgreSQL", found.Version, found.Known) {
				d.checkRows(func(o derive.Options) (*derive.Found, error) {
					return postgres.Compare(ctx, d.settings.postgresURL, o)
				})
			}
		}
		d.checkJournal(found.Name)
		return
	}
	path := d.settings.databasePath
	version, known, err := sqlite.SchemaOf(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.ok(check, "%s does not exist yet; the first start makes it", path)
	case err != nil:
		d.fail(check, "The server can't use it. See the check of the folder; otherwise restore a "+
			"backup.", "%v", err)
	default:
		if d.checkSchema(path, version, known) {
			d.checkRows(func(o derive.Options) (*derive.Found, error) {
				return sqlite.Compare(ctx, path, o)
			})
		}
	}
	if name, err := nameSQLite(d.settings.dataDir, path); err == nil { // or there is no folder yet
		d.checkJournal(name)
	}
}

// checkJournal checks whether the clicks in the journal belong to another database.
func (d *doctor) checkJournal(database string) {
	const check = "database"
	err := journal.CheckDatabase(journalIn(d.settings.dataDir), database)
	switch {
	case errors.Is(err, journal.ErrOtherDatabase):
		d.fail(check, adviceOther(d.settings.dataDir), "%s: %v", journalIn(d.settings.dataDir), err)
	case err != nil:
		d.fail(check, "See the check of the folder.", "the click journal can't be read: %v", err)
	}
}

// checkSchema reports whether the database has the schema of this program.
func (d *doctor) checkSchema(name string, version, known int) bool {
	const check = "database"
	switch {
	case version == 0:
		d.ok(check, "%s is empty; the first start makes the tables", name)
	case version < known:
		d.warn(check, "Make a backup; the next start of this version brings it up to date.",
			"%s has an old schema: version %d, and this program knows %d", name, version, known)
	case version > known:
		d.fail(check, "Install that version of terse, or a later one.",
			"%s was written by a later version: its schema has version %d, and this program "+
				"knows %d", name, version, known)
	default:
		d.ok(check, "%s can be read, with version %d of the schema", name, version)
		return true
	}
	return false
}

// namedRows is how many rows of a kind are named. One is enough to see what has happened.
const namedRows = 3

// checkRows looks whether the rows beside links are those that follow from them.
func (d *doctor) checkRows(compare func(derive.Options) (*derive.Found, error)) {
	const check = "links"
	found, err := compare(derive.Options{Most: namedRows})
	if err != nil {
		d.fail(check, "See the log of the database.", "they can't be checked: %v", err)
		return
	}
	for _, kind := range found.Kinds {
		text := strings.Join(kind.Lines, "; ")
		if kind.More > 0 {
			text += fmt.Sprintf("; and %s more", humanize.Comma(kind.More))
		}
		d.fail(check, "Was the database edited by hand? If not, please report it. To rebuild "+
			"these rows, run terse export, and terse import into a new database.",
			"%s differ: %s", kind.Name, text)
	}
	if len(found.Kinds) == 0 {
		d.ok(check, "%s, with all that lists, totals and look-ups read of them",
			counted(found.Links, "link"))
	}
}

func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return humanize.Comma(n) + " " + what
}

// checkServer asks the server on this machine.
func (d *doctor) checkServer(ctx context.Context) {
	const check = "server"
	host, port, _ := net.SplitHostPort(d.settings.listen)
	if port == "0" {
		d.warn(check, "Set SERVER_PORT.", "it takes any free port, so it can't be asked")
		return
	}
	address := "http://" + net.JoinHostPort(reachable(host), port)
	a, err := d.askLocal(ctx, &address)
	switch {
	case errors.Is(err, errNotTerse):
		d.fail(check, "Stop it, or set SERVER_PORT to another port.",
			"another program answers at %s", address)
		return
	case err != nil:
		d.warn(check, "Start it, and run terse doctor again: some checks need it.",
			"no server answers at %s (%v)", address, err)
		return
	}
	d.running = true
	if a.Error != "" || a.Status.Status != "ready" {
		d.fail(check, "See its log.", "the server at %s is not ready: %s", address,
			cmp.Or(a.Error, a.Status.Status))
	}
	for _, warning := range a.Warnings {
		d.warn(check, "See its log.", "the server at %s: %s", address, warning)
	}
	switch {
	case a.withheld:
		d.warn(check, "Run terse doctor where the server runs, with LISTEN_HOST as an address.",
			"a terse server answers at %s. The access token was not sent to it, because others "+
				"could read it on the way", address)
	case a.uncertified:
		d.warn(check, "See the check of tls.", "the server at %s is ready; it has no "+
			"certificate yet, so it can't be asked for warnings", address)
	case a.ClientAddress == "":
		d.fail(check, "Run terse doctor with the settings and the data folder of the server.",
			"the server at %s does not accept the access token", address)
	case a.Status.Status == "ready" && len(a.Warnings) == 0:
		d.ok(check, "the server at %s is ready", address)
	}
}

// askLocal asks the server on this machine. With TLS it takes tokens only over https, whose address
// it then puts into address.
func (d *doctor) askLocal(ctx context.Context, address *string) (*front, error) {
	secure, listens, ok := d.secureAddress()
	if !ok {
		return ask(ctx, *address, d.token)
	}
	a, err := askOnce(ctx, *address, "", "")
	if err != nil {
		return nil, err
	}
	if known, err := askOnce(ctx, secure, d.token, listens); err == nil {
		*address += ", https on " + listens
		return known, nil
	}
	a.uncertified = true
	return a, nil
}

// clockTolerance is more than a network's delay and the whole seconds of a Date explain.
const clockTolerance = 10 * time.Second

// checkClock compares the clock with those of the database and of the proxy.
func (d *doctor) checkClock() {
	const check = "clock"
	compare := func(whose string, ahead time.Duration) {
		off, way := ahead.Abs().Round(time.Second), "ahead of"
		if ahead > 0 {
			way = "behind"
		}
		if off <= clockTolerance {
			d.ok(check, "it agrees with %s", whose)
			return
		}
		d.fail(check, "Have both machines set their clocks by NTP.", "it is %s %s %s", off, way,
			whose)
	}
	if d.database != nil {
		compare("PostgreSQL's", d.database.Ahead)
	}
	if d.front != nil && !d.front.direct && !d.front.date.IsZero() {
		compare("that of what answers at BASE_URL", d.front.ahead)
	} else if d.database == nil && d.authority == nil {
		d.ok(check, "there is nothing to compare it with: no PostgreSQL, and no proxy")
	}
	if d.authority != nil {
		compare("that of the authority at "+d.authority.host, d.authority.ahead)
	}
}
