// Package doctest reads the examples in documents, for tests that compare documents with code.
package doctest

import (
	"bytes"
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"terse"
)

// section returns the text between a heading, given with its #, and the next one below the title's
// level.
func section(t testing.TB, path, heading string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut("\n"+string(text), "\n"+heading+"\n")
	if !found {
		t.Fatalf("%s has no heading %q", path, heading)
	}
	rest, _, _ = strings.Cut(rest, "\n##")
	return rest
}

// Blocks returns the fenced blocks of a language below a heading, at least one. path is relative to
// the test's directory.
func Blocks(t testing.TB, path, heading, language string) (blocks []string) {
	t.Helper()
	fenced := regexp.MustCompile("(?s)```" + language + "\n(.*?)```")
	for _, m := range fenced.FindAllStringSubmatch(section(t, path, heading), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no %s under %q", path, language, heading)
	}
	return blocks
}

// only returns the single block of a language below a heading.
func only(t testing.TB, path, heading, language string) string {
	t.Helper()
	blocks := Blocks(t, path, heading, language)
	if len(blocks) > 1 {
		t.Fatalf("%s has %d blocks of %s under %q", path, len(blocks), language, heading)
	}
	return blocks[0]
}

// Hex returns the bytes of the hex block below a heading. A line has bytes, then # and what they
// are.
func Hex(t testing.TB, path, heading string) []byte {
	t.Helper()
	var digits strings.Builder
	for line := range strings.Lines(only(t, path, heading, "hex")) {
		line, _, _ = strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatalf("%s: hex under %q: %v", path, heading, err)
	}
	return b
}

// SameBytes fails a test if the encoded bytes differ from the document's.
func SameBytes(t testing.TB, encoded, document []byte) {
	t.Helper()
	if !bytes.Equal(encoded, document) {
		t.Errorf("encoded:\n%s\nin the document:\n%s", hex.Dump(encoded), hex.Dump(document))
	}
}

// JSON decodes the JSON block below a heading into v, a pointer. A name that v lacks is an error.
func JSON(t testing.TB, path, heading string, v any) {
	t.Helper()
	err := json.Unmarshal([]byte(only(t, path, heading, "json")), v,
		json.RejectUnknownMembers(true))
	if err != nil {
		t.Fatalf("%s: JSON under %q: %v", path, heading, err)
	}
}

// Table returns the cells of the first table below a heading, without its header and backquotes.
func Table(t testing.TB, path, heading string) (rows [][]string) {
	t.Helper()
	_, table, _ := strings.Cut(section(t, path, heading), "\n|--")
	for i, line := range strings.Split(table, "\n") {
		if i == 0 {
			continue // the rule below the header
		}
		line, inside := strings.CutPrefix(line, "|")
		if !inside {
			break
		}
		cells := strings.Split(strings.TrimSuffix(line, "|"), "|")
		for k, cell := range cells {
			cells[k] = strings.ReplaceAll(strings.TrimSpace(cell), "`", "")
		}
		rows = append(rows, cells)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no table under %q", path, heading)
	}
	return rows
}

// Number returns the number in a cell of a table, 0 for an empty cell.
func Number(t testing.TB, cell string) int64 {
	t.Helper()
	if cell == "" {
		return 0
	}
	n, err := strconv.ParseInt(cell, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Values converts a document's values by the names of their dimensions.
func Values(t testing.TB, byName map[string]string) (values terse.Values) {
	t.Helper()
	found := 0
	for d := range terse.NumDimensions {
		if value, given := byName[d.String()]; given {
			values[d] = value
			found++
		}
	}
	if found < len(byName) {
		t.Fatalf("no dimensions: some of %v", byName)
	}
	return values
}
