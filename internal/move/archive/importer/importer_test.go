package importer_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/move/archive/importer"
	"terse/internal/tests/longtest"
)

// A link may have more lines than fit into memory, in any order, also on one day: each click is
// added once, with its visitors and what was dropped.
func TestManyClicksInAnyOrder(t *testing.T) {
	t.Parallel()
	const links, clicks = 1, 320_000
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	var text bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	for n := range links {
		fmt.Fprintf(&text, `{"type":"link","short_code":"many-%d","original_url":`+
			`"https://e.example/"}`+"\n", n)
		for _, c := range random.Perm(clicks) {
			when := at.Add(time.Duration(c) * 360 * time.Millisecond)
			fmt.Fprintf(&text, `{"type":"click","time":%q,"firsts":%d,"country":%q,`+
				`"referrer":"https://news.example/%d"}`+"\n", when.Format(api.EventTime), c%2,
				[]string{"DE", "FR"}[c%2], c%5)
		}
		fmt.Fprintln(&text, `{"type":"day","date":"2026-01-02","clicks":1000,"visitors":10}`)
	}
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "sqlite" {
				longtest.Only(t)
			}
			store := open(t)
			i := newImporter(t, store, nil)
			all := int64(links * (clicks + 1000))
			if s := importText(t, i, text.Bytes()); s.Created != links || s.ClicksAdded != all {
				t.Errorf("first: %+v", s)
			}
			if s := importText(t, i, text.Bytes()); s.Unchanged != links || s.ClicksKnown != all ||
				s.ClicksAdded != 0 {
				t.Errorf("again: %+v", s)
			}
			code, err := terse.ParseCode("many-0")
			if err != nil {
				t.Fatal(err)
			}
			link, err := store.Link(t.Context(), code)
			if err != nil {
				t.Fatal(err)
			}
			series, err := store.Series(t.Context(), link.Ref(), terse.SeriesQuery{
				Range: terse.AllTime, Limit: 10,
			})
			if err != nil || series.Total != clicks+1000 || series.Visitors != clicks/2+10 {
				t.Errorf("%d clicks, %d visitors, %v", series.Total, series.Visitors, err)
			}
		})
	}
}

// FuzzImport imports any text twice: that neither fails nor adds a click twice.
func FuzzImport(f *testing.F) {
	for _, lines := range [][]string{
		{
			`{"type":"export","version":1}`,
			`{"type":"link","short_code":"abc","original_url":"https://e.example/","title":"A",` +
				`"tags":["a"],"aliases":["b/c"],"max_clicks":5,"clicks_used":2,"history":[]}`,
			`{"type":"day","date":"2026-01-02","clicks":5,"visitors":2}`,
			`{"type":"counts","date":"2026-01-02","dimension":"country","counts":{"DE":4}}`,
			`{"type":"click","time":"2026-01-02T03:04:05Z","count":2,"firsts":1,"device":"tv"}`,
			`{"type":"end"}`,
		},
		{
			`{"type":"link","short_code":"ä","original_url":"https://e.example/"}`,
			`{"type":"click","count":3}`,
			`{"type":"click","time":"2026-01-02T03:04:05Z","user_agent":"x","address":"::1"}`,
		},
		{"short_code,original_url,clicks,created_at", "abc,https://e.example/,7,2026-01-02"},
		{"{", "\xff\xfe"},
	} {
		f.Add(strings.Join(lines, "\n"), false)
	}
	store := stores["sqlite"](f)
	f.Add(`{"type":"link","short_code":"abc","original_url":"https://e.example/"}`, true)
	i := newImporter(f, store, func(o *importer.Options) { o.Retention = 24 * time.Hour })
	f.Fuzz(func(t *testing.T, text string, overwrite bool) {
		r := importer.Request{
			Caller: terse.Caller{Identity: "me"}, Conflict: importer.Skip, Format: importer.Auto,
		}
		if overwrite {
			r.Conflict = importer.Overwrite
		}
		run := func() (summary *api.ImportSummary) {
			body, err := i.Receive(context.Background(), strings.NewReader(text), "")
			if err != nil {
				t.Fatal(err)
			}
			defer body.Close()
			if err := i.Check(context.Background(), body, r); err != nil {
				return nil // it is refused
			}
			if err := i.Run(context.Background(), body, r, func(lines []any) error {
				if end, ok := lines[len(lines)-1].(api.ImportEnd); ok {
					summary = &end.Summary
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			return summary
		}
		first := run()
		if first == nil {
			return
		}
		if again := run(); again == nil || again.Created == 0 && again.ClicksAdded > 0 {
			t.Fatalf("first %+v, again %+v", first, again)
		}
	})
}
