package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/move/archive"
)

var now = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func code(text string) terse.Code {
	c, err := terse.ParseCode(text)
	if err != nil {
		panic(err)
	}
	return c
}

// small is an export with a line of each type.
const small = `{"type":"export","version":1,"created_at":"2026-01-31T12:00:00.000000Z",` +
	`"generator":"terse 1.2.0","base_url":"https://s.example","links":2,"clicks":509}
{"type":"link","short_code":"abc","original_url":"https://example.com/?a=1&b=<2>",` +
	`"created_at":"2026-01-01T10:00:00.000000Z","created_by":"authenticated-user",` +
	`"updated_at":"2026-01-03T10:00:00.000001Z","title":"Grüße",` +
	`"tags":["news"],"aliases":["docs/install"],"starts_at":"2026-01-01T00:00:00Z",` +
	`"max_clicks":10,"redirect_status":301,"rules":[{"name":"ios","when":{"device":["ios"],` +
	`"query":{"a":null,"b":"1"}},"share":50,"url":"https://apps.example/"}],` +
	`"password_hash":"$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7",` +
	`"clicks_used":3,` +
	`"share":"AQIDBAUGBwgJCgsMDQ4PEA","history":[{"time":"2026-01-03T10:00:00.000001Z",` +
	`"by":"authenticated-user","request_id":"r-1","fields":{"password":{"old":null,"new":true},` +
	`"title":{"old":"a","new":"Grüße"}}}],"click_count":509,` +
	`"last_clicked_at":"2026-01-30T09:15:00.123456Z"}
{"type":"day","date":"2026-01-02","visitors":300,"clicks":500}
{"type":"counts","date":"2026-01-02","dimension":"country","counts":{"DE":400,"FR":50},` +
	`"people":{"DE":390},"visitors":{"DE":290}}
{"type":"counts","date":"2026-01-02","dimension":"visitor","counts":{"bot":60},"people":{}}
{"type":"day","date":"2026-01-30","visitors":2}
{"type":"click","time":"2026-01-30T09:15:00.000000Z"}
{"type":"click","time":"2026-01-30T09:15:00.123456Z","count":8,"firsts":2,"country":"DE",` +
	`"referrer":"https://news.example/a\"b","device":"mobile","source":"a & <b>"}
{"type":"link","short_code":"xyz","original_url":"https://example.com/",` +
	`"created_at":"2026-01-01T10:00:00.000000Z","created_by":"authenticated-user",` +
	`"click_count":0}
{"type":"end","links":2,"clicks":509}
`

// exported are the links of small.
func exported() []terse.Exported {
	rich := terse.Exported{
		Link: terse.Link{
			ID: 7, Code: code("abc"), URL: "https://example.com/?a=1&b=<2>",
			CreatedAt: at("2026-01-01T10:00:00Z"), CreatedBy: terse.Identity,
			UpdatedAt: at("2026-01-03T10:00:00.000001Z"), Used: 3, Clicks: 509,
			LastClick: at("2026-01-30T09:15:00.123456Z"),
		},
		Share: "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10",
		History: []terse.HistoryEntry{{
			Time: at("2026-01-03T10:00:00.000001Z"), By: terse.Identity, RequestID: "r-1",
			Fields: terse.FieldChanges{
				"title":    {Old: json.RawMessage(`"a"`), New: json.RawMessage(`"Grüße"`)},
				"password": {New: json.RawMessage("true")},
			},
		}},
		Past: func(day func(terse.PastDay) error, click func(terse.PastClick) error) error {
			for _, d := range days() {
				if err := day(d); err != nil {
					return err
				}
			}
			for _, c := range clicks() {
				if err := click(c); err != nil {
					return err
				}
			}
			return nil
		},
	}
	one := "1"
	options := terse.LinkOptions{
		Title: "Grüße", Tags: []string{"news"}, Aliases: []string{"docs/install"},
		StartsAt: at("2026-01-01T00:00:00Z"), MaxClicks: 10, RedirectStatus: 301,
		Password: "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7",
		Rules: []terse.Rule{{
			Name: "ios", Share: 50, URL: "https://apps.example/",
			When: terse.Conditions{
				Device: []string{"ios"}, Query: map[string]*string{"b": &one, "a": nil},
			},
		}},
	}
	var err error
	if rich.Link.Options, err = options.Encode(); err != nil {
		panic(err)
	}
	return []terse.Exported{rich, {
		Link: terse.Link{
			ID: 3, Code: code("xyz"), URL: "https://example.com/",
			CreatedAt: at("2026-01-01T10:00:00Z"), CreatedBy: terse.Identity,
		},
		Past: func(func(terse.PastDay) error, func(terse.PastClick) error) error { return nil },
	}}
}

func days() []terse.PastDay {
	dropped := terse.DayOf(at("2026-01-02T00:00:00Z").UnixMicro())
	return []terse.PastDay{{
		Day: dropped, Clicks: 500, Visitors: 300,
		Counts: []terse.PastCounts{
			{Dimension: terse.ByCountry, Values: []terse.PastValue{
				{Value: "DE", Clicks: 400, People: 390, Firsts: 290},
				{Value: "FR", Clicks: 50},
			}},
			{Dimension: terse.ByVisitor, Values: []terse.PastValue{{Value: "bot", Clicks: 60}}},
		},
	}, {Day: dropped + 28, Visitors: 2}}
}

func clicks() []terse.PastClick {
	return []terse.PastClick{
		{Time: at("2026-01-30T09:15:00Z").UnixMicro(), Count: 1},
		{
			Time: at("2026-01-30T09:15:00.123456Z").UnixMicro(), Count: 8, Firsts: 2,
			Values: terse.Values{
				terse.ByCountry: "DE", terse.ByReferrer: `https://news.example/a"b`,
				terse.ByReferrerHost: "news.example", terse.ByDevice: "mobile",
				terse.ByVisitor: "unknown", terse.BySource: "a & <b>",
			},
		},
	}
}

// store has links to export.
type store []terse.Exported

func (s store) Export(_ context.Context, _ terse.ExportQuery, begin func(links, clicks int64) error,
	each func(terse.Exported) error, _ func(terse.Shared, terse.URL) error,
) error {
	clicks := int64(0)
	for _, e := range s {
		clicks += e.Link.Clicks
	}
	err := begin(int64(len(s)), clicks)
	for _, e := range s {
		if err == nil {
			err = each(e)
		}
	}
	return err
}

// host returns the host of a domain in exports.
func host(d terse.Domain) string {
	if d == terse.DefaultDomain {
		return ""
	}
	return "go.example"
}

func written(t *testing.T, s store, withoutClicks bool) string {
	t.Helper()
	var text bytes.Buffer
	if err := archive.WriteLines(t.Context(), s, &text, archive.ExportOptions{
		ExportQuery:   terse.ExportQuery{Owner: terse.Identity},
		WithoutClicks: withoutClicks, Generator: "terse 1.2.0",
		BaseURL: "https://s.example", Host: host, Logger: slog.New(slog.DiscardHandler),
	}); err != nil {
		t.Fatal(err)
	}
	return createdNow.ReplaceAllString(text.String(), "${1}2026-01-31T12:00:00.000000Z")
}

// createdNow finds when an export was made.
var createdNow = regexp.MustCompile(`("type":"export".*"created_at":")[^"]*`)

func TestWriteLines(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(small, written(t, exported(), false)); diff != "" {
		t.Errorf("export (-want +got):\n%s", diff)
	}
	var want strings.Builder
	for line := range strings.Lines(small) {
		if strings.Contains(line, `"type":"link"`) {
			want.WriteString(line)
		}
	}
	want.WriteString(`{"type":"end","links":2,"clicks":0}` + "\n")
	first, got, _ := strings.Cut(written(t, exported(), true), "\n")
	if diff := cmp.Diff(want.String(), got); diff != "" {
		t.Errorf("export without clicks (-want +got):\n%s", diff)
	}
	if !strings.HasSuffix(first, `"links":2,"clicks":0}`) {
		t.Errorf("it begins with %s", first)
	}
}

func TestDamagedOptions(t *testing.T) {
	t.Parallel()
	e := exported()[1]
	e.Link.Options = `{"password":7}`
	if text := written(t, store{e}, false); !strings.Contains(text, `"disabled":true`) {
		t.Errorf("it is not disabled: %s", text)
	}
}

// TestReadWritten reads an export: what comes out is what went in.
func TestReadWritten(t *testing.T) {
	t.Parallel()
	r := archive.NewReader(strings.NewReader(small))
	var (
		links []archive.LinkLine
		past  []terse.PastDay
		lines []terse.PastClick
		types []string
	)
	for {
		line, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil || line.Err != nil {
			t.Fatal(err, line)
		}
		types = append(types, line.Type)
		switch line.Type {
		case archive.TypeExport:
			if links, clicks, err := line.Export(); err != nil || links != 2 || clicks != 509 {
				t.Errorf("export line: %d links, %d clicks, %v", links, clicks, err)
			}
		case archive.TypeLink:
			link, err := line.Link(now)
			wantRead(t, line, err, link.Notes)
			for i := range link.Options {
				link.Options[i].Value = link.Options[i].Value.Clone()
			}
			links = append(links, link)
		case archive.TypeDay:
			day, err := line.Day(now)
			wantRead(t, line, err, day.Notes)
			past = append(past, terse.PastDay{
				Day: day.Day, Clicks: day.Clicks, Visitors: day.Visitors,
			})
		case archive.TypeCounts:
			counts, err := line.Counts(now)
			wantRead(t, line, err, counts.Notes)
			day := &past[len(past)-1]
			if day.Day != counts.Day {
				t.Errorf("counts of %s below %s", counts.Day, day.Day)
			}
			day.Counts = append(day.Counts, counts.PastCounts)
		case archive.TypeClick:
			click, err := line.Click(now)
			wantRead(t, line, err, click.Notes)
			lines = append(lines, click.PastClick)
		case archive.TypeEnd:
			if links, clicks, err := line.End(); err != nil || links != 2 || clicks != 509 {
				t.Errorf("end line: %d links, %d clicks, %v", links, clicks, err)
			}
		}
	}
	want := "export link day counts counts day click click link end"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("types %s, want %s", got, want)
	}
	if diff := cmp.Diff(days(), past); diff != "" {
		t.Errorf("days (-want +got):\n%s", diff)
	}
	wantClicks := clicks()
	wantClicks[1].Values[terse.ByReferrerHost] = "" // derived
	wantClicks[1].Values[terse.ByVisitor] = ""      // the default
	if diff := cmp.Diff(wantClicks, lines); diff != "" {
		t.Errorf("clicks (-want +got):\n%s", diff)
	}
	if len(links) != 2 {
		t.Fatalf("%d links", len(links))
	}
	rich, from := links[0], exported()[0]
	options := map[string]string{}
	for _, f := range rich.Options {
		options[f.Name] = string(f.Value)
	}
	rich.Options = nil
	if owner, err := rich.Owner(); err != nil || owner != from.Link.CreatedBy {
		t.Errorf("owner %q, error %v", owner, err)
	}
	rich.CreatedBy = archive.Field{}
	used := int64(3)
	if diff := cmp.Diff(archive.LinkLine{
		ShortCode: "abc", OriginalURL: string(from.Link.URL),
		PasswordHash: "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7",
		Restored: terse.Restored{
			CreatedAt: from.Link.CreatedAt, UpdatedAt: from.Link.UpdatedAt, Used: &used,
			Share: from.Share, History: from.History,
		},
		LastClick: from.Link.LastClick,
	}, rich); diff != "" {
		t.Errorf("link (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{
		"title": `"Grüße"`, "tags": `["news"]`, "aliases": `["docs/install"]`,
		"starts_at": `"2026-01-01T00:00:00Z"`, "max_clicks": "10", "redirect_status": "301",
		"rules": `[{"name":"ios","when":{"device":["ios"],"query":{"a":null,"b":"1"}},` +
			`"share":50,"url":"https://apps.example/"}]`,
	}, options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

func wantRead(t *testing.T, line *archive.Line, err error, notes []string) {
	t.Helper()
	if err != nil || len(notes) > 0 {
		t.Errorf("line %d: %v, notes %q", line.Number, err, notes)
	}
}

// BenchmarkWriteLines writes click lines with nine values.
func BenchmarkWriteLines(b *testing.B) {
	click := clicks()[1]
	for d, value := range map[terse.Dimension]string{
		terse.ByRegion: "DE-BE", terse.ByCity: "Berlin, DE-BE", terse.ByBrowser: "Firefox",
		terse.ByOS: "Linux", terse.ByLanguage: "de", terse.ByVisitor: terse.Person,
	} {
		click.Values[d] = value
	}
	link := terse.Exported{Past: func(_ func(terse.PastDay) error,
		write func(terse.PastClick) error,
	) error {
		for b.Loop() {
			if err := write(click); err != nil {
				return err
			}
		}
		return nil
	}}
	if err := archive.WriteLines(b.Context(), store{link}, io.Discard,
		archive.ExportOptions{Host: host}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkReader reads click lines.
func BenchmarkReader(b *testing.B) {
	line := archive.AppendClick(nil, &clicks()[1])
	r := archive.NewReader(&repeated{text: line})
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		line, err := r.Next()
		if err == nil {
			_, err = line.Click(now)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// repeated is a text without an end.
type repeated struct {
	text []byte
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// Clicks and counts have no value that their notes call dropped.
func TestDroppedValues(t *testing.T) {
	t.Parallel()
	line := func(text string) *archive.Line {
		t.Helper()
		line, err := archive.NewReader(strings.NewReader(text)).Next()
		if err != nil || line.Err != nil {
			t.Fatal(err, line)
		}
		return line
	}
	bad := map[terse.Dimension][]string{
		terse.ByCountry:  {"Germany", "1"},
		terse.ByReferrer: {"javascript:alert(1)", "news.example", "https://e.example/#top"},
		terse.ByDevice:   {"fridge"},
		terse.ByLanguage: {"DEUTSCH!", "d", "DE"},
		terse.ByVisitor:  {"ghost"},
		terse.BySource:   {strings.Repeat("x", 200), " x"},
		terse.ByMedium:   {strings.Repeat("x", 101)},
		terse.ByCampaign: {"a\x00b\nc"},
		terse.ByRule:     {strings.Repeat("x", terse.MaxRuleName+1)},
	}
	for d := range terse.NumDimensions {
		if _, derived := d.From(); derived {
			continue
		}
		values := append(bad[d], "a\x00b", strings.Repeat("x", d.MaxBytes()+1))
		for _, value := range values {
			quoted, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			click, err := line(`{"type":"click","time":"2026-01-01T00:00:00Z","` + d.String() +
				`":` + string(quoted) + `}`).Click(now)
			if err != nil || click.Values != (terse.Values{}) || len(click.Notes) != 1 {
				t.Errorf("%s %q: click %q, notes %q, %v", d, value, click.Values, click.Notes, err)
			}
			counts, err := line(`{"type":"counts","date":"2026-01-01","dimension":"` + d.String() +
				`","counts":{` + string(quoted) + `:5}}`).Counts(now)
			if err != nil || len(counts.Values) > 0 || len(counts.Notes) != 1 {
				t.Errorf("%s %q: counts %v, notes %q, %v", d, value, counts.Values, counts.Notes,
					err)
			}
		}
	}
}
