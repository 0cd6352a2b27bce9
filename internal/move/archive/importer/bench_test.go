package importer_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/database/postgres"
	"terse/internal/database/sqlite"
	"terse/internal/database/storetest"
	"terse/internal/link/hosts"
	"terse/internal/link/manage"
	"terse/internal/move/archive/importer"
	"terse/internal/tests/pgtest"
	"terse/internal/visit/password"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// stores are the stores to import into.
var stores = map[string]func(testing.TB) storetest.Store{
	"sqlite": func(t testing.TB) storetest.Store {
		s, err := sqlite.Open(context.Background(), sqlite.Options{
			Path: filepath.Join(t.TempDir(), "terse.db"),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	},
	"postgres": func(t testing.TB) storetest.Store {
		s, err := postgres.Open(context.Background(), postgres.Options{
			URL: pgtest.URL(t), Timeout: time.Minute,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	},
}

// newImporter returns an importer for a store, with options that change may alter.
func newImporter(t testing.TB, store importer.Store, change func(*importer.Options),
) *importer.Importer {
	t.Helper()
	opts := importer.Options{
		Store: store,
		Manager: manage.New(manage.Options{
			Hosts: hosts.New(hosts.Options{BaseURL: "https://sho.rt"}), HashPassword: password.Hash,
			Reserved: func(segment string) bool { return segment == "api" },
		}),
		Dir: t.TempDir(),
		Place: func(netip.Addr) (terse.Country, string, string) {
			return terse.UnknownCountry, "", ""
		},
		Changed: func(string) {}, Logger: slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&opts)
	}
	return importer.New(opts)
}

// importText imports a text and returns the summary.
func importText(t testing.TB, i *importer.Importer, text []byte) (summary api.ImportSummary) {
	t.Helper()
	ctx := context.Background()
	body, err := i.Receive(ctx, bytes.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	r := importer.Request{Caller: terse.Caller{Identity: "me"}, Conflict: importer.Skip}
	if err := i.Check(ctx, body, r); err != nil {
		t.Fatal(err)
	}
	if err := i.Run(ctx, body, r, func(lines []any) error {
		if end, ok := lines[len(lines)-1].(api.ImportEnd); ok {
			summary = end.Summary
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return summary
}

// BenchmarkImport imports links, as many at a time as b.N says, with no clicks or 20 of each.
func BenchmarkImport(b *testing.B) {
	for name, open := range stores {
		for _, clicks := range []int{0, 20} {
			b.Run(fmt.Sprintf("%s/clicks=%d", name, clicks), func(b *testing.B) {
				i := newImporter(b, open(b), nil)
				var text bytes.Buffer
				for n := range b.N {
					fmt.Fprintf(&text, `{"type":"link","short_code":"link-%d","original_url":`+
						`"https://example.com/some/page/%d","created_at":`+
						`"2026-01-02T03:04:05.%06dZ","title":"Page %d"}`+"\n", n, n, n%1e6, n)
					for c := range clicks {
						fmt.Fprintf(&text, `{"type":"click","time":"2026-0%d-%02dT03:04:05.%06dZ",`+
							`"country":"DE","referrer":"https://news.example/%d",`+
							`"browser":"Firefox","os":"Linux","device":"desktop","language":"de",`+
							`"visitor":"person"}`+"\n", 1+c%8, 1+n%28, n%1e6, c%5)
					}
				}
				b.ResetTimer()
				s := importText(b, i, text.Bytes())
				if s.Created != int64(b.N) || s.ClicksAdded != int64(b.N*clicks) {
					b.Fatalf("%+v", s)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "links/s")
				b.ReportMetric(float64(b.N*clicks)/b.Elapsed().Seconds(), "clicks/s")
			})
		}
	}
}
