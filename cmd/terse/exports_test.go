package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"terse/api"
	"terse/internal/tests/longtest"
)

// export returns an export, without its first line if that is one.
func (i *instance) export(t *testing.T, q api.ExportQuery) (first, rest string) {
	t.Helper()
	var text bytes.Buffer
	if err := i.client().Export(t.Context(), q, &text); err != nil {
		t.Fatal(err)
	}
	first, rest, _ = strings.Cut(text.String(), "\n")
	return first, rest
}

// TestExport exports visits, single ones and dropped ones.
func TestExport(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		i.makeLink(t, "launch", "https://example.com/?a=1&b=%20#grüße",
			`"aliases":["docs/grüße"],"tags":["Übung"],"title":"<b>","password":"secret"`)
		i.makeLink(t, "Zebra", "https://example.com/z", `"max_clicks":7`)
		i.click(t, "Zebra", `https://news.example/"a"`, map[string]int{"DE": 2})
		var rest string
		await(t, "clicks to be dropped", func() bool {
			_, rest = i.export(t, api.ExportQuery{})
			return strings.Contains(rest, `"type":"day"`) && !strings.Contains(rest, `"click",`)
		})
		day := time.Now().UTC().Format(time.DateOnly) // it may have changed since the visits
		for _, part := range []string{
			`{"type":"link","short_code":"Zebra","original_url":"https://example.com/z",`,
			`"max_clicks":7,"clicks_used":2,"click_count":2,"last_clicked_at":"`,
			`"visitors":1,"clicks":2}`,
			`"dimension":"country","counts":{"DE":2},"visitors":{"DE":1}}`,
			`"dimension":"browser","counts":{"Firefox":2},"visitors":{"Firefox":1}}`,
			`"original_url":"https://example.com/?a=1&b=%20#grüße"`, `"tags":["Übung"]`,
			`"title":"<b>"`, `"aliases":["docs/grüße"],"password_hash":"$argon2id$`,
			`{"type":"end","links":2,"clicks":2}`,
		} {
			if !strings.Contains(rest, part) {
				t.Errorf("no %s in\n%s", part, rest)
			}
		}
		first, again := i.export(t, api.ExportQuery{})
		if again != rest {
			t.Errorf("exported again:\n%s\nbefore:\n%s", again, rest)
		}
		if !strings.Contains(first, `"base_url":"`) || !strings.Contains(first,
			`"links":2,"clicks":2}`) {
			t.Errorf("first line %s", first)
		}
		_, rows := i.export(t, api.ExportQuery{Format: "csv"})
		if n := strings.Count(rows, "\r\n"); n != 2 || !strings.Contains(rows, "<b>,,Übung") {
			t.Errorf("CSV on %s: %s", day, rows)
		}
		if lines := i.logLines(t, `"path":"/api/export"`); !strings.Contains(lines[0],
			`"status":200`) {
			t.Errorf("log: %s", lines)
		}
	}, "TRUSTED_PROXIES=127.0.0.1", "GEOIP_HEADER=X-Country", "CLICK_RETENTION=1s")
}

// fill makes links whose export is longer than what is on its way to a client that does not read.
func (i *instance) fill(t *testing.T) (links int) {
	t.Helper()
	long := "https://example.com/" + strings.Repeat("a", 8000)
	for range 3 {
		bulk := api.Bulk{Atomic: true}
		for range 400 {
			bulk.Operations = append(bulk.Operations, api.Operation{
				Op: "create", Link: api.CreateRequest{
					OriginalURL: long, LinkOptions: api.LinkOptions{ExpiredURL: long},
				},
			})
			links++
		}
		if _, err := i.client().Bulk(t.Context(), bulk); err != nil {
			t.Fatal(err)
		}
	}
	return links
}

// beginExport reads the first line of an export, and no more.
func (i *instance) beginExport(t *testing.T) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := io.WriteString(conn, "GET /api/export HTTP/1.1\r\nHost: x\r\n"+authorized()+
		"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	for read := bufio.NewReaderSize(conn, 16); ; {
		line, err := read.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(line, `{"type":"export"`) {
			return conn
		}
	}
}

// exported reports whether the caller may export.
func (i *instance) exported(t *testing.T) bool {
	t.Helper()
	a := i.do(t, "GET /api/export?clicks=false", "", authorized())
	switch {
	case a.StatusCode == http.StatusOK:
		return true
	case a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "1" ||
		a.body != `{"error":"an export of yours is under way"}`:
		t.Errorf("%d %v %s", a.StatusCode, a.Header, a.body)
	}
	return false
}

// TestExportOfAClientThatLeaves exports, reads some of it, and leaves: others can export then.
func TestExportOfAClientThatLeaves(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		i.fill(t)
		conn := i.beginExport(t)
		if i.exported(t) {
			t.Error("two exports at a time")
		}
		_ = conn.Close()
		await(t, "the export to end", func() bool { return i.exported(t) })
		i.logLines(t, "an export was cut off")
	})
}

// TestStalledExport exports, and reads no more than the beginning.
func TestStalledExport(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	onEachStore(t, func(t *testing.T, i *instance) {
		links := i.fill(t)
		started := time.Now()
		conn := i.beginExport(t)
		for !i.exported(t) {
			if time.Since(started) > 5*time.Minute {
				t.Fatal("the export is still under way")
			}
			time.Sleep(time.Second)
		}
		if took := time.Since(started); took < time.Minute {
			t.Errorf("the export was cut off after %v", took)
		}
		text, err := io.ReadAll(conn)
		if n := strings.Count(string(text), `"type":"link"`); n >= links {
			t.Errorf("%d of %d links came, %v", n, links, err)
		}
		// An export that is read in time is whole, however slowly.
		if _, rest := i.export(t, api.ExportQuery{}); !strings.HasSuffix(rest, fmt.Sprintf(
			`{"type":"end","links":%d,"clicks":0}`+"\n", links)) {
			t.Error("another export is not whole")
		}
	})
}
