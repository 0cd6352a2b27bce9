package sources_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/move/archive"
	"terse/internal/move/archive/sources"
)

// lines returns what a source has, a text a line: its number, its text, its notes, its error.
func lines(t *testing.T, o sources.Options, read func(*sources.Out) error) (all []string) {
	t.Helper()
	for line, err := range sources.Read(o, read).Lines() {
		if err != nil {
			return append(all, "error: "+err.Error())
		}
		text := fmt.Sprintf("%d %s", line.Number, line.Text)
		for _, note := range line.Notes {
			text += " # " + note.Error()
		}
		if line.Err != nil {
			text += "failed: " + line.Err.Error()
		}
		all = append(all, text)
	}
	return all
}

var made = time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.UTC)

func TestOut(t *testing.T) {
	t.Parallel()
	values := terse.Values{terse.ByCountry: "DE"}
	several := func(out *sources.Out) error {
		out.Once("said once")
		return errors.Join(
			out.Link(sources.Link{
				Host: "a.example", Code: "one", URL: "https://x.example/", Created: made,
				LinkOptions: api.LinkOptions{Title: " A\n  title\xff ", Tags: []string{"t"}},
				Clicks:      5,
			}),
			out.Click(sources.Click{Time: made, Count: 2, Values: values}),
			out.Link(sources.Link{Host: "b.example", Code: "one", URL: "https://y.example/"}),
			out.Click(sources.Click{Time: made}),
			out.Fail("bad", "original_url", errors.New("it is empty")),
			out.Link(sources.Link{Host: "b.example", Code: "two", URL: "https://z.example/"}),
			out.Click(sources.Click{Time: made, UserAgent: "Agent/1.0"}),
		)
	}
	const one = `{"type":"link","part":true,"short_code":"one",` +
		`"original_url":"https://x.example/","created_at":"2024-05-06T07:08:09.123456Z",` +
		`"title":"A title` + "\uFFFD" + `","tags":["t"]}`
	for name, c := range map[string]struct {
		options sources.Options
		read    func(*sources.Out) error
		want    []string
	}{
		"two hosts": {sources.Options{}, several, []string{
			"1 " + one + " # said once",
			`1 {"type":"click","time":"2024-05-06T07:08:09.123456Z","count":2,"country":"DE"}`,
			`1 {"type":"click","time":"2024-05-06T07:08:09.123456Z","count":3}`,
			"2 failed: short_code is that of a link at a.example, too, which was read: " +
				"--only-host b.example reads it",
			"3 failed: it is empty",
			`4 {"type":"link","part":true,"short_code":"two","original_url":"https://z.example/"}`,
			`4 {"type":"click","time":"2024-05-06T07:08:09.123456Z","user_agent":"Agent/1.0"}`,
		}},
		"one host": {
			sources.Options{OnlyHost: "b.example", ForwardQuery: true},
			several,
			[]string{
				`2 {"type":"link","part":true,"short_code":"one",` +
					`"original_url":"https://y.example/","forward_query":true} # said once`,
				`2 {"type":"click","time":"2024-05-06T07:08:09.123456Z"}`,
				"3 failed: it is empty",
				`4 {"type":"link","part":true,"short_code":"two",` +
					`"original_url":"https://z.example/","forward_query":true}`,
				`4 {"type":"click","time":"2024-05-06T07:08:09.123456Z",` +
					`"user_agent":"Agent/1.0"}`,
			},
		},
		"undated": {sources.Options{}, func(out *sources.Out) error {
			return out.Link(sources.Link{
				Code: "a", URL: "https://x.example/", Clicks: 2*archive.MaxCount + 1,
			})
		}, []string{
			`1 {"type":"link","part":true,"short_code":"a","original_url":"https://x.example/"}`,
			`1 {"type":"click","count":1000000000}`,
			`1 {"type":"click","count":1000000000}`,
			`1 {"type":"click"}`,
		}},
		"an error": {sources.Options{}, func(out *sources.Out) error {
			return errors.Join(out.Link(sources.Link{Code: "a", Clicks: 3}), errors.New("it broke"))
		}, []string{
			`1 {"type":"link","part":true,"short_code":"a","original_url":""}`, "error: it broke",
		}},
	} {
		if got := lines(t, c.options, c.read); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%q, want\n%q", name, got, c.want)
		}
	}
}

// A reader of lines that wants no more ends the reader of the source.
func TestOutOfNoMore(t *testing.T) {
	t.Parallel()
	ended := false
	source := sources.Read(sources.Options{}, func(out *sources.Out) error {
		for {
			if err := out.Link(sources.Link{Code: "a", URL: "https://x.example/"}); err != nil {
				ended = true
				return err
			}
		}
	})
	for line, err := range source.Lines() {
		if err != nil || line.Number == 10 {
			break
		}
	}
	if !ended {
		t.Error("it goes on")
	}
}

// Rows of a dump as long as columns of type text take little memory when they are sorted.
func TestLongRows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 1<<16-1)
	dump := "CREATE TABLE yourls_url (keyword varchar(100), url text, title text, `timestamp` " +
		"timestamp, clicks int);\nINSERT INTO yourls_url VALUES ('b','https://x.example/','','',0)"
	dump += strings.Repeat(",('"+strings.Repeat(long+"','", 4)+long+"')", 100)
	o := sources.Options{CreateFile: func() (archive.File, error) {
		return nil, errors.New("the rows are too many for the memory")
	}}
	got := lines(t, o, func(out *sources.Out) error {
		return sources.YOURLSDump(strings.NewReader(dump+";"), out)
	})
	if len(got) != 101 || !strings.Contains(got[100], `"https://x.example/"`) {
		t.Errorf("%d lines, the last of them %.200q", len(got), got[len(got)-1])
	}
}
