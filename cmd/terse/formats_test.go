package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"testing"

	"terse/internal/cli"
	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/sources"
	"terse/internal/move/archive/sources/database"
)

// arrows is a format of texts such as "abc -> https://example.com/".
type arrows struct {
	lines  *bufio.Scanner
	number int64
	text   archive.Builder
	line   archive.Line
}

func (a *arrows) Lines() iter.Seq2[*archive.Line, error] { return archive.LinesOf(a.next) }

func (a *arrows) next() (*archive.Line, error) {
	if !a.lines.Scan() {
		return nil, errors.Join(a.lines.Err(), io.EOF)
	}
	a.number++
	a.line = archive.Line{Number: a.number}
	code, url, ok := strings.Cut(a.lines.Text(), " -> ")
	if !ok {
		a.line.Err = &archive.LineError{Code: code, Err: errors.New("it has no arrow")}
		return &a.line, nil
	}
	a.text.Begin(archive.TypeLink)
	a.text.AddString("short_code", code)
	a.text.AddString("original_url", url)
	a.text.End()
	a.text.Fill(&a.line)
	a.line.Notes = []error{errors.New("its color was left out")}
	return &a.line, nil
}

// A format is added by its row in the table: the server takes it by its name or by what it begins
// with, and so does the command line.
//
//nolint:paralleltest // others read the table
func TestAddedFormat(t *testing.T) {
	before := formats.All
	t.Cleanup(func() { formats.All = before })
	formats.All = append([]*formats.Format{{
		Name: "arrows", Help: "links with arrows",
		Begins: func(start []byte) bool { return bytes.Contains(start, []byte(" -> ")) },
		Open: func(text io.Reader, _ formats.Options) (archive.Source, error) {
			return &arrows{lines: bufio.NewScanner(text)}, nil
		},
	}, {
		Name: "bows", Help: "a database of bows",
		Database: func(context.Context, *database.Conn, *sources.Out) error { return nil },
	}}, before...)

	i := start(t)
	where := func(code string) string { return i.do(t, "GET /"+code, "").Header.Get("Location") }
	for query, code := range map[string]string{
		"?format=arrows": "byname", "?format=auto": "byauto",
	} {
		got := i.do(t, "POST /api/import"+query, code+" -> https://a.example/\nbad\n", authorized())
		for _, part := range []string{
			`"result":"created"`, "its color was left out", "it has no arrow",
		} {
			if !strings.Contains(got.body, part) {
				t.Errorf("%s has no %q: %s", query, part, got.body)
			}
		}
		if to := where(code); to != "https://a.example/" {
			t.Errorf("%s leads to %q", code, to)
		}
	}
	file, report := textFile(t, "x.txt", "cmd-line -> https://b.example/\nbad\n"),
		textFile(t, "report.csv", "")
	r := i.command(t, "import", "arrows", file, "--report", report)
	if r.code != cli.ExitFailure || !strings.Contains(r.out, "1 created") ||
		where("cmd-line") != "https://b.example/" {
		t.Errorf("%+v", r)
	}
	said, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"bad,failed,,it has no arrow", "its color was left out"} {
		if !strings.Contains(string(said), part) {
			t.Errorf("the report has no %q: %s", part, said)
		}
	}
	r = i.command(t, "import", "arrows", file, "--output", "-", "--report", report)
	if !strings.HasPrefix(r.out, `{"type":"link","short_code":"cmd-line","original_url":`) {
		t.Errorf("%+v", r)
	}
	r = i.command(t, "import", "arrows", file, "--map", "a=b")
	if r.code != cli.ExitUsage || !strings.Contains(r.err, "are for tables") {
		t.Errorf("%+v", r)
	}
	r = i.command(t, "import", "swords", file)
	if r.code != cli.ExitUsage || !strings.Contains(r.err, `"arrows", "bows", "terse", `) {
		t.Errorf("%+v", r)
	}
	// What is no text only the command line reads.
	for query, want := range map[string]string{
		"?format=bows": "format bows is no text: the command line imports it, " +
			"terse import bows SOURCE",
		"?format=swords": "format must be arrows, terse, ",
	} {
		got := i.do(t, "POST /api/import"+query, "x", authorized())
		if got.StatusCode != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s", query, got.StatusCode, got.body)
		}
	}
	r = i.command(t, "import", "bows", file)
	if r.code != cli.ExitUsage || !strings.Contains(r.err, "a database of bows") {
		t.Errorf("%+v", r)
	}
	if r := i.command(t, "import", "--help"); !strings.Contains(r.out, "links with arrows") {
		t.Errorf("%s", r.out)
	}
}
