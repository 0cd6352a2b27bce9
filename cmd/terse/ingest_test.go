package main

import (
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse/internal/click/ingest"
)

// script runs SQL in a server's database, as an operator would.
func (i *instance) script(t *testing.T, statements string) {
	t.Helper()
	conn, err := sqlite.OpenConn(filepath.Join(i.dir, "terse.db"), sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetBusyTimeout(10 * time.Second)
	if err := sqlitex.ExecuteScript(conn, statements, nil); err != nil {
		t.Fatal(err)
	}
}

// readyBody is the answer to readiness when all is well.
const readyBody = `{"status":"ready","client_address":"127.0.0.1"}`

// readiness returns a function that asks for the readiness detail, each time by the same
// connection.
func (i *instance) readiness(t *testing.T) func() string {
	client := plain(t, 1)
	return func() string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, i.url+"/ready?verbose",
			http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+testToken)
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
}

// A server that can't count clicks, and can do all else, says so until it is over.
func TestClicksAreNotCounted(t *testing.T) {
	t.Parallel()
	i := start(t)
	code := i.shorten(t, "https://example.com/")
	verbose := i.readiness(t)
	if body := verbose(); body != readyBody || i.metric(t, "terse_ingest_failing") != 0 {
		t.Errorf("before: %s", body)
	}
	i.script(t, `
		CREATE TRIGGER stuck_1 BEFORE UPDATE ON journals
			BEGIN SELECT RAISE(ABORT, 'stuck for good'); END;
		CREATE TRIGGER stuck_2 BEFORE INSERT ON journals
			BEGIN SELECT RAISE(ABORT, 'stuck for good'); END;`)
	i.do(t, "GET /"+code, "")
	await(t, "the metric", func() bool {
		return i.metric(t, "terse_ingest_failing") == 1 &&
			i.metric(t, "terse_ingest_failures_total") > 0
	})
	i.logLines(t, "clicks are not counted for now")
	await(t, "a warning", func() bool {
		body := verbose()
		return strings.HasPrefix(body,
			`{"status":"ready","warnings":["no click was counted for `) &&
			strings.Contains(body, "stuck for good")
	})
	for _, header := range []string{authorized(), "X-Other: x"} {
		if a := i.do(t, "GET /ready", "", header); a.StatusCode != 200 ||
			a.body != `{"status":"ready"}` {
			t.Errorf("/ready: %d %s", a.StatusCode, a.body)
		}
	}
	if a := i.do(t, "GET /ready?verbose", ""); a.body != `{"status":"ready"}` {
		t.Errorf("a stranger was told %s", a.body)
	}
	i.script(t, "DROP TRIGGER stuck_1; DROP TRIGGER stuck_2;")
	i.logLines(t, "clicks are counted again")
	i.clicks(t, code, 1)
	if body := verbose(); body != readyBody || i.metric(t, "terse_ingest_failing") != 0 {
		t.Errorf("after: %s", body)
	}
}

// A moment's failure and a moment's delay are no warning.
func TestNotCounted(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, row := range []struct {
		name    string
		stats   ingest.Stats
		backlog int64
		want    string
	}{
		{"all is well", ingest.Stats{Lag: time.Hour}, 0, ""},
		{"it fails for a moment", ingest.Stats{
			Failing: now.Add(-9 * time.Second),
			Err:     errors.New("down"), Lag: 9 * time.Second,
		}, 1, ""},
		{
			"it fails",
			ingest.Stats{
				Failing: now.Add(-10500 * time.Millisecond),
				Err:     errors.New("down"),
			},
			1,
			"no click was counted for 10s, they are kept in the journal: down",
		},
		{"it is a little late", ingest.Stats{Lag: 59 * time.Second}, 1, ""},
		{
			"it is late",
			ingest.Stats{Lag: 3*time.Hour + time.Millisecond},
			1,
			"clicks are counted 3h0m0s late",
		},
	} {
		if got := notCounted(row.stats, row.backlog, now); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
