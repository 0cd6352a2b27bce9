package main

import (
	"bytes"
	enc "encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/pgtest"
	"terse/internal/visitors"
)

// midnightVariable has TestMidnight run. It builds the program with another clock, and so all that
// it is made of, which takes minutes.
const midnightVariable = "TERSE_TEST_MIDNIGHT"

// clockVariable says by how many seconds the clock of such a program is ahead.
const clockVariable = "TERSE_TEST_CLOCK"

const clock = `package time

import "syscall"

var ahead = func() int64 {
	text, _ := syscall.Getenv("` + clockVariable + `")
	n, _ := atoi(text)
	return int64(n)
}()
`

// aheadOfTime builds the program with a clock that can be ahead.
func aheadOfTime(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	const reads = "sec, nsec, mono := runtimeNow()\n"
	before, after, found := strings.Cut(string(source), "func Now() Time {\n\t"+reads)
	if !found {
		t.Fatalf("time.Now does not begin with %q any more", reads)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		original: write("time.go", before+"func Now() Time {\n\t"+reads+"\tsec += ahead\n"+after),
		filepath.Join(filepath.Dir(original), "ahead.go"): write("ahead.go", clock),
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "terse")
	if out, err := exec.Command("go", "build", "-overlay", write("overlay.json", string(overlay)),
		"-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// midnight is three nodes and their database shortly before midnight UTC.
type midnight struct {
	database *pgtest.Server
	nodes    []*instance
	ahead    time.Duration
	links    []terse.LinkRef
	clicks   map[string]int64             // by code
	seen     map[string]map[terse.Day]int // visitors, by code
}

const midnightVisitors = 5

func visitorAddress(visitor int) netip.Addr {
	return netip.AddrFrom4([4]byte{192, 0, 2, byte(visitor)})
}

func (m *midnight) now() time.Time { return time.Now().Add(m.ahead) }

func (m *midnight) today() terse.Day { return terse.DayOf(m.now().UnixMicro()) }

// visit has each visitor visit each link on each node, which is one visitor of each day.
func (m *midnight) visit(t *testing.T) {
	t.Helper()
	for _, link := range m.links {
		code := link.Code.String()
		first := m.today()
		for visitor := range midnightVisitors {
			for _, node := range m.nodes {
				got := node.do(t, "GET /"+code, "", firefox,
					"X-Forwarded-For: "+visitorAddress(visitor).String())
				if got.StatusCode != http.StatusFound {
					t.Fatalf("%s: %s", code, got.Status)
				}
				m.clicks[code]++
			}
		}
		if m.today() != first {
			t.Fatal("it became midnight while a link was visited")
		}
		m.seen[code][first] = midnightVisitors
	}
}

// key returns a day's key, nil when there is none.
func (m *midnight) key(t *testing.T, day terse.Day) (key []byte) {
	t.Helper()
	m.row(t, &key, "SELECT (SELECT key FROM visitor_keys WHERE day = $1)", int32(day))
	return key
}

func (m *midnight) row(t *testing.T, to any, sql string, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), m.database.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(to); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// hashOf returns a visitor's hash on a link as it is in a journal.
func hashOf(key []byte, visitor int, link terse.LinkRef) []byte {
	_, agent, _ := strings.Cut(firefox, ": ")
	return enc.NativeEndian.AppendUint64(nil, visitors.Hash(terse.VisitorKey(key),
		visitorAddress(visitor), []byte(agent), link))
}

// inMemory returns how often bytes are in the memory of a process that it can write to.
func (i *instance) inMemory(t *testing.T, what []byte) (n int) {
	t.Helper()
	dir := filepath.Join("/proc", strconv.Itoa(i.cmd.Process.Pid))
	maps, err := os.ReadFile(filepath.Join(dir, "maps"))
	if err != nil {
		t.Fatal(err)
	}
	memory, err := os.Open(filepath.Join(dir, "mem"))
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(mode, "rw") || strings.Contains(line, "/memfd:") {
			continue
		}
		part := make([]byte, to-from)
		if got, err := memory.ReadAt(part, int64(from)); err == nil {
			n += bytes.Count(part[:got], what)
		}
	}
	return n
}

// inJournal returns how often bytes are in the files of a node.
func (i *instance) inJournal(t *testing.T, what []byte) (n int) {
	t.Helper()
	err := filepath.WalkDir(i.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil // a segment that was counted meanwhile
		}
		n += bytes.Count(b, what)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return n
}

// TestMidnight has midnight come while the database is away. Nodes then still agree on who is a
// visitor, no click is lost or doubled, and once all are counted, neither the key of the day that
// is over nor a hash of its visitors is in the database, in a journal or in the nodes' memory.
func TestMidnight(t *testing.T) {
	t.Parallel()
	if os.Getenv(midnightVariable) == "" {
		t.Skipf("set %s=1 to have it build the program with another clock, for minutes",
			midnightVariable)
	}
	program := aheadOfTime(t)
	m := &midnight{
		database: pgtest.Start(t), clicks: map[string]int64{},
		seen: map[string]map[terse.Day]int{},
	}
	const left = 90 * time.Second // for all that is before midnight
	now := time.Now()
	yesterday := terse.DayOf(now.UnixMicro())
	m.ahead = time.UnixMicro((yesterday + 1).Start()).Sub(now.Add(left)).Truncate(time.Second)
	for range 3 {
		m.nodes = append(m.nodes, startProgram(t, program, t.TempDir(),
			"DATABASE_URL="+m.database.URL("postgres"), "TRUSTED_PROXIES=127.0.0.1,::1",
			fmt.Sprintf("%s=%d", clockVariable, int(m.ahead.Seconds()))))
	}
	for n := range 4 {
		code := m.nodes[n%3].shorten(t, fmt.Sprint("https://example.com/", n))
		link := terse.LinkRef{}
		link.Code, _ = terse.ParseCode([]byte(code))
		var id int64
		m.row(t, &id, "SELECT id FROM links WHERE code = $1", code)
		link.ID = terse.LinkID(id)
		m.links, m.seen[code] = append(m.links, link), map[terse.Day]int{}
	}
	m.visit(t)
	for _, node := range m.nodes {
		node.drain(t)
	}
	key := m.key(t, yesterday)
	hash := hashOf(key, 1, m.links[1])
	await(t, "the next day's key", func() bool { return m.key(t, yesterday+1) != nil })
	for n, node := range m.nodes { // also the searches find what there is
		await(t, "the next day's key in memory", func() bool {
			return node.inMemory(t, m.key(t, yesterday+1)) > 0
		})
		if node.inMemory(t, key) == 0 {
			t.Errorf("node %d: no key of today in memory", n)
		}
		if node.inJournal(t, hash) == 0 {
			t.Errorf("node %d: no hash in the journal", n)
		}
	}

	if err := m.database.Stop(); err != nil {
		t.Fatal(err)
	}
	m.visit(t)
	if m.today() != yesterday {
		t.Fatalf("%v are not enough before midnight", left)
	}
	for m.today() == yesterday {
		time.Sleep(100 * time.Millisecond)
	}
	m.visit(t)
	if err := m.database.Start(); err != nil {
		t.Fatal(err)
	}
	for _, node := range m.nodes {
		node.drain(t)
	}
	m.visit(t)
	for _, node := range m.nodes {
		node.drain(t)
	}
	m.check(t)

	await(t, "the key to be gone from the database", func() bool {
		return m.key(t, yesterday) == nil
	})
	for n, node := range m.nodes {
		await(t, "the journal to let go of hashes", func() bool {
			return node.inJournal(t, hash) == 0
		})
		if found := node.inMemory(t, key); found > 0 {
			t.Errorf("node %d: the key of yesterday is %d times in memory", n, found)
		}
		if found := node.inMemory(t, hash); found > 0 {
			t.Errorf("node %d: a hash of yesterday is %d times in memory", n, found)
		}
	}
	var chunks int64
	m.row(t, &chunks, fmt.Sprintf("SELECT count(*) FROM visitors_%s",
		[]string{"even", "odd"}[yesterday&1]))
	if chunks > 0 {
		t.Errorf("%d chunks of yesterday's hashes are in the database", chunks)
	}
}

// check compares what nodes answer with what they were asked for.
func (m *midnight) check(t *testing.T) {
	t.Helper()
	for code, days := range m.seen {
		want := 0
		for _, n := range days {
			want += n
		}
		for n, node := range m.nodes {
			got := node.do(t, "GET /api/urls/"+code+"/clicks?visitors=true", "",
				authorized())
			if !strings.Contains(got.body, fmt.Sprintf(`"total_clicks":%d,"visitors":%d,`,
				m.clicks[code], want)) {
				t.Errorf("node %d: want %d clicks and %d visitors: %s", n, m.clicks[code], want,
					got.body)
			}
		}
	}
}
