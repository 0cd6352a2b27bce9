package hosts_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"terse"
	"terse/internal/link/hosts"
)

// rows is a terse.Domains in memory.
type rows []terse.DomainRow

func (r *rows) Domains(context.Context) ([]terse.DomainRow, error) { return slices.Clone(*r), nil }

func (r *rows) AddDomains(_ context.Context, hosts []string) error {
	for _, host := range hosts {
		if !slices.ContainsFunc(*r, func(of terse.DomainRow) bool { return of.Host == host }) {
			*r = append(*r, terse.DomainRow{Domain: terse.Domain(len(*r)), Host: host})
		}
	}
	return nil
}

func (r *rows) UpdateDomain(context.Context, terse.Caller, terse.Domain, terse.DomainChange) (
	row terse.DomainRow, err error,
) {
	return row, terse.ErrDomainNotFound
}

// lockedRows may change while they are read.
type lockedRows struct {
	rows
	mu sync.Mutex // guards rows
}

func (r *lockedRows) Domains(ctx context.Context) ([]terse.DomainRow, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rows.Domains(ctx)
}

func start(t *testing.T, stored *rows, baseURL string, others ...string) *hosts.Hosts {
	t.Helper()
	h := hosts.New(hosts.Options{
		Store: stored, Timeout: time.Minute, BaseURL: baseURL, Others: others,
		Logger: slog.Default(),
	})
	if err := h.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

func TestParseNames(t *testing.T) {
	t.Parallel()
	label := strings.Repeat("a", 63)
	names, bad := hosts.ParseNames(" Go.Example., münchen.example,,go.example, go,a-b.1a, " +
		label + ".example,")
	want := []string{
		"go.example", "xn--mnchen-3ya.example", "go", "a-b.1a", label + ".example",
	}
	if !slices.Equal(names, want) || bad != nil {
		t.Errorf("%q %q", names, bad)
	}
	refused := []string{
		"127.0.0.1", "0x7f000001", "[::1]", "::1", "-a.example", "a-.example", "a.-b", "a..b", "..",
		".", "a.b..", label + "a.example", strings.Repeat("a.", 127) + "a", "a_b.example",
		"*.example", "s.example:443", "https://s.example", "s.example/", "a b", "ann@s.example",
		"a%2eb.", "xn--", "\xff.example",
	}
	names, bad = hosts.ParseNames(strings.Join(refused, ",") + ",")
	if len(names) > 0 || !slices.Equal(bad, refused) {
		t.Errorf("%q, refused %q", names, bad)
	}
}

func TestAsked(t *testing.T) {
	t.Parallel()
	stored := &rows{
		{}, {Domain: 1, Host: "old.example", Links: 3}, {Domain: 2, Host: "gone.example"},
	}
	table := start(t, stored, "https://s.example:8443", "go.example", "xn--mnchen-3ya.example",
		"s.example").Table()
	for host, want := range map[string]struct {
		domain terse.Domain
		closed bool
	}{
		"s.example": {}, "S.Example:8443": {}, "s.example.": {},
		"go.example": {3, false}, "GO.EXAMPLE": {3, false}, "Go.Example.:80": {3, false},
		"go.example:8443": {3, false}, "go.example.": {3, false}, "go.example:": {3, false},
		"xn--mnchen-3ya.example": {4, false}, "XN--Mnchen-3ya.example:1": {4, false},
		"old.example": {1, true}, "OLD.example:443": {1, true},
		"gone.example": {}, "other.example": {}, "127.0.0.1:8080": {}, "[::1]:8080": {}, "": {},
		"x.go.example": {}, "go.example..": {}, "go.example:80:80": {}, ":": {}, ".": {},
		strings.Repeat("a", 300): {}, "go.example ": {},
	} {
		if domain, closed := table.Asked([]byte(host)); domain != want.domain ||
			closed != want.closed {
			t.Errorf("%q is %d, closed %v, want %+v", host, domain, closed, want)
		}
	}
	for name, want := range map[string]string{
		"s.example": "https://s.example:8443", "Go.Example.": "https://go.example:8443",
		"münchen.example": "https://xn--mnchen-3ya.example:8443",
		"old.example":     "https://old.example:8443",
		"gone.example":    "", "other.example": "", "go.example:8443": "", "https://go.example": "",
		"": "", "*.example": "", "go.example/x": "",
	} {
		if row, ok := table.Named(name); ok != (want != "") || row.URL != want {
			t.Errorf("%q is %+v, %v", name, row, ok)
		}
	}
	var all []string
	for _, row := range table.Rows() {
		all = append(all, row.Host)
	}
	want := []string{"s.example", "old.example", "go.example", "xn--mnchen-3ya.example"}
	if !slices.Equal(all, want) {
		t.Errorf("domains %q, want %q", all, want)
	}
}

// TestAskedDoesNotAllocate is not parallel, because AllocsPerRun counts what others allocate.
func TestAskedDoesNotAllocate(t *testing.T) { //nolint:paralleltest // see above
	table := start(t, &rows{{}}, "https://s.example", "go.example").Table()
	host := []byte("GO.example.:8080")
	if n := testing.AllocsPerRun(100, func() { table.Asked(host) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestOneHost(t *testing.T) {
	t.Parallel()
	table := start(t, &rows{{}, {Domain: 1, Host: "gone.example"}}, "http://s.example").Table()
	if table.Several() {
		t.Error("there are several domains")
	}
	if d, closed := table.Asked([]byte("gone.example")); d != 0 || closed {
		t.Errorf("a host of before is %d, closed %v", d, closed)
	}
}

func TestBaseURLOfOtherLinks(t *testing.T) {
	t.Parallel()
	err := hosts.New(hosts.Options{
		Store:   &rows{{}, {Domain: 1, Host: "go.example", Links: 1}},
		BaseURL: "http://go.example",
	}).Start(t.Context())
	if err == nil || !strings.Contains(err.Error(), "go.example") {
		t.Errorf("a BASE_URL with another domain's host: %v", err)
	}
}

// Somebody who forgets a host in DOMAINS should not learn it from visitors.
func TestStartNamesLeftHosts(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	err := hosts.New(hosts.Options{
		Store: &rows{
			{},
			{Domain: 1, Host: "go.example", Links: 1},
			{Domain: 2, Host: "left.example", Links: 7},
			{Domain: 3, Host: "empty.example"},
		},
		BaseURL: "http://s.example", Others: []string{"go.example"},
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}).Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := log.String(); strings.Count(got, "\n") != 1 ||
		!strings.Contains(got, "host=left.example links=7") {
		t.Errorf("logged %q, want left.example alone", got)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stored := &lockedRows{rows: rows{{}}}
		h := hosts.New(hosts.Options{
			Store: stored, Timeout: time.Minute, BaseURL: "http://s.example",
			Logger: slog.Default(),
		})
		if err := h.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _ = h.Run(ctx) }()
		stored.mu.Lock()
		old := terse.DomainRow{Domain: 1, Host: "old.example", Links: 1}
		stored.rows = append(stored.rows, old)
		stored.mu.Unlock()
		h.Changed()
		synctest.Wait()
		if _, closed := h.Table().Asked([]byte("old.example")); !closed {
			t.Error("a change was not loaded")
		}
		setLinks := func(n int64) { // which nobody says
			stored.mu.Lock()
			stored.rows[1].Links = n
			stored.mu.Unlock()
			time.Sleep(11 * time.Second)
			synctest.Wait()
		}
		setLinks(0)
		if _, closed := h.Table().Asked([]byte("old.example")); closed {
			t.Error("a host without links is closed")
		}
		setLinks(1)
		if _, closed := h.Table().Asked([]byte("old.example")); !closed {
			t.Error("a host with a link is open")
		}
		cancel()
	})
}
