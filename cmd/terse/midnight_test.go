package main

import (
	"bytes"
	enc "encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/click/visitors"
	"terse/internal/tests/pgtest"
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
	if os.Getenv(midnightVariable) == "" {
		t.Skipf("set %s=1 to have it build the program with another clock, for minutes",
			midnightVariable)
	}
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

// midnight is nodes and their database shortly before midnight UTC.
type midnight struct {
	yesterday terse.Day // which today still is
	ahead     time.Duration
	program   string
	env       []string
	nodes     []*instance
	links     []terse.LinkRef
	clicks    map[string]int64             // by code
	seen      map[string]map[terse.Day]int // visitors, by code

	// one asks the database for one value: an int64, bytes or nil.
	one func(t *testing.T, sql string) any
}

// beforeMidnight is how long it takes until midnight, for all that comes before.
const beforeMidnight = 90 * time.Second

// start starts so many nodes, and makes links on them.
func (m *midnight) start(t *testing.T, nodes int, env ...string) {
	t.Helper()
	m.clicks, m.seen = map[string]int64{}, map[string]map[terse.Day]int{}
	now := time.Now()
	m.yesterday = terse.DayOf(now.UnixMicro())
	m.ahead = time.UnixMicro((m.yesterday + 1).Start()).Sub(now.Add(beforeMidnight)).
		Truncate(time.Second)
	m.env = append(env, "TRUSTED_PROXIES=127.0.0.1,::1",
		fmt.Sprintf("%s=%d", clockVariable, int(m.ahead.Seconds())))
	for range nodes {
		m.nodes = append(m.nodes, startProgram(t, m.program, t.TempDir(), m.env...))
	}
	for n := range 4 {
		text := m.nodes[n%nodes].shorten(t, fmt.Sprint("https://example.com/", n))
		code, err := terse.ParseCode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		id := m.one(t, "SELECT id FROM links WHERE code = '"+text+"'").(int64)
		m.links = append(m.links, terse.LinkRef{ID: terse.LinkID(id), Code: code})
		m.seen[text] = map[terse.Day]int{}
	}
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
func (m *midnight) key(t *testing.T, day terse.Day) []byte {
	t.Helper()
	key := m.one(t, fmt.Sprint(
		"SELECT (SELECT key FROM visitor_keys WHERE day = ", int32(day), ")"))
	if key == nil {
		return nil
	}
	return key.([]byte)
}

// The forms of a hash.
const (
	asClick = iota
	inLog
	inSet
)

// traces returns what a visitor's hash looks like in a journal, in a database and in a set.
func (m *midnight) traces(key []byte) (hash [][]byte) {
	link := m.links[1]
	_, agent, _ := strings.Cut(firefox, ": ")
	h := visitors.Hash(terse.VisitorKey(key), visitorAddress(1), []byte(agent), link.ID)
	kept := h>>16<<8 | uint64(link.ID)&0xFF
	return [][]byte{
		asClick: enc.NativeEndian.AppendUint64(nil, h),
		inLog:   enc.BigEndian.AppendUint64(nil, kept)[1:],
		inSet:   enc.NativeEndian.AppendUint64(nil, kept),
	}
}

func count(b []byte, what [][]byte) (n int) {
	for _, w := range what {
		n += bytes.Count(b, w)
	}
	return n
}

// inMemory returns how often bytes are in the memory of a process that it can write to.
func (i *instance) inMemory(t *testing.T, what ...[]byte) (n int) {
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
		if !strings.HasPrefix(mode, "rw") {
			continue
		}
		part := make([]byte, to-from)
		got, err := memory.ReadAt(part, int64(from))
		if err != nil && !errors.Is(err, syscall.EIO) && !errors.Is(err, io.EOF) { // gone meanwhile
			t.Fatal(err)
		}
		n += count(part[:got], what)
	}
	return n
}

// inFiles returns how often bytes are in the files of a node.
func (i *instance) inFiles(t *testing.T, what ...[]byte) (n int) {
	t.Helper()
	err := filepath.WalkDir(i.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil // a segment that was counted meanwhile
		}
		n += count(b, what)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return n
}

// drain waits until all clicks are counted.
func (m *midnight) drain(t *testing.T) {
	t.Helper()
	for _, node := range m.nodes {
		node.drain(t)
	}
}

// await waits for midnight.
func (m *midnight) await(t *testing.T) {
	t.Helper()
	if m.today() != m.yesterday {
		t.Fatalf("it was midnight already after %v", beforeMidnight)
	}
	for m.today() == m.yesterday {
		time.Sleep(100 * time.Millisecond)
	}
}

// leaveTraces has visitors come before midnight, and returns the day's key and a hash. Both have to
// be there: so the searches find them.
func (m *midnight) leaveTraces(t *testing.T) (key []byte, hash [][]byte) {
	t.Helper()
	m.visit(t)
	m.drain(t)
	key = m.key(t, m.yesterday)
	hash = m.traces(key)
	await(t, "the next day's key", func() bool { return m.key(t, m.yesterday+1) != nil })
	for n, node := range m.nodes {
		if node.inMemory(t, key) == 0 || node.inMemory(t, hash...) == 0 {
			t.Errorf("node %d: no key of today in memory, or no hash", n)
		}
		if node.inFiles(t, hash...) == 0 {
			t.Errorf("node %d: no hash in its files", n)
		}
	}
	return key, hash
}

// leavesNoTrace waits until what has to go after midnight is gone. A node wipes its sets before its
// journal goes on in another file, so that its memory is searched after its files.
func (m *midnight) leavesNoTrace(t *testing.T, key []byte, hash [][]byte) {
	t.Helper()
	await(t, "the key to be gone from the database", func() bool {
		return m.key(t, m.yesterday) == nil
	})
	table := [...]string{"visitor_hashes_even", "visitor_hashes_odd"}[m.yesterday&1]
	await(t, "the hashes to be gone from the database", func() bool {
		return m.one(t, "SELECT count(*) FROM "+table) == int64(0)
	})
	for n, node := range m.nodes {
		await(t, "the files to be without key and hash", func() bool {
			return node.inFiles(t, append(hash, key)...) == 0
		})
		if found := node.inMemory(t, key); found > 0 {
			t.Errorf("node %d: the key of yesterday is %d times in memory", n, found)
		}
		// What a driver was handed may still be in memory that nothing uses.
		if found := node.inMemory(t, hash[asClick], hash[inSet]); found > 0 {
			t.Errorf("node %d: a hash of yesterday is %d times in memory", n, found)
		}
	}
}

// TestMidnight has midnight come while the database is away. Nodes then still agree on who is a
// visitor, no click is lost or doubled, and once all are counted, neither the key of the day that
// is over nor a hash of its visitors is in the database, in a journal or in the nodes' memory.
func TestMidnight(t *testing.T) {
	t.Parallel()
	m := &midnight{program: aheadOfTime(t)}
	database := pgtest.Start(t)
	url := database.URL("postgres")
	m.one = func(t *testing.T, sql string) (value any) {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(t.Context())
		if err := conn.QueryRow(t.Context(), sql).Scan(&value); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return value
	}
	m.start(t, 3, "DATABASE_URL="+url)
	key, hash := m.leaveTraces(t)
	if err := database.Stop(); err != nil {
		t.Fatal(err)
	}
	m.visit(t)
	m.await(t)
	m.visit(t)
	if err := database.Start(); err != nil {
		t.Fatal(err)
	}
	m.drain(t)
	m.visit(t)
	m.drain(t)
	m.check(t)
	m.leavesNoTrace(t, key, hash)
}

// TestMidnightSQLite is TestMidnight for a node that is killed after midnight, and for the files of
// its database.
func TestMidnightSQLite(t *testing.T) {
	t.Parallel()
	m := &midnight{program: aheadOfTime(t)}
	m.one = func(t *testing.T, sql string) (value any) {
		conn, err := sqlite.OpenConn(filepath.Join(m.nodes[0].dir, "terse.db"), sqlite.OpenReadOnly)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetBusyTimeout(time.Minute)
		if err := sqlitex.Execute(conn, sql, &sqlitex.ExecOptions{
			ResultFunc: func(row *sqlite.Stmt) error {
				switch row.ColumnType(0) {
				case sqlite.TypeInteger:
					value = row.ColumnInt64(0)
				case sqlite.TypeBlob:
					b := make([]byte, row.ColumnLen(0))
					row.ColumnBytes(0, b)
					value = b
				}
				return nil
			},
		}); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return value
	}
	m.start(t, 1)
	key, hash := m.leaveTraces(t)
	m.await(t)
	m.visit(t)
	m.drain(t)
	m.leavesNoTrace(t, key, hash)
	killed := m.nodes[0]
	killed.kill()
	m.nodes[0] = startProgram(t, m.program, killed.dir, m.env...)
	m.visit(t)
	m.drain(t)
	m.check(t)
	m.leavesNoTrace(t, key, hash)
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
