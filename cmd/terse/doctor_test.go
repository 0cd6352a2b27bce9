package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/cli"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/tersetest"
)

// setUp is what terse doctor is asked about: a data folder, variables, and a server, if one runs.
type setUp struct {
	dir string
	env []string
	uid uint32 // of the doctor; 0: this process's
}

// newSetUp returns a good set-up without a server. The last of several values of a variable counts.
func newSetUp(t *testing.T, env ...string) *setUp {
	t.Helper()
	dir := t.TempDir()
	// Go makes the folders above for one user.
	for _, above := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(above, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := &setUp{dir: filepath.Join(dir, "data")}
	_, port, _ := net.SplitHostPort(freeAddress(t))
	s.env = append([]string{"SERVER_PORT=" + port}, env...)
	return s
}

// start starts the server of the set-up.
func (s *setUp) start(t *testing.T, env ...string) *instance {
	t.Helper()
	return startProcess(t, s.dir, append(slices.Clone(s.env), env...)...)
}

// diagnose runs terse doctor, and returns what it says of each check: its status, its message and
// its advice. It must fail if a check does.
func (s *setUp) diagnose(t *testing.T, env ...string) map[string]string {
	t.Helper()
	program := tersetest.Binary(t)
	cmd := exec.Command(program, "doctor", "--json")
	cmd.Env = environFor(s.dir, append(slices.Clone(s.env), env...))
	if s.uid != 0 {
		if err := os.Chmod(filepath.Dir(program), 0o755); err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{
			Uid: s.uid, Gid: s.uid,
		}}
		cmd.Dir = "/"
	}
	out, err := cmd.Output()
	var answer findings
	if wrong := json.Unmarshal(out, &answer); wrong != nil || len(answer.Checks) == 0 {
		t.Fatalf("%v: %s (%v)", wrong, out, err)
	}
	said := map[string]string{}
	worst := statusOK
	for _, f := range answer.Checks {
		said[f.Check] += fmt.Sprintf("%s: %s\n%s\n", f.Status, f.Message, f.Advice)
		if severity(f.Status) > severity(worst) {
			worst = f.Status
		}
		if f.Status == statusOK != (f.Advice == "") {
			t.Errorf("advice for %+v", f)
		}
	}
	code := cli.ExitOK
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if (worst == statusFail) != (code == cli.ExitFailure) || worst != answer.Status {
		t.Errorf("exit code %d, status %s: %s", code, answer.Status, out)
	}
	return said
}

// want checks that a check says these texts, the first at its beginning.
func want(t *testing.T, said map[string]string, check string, texts ...string) {
	t.Helper()
	for i, text := range texts {
		if at := strings.Index(said[check], text); at < 0 || i == 0 && at > 0 {
			t.Errorf("%s lacks %q:\n%s", check, text, said[check])
		}
	}
}

// wantWell checks that nothing is wrong but in some checks.
func wantWell(t *testing.T, said map[string]string, but ...string) {
	t.Helper()
	for check, text := range said {
		if !strings.HasPrefix(text, "ok: ") && !slices.Contains(but, check) {
			t.Errorf("%s: %s", check, text)
		}
	}
}

// TestDoctorChangesNothing also is about set-ups in which nothing is wrong.
func TestDoctorChangesNothing(t *testing.T) {
	t.Parallel()
	s := newSetUp(t)
	said := s.diagnose(t)
	wantWell(t, said, "server", "address")
	want(t, said, "folder", "ok: ", "does not exist yet")
	want(t, said, "server", "warn: no server answers at http://127.0.0.1:", "connection refused")
	if _, err := os.Stat(s.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the doctor made the folder: %v", err)
	}
	i := s.start(t, "AUTH_TOKENS")
	base := "BASE_URL=" + i.url
	said = s.diagnose(t, base, "AUTH_TOKENS")
	wantWell(t, said)
	want(t, said, "server", "ok: the server at "+i.url+" is ready")
	want(t, said, "proxy", "ok: there is none")
	want(t, said, "clock", "ok: there is nothing to compare it with")
	want(t, said, "token", "ok: 1 of the data folder")
	if code := i.stop(t); code != cli.ExitOK {
		t.Fatalf("the server ended with %d beside the doctor", code)
	}

	before := tree(t, s.dir)
	said = s.diagnose(t, base, "AUTH_TOKENS")
	wantWell(t, said, "server", "address")
	want(t, said, "database", "ok: ",
		fmt.Sprintf("with version %d of the schema", schemas(t, "sqlite")))
	want(t, said, "links", "ok: 0 links, with all that lists, totals and look-ups read of them")
	want(t, said, "address", "warn: BASE_URL ", "could not be asked")
	if after := tree(t, s.dir); !maps.Equal(before, after) {
		t.Errorf("the folder was\n%v\nand is\n%v", before, after)
	}
}

// Rows that differ from what follows from the links are named, beside a server and without one.
func TestDoctorRows(t *testing.T) {
	t.Parallel()
	for _, database := range []string{"SQLite", "PostgreSQL"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			s := newSetUp(t)
			byHand := func(i *instance, sql string) { i.script(t, sql) }
			if database == "PostgreSQL" {
				url := pgtest.URL(t)
				s.env = append(s.env, "DATABASE_URL="+url)
				byHand = func(_ *instance, sql string) { pgtest.Exec(t, url, sql) }
			}
			i := s.start(t)
			for range 5 {
				i.do(t, "POST /api/urls", `{"original_url":"https://example.com/","tags":["News"]}`,
					authorized())
			}
			said := s.diagnose(t)
			wantWell(t, said, "address")
			want(t, said, "links", "ok: 5 links, with all that lists, totals and look-ups read")
			byHand(i, "UPDATE tags SET links = 7")
			want(t, s.diagnose(t), "links", "fail: tags differ: the tag news of "+
				"authenticated-user counts 7 links, 5 have it\n",
				"terse export, and terse import into a new database")
			byHand(i, "UPDATE tags SET links = 5")
			byHand(i, "DELETE FROM link_sets")
			i.stop(t)
			want(t, s.diagnose(t), "links", "fail: sets differ: link ", " has the tag news of "+
				"authenticated-user, whose set lacks it; link ", "; and 2 more")
		})
	}
}

// tree returns the files of a folder, with their modes, times and contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := fmt.Sprint(info.Mode(), info.ModTime())
		if !entry.IsDir() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += string(content)
		}
		files[path] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestDoctorSettings(t *testing.T) {
	t.Parallel()
	s := newSetUp(t)
	said := s.diagnose(t, "DB_TIMEOUT=soon", "TRACKING=some", "DATABASE_URL=mysql://secret@host/x")
	want(t, said, "settings", `fail: DB_TIMEOUT is "soon"`, `TRACKING is "some"`, `scheme "mysql"`)
	if strings.Contains(fmt.Sprint(said), "secret") {
		t.Errorf("it tells a secret: %s", said)
	}
	said = s.diagnose(t, "AUTH_TOKENS=short,"+testToken+",small")
	want(t, said, "token", "warn: access token 1 of 3 has fewer than 16 characters",
		"token 3 of 3", "openssl rand")
	said = s.diagnose(t, "AUTH_TOKENS=with blank in it")
	want(t, said, "token", "fail: access token 1 of 1 is not made of visible")

	var out, told output
	environ := environFor(s.dir, append(slices.Clone(s.env), "TRACKING=some"))
	code := run(t.Context(), []string{"doctor"}, environ, nil, &out, &told)
	wantOut := "fail  settings     TRACKING is \"some\"; it must be full, anonymous or off\n" +
		"                   Correct it; terse serve --help lists the settings.\n"
	if code != cli.ExitFailure || out.String() != wantOut ||
		told.String() != "terse: a check failed\n" {
		t.Errorf("%d: %s%s", code, &out, &told)
	}
}

func TestDoctorBlockedTargets(t *testing.T) {
	t.Parallel()
	s := newSetUp(t)
	path := filepath.Join(t.TempDir(), "blocked")
	set := "BLOCKED_TARGETS=" + path
	if said := s.diagnose(t); said["blocked"] != "" {
		t.Errorf("without the setting: %s", said["blocked"])
	}
	want(t, s.diagnose(t, set), "blocked", "fail: BLOCKED_TARGETS: ", "no such file")
	writeBlocked(t, path, "evil.example", "other.example", "192.0.2.0/24")
	want(t, s.diagnose(t, set), "blocked", "ok: 2 hosts and 1 address block in "+path)
	writeBlocked(t, path, "evil.example", "||ads.example^", "http://url.example/")
	want(t, s.diagnose(t, set), "blocked", "warn: the server skips 2 lines of "+path,
		`first line 2: "||ads.example^"`)
	writeBlocked(t, path, "evil.example", "\xff.example")
	want(t, s.diagnose(t, set), "blocked", "fail: ", path+": it is not UTF-8")
	folder := t.TempDir()
	want(t, s.diagnose(t, "BLOCKED_TARGETS="+folder), "blocked", "fail: ",
		folder+" is no regular file")
}

func TestDoctorWrongRights(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: wrong rights are not tested; only root may be another user")
	}
	const nobody = 65534
	s := newSetUp(t)
	s.start(t).stop(t)
	s.uid = nobody
	said := s.diagnose(t)
	want(t, said, "folder", "fail: nobody can't write to "+s.dir+" (mode 0700, owner root)",
		"chown -R nobody "+s.dir)

	// Somebody once started the server as root.
	for _, path := range []string{s.dir, filepath.Join(s.dir, "journal")} {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	said = s.diagnose(t)
	want(t, said, "folder", "fail: nobody can't write "+s.dir, "owner root)")
	s.uid = 0
	said = s.diagnose(t)
	want(t, said, "folder", "warn: "+s.dir, "belongs to root, and the folder to nobody",
		"chown -R nobody")

	for path := range tree(t, s.dir) {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	s.uid = nobody
	wantWell(t, s.diagnose(t), "server", "address")
	if err := os.Chmod(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	want(t, s.diagnose(t), "folder", "warn: other users can look into "+s.dir+" (mode 0755)")

	backups := filepath.Join(filepath.Dir(s.dir), "backups")
	said = s.diagnose(t, "BACKUP_DIR="+backups)
	want(t, said, "backups", "fail: nobody can't write to BACKUP_DIR "+backups, "Make the folder")
	s.dir = filepath.Join(filepath.Dir(s.dir), "other")
	want(t, s.diagnose(t), "folder", "fail: "+s.dir+" does not exist, and nobody can't make it")
}

func TestDoctorFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	s := newSetUp(t)
	s.dir = filepath.Join(disk, "data")
	s.start(t).stop(t)
	fillDisk(t, filepath.Join(disk, "filler"))
	said := s.diagnose(t)
	wantWell(t, said, "space", "server", "address")
	want(t, said, "space", "fail: the disk of "+s.dir+" is full: 0 B are free", "Make room")
}

func TestDoctorProxy(t *testing.T) {
	t.Parallel()
	location := nginxLocation.FindString(deployFile(t, "nginx/terse.conf"))
	const silent = "location / { proxy_pass http://terse; }\n"
	for trusted, c := range map[string]struct{ location, want string }{
		"":           {location, "fail: the proxy at 127.0.0.1 (nginx/"},
		"10.0.0.0/8": {location, "fail: the proxy at 127.0.0.1 (nginx/"},
		"127.0.0.1":  {location, "ok: the proxy (nginx/"},
		"127.0.0.2":  {silent, "fail: the proxy (nginx/"},
	} {
		t.Run(trusted, func(t *testing.T) {
			t.Parallel()
			s := newSetUp(t, "TRUSTED_PROXIES="+trusted)
			base := "BASE_URL=" + startNginx(t, s.start(t), c.location)[0].url
			said := s.diagnose(t, base)
			wantWell(t, said, "proxy")
			want(t, said, "proxy", c.want)
			want(t, said, "address", "ok: ")
			want(t, said, "clock", "ok: it agrees with that of what answers at BASE_URL")
			switch {
			case c.location == silent:
				want(t, said, "proxy", "fail: ", "sends no X-Forwarded-For: visitors are seen as "+
					"127.0.0.1", "Have it set X-Forwarded-For")
			case strings.HasPrefix(c.want, "fail"):
				want(t, said, "proxy", "fail: ", "is not trusted: its X-Forwarded-For (127.0.0.1)",
					"Set TRUSTED_PROXIES=127.0.0.1")
			}
		})
	}
}

// A proxy that passes on what clients say, and one that does not stand where it is trusted.
func TestDoctorForgery(t *testing.T) {
	t.Parallel()
	s := newSetUp(t, "TRUSTED_PROXIES=127.0.0.1")
	i := s.start(t)
	const silent = "location / { proxy_pass http://terse; }\n"
	const adds = `location / {
		proxy_pass http://terse;
		proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
	}
`
	for base, wanted := range map[string]string{
		startNginx(t, i, silent)[0].url: "fail: the server believes the X-Forwarded-For that a ",
		i.url:                           "fail: the server believes the X-Forwarded-For that a ",
		startNginx(t, i, adds)[0].url:   "ok: the proxy (nginx/",
	} {
		said := s.diagnose(t, "BASE_URL="+base)
		wantWell(t, said, "proxy")
		want(t, said, "proxy", wanted)
	}
}

func TestDoctorWrongAddress(t *testing.T) {
	t.Parallel()
	s := newSetUp(t)
	i := s.start(t)
	var told atomic.Bool
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			told.Store(true)
		}
		switch {
		case strings.HasPrefix(r.URL.Path, "/moved"):
			http.Redirect(w, r, "https://"+r.Host+r.URL.Path+"?verbose",
				http.StatusMovedPermanently)
		case strings.HasPrefix(r.URL.Path, "/away"):
			http.Redirect(w, r, "https://example.com/", http.StatusFound)
		default:
			_, _ = w.Write([]byte(`{"status":"fine"}`))
		}
	}))
	t.Cleanup(other.Close)
	stranger := newSetUp(t).start(t, "AUTH_TOKENS=another-token-long-enough")
	for base, texts := range map[string][]string{
		other.URL: {"fail: BASE_URL " + other.URL, "does not answer like a terse server (200 OK)"},
		other.URL + "/moved": {
			"warn: BASE_URL " + other.URL, "it redirects to https://",
			"Set BASE_URL=https://" + strings.TrimPrefix(other.URL, "http://") + "/moved",
		},
		other.URL + "/away":           {"fail: ", "it redirects to https://example.com/"},
		"http://terse.invalid":        {"fail: BASE_URL http://terse.invalid: ", "lookup"},
		"http://" + freeAddress(t):    {"fail: ", "connection refused", "Set BASE_URL"},
		stranger.url:                  {"fail: ", "that does not accept the access token"},
		strings.ToLower(i.url) + "/x": {"fail: ", "does not answer like a terse server (404"},
	} {
		said := s.diagnose(t, "BASE_URL="+base)
		wantWell(t, said, "address")
		want(t, said, "address", texts...)
	}
	if told.Load() {
		t.Error("another program was told the access token")
	}
	want(t, s.diagnose(t, "AUTH_TOKENS=another-token-long-enough"), "server",
		"fail: the server at "+i.url+" does not accept the access token")
	i.stop(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(other.URL, "http://"))
	want(t, s.diagnose(t, "SERVER_PORT="+port), "server", "fail: another program answers at ")
}

// anHourOff passes requests on to a server, and answers with another Date.
func anHourOff(t *testing.T, i *instance) *httptest.Server {
	t.Helper()
	to, err := url.Parse(i.url)
	if err != nil {
		t.Fatal(err)
	}
	return httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.SetXForwarded()
		},
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			return nil
		},
	})
}

func TestDoctorClock(t *testing.T) {
	t.Parallel()
	t.Run("proxy", func(t *testing.T) {
		t.Parallel()
		s := newSetUp(t, "TRUSTED_PROXIES=127.0.0.1")
		proxy := anHourOff(t, s.start(t))
		t.Cleanup(proxy.Close)
		said := s.diagnose(t, "BASE_URL="+proxy.URL)
		wantWell(t, said, "clock")
		want(t, said, "clock", "fail: it is ", "behind that of what answers at BASE_URL", "NTP")
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		for ahead, text := range map[time.Duration]string{
			time.Hour: " behind PostgreSQL's", -time.Hour: " ahead of PostgreSQL's",
		} {
			database := pgtest.StartAhead(t, ahead).URL("postgres")
			said := newSetUp(t, "DATABASE_URL="+database).diagnose(t)
			wantWell(t, said, "clock", "server", "address")
			want(t, said, "database", "ok: PostgreSQL is empty")
			want(t, said, "clock", "fail: it is ", text)
		}
	})
}

func TestDoctorDatabaseAway(t *testing.T) {
	t.Parallel()
	s := newSetUp(t, "DATABASE_URL=postgres://u:secret@"+freeAddress(t)+"/x", "DB_TIMEOUT=2s")
	said := s.diagnose(t)
	wantWell(t, said, "database", "server", "address")
	want(t, said, "database", "fail: PostgreSQL: ", "connection refused", "Check DATABASE_URL")
	if strings.Contains(said["database"], "secret") {
		t.Errorf("it tells a secret: %s", said["database"])
	}

	server := pgtest.Start(t)
	s = newSetUp(t, "DATABASE_URL="+server.URL("postgres"))
	i := s.start(t)
	said = s.diagnose(t, "BASE_URL="+i.url)
	wantWell(t, said)
	want(t, said, "clock", "ok: it agrees with PostgreSQL's")
	if err := server.Shutdown(); err != nil {
		t.Fatal(err)
	}
	said = s.diagnose(t, "BASE_URL="+i.url)
	wantWell(t, said, "database", "server")
	want(t, said, "database", "fail: PostgreSQL: ")
	want(t, said, "server", "fail: the server at "+i.url+" is not ready: ")

	file := newSetUp(t)
	if err := os.Mkdir(file.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	err := os.WriteFile(filepath.Join(file.dir, "terse.db"), []byte("not a database"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	want(t, file.diagnose(t), "database", "fail: ", "it is not an SQLite database", "restore")
}

// schemas returns the number of versions of a store's schema.
func schemas(t *testing.T, store string) int {
	t.Helper()
	scripts, err := filepath.Glob("../../internal/database/" + store + "/schema/0*.sql")
	must(t, err)
	return len(scripts)
}

func TestDoctorOldSchema(t *testing.T) {
	t.Parallel()
	const old = "has an old schema: version 1, and this program knows "
	s := newSetUp(t)
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	execSQLite(t, s.dir, version1(t, "sqlite"))
	before := tree(t, s.dir)
	said := s.diagnose(t)
	wantWell(t, said, "database", "server", "address")
	want(t, said, "database", "warn: "+filepath.Join(s.dir, "terse.db")+" "+old+
		strconv.Itoa(schemas(t, "sqlite")), "Make a backup")
	if after := tree(t, s.dir); !maps.Equal(before, after) {
		t.Errorf("the folder was\n%v\nand is\n%v", before, after)
	}
	execSQLite(t, s.dir, "PRAGMA user_version = 99")
	want(t, s.diagnose(t), "database", "fail: ", "was written by a later version")
	execSQLite(t, s.dir, fmt.Sprintf("PRAGMA application_id = %d", 0x74657273))
	want(t, s.diagnose(t), "database", "fail: ", "made by a version before the first release")

	database := pgtest.URL(t)
	pgtest.Exec(t, database, version1(t, "postgres"))
	p := newSetUp(t, "DATABASE_URL="+database)
	want(t, p.diagnose(t), "database", "warn: PostgreSQL "+old+
		strconv.Itoa(schemas(t, "postgres")))
	pgtest.Exec(t, database, "INSERT INTO terse_migrations VALUES (99, 0)")
	want(t, p.diagnose(t), "database", "fail: PostgreSQL was written by a later version")

	// Since PostgreSQL 15 only its owner may create tables in a database.
	empty := pgtest.URL(t)
	pgtest.Exec(t, empty, "DROP ROLE IF EXISTS doctor_guest")
	pgtest.Exec(t, empty, "CREATE ROLE doctor_guest LOGIN")
	pgtest.Exec(t, empty, "REVOKE CREATE ON SCHEMA public FROM public")
	t.Cleanup(func() { pgtest.Exec(t, empty, "DROP ROLE doctor_guest") })
	guest := newSetUp(t, "DATABASE_URL="+strings.Replace(empty, "postgres@", "doctor_guest@", 1))
	want(t, guest.diagnose(t), "database", "fail: ", "may not create tables", "GRANT CREATE")
}

// version1 is a database of version 1 of the schema, as the tests of a store migrate it.
func version1(t *testing.T, store string) string {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("../../internal/database", store,
		"testdata/version1.sql"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// execSQLite runs a script on the database of a folder.
func execSQLite(t *testing.T, dir, script string) {
	t.Helper()
	conn, err := sqlite.OpenConn(filepath.Join(dir, "terse.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(sqlitex.ExecuteScript(conn, script, nil), conn.Close()); err != nil {
		t.Fatal(err)
	}
}

// authority issues certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // with its own certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key, file: filepath.Join(t.TempDir(), "roots.pem")}
	a.cert = &x509.Certificate{
		SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
	}
	der := a.sign(t, a.cert)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(a.file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *authority) sign(t *testing.T, cert *x509.Certificate) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, cert, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// issue returns a certificate for a name, with a lifetime of 90 days.
func (a *authority) issue(t *testing.T, name string, left time.Duration) tls.Certificate {
	t.Helper()
	until := time.Now().Add(left)
	return tls.Certificate{
		PrivateKey: a.key, Certificate: [][]byte{a.sign(t, &x509.Certificate{
			SerialNumber: big.NewInt(2), DNSNames: []string{name},
			NotBefore: until.AddDate(0, 0, -90), NotAfter: until,
		})},
	}
}

func TestDoctorCertificate(t *testing.T) {
	t.Parallel()
	s := newSetUp(t, "TRUSTED_PROXIES=127.0.0.1")
	to, err := url.Parse(s.start(t).url)
	if err != nil {
		t.Fatal(err)
	}
	ours := newAuthority(t)
	const day = 24 * time.Hour
	for _, c := range []struct {
		by    *authority
		name  string
		left  time.Duration
		texts []string
	}{
		{ours, "localhost", 60*day + time.Hour, []string{
			"ok: the certificate for localhost, until 20", "has 60 days left",
		}},
		{ours, "localhost", 3*day + time.Hour, []string{
			"warn: ", "ends in 3 days", "not renewed",
		}},
		{ours, "localhost", -day, []string{"fail: ", "is over", "Renew"}},
		{ours, "s.example", 60 * day, []string{
			"fail: the certificate for s.example,", "not localhost", "a certificate for localhost",
		}},
		{newAuthority(t), "localhost", 60 * day, []string{"fail: ", "unknown authority"}},
	} {
		proxy := httptest.NewUnstartedServer(&httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.SetXForwarded() },
		})
		proxy.TLS = &tls.Config{Certificates: []tls.Certificate{c.by.issue(t, c.name, c.left)}}
		proxy.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
		proxy.StartTLS()
		t.Cleanup(proxy.Close)
		_, port, _ := net.SplitHostPort(proxy.Listener.Addr().String())
		said := s.diagnose(t, "BASE_URL=https://localhost:"+port, "SSL_CERT_FILE="+ours.file)
		want(t, said, "certificate", c.texts...)
		if strings.HasPrefix(c.texts[0], "fail") {
			wantWell(t, said, "certificate", "address")
			want(t, said, "address", "fail: ", "certificate")
		} else {
			wantWell(t, said, "certificate")
			want(t, said, "proxy", "ok: the proxy is trusted")
		}
	}
}

// The access token goes only where nobody can read it on the way.
func TestDoctorKeepsTheToken(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://go.example.com": true, "http://localhost:8080": true, "http://127.1.2.3:1": true,
		"http://[::1]:8080/go": true, "http://go.example.com": false, "http://192.0.2.1": false,
		"http://localhost.example": false, "http://127.0.0.1.example:80": false,
		"http://[2001:db8::1]": false,
	} {
		if got := private(address); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
	if addresses, err := net.InterfaceAddrs(); err == nil {
		for _, a := range addresses {
			prefix, err := netip.ParsePrefix(a.String())
			if err == nil && !private("http://"+netip.AddrPortFrom(prefix.Addr(), 80).String()) {
				t.Errorf("%s is this machine's", a)
			}
		}
	}
	s := newSetUp(t)
	s.start(t)
	said := s.diagnose(t, "BASE_URL=https://somebody:s3cret@example.com")
	if got := fmt.Sprint(said); strings.Contains(got, "s3cret") ||
		!strings.Contains(got, "without user") {
		t.Errorf("a password is shown, or taken: %s", got)
	}

	name, err := os.Hostname() // which doctor does not know to be this machine
	if _, unknown := net.DefaultResolver.LookupHost(t.Context(), name); err != nil ||
		unknown != nil {
		t.Skipf("SKIPPED: no name leads to this machine: %v, %v", err, unknown)
	}
	sent := make(chan string, 10)
	thief := httptest.NewUnstartedServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			sent <- r.Header.Get("Authorization")
			_, _ = w.Write([]byte(`{"status":"ready"}`))
		}))
	all, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(all.Addr().String())
	_ = thief.Listener.Close()
	thief.Listener = all
	thief.Start()
	t.Cleanup(thief.Close)
	base := "http://" + name + ":" + port
	said = s.diagnose(t, "BASE_URL="+base)
	want(t, said, "address", "warn: a terse server answers at BASE_URL "+base, "was not sent")
	if token := <-sent; token != "" || len(sent) > 0 {
		t.Errorf("it was asked again, or with %q", token)
	}
}
