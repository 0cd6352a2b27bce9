package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"terse"
	"terse/internal/cli"
	"terse/internal/tests/foreign"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/tersetest"
)

// seedMoves makes links and a click.
func (i *instance) seedMoves(t *testing.T) {
	t.Helper()
	i.shortenAs(t, "first", "https://example.com/1")
	i.shortenAs(t, "second", "https://example.com/2")
	i.do(t, "GET /first", "", "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
	i.clicks(t, "first", 1)
}

// exported reads the lines of an export, behind the first one.
func exported(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var text io.Reader = bytes.NewReader(b)
	switch filepath.Ext(path) {
	case ".gz":
		text, err = gzip.NewReader(text)
	case ".zst":
		text, err = zstd.NewReader(text)
	}
	if err == nil {
		b, err = io.ReadAll(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(b), "\n")
	if !strings.HasPrefix(head, `{"type":"export","version":1,`) ||
		!strings.HasSuffix(rest, "}\n") || !strings.Contains(rest, `{"type":"end",`) {
		t.Fatalf("%s is no export: %s", path, b)
	}
	return rest
}

// An export has one form, packed or not, from a server and from its data when it is stopped.
func TestExportToAFile(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it exports the whole database")
	i := start(t)
	i.seedMoves(t)
	dir := t.TempDir()
	plain := filepath.Join(dir, "x.ndjson")
	r := i.command(t, "export", plain)
	if r.code != cli.ExitOK || r.err != "" || r.out != "2 links, 1 click\n" {
		t.Fatalf("%+v", r)
	}
	want := exported(t, plain)
	if strings.Count(want, "\n") != 4 {
		t.Errorf("exported %s", want)
	}
	if info, err := os.Stat(plain); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if r := i.command(t, "export", "-"); !strings.HasSuffix(r.out, want) || r.err != "" {
		t.Errorf("to standard output: %+v", r)
	}
	if r := i.command(t, "export", "-", "--no-clicks"); strings.Contains(r.out, `"click"`) {
		t.Errorf("without clicks: %+v", r)
	}
	r = i.command(t, "export", "-", "--format", "csv")
	if !strings.Contains(r.err, "CSV has no passwords") {
		t.Errorf("nothing is said of what CSV lacks: %+v", r)
	}
	if !strings.HasPrefix(r.out, "short_code,domain,") || strings.Count(r.out, "\n") != 3 {
		t.Errorf("as CSV: %+v", r)
	}
	r = command(t, nil, "", "export", plain+".gz", "--data-dir", i.dir)
	if r.code != 1 || r.err != saysRunning(i.dir) {
		t.Errorf("while the server runs: %+v", r)
	}
	i.stop(t)
	for _, path := range []string{plain + ".gz", plain + ".zst"} {
		r := command(t, nil, "", "export", path, "--data-dir", i.dir)
		if got := exported(t, path); r.code != cli.ExitOK || got != want {
			t.Errorf("%+v\n%s\nwant\n%s", r, got, want)
		}
	}
	r = command(t, nil, "", "export", plain, "--data-dir", filepath.Join(dir, "none"))
	if r.code != cli.ExitNotFound || !strings.Contains(r.err, "No database") {
		t.Errorf("of a folder that does not exist: %+v", r)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("there are %v, %v", entries, err)
	}
}

// An export replaces no file unasked, and leaves nothing where it has got nothing.
func TestExportToAFileThatExists(t *testing.T) {
	t.Parallel()
	i := start(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "x.ndjson")
	must(t, os.WriteFile(path, []byte("kept"), 0o600))
	wantFiles := func(what string, names ...string) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		var got []string
		for _, entry := range entries {
			got = append(got, entry.Name())
		}
		if err != nil || !slices.Equal(got, names) {
			t.Errorf("%s: there are %q, %v", what, got, err)
		}
	}
	if r := i.command(t, "export", path); r.code != 1 ||
		r.err != "terse: "+path+" exists; --force replaces it\n" {
		t.Errorf("%+v", r)
	}
	wantFiles("without --force", "x.ndjson")
	if text, err := os.ReadFile(path); err != nil || string(text) != "kept" {
		t.Errorf("%s, %v", text, err)
	}
	nowhere := i.environ("TERSE_URL=http://127.0.0.1:1")
	if r := command(t, nowhere, "", "export", path, "--force"); r.code == cli.ExitOK {
		t.Errorf("without a server: %+v", r)
	}
	wantFiles("without a server", "x.ndjson")
	if r := i.command(t, "export", path, "--force"); r.code != 0 {
		t.Errorf("with --force: %+v", r)
	}
	if text := exported(t, path); !strings.Contains(text, `"type":"end"`) {
		t.Errorf("exported %s", text)
	}
	wantFiles("with --force", "x.ndjson")
}

// An export writes to no file but its own: not through a link, nor into one that others can read.
func TestExportToALink(t *testing.T) {
	t.Parallel()
	i := start(t)
	dir := t.TempDir()
	victim, link, file := filepath.Join(dir, "victim"), filepath.Join(dir, "link"),
		filepath.Join(dir, "file")
	must(t, os.WriteFile(victim, []byte("kept"), 0o644))
	must(t, os.Symlink(victim, link))
	must(t, os.Symlink(victim, file+".part"))
	if r := i.command(t, "export", link); r.code != 1 ||
		r.err != "terse: "+link+" is not a regular file\n" {
		t.Errorf("to a link: %+v", r)
	}
	if r := i.command(t, "export", file); r.code != 0 {
		t.Errorf("with a link in place of its part: %+v", r)
	}
	info, err := os.Lstat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "kept" {
		t.Errorf("the victim has %s, %v", text, err)
	}
}

// saysRunning is what a command says that needs a stopped server: this process is one.
func saysRunning(dir string) string {
	return fmt.Sprintf("terse: the server is running on %s (process %d); stop it first\n", dir,
		os.Getpid())
}

// A database is not given the clicks of a journal that belongs to another one, and these are kept.
func TestDatabaseAlone(t *testing.T) {
	t.Parallel()
	data, others := t.TempDir(), t.TempDir()
	other := filepath.Join(others, "other.db")
	i := startProcess(t, data)
	i.choose(t, "kept", "https://kept.example/")
	done(t, onData(t, data, "backup", other))
	i.visitor(t)("kept", 3)
	i.kill()
	<-i.done
	file := filepath.Join(others, "x.ndjson")
	for _, args := range [][]string{{"export", file}, {"import", "terse", file}} {
		args = append(args, "--database-url", other)
		r := command(t, []string{"DATA_DIR=" + data}, "", args...)
		if r.code != 0 || !strings.Contains(r.out, " 0 clicks") &&
			r.out != "Links: 1 unchanged.\nClicks: none.\n" {
			t.Errorf("%v: %+v", args, r)
		}
	}
	r := command(t, nil, "", "export", file, "--force", "--data-dir", data)
	if r.out != "1 link, 3 clicks\n" {
		t.Errorf("the clicks in the journal: %+v", r)
	}
	var names []string
	entries, err := os.ReadDir(others)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); err != nil || got != "other.db other.db.lock x.ndjson" {
		t.Errorf("there are %s, %v", got, err)
	}
}

// A file for spreadsheets says so by its name.
func TestExportAsCSV(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.seedMoves(t)
	i.do(t, "PATCH /api/urls/first", `{"note":"\"a\"\nb"}`, authorized())
	dir := t.TempDir()
	for name, head := range map[string]string{
		"x.csv": "short_code,", "X.CSV.gz": "\x1f\x8b", "x.csv.zst": "\x28\xb5\x2f\xfd",
	} {
		path := filepath.Join(dir, name)
		r := i.command(t, "export", path)
		text, err := os.ReadFile(path)
		if r.code != 0 || r.out != "2 links\n" || !strings.HasPrefix(string(text), head) {
			t.Errorf("to %s: %+v, %v, %.99q", name, r, err, text)
		}
	}
	r := i.command(t, "export", filepath.Join(dir, "n.csv"), "--format", "ndjson")
	if r.out != "2 links, 1 click\n" {
		t.Errorf("CSV by its name, but not by the flag: %+v", r)
	}
	r = i.command(t, "export", dir)
	if _, err := os.Stat(dir + ".part"); r.code != 1 || r.err != "terse: "+dir+" is a folder\n" ||
		!os.IsNotExist(err) {
		t.Errorf("to a folder: %+v, %v", r, err)
	}
}

// through returns the address of a proxy that has handle decide about each request.
func (i *instance) through(t *testing.T, handle func(http.ResponseWriter, *http.Response)) string {
	t.Helper()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := r.Clone(r.Context())
		request.RequestURI = ""
		request.Header.Del("Accept-Encoding")
		request.URL.Scheme, request.URL.Host = "http", strings.TrimPrefix(i.url, "http://")
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer response.Body.Close()
		for name := range response.Header {
			w.Header().Set(name, response.Header.Get(name))
		}
		w.WriteHeader(response.StatusCode)
		handle(w, response)
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL
}

// What was downloaded only in part does not get the name of an export.
func TestExportThatIsCutOff(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.seedMoves(t)
	for name, cut := range map[string]func(){
		"lost": func() { panic(http.ErrAbortHandler) }, "ended by a proxy": func() {},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "x.ndjson")
		proxy := i.through(t, func(w http.ResponseWriter, r *http.Response) {
			_, _ = io.CopyN(w, r.Body, 100)
			_ = http.NewResponseController(w).Flush()
			cut()
		})
		r := command(t, i.environ("TERSE_URL="+proxy), "", "export", path)
		entries, err := os.ReadDir(dir)
		if r.code == cli.ExitOK || !strings.Contains(r.err, "cut off") || err != nil ||
			len(entries) != 1 || entries[0].Name() != "x.ndjson.part" {
			t.Errorf("%s: %+v, %v, %v", name, r, entries, err)
		}
	}
}

// On a terminal a bar shows how far an export is.
func TestExportShowsABar(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.seedMoves(t)
	shown := make(chan struct{})
	proxy := i.through(t, func(w http.ResponseWriter, r *http.Response) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		begun := bytes.IndexByte(text, '\n') + 1
		begun += bytes.IndexByte(text[begun:], '\n') + 1 // with the first link
		_, _ = w.Write(text[:begun])
		_ = http.NewResponseController(w).Flush()
		select {
		case <-shown:
		case <-r.Request.Context().Done():
		}
		_, _ = w.Write(text[begun:])
	})
	path := filepath.Join(t.TempDir(), "x.ndjson")
	s := onTerminal(t, 100, i.environ("TERSE_URL="+proxy), "export", path)
	s.await(t, "Exporting 1 link, 0 clicks")
	s.await(t, "33%")
	close(shown)
	text, code := s.end(t)
	if code != cli.ExitOK || !strings.HasSuffix(text, "2 links, 1 click\n") {
		t.Errorf("%d: %q", code, text)
	}
	exported(t, path)
}

// On a terminal a bar shows how far an import is.
func TestImportShowsABar(t *testing.T) {
	t.Parallel()
	i := start(t)
	shown := make(chan struct{})
	proxy := i.through(t, func(w http.ResponseWriter, r *http.Response) {
		select {
		case <-shown:
		case <-r.Request.Context().Done():
		}
		_, _ = io.Copy(w, r.Body)
	})
	path := filepath.Join(t.TempDir(), "many.ndjson")
	if err := os.WriteFile(path, []byte(many(10, 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := onTerminal(t, 100, i.environ("TERSE_URL="+proxy), "import", "terse", path)
	s.await(t, "Importing 0 links, 0 clicks")
	s.await(t, "% |")
	close(shown)
	text, code := s.end(t)
	if code != cli.ExitOK || !strings.HasSuffix(text, "Clicks: 100 added.\n") {
		t.Errorf("%d: %q", code, text)
	}
}

// archived is an export with links that have all there is, on days that are over.
const archived = `{"type":"export","version":1,"links":4,"clicks":13}
{"type":"link","short_code":"all","original_url":"https://example.com/?a=1&b=<2>",` +
	`"created_at":"2026-01-01T00:00:00.000001Z","updated_at":"2026-01-02T00:00:00.000000Z",` +
	`"title":"Grüße","note":"a\nb","tags":["ads","news"],"aliases":["docs/install","grüße"],` +
	`"starts_at":"2026-01-01T00:00:00Z","expires_at":"2099-01-01T00:00:00Z","max_clicks":10,` +
	`"expired_url":"https://over.example/","redirect_status":301,"forward_query":true,` +
	`"rules":[{"name":"ios","when":{"device":["ios"]},"share":50,"url":"https://a.example/"}],` +
	`"password_hash":"$2a$04$d1JCSiAYbbIMQtVH5X2yHOVG.pZ3LVrHJdSRiy8n2TaQyl4fqwhWa",` +
	`"clicks_used":3,"share":"abcdefghijklmnopqrstuw","history":[{"time":` +
	`"2026-01-02T00:00:00Z","by":"me","request_id":"r-1","fields":{"title":{"old":null,` +
	`"new":"Grüße"}}}],"click_count":11,"last_clicked_at":"2026-01-05T10:00:00.000001Z"}
{"type":"day","date":"2026-01-03","visitors":2,"clicks":7}
{"type":"counts","date":"2026-01-03","dimension":"country","counts":{"DE":4,"FR":2}}
{"type":"counts","date":"2026-01-03","dimension":"visitor","counts":{"person":6}}
{"type":"click","time":"2026-01-04T10:00:00.000000Z","firsts":1,"country":"DE","browser":"Firefox"}
{"type":"click","time":"2026-01-04T10:00:00.000000Z","count":2,"referrer":"https://news.example/a"}
{"type":"click","time":"2026-01-05T10:00:00.000001Z","visitor":"bot"}
{"type":"link","short_code":"later","original_url":"https://example.com/later"}
{"type":"click","count":2}
{"type":"link","short_code":"plain","original_url":"https://example.com/"}
{"type":"link","short_code":"zzz","original_url":"https://example.com/z","disabled":true}
{"type":"end","links":4,"clicks":13}
`

// What is exported from one store and imported into another is exported the same from there: over
// HTTP, and on the data of servers that are stopped. A second import changes nothing.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lite := start(t)
	seed := command(t, lite.environ(), archived, "import", "terse", "-", "--report",
		filepath.Join(dir, "report.csv"))
	if want := "Links: 4 created.\nClicks: 13 added.\n"; seed.code != 0 || seed.out != want {
		t.Fatalf("%+v", seed)
	}
	lite.do(t, "GET /plain", "", "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
	lite.clicks(t, "plain", 1)
	database := "DATABASE_URL=" + pgtest.URL(t)
	server := start(t, database)
	fresh := filepath.Join(dir, "fresh")
	first := filepath.Join(dir, "0.ndjson")
	if r := lite.command(t, "export", first); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	want := exported(t, first)
	for _, part := range []string{
		`"share":"abcdefghijklmnopqrstuw"`, `"clicks_used":3`, `"by":"me"`, `{"DE":4,"FR":2}`,
		`$2a$04$`, `"aliases":["docs/install","grüße"]`, `"firsts":1,"country":"DE"`,
	} {
		if !strings.Contains(want, part) {
			t.Errorf("the export lacks %s:\n%s", part, want)
		}
	}
	url := "--database-url=" + strings.TrimPrefix(database, "DATABASE_URL=")
	for n, to := range []struct {
		environ []string
		where   []string
	}{
		{server.environ(), nil}, {nil, []string{"--data-dir", fresh}}, {nil, []string{url}},
	} {
		for try, sums := range []string{"4 created", "4 unchanged"} {
			clicks := []string{"14 added", "14 known"}[try]
			if n == 2 { // it is what the server has
				sums, clicks = "4 unchanged", "14 known"
			}
			r := command(t, to.environ, "",
				append([]string{"import", "terse", first}, to.where...)...)
			if r.code != 0 || r.err != "" ||
				r.out != "Links: "+sums+".\nClicks: "+clicks+".\n" {
				t.Errorf("import %d.%d: %+v", n, try, r)
			}
		}
		path := filepath.Join(dir, "x.zst")
		r := command(t, to.environ, "", append([]string{"export", path, "--force"}, to.where...)...)
		if got := exported(t, path); r.code != 0 || got != want {
			t.Errorf("export %d: %+v\n%s\nwant\n%s", n, r, got, want)
		}
	}
	sameAnswers(t, lite, server)
	if _, err := os.Stat(filepath.Join(dir, "report.csv")); !os.IsNotExist(err) {
		t.Errorf("there is a report about nothing: %v", err)
	}
}

// sameAnswers compares all that two servers answer about their links.
func sameAnswers(t *testing.T, a, b *instance) {
	t.Helper()
	const all = "start_time=2026-01-01T00:00:00Z&end_time=2026-12-31T00:00:00Z"
	by := "&by="
	for d := range terse.NumDimensions {
		by += d.String() + ","
	}
	by = strings.TrimSuffix(by, ",")
	paths := []string{
		"/api/urls?sort=oldest", "/api/urls?sort=clicks&people=true", "/api/urls?search=docs",
		"/api/urls?tag=ads&status=active", "/api/tags", "/api/events?limit=1000",
		"/api/overview?interval=day&visitors=true&" + all + by,
	}
	for _, code := range []string{"all", "later", "plain", "zzz"} {
		of := "/api/urls/" + code
		paths = append(paths, of, of+"/analytics?"+all, of+"/history", of+"/events?limit=1000",
			of+"/clicks?interval=day&visitors=true&"+all+by,
			of+"/clicks?interval=month&people=true&"+all+by,
			of+"/clicks?interval=hour&not_visitor=bot&start_time=2026-01-04T00:00:00Z&"+
				"end_time=2026-01-06T00:00:00Z"+by)
	}
	// What the servers choose for themselves.
	own := regexp.MustCompile(`"(id|link_id|next_cursor)":("[^"]*"|\d+),?|http://[^/"]*`)
	for _, path := range paths {
		one, other := a.do(t, "GET "+path, "", authorized()), b.do(t, "GET "+path, "", authorized())
		want, got := own.ReplaceAllString(one.body, ""), own.ReplaceAllString(other.body, "")
		if one.StatusCode != http.StatusOK || got != want {
			t.Errorf("%s: %d\n%s\nwant\n%s", path, one.StatusCode, got, want)
		}
	}
}

// many is an export with many links and clicks: several requests.
func many(links, clicks int) string {
	var b strings.Builder
	b.WriteString(`{"type":"export","version":1}` + "\n")
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for link := range links {
		fmt.Fprintf(&b, `{"type":"link","short_code":"link%05d","original_url":`+
			`"https://example.com/%[1]d","created_at":"2026-01-01T00:00:00.000000Z",`+
			`"note":"%s"}`+"\n", link, strings.Repeat("note ", 50))
		for click := range clicks {
			at := start.Add(time.Duration(link*click)*time.Second + time.Duration(click)*time.Hour)
			fmt.Fprintf(&b, `{"type":"click","time":"%s","country":"DE","visitor":"person"}`+"\n",
				at.Format("2006-01-02T15:04:05.000000Z"))
		}
	}
	fmt.Fprintf(&b, `{"type":"end","links":%d,"clicks":%d}`+"\n", links, links*clicks)
	return b.String()
}

// However often importer and server are killed, each link and click is there once in the end.
func TestImportThatIsKilled(t *testing.T) {
	t.Parallel()
	const links, clicks, kills = 4000, 5, 6
	path := tersetest.Binary(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "many.ndjson")
	if err := os.WriteFile(file, []byte(many(links, clicks)), 0o600); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	serve := func() *instance { return startProcess(t, data, fmt.Sprintf("SERVER_PORT=%d", port)) }
	server := serve()
	var told bytes.Buffer
	importing := func() *exec.Cmd {
		cmd := exec.Command(path, "import", "terse", file)
		cmd.Dir, cmd.Env = dir, server.environ()
		cmd.Stdout, cmd.Stderr = &told, &told
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	cmd := importing()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for n := range kills {
		least := int64(links*n/kills + random.IntN(links/kills))
		await(t, "links to be imported", func() bool {
			page, err := server.client().List(t.Context(), 1, 0)
			return err == nil && page.Total >= least
		})
		if n%2 == 0 {
			server.kill()
			<-server.done
			server = serve()
			continue
		}
		_ = cmd.Process.Kill() // or it has ended
		_ = cmd.Wait()
		cmd = importing()
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &told)
	}
	r := server.command(t, "import", "terse", file)
	if r.code != 0 || r.out != "Links: 4,000 unchanged.\nClicks: 20,000 known.\n" {
		t.Errorf("once more: %+v", r)
	}
	back := filepath.Join(dir, "back.ndjson")
	if r := server.command(t, "export", back); r.code != 0 ||
		r.out != "4,000 links, 20,000 clicks\n" {
		t.Errorf("%+v", r)
	}
	server.stop(t)
}

// A day of a link with more clicks than any request is large goes in one, which is packed.
func TestImportOfALargeDay(t *testing.T) {
	t.Parallel()
	const clicks = 90_000
	var text strings.Builder
	text.WriteString(`{"type":"link","short_code":"large","original_url":"https://a.example/"}`)
	text.WriteString("\n")
	for n := range clicks {
		fmt.Fprintf(&text, `{"type":"click","time":"2026-01-05T10:%02d:%02d.%03dZ"}`+"\n",
			n/1000/60, n/1000%60, n%1000)
	}
	i := start(t)
	var encodings []string
	proxy := i.through(t, func(w http.ResponseWriter, r *http.Response) {
		encodings = append(encodings, r.Request.Header.Get("Content-Encoding"))
		_, _ = io.Copy(w, r.Body)
	})
	r := command(t, i.environ("TERSE_URL="+proxy), text.String(), "import", "terse", "-")
	if r.code != 0 || r.out != "Links: 1 created.\nClicks: 90,000 added.\n" ||
		!slices.Equal(encodings, []string{"", "zstd"}) {
		t.Errorf("%+v, %q", r, encodings)
	}
	i.clicks(t, "large", clicks)
}

// A table of another product, its report, and what can be done with it instead.
func TestImportCSV(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "taken", "https://example.com/taken")
	dir := t.TempDir()
	report, lines := filepath.Join(dir, "report.csv"), filepath.Join(dir, "lines.ndjson.gz")
	const table = "Short link,Destination URL,Title,Expires at,Clicks,Leads\n" +
		"https://go.example/spring,https://example.com/s,Spring,2099-01-05,120,1\n" +
		"https://go.example/docs/install,https://example.com/i,,,7,\n" +
		"https://go.example/taken,https://example.com/other,,,,\n" +
		"https://go.example/bad,ftp://example.com/,,,,\n" +
		"https://go.example/soon,https://example.com/x,,soon,,\n"
	imported := func(args ...string) result {
		return command(t, i.environ(), table,
			append([]string{"import", "csv", "-", "--yes", "--report", report}, args...)...)
	}
	r := imported("--dry-run")
	if r.code != 1 || !strings.HasPrefix(r.out, "Nothing was changed. It would be:\nLinks: 2 "+
		"created, 1 skipped, 1 failed.\nClicks: 127 added.\n"+
		"Lines that are no link or can't be read: 1 failed.\n") {
		t.Errorf("a dry run: %+v", r)
	}
	if r := imported("--output", lines); r.code != 1 || r.out != "" {
		t.Errorf("to a file: %+v", r)
	}
	if r := i.command(t, "list"); strings.Count(r.out, "\n") != 1 {
		t.Errorf("there are links: %+v", r)
	}
	r = imported("--conflict", "fail")
	if r.code != 1 || !strings.HasSuffix(r.err, "Short code already exists: taken.\n") {
		t.Errorf("with a conflict: %+v", r)
	}
	if r := imported("--json", "--jq", ".created"); r.code != 1 || r.out != "2\n" ||
		!strings.HasPrefix(r.err, "Columns that are not read: Leads.\n") ||
		!strings.HasSuffix(r.err, "2 lines failed.\n") {
		t.Errorf("%+v", r)
	}
	text, err := os.ReadFile(report)
	rows := strings.Split(string(text), "\r\n")
	if err != nil || len(rows) != 6 {
		t.Fatalf("%v\n%s", err, text)
	}
	slices.Sort(rows)
	for n, want := range []string{
		"",
		"3,standard input,docs/install,created,short_code,\"short code is not possible here " +
			"(3-20 letters, digits, - and _); it is an alias of ",
		"4,standard input,taken,skipped,short_code,short code already exists",
		"5,standard input,bad,failed,original_url,original URL must be a valid http or https URL",
		`6,standard input,soon,failed,expires_at,"expires_at is ""soon"", which is no time; give ` +
			`the format of dates if it is one (--date-format)"`,
		"line,source,short_code,result,field,reason",
	} {
		if !strings.HasPrefix(rows[n], want) {
			t.Errorf("the report has %q, want %q", rows[n], want)
		}
	}
	i.clicks(t, "spring", 120)
	if r := i.do(t, "GET /docs/install", ""); r.Header.Get("Location") != "https://example.com/i" {
		t.Errorf("a code that is none here: %+v", r)
	}
	r = command(t, i.environ(), "", "import", "terse", lines, "--report", report)
	if want := "Links: 2 unchanged, 1 skipped, 1 failed.\nClicks: 127 known.\n"; r.out != want {
		t.Errorf("what was written: %+v", r)
	}

	edited := "code,url,title\nspring,https://example.com/s,Summer\n"
	r = command(t, i.environ(), edited, "import", "csv", "-", "--conflict", "overwrite")
	if r.code != 0 || r.out != "Links: 1 updated.\nClicks: none.\n" {
		t.Errorf("edited: %+v", r)
	}
	renamed := "code,url\ntaken,https://example.com/2\n"
	r = command(t, i.environ(), renamed, "import", "csv", "-", "--conflict", "rename", "--report",
		report)
	if r.code != 0 || r.out != "Links: 1 renamed.\nClicks: none.\n" {
		t.Errorf("renamed: %+v", r)
	}
	if text, err := os.ReadFile(report); !strings.Contains(string(text), "is now taken-2") {
		t.Errorf("%v\n%s", err, text)
	}
	fine := "code,url\nfine,https://example.com/fine\n"
	r = command(t, i.environ(), fine, "import", "csv", "-", "--report", report)
	if _, err := os.Stat(report); r.code != 0 || !os.IsNotExist(err) {
		t.Errorf("the report of another import is there: %+v, %v", r, err)
	}
}

// An export as CSV can be edited and imported again: only what was edited changes.
func TestEditedCSV(t *testing.T) {
	t.Parallel()
	i := start(t)
	r := i.command(t, "create", "https://example.com/", "--code", "edited", "--title", "=1+1",
		"--note", "a\nb", "--tag", "x,y", "--expires", "2099-01-01", "--alias", "docs/x")
	if r.code != 0 {
		t.Fatalf("%+v", r)
	}
	i.shortenAs(t, "other", "https://example.com/other")
	i.do(t, "GET /other", "")
	i.clicks(t, "other", 1)
	before := i.command(t, "export", "-", "--no-clicks").out
	sheet := i.command(t, "export", "-", "--format", "csv").out
	overwrite := func(sheet, want string) {
		r := command(t, i.environ(), sheet, "import", "csv", "-", "--conflict", "overwrite")
		if r.code != 0 || r.out != "Links: "+want+".\nClicks: none.\n" {
			t.Errorf("%s: %+v", want, r)
		}
	}
	overwrite(sheet, "2 unchanged")
	after := i.command(t, "export", "-", "--no-clicks").out
	if _, links, _ := strings.Cut(before, "\n"); !strings.HasSuffix(after, links) {
		t.Errorf("exported %s, before %s", after, before)
	}
	overwrite(strings.Replace(sheet, `"x,y"`, "", 1), "1 updated, 1 unchanged")
	after = i.command(t, "export", "-").out
	if strings.Contains(after, `"tags":[`) || !strings.Contains(after, `"aliases":["docs/x"]`) {
		t.Errorf("after the tags were removed: %s", after)
	}
}

// What can't be meant is refused before anything is read.
func TestImportUsage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, said string }{
		{"terse https://example.com/x", "SOURCE is "},
		{"terse x --map a=b", "--map, --delimiter"},
		{"terse x --yes", "and --yes are for tables: bitly, dub, shlink, csv"},
		{"shlink http://127.0.0.1:1 --yes", "and --yes are for tables: bitly, dub, shlink, csv"},
		{"shlink https://example.com/x --map a=b", "--map, --delimiter"},
		{"csv x --map a", "--map is "},
		{"csv x --delimiter ;;", "--delimiter is "},
		{"csv x --time-zone Mars", "--time-zone is "},
		{"csv x --report -", "--report is -"},
		{"slash x", "must be one of"},
		{"csv x --conflict maybe", "must be one of"},
	} {
		args := append([]string{"import"}, strings.Fields(c.args)...)
		r := command(t, []string{"TERSE_TOKEN=x"}, "", args...)
		if r.code != cli.ExitUsage || !strings.Contains(r.err, c.said) {
			t.Errorf("%s: %+v", c.args, r)
		}
	}
	i := start(t)
	for text, said := range map[string]string{
		`{"type":"export","version":1}` + "\n": "standard input: the export has no end",
		`{"type":"export","version":2}` + "\n": "export version 2 is not supported",
		"":                                     "standard input: the export is empty",
		"Short URL,Long URL\nhttps://t.test/a,https://a.test/\n": "standard input: this looks " +
			"like a table: use terse import csv",
		"\ufeff\"Kurz\";Ziel\r\na;https://a.test/\r\n": "this looks like a table",
	} {
		r := command(t, i.environ(), text, "import", "terse", "-")
		if r.code != 1 || r.out != "" ||
			!strings.Contains(r.err, said) {
			t.Errorf("%s: %+v", text, r)
		}
	}
	r := command(t, i.environ(), "title\nx\n", "import", "csv", "-", "--json")
	if r.code != cli.ExitUsage || r.out != "" ||
		!strings.Contains(r.err, "no column is known to have the URLs where links lead") {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{"--map", "Zeil=title", "--map", "Zile=note"}, 2, `no column "Zeil"; it has Ziel`},
		{[]string{"--map", "Ziel=link"}, 2, `no field "link"`},
		{[]string{"--date-format", "%d"}, 2, `--date-format is "%d"; it must be`},
		{nil, 2, "=original_url' names the column, --delimiter what is between columns"},
		{[]string{"--map", "Ziel;Neu=original_url"}, 0, "No column has short codes"},
	} {
		args := append([]string{"import", "csv", "-", "--dry-run", "--delimiter", "tab"}, c.args...)
		if c.code == 2 && c.args != nil {
			args[5] = ";"
		}
		r := command(t, i.environ(), "Ziel;Neu\nhttps://example.com/\n", args...)
		if r.code != c.code || !strings.Contains(r.err, c.said) {
			t.Errorf("%q: %+v", c.args, r)
		}
	}
	r = command(t, nil, "", "import", "terse", "/nowhere", "--data-dir", i.dir)
	if r.code != 1 || !strings.Contains(r.err, "/nowhere") {
		t.Errorf("%+v", r)
	}
	r = command(t, nil, "", "import", "terse", "-", "--data-dir", i.dir)
	if r.code != 1 || r.err != saysRunning(i.dir) {
		t.Errorf("%+v", r)
	}
}

// A table in which codes would be lost, or most rows, is not imported without a word.
func TestImportAsks(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "taken", "https://example.com/taken")
	report := filepath.Join(t.TempDir(), "report.csv")
	imported := func(table string, args ...string) result {
		return command(t, i.environ(), table,
			append([]string{"import", "csv", "-", "--report", report}, args...)...)
	}
	for _, c := range []struct{ table, said, answer, done string }{
		{
			"url,kurz\nhttps://example.com/1,a1\nhttps://example.com/2,a2\n" +
				"https://example.com/3,a3\n",
			`terse: nothing was imported: no column is known to have short codes, but "kurz" ` +
				`could: ` +
				`--map kurz=short_code if it has them, --map kurz= if it has none, or --yes if ` +
				`each new link is to get a code of its own` + "\n",
			"--map=kurz=short_code", "Links: 3 created.\n",
		},
		{
			"url,code\nhttps://example.com/4,dup\nhttps://example.com/5,dup\n",
			`1 of the first 2 rows have a short code ("code") that a row before has with ` +
				`another URL`,
			"--map=code=", "Links: 2 created.\n",
		},
		{
			"Printed on flyer as,URL\np1,https://example.com/p1\np2,https://example.com/p2\n" +
				"p3,https://example.com/p3\np4,https://example.com/p4\n" +
				"(no),https://example.com/p5\n",
			`"Printed on flyer as" could: --map 'Printed on flyer as=short_code' if it has them`,
			"--map=Printed on flyer as=", "Links: 5 created.\n",
		},
		{
			"Code,URL,Status\nst1,https://example.com/s1,off\nst2,https://example.com/s2,paused\n",
			`"Status" switches links off ("off"), but it is not read, for it has unknown words ` +
				`("paused"): --map Status=status if`,
			"--map=Status=status", "Links: 1 created.\n",
		},
		{
			"Website,Nr.\nhttps://example.com/w1,\n",
			`"Website" could: --map Website=original_url names the column` + "\n",
			"--map=Website=original_url", "Links: 1 created.\n",
		},
		{
			"url,code\nhttps://example.com/6,taken\nhttps://example.com/7,news\n" +
				"ftp://x.test/,bad\n",
			"2 of the first 3 rows would fail or be skipped (original_url 1, short_code 1)",
			"--yes", "Links: 1 created, 1 skipped, 1 failed.\n",
		},
	} {
		for _, args := range [][]string{nil, {"--dry-run"}, {"--conflict", "rename", "--dry-run"}} {
			r := imported(c.table, args...)
			renamed := len(args) == 3 && c.answer == "--yes"
			if r.code != cli.ExitUsage && !renamed || !strings.Contains(r.err, c.said) && !renamed {
				t.Errorf("%q: %+v", args, r)
			}
		}
		if r := imported(c.table, c.answer); !strings.HasPrefix(r.out, c.done) {
			t.Errorf("%s: %+v", c.answer, r)
		}
	}
	if r := imported("url,code\nhttps://example.com/1,\n", "--output",
		report+".ndjson"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	// A dry run says what columns are, and why one of a known name is not read.
	r := imported("code,url,Nr.,Hits,Link nr.\ntaken,https://example.com/taken,1,\"1,5\",1\n",
		"--dry-run", "--conflict", "rename")
	if r.code != 0 || !strings.HasPrefix(r.err, "Columns: code is short_code, url is "+
		"original_url.\nColumns that are not read: Nr., Hits, Link nr.\n"+
		`Hits is not read: clicks is "1,5"; it must be a whole number.`+"\n") {
		t.Errorf("%+v", r)
	}
	// All that a table has was lost.
	r = imported("url,code\nhttps://example.com/1,taken\n", "--yes")
	if r.code != 1 || !strings.HasSuffix(r.err, "No link was imported.\n") {
		t.Errorf("%+v", r)
	}
	for _, table := range []string{"", "url,code\n", "url,code\r"} {
		r := imported(table)
		if r.code != 1 || !strings.Contains(r.err, "the table has no rows") {
			t.Errorf("%q: %+v", table, r)
		}
	}
}

// A row that leads to a short URL of the server finds its link anywhere in the table, though the
// command sends it in many requests.
func TestImportShortURLs(t *testing.T) {
	t.Parallel()
	i := start(t)
	i.shortenAs(t, "taken", "https://example.com/taken")
	shown := i.command(t, "show", "taken", "--json", "--jq", ".short_url").out
	base := strings.TrimSuffix(strings.TrimSpace(shown), "taken")
	var table strings.Builder
	fmt.Fprintf(&table, "code,url,title,clicks\none,%stwo,One,5\ntwo,%slast,,\nlost,%snowhere,,\n"+
		"taken,%slast,,\n", base, base, base, base)
	const rows = 9000
	for n := range rows {
		fmt.Fprintf(&table, "c%05d,https://example.com/%d,%s,1\n", n, n, strings.Repeat("t", 100))
	}
	table.WriteString("last,https://example.com/last,,\n")
	report := filepath.Join(t.TempDir(), "report.csv")
	for _, c := range []struct{ args, out string }{
		{"--dry-run", "Nothing was changed. It would be:\nLinks: 9,001 created, 2 updated, " +
			"1 skipped, 1 failed.\nClicks: 9,000 added, 5 skipped.\n"},
		{"--json --jq .created", "9001\n"},
		{"", "Links: 9,003 unchanged, 1 skipped, 1 failed.\nClicks: 9,000 known, 5 skipped.\n"},
	} {
		r := command(t, i.environ(), table.String(), append([]string{
			"import", "csv", "-", "--report", report,
		}, strings.Fields(c.args)...)...)
		if r.code != 1 || r.out != c.out {
			t.Errorf("%s: %+v", c.args, r)
		}
		if strings.HasPrefix(c.args, "--json") {
			text, err := os.ReadFile(report)
			want := "line,source,short_code,result,field,reason\r\n" +
				"5,standard input,taken,skipped,short_code,short code already exists\r\n" +
				"3,standard input,two,updated,,is an address of last now\r\n" +
				"2,standard input,one,updated,,5 clicks were dropped: those of the link stay\r\n" +
				"2,standard input,one,updated,,is an address of last now\r\n" +
				"2,standard input,one,updated,title,title was dropped: that of the link stays\r\n" +
				"4,standard input,lost,failed,original_url,\"original URL is a short URL of this " +
				"server, and there is no link at nowhere\"\r\n"
			got := strings.Split(string(text), "\r\n")
			wanted := strings.Split(want, "\r\n")
			slices.Sort(got)
			slices.Sort(wanted)
			if err != nil || !slices.Equal(got, wanted) {
				t.Errorf("%v\n%s", err, text)
			}
		}
	}
	for _, code := range []string{"one", "two", "last"} {
		if r := i.do(t, "GET /"+code, ""); r.Header.Get("Location") != "https://example.com/last" {
			t.Errorf("%s: %+v", code, r)
		}
	}
}

// An import writes over neither its source nor a folder, and says so before it does anything.
func TestImportKeepsItsSource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, link := filepath.Join(dir, "x.csv.part"), filepath.Join(dir, "link")
	const table = "url\nftp://example.com/\n"
	if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, link); err != nil {
		t.Fatal(err)
	}
	for flag, code := range map[string]int{
		"--report=" + path: cli.ExitUsage, "--report=" + link: cli.ExitUsage,
		"--output=" + path: cli.ExitUsage, "--output=" + filepath.Join(dir, "x.csv"): cli.ExitUsage,
		"--report=" + dir: cli.ExitFailure, "--report=/nowhere/x": cli.ExitFailure,
	} {
		r := command(t, []string{"TERSE_TOKEN=x", "TERSE_URL=http://127.0.0.1:1"}, "", "import",
			"csv", path, flag)
		if text, err := os.ReadFile(path); r.code != code || r.out != "" || string(text) != table {
			t.Errorf("%s: %+v, %q, %v", flag, r, text, err)
		}
	}
}

// A shell runs all of the document about moving, in its order.
func TestTheDocumentAboutMoving(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it moves the whole database")
	i := start(t)
	i.seedMoves(t)
	old := start(t)
	old.seedMoves(t)
	old.stop(t)
	dir, bin := t.TempDir(), t.TempDir()
	for to, name := range map[string]string{
		old.dir: filepath.Join(dir, "old"), tersetest.Binary(t): filepath.Join(bin, "terse"),
	} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile("../../docs/moving.md")
	if err != nil {
		t.Fatal(err)
	}
	// The old server of the check, which the document names, leads where its table says.
	const there, undo = "--from https://go.example\n", "### Import again\n"
	from := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := map[string]string{"/spring": "spring", "/docs/install": "install"}[r.URL.Path]
		http.Redirect(w, r, "https://example.com/"+to, http.StatusFound)
	}))
	defer from.Close()
	commands := regexp.MustCompile("(?s)```sh\n(.*?)```")
	run := func(text string) {
		t.Helper()
		var script strings.Builder
		for _, m := range commands.FindAllStringSubmatch(text, -1) {
			script.WriteString(m[1])
		}
		shell := exec.CommandContext(t.Context(), "sh", "-exc",
			strings.ReplaceAll(script.String(), there, "--from "+from.URL+"\n"))
		shell.Dir, shell.Env = dir, i.environ("DATABASE_URL="+pgtest.URL(t),
			"PATH="+bin+":"+os.Getenv("PATH"))
		if out, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	moved, undone, ok := strings.Cut(string(text), undo)
	if !ok || !strings.Contains(moved, there) {
		t.Fatalf("the document has no %s, or no %s", undo, there)
	}
	run(moved)
	for _, file := range []string{"all.ndjson.zst", "back.ndjson.zst"} {
		if text := exported(t, filepath.Join(dir, file)); strings.Count(text, "\n") != 4 {
			t.Errorf("%s: %s", file, text)
		}
	}
	i.clicks(t, "spring", 120)
	run(undone)
	if r := i.command(t, "list", "--all"); r.code != cli.ExitOK || r.out != "" {
		t.Errorf("the document deletes all links: %+v", r)
	}
}
