package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse/internal/tests/longtest"
	"terse/internal/tests/pgtest"
)

// bigKey is the key of all servers of TestImportsFromServersThatAreKilled.
const bigKey = "TERSE_SOURCE_KEY=secret"

// What is read of a server may also be killed while it is read: then nothing is there yet. Beside
// it, half of the imports go to a server on PostgreSQL.
func TestImportsFromServersThatAreKilled(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, c := range []struct {
		name, format, database string
		kind                   bigKind
		source                 func(*testing.T) (address string)
	}{
		{"YOURLS with Shlink's plugin", "yourls", "sqlite", hours, func(t *testing.T) string {
			return bigYOURLSServer(t, true)
		}},
		{"YOURLS", "yourls", "postgres", totals, func(t *testing.T) string {
			return bigYOURLSServer(t, false)
		}},
		{"Kutt", "kutt", "sqlite", totals, bigKuttServer},
		{"Kutt's database", "kutt", "postgres", hours, bigKuttPostgres},
		{"chhoto-url", "chhoto", "sqlite", totals, bigChhotoServer},
		{"golink", "golink", "postgres", noClicks, bigGolinkServer},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			i, source := start(t, append(databases[c.database](t), bigPatience)...), c.source(t)
			stalled := &stall{after: 1 << 20} // of 2.2 MB and more
			i.killImport(t, nil, c.format, stalled.between(t, source), "the source to be read",
				stalled.is.Load)
			if n := i.linksNow(t); n != 0 {
				t.Errorf("%d links are there of a source that was not read to its end", n)
			}
			wantOnceIfKilled(t, i, c.format, source, c.kind)
		})
	}
}

// stall passes so many bytes of a server's answers, and then none, without an end.
type stall struct {
	after int64
	is    atomic.Bool
}

// between returns an address at which a server is reached through it.
func (s *stall) between(t *testing.T, address string) string {
	t.Helper()
	at, err := url.Parse(address)
	must(t, err)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	host := at.Host
	var left atomic.Int64
	left.Store(s.after)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			go s.pass(client, host, &left)
		}
	}()
	at.Host = listener.Addr().String()
	return at.String()
}

// pass passes what a client and a server say, until the client leaves.
func (s *stall) pass(client net.Conn, host string, left *atomic.Int64) {
	defer client.Close()
	server, err := net.DialTimeout("tcp", host, time.Minute)
	if err != nil {
		return
	}
	go func() {
		for piece := make([]byte, 64<<10); ; {
			n, err := server.Read(piece)
			if err != nil {
				return
			}
			if left.Add(-int64(n)) < 0 {
				s.is.Store(true)
				return
			}
			if _, err := client.Write(piece[:n]); err != nil {
				return
			}
		}
	}()
	_, _ = io.Copy(server, client)
	_ = server.Close()
}

// bigPage is a list of links or visits.
type bigPage = []map[string]any

// bigServer returns the address of a server that answers in JSON to requests with the right key.
func bigServer(
	t *testing.T, key func(*http.Request) string, answer func(r *http.Request) any,
) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, want, _ := strings.Cut(bigKey, "="); key(r) != want {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch body := answer(r).(type) {
		case nil:
			w.WriteHeader(http.StatusBadRequest)
		case string:
			_, _ = io.WriteString(w, body)
		default:
			_ = json.NewEncoder(w).Encode(body)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// bigYOURLSServer answers as YOURLS does, with or without Shlink's plugin. Of the first hour it has
// only the sum.
func bigYOURLSServer(t *testing.T, plugin bool) (address string) {
	t.Helper()
	links, stats := bigPage{}, map[string]any{}
	for n := 1; n <= bigLinks; n++ {
		link := map[string]any{
			"url": bigURL(n), "title": "", "timestamp": bigCreated.Format(time.DateTime),
			"clicks": strconv.Itoa(bigClicksOf(n)), "keyword": fmt.Sprintf("big%d", n),
			"shorturl": fmt.Sprintf("http://old.test/big%d", n),
		}
		links = append(links, link)
		stats[fmt.Sprintf("link_%d", n)] = link
	}
	visits := func(code string) (visits bigPage) {
		n, err := strconv.Atoi(strings.TrimPrefix(code, "big"))
		if err != nil {
			t.Error(err)
		}
		for c := bigHour; c < bigClicksOf(n); c++ {
			at := bigCreated.Add(time.Duration(c/bigHour) * time.Hour)
			visits = append(visits, map[string]any{
				"click_time": at.Format(time.DateTime), "referrer": "direct", "user_agent": "",
				"country_code": "",
			})
		}
		return visits
	}
	key := func(r *http.Request) string { return r.URL.Query().Get("signature") }
	return bigServer(t, key, func(r *http.Request) any {
		asked := r.URL.Query()
		switch action := asked.Get("action"); {
		case action == "stats":
			return map[string]any{
				"links": stats, "stats": map[string]any{"total_links": strconv.Itoa(bigLinks)},
			}
		case !plugin:
			return nil
		case action == "shlink-list":
			return map[string]any{"statusCode": 200, "result": links}
		}
		return map[string]any{"statusCode": 200, "result": visits(asked.Get("shortCode"))}
	})
}

// bigKuttServer answers as Kutt does, newest first.
func bigKuttServer(t *testing.T) (address string) {
	t.Helper()
	var links bigPage
	for n := bigLinks; n >= 1; n-- {
		links = append(links, map[string]any{
			"id": strconv.Itoa(n), "address": fmt.Sprintf("big%d", n), "target": bigURL(n),
			"visit_count": strconv.Itoa(bigClicksOf(n)), "banned": 0, "password": false,
			"domain": "kutt.example", "created_at": "2026-03-01T00:00:00.000Z",
			"updated_at": "2026-03-01T00:00:00.000Z", "expire_in": nil, "description": nil,
		})
	}
	key := func(r *http.Request) string { return r.Header.Get("X-API-Key") }
	return bigServer(t, key, func(r *http.Request) any {
		skip, err := strconv.Atoi(r.URL.Query().Get("skip"))
		if err != nil {
			t.Error(err)
		}
		page := links[min(skip, bigLinks):min(skip+50, bigLinks)]
		return map[string]any{"total": bigLinks, "data": page}
	})
}

// bigChhotoServer answers as chhoto-url does: the newest page first, in the order of their age.
func bigChhotoServer(t *testing.T) (address string) {
	t.Helper()
	var links bigPage
	for n := 1; n <= bigLinks; n++ {
		links = append(links, map[string]any{
			"shortlink": fmt.Sprintf("big%d", n), "longlink": bigURL(n), "hits": bigClicksOf(n),
			"expiry_time": nil, "notes": nil,
		})
	}
	key := func(r *http.Request) string { return r.Header.Get("X-API-Key") }
	return bigServer(t, key, func(r *http.Request) any {
		until, asked := bigLinks, r.URL.Query()
		if after := asked.Get("page_after"); after != "" {
			until = max(0, slices.IndexFunc(links, func(l map[string]any) bool {
				return l["shortlink"] == after
			}))
		}
		size, err := strconv.Atoi(asked.Get("page_size"))
		if err != nil {
			t.Error(err)
		}
		return links[max(0, until-size):until]
	})
}

// bigGolinkServer answers as golink does, which has no keys.
func bigGolinkServer(t *testing.T) (address string) {
	t.Helper()
	text, err := os.ReadFile(bigGolink(t))
	must(t, err)
	key := func(*http.Request) string { return "secret" }
	return bigServer(t, key, func(*http.Request) any { return string(text) })
}

// bigKuttPostgres returns the address of Kutt's database with other rows. Of the first hour it has
// only the sum.
func bigKuttPostgres(t *testing.T) (address string) {
	t.Helper()
	address = pgtest.URL(t)
	pgtest.Exec(t, address, kuttFile(t, "postgres.sql"))
	pgtest.Exec(t, address, fmt.Sprintf(`
		DELETE FROM public.visits; DELETE FROM public.links;
		INSERT INTO public.links (id, address, target, visit_count, created_at, updated_at)
			SELECT i, 'big' || i, 'https://example.com/' || i || '?%s', 16 + least(i %% 3, 1),
				'2026-03-01 00:00:00Z', '2026-03-01 00:00:00Z'
			FROM generate_series(1, %d) i;
		INSERT INTO public.visits (id, link_id, created_at, updated_at, total, countries, referrers,
				br_chrome, os_linux)
			SELECT row_number() OVER (), l.id, at, at, n, jsonb_build_object('de', n),
				jsonb_build_object('direct', n), n, n
			FROM public.links l, generate_series(1, (visit_count - 1) / %d) hour,
				LATERAL (SELECT least(%[3]d, visit_count - hour * %[3]d) n,
					created_at + make_interval(hours => hour) AS at) v`,
		bigQuery, bigLinks, bigHour))
	return address
}
