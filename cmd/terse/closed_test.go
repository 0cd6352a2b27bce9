package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// closedOf make a source of a product with links that are closed there, though by an end in the
// year 1 or a limit of 0, which mean none here.
var closedOf = map[string]func(t *testing.T) (source, key string, codes []string){
	"chhoto": func(t *testing.T) (string, string, []string) {
		return databaseOf(t, `CREATE TABLE urls (id INTEGER PRIMARY KEY, short_url TEXT,
			long_url TEXT, hits INTEGER, expiry_time INTEGER, notes TEXT);
			INSERT INTO urls VALUES (1, 'ended', 'https://a.example/', 0, -62135596800, NULL)`),
			"", []string{"ended"}
	},
	"kutt": func(t *testing.T) (string, string, []string) {
		source, _ := kuttSQLite(t)
		runSQLite(t, source, `DELETE FROM visits; DELETE FROM links WHERE address != 'x';
			UPDATE links SET address = 'ended', expire_in = '0001-01-01 00:00:00'`, nil)
		return source, "", []string{"ended"}
	},
	"kutt's API": func(t *testing.T) (string, string, []string) {
		return answering(t, object{"total": 1, "data": []object{{
			"id": "1", "address": "ended", "target": "https://a.example/",
			"expire_in": "0001-01-01T00:00:00.000Z",
		}}}), "key", []string{"ended"}
	},
	"mjrwtf": func(t *testing.T) (string, string, []string) {
		return databaseOf(t, `CREATE TABLE urls (id INTEGER PRIMARY KEY, short_code TEXT,
			original_url TEXT, created_at DATETIME, created_by TEXT);
			CREATE TABLE clicks (id INTEGER PRIMARY KEY, url_id INTEGER, clicked_at DATETIME,
			referrer TEXT, country TEXT, user_agent TEXT);
			CREATE TABLE url_status (url_id INTEGER, gone_at DATETIME, archive_url TEXT);
			INSERT INTO urls VALUES (1, 'ended', 'https://a.example/', '2026-01-01', 'x');
			INSERT INTO url_status VALUES (1, '0001-01-01 00:00:00+00:00', NULL)`),
			"", []string{"ended"}
	},
	"shlink": func(t *testing.T) (string, string, []string) {
		s := startShlink(t)
		for code, meta := range map[string]object{
			"ended":   {"validUntil": "0001-01-01T00:00:00+00:00"},
			"limit-0": {"maxVisits": 0}, "limit-1": {"maxVisits": -1},
		} {
			s.add("", code, object{"meta": meta})
		}
		return s.URL, shlinkKey, []string{"ended", "limit-0", "limit-1"}
	},
	"sink": func(t *testing.T) (string, string, []string) {
		return writeSource(t, `{"version": "1.0", "links": [{"slug": "ended",
			"url": "https://a.example/", "expiration": -62135596800}]}`), "", []string{"ended"}
	},
}

func writeSource(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "source")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func databaseOf(t *testing.T, script string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "source.db")
	runSQLite(t, path, script, nil)
	return path
}

// answering returns the address of a server that always answers the same.
func answering(t *testing.T, answer any) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// What was closed there is not open here, and the report names what could not be kept.
func TestImportClosed(t *testing.T) {
	t.Parallel()
	for name, of := range closedOf {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := start(t)
			source, key, codes := of(t)
			format, _, _ := strings.Cut(name, "'")
			for _, conflict := range []string{"skip", "overwrite"} {
				r, said := i.importFrom(t, format, source, key, "--conflict", conflict)
				for _, code := range codes {
					status, _ := i.visitor(t)(code, 1)
					if status != http.StatusNotFound && status != http.StatusGone ||
						!strings.Contains(said, ","+code+",") {
						t.Errorf("%s is answered %d: %+v\n%s", code, status, r, said)
					}
				}
			}
		})
	}
}

// A date of creation that is no time is left out, not the link. Undated clicks of a link that was
// created before there were clicks are kept.
func TestImportDates(t *testing.T) {
	t.Parallel()
	i := start(t)
	source, _ := kuttSQLite(t)
	runSQLite(t, source, `DELETE FROM visits; DELETE FROM links WHERE address != 'x';
		UPDATE links SET address = 'no-date', created_at = 'x', updated_at = 'y', visit_count = 5`,
		nil)
	dump := writeSource(t, "CREATE TABLE yourls_url (keyword varchar(100), url text, title text,\n"+
		"`timestamp` timestamp, ip varchar(41), clicks int);\nINSERT INTO yourls_url VALUES\n"+
		"('old','https://a.example/','','1970-01-01 00:00:01','',5);\n")
	for code, of := range map[string][]string{
		"no-date": {"kutt", source, "created_at was left out", "updated_at was left out"},
		"old":     {"yourls", dump},
	} {
		for _, clicks := range []string{"5 added", "5 known"} {
			r, said := i.importFrom(t, of[0], of[1], "")
			if r.code != 0 || !strings.Contains(r.out, clicks) {
				t.Errorf("%s: %+v\n%s", code, r, said)
			}
			for _, part := range of[2:] {
				if !strings.Contains(said, part) {
					t.Errorf("%s: the report has no %q:\n%s", code, part, said)
				}
			}
		}
		if n := i.counted(t, code); n != 5 {
			t.Errorf("%s has %d clicks", code, n)
		}
	}
}
