package journal

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/tests/doctest"
)

const page = "../../../docs/format/journal.md"

// example is the segment of the page.
type example struct {
	File    string `json:"file"`
	Salt    uint32 `json:"salt"`
	Records []struct {
		Link      terse.LinkID      `json:"link"`
		Code      string            `json:"code"`
		Time      time.Time         `json:"time"`
		Values    map[string]string `json:"values"`
		Visitor   string            `json:"visitor"` // in hex
		Untracked bool              `json:"untracked"`
		Torn      bool              `json:"torn"` // its header word was not written
	} `json:"records"`
}

// clicks returns the clicks of all records.
func (e *example) clicks(t *testing.T) (clicks []terse.Click) {
	t.Helper()
	for _, r := range e.Records {
		code, err := terse.ParseCode(r.Code)
		if err != nil {
			t.Fatal(err)
		}
		visitor, err := strconv.ParseUint("0"+r.Visitor, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		clicks = append(clicks, terse.Click{
			Link: r.Link, Code: code, Time: r.Time.UnixMicro(),
			Values: doctest.Values(t, r.Values), Visitor: visitor, Untracked: r.Untracked,
		})
	}
	return clicks
}

// The clicks on the page are encoded as the bytes on the page.
func TestFormatIsWritten(t *testing.T) {
	t.Parallel()
	littleEndian(t)
	var e example
	doctest.JSON(t, page, "## Example", &e)
	want := doctest.Hex(t, page, "## Example")
	base, ok := parseBase(e.File)
	if !ok {
		t.Fatalf("%s names no segment", e.File)
	}
	s := &segment{base: base, size: int64(len(want)), salt: e.Salt, data: make([]byte, len(want))}
	copy(s.data, segmentHeader(e.Salt, base))
	off := int64(headerBytes)
	for i, click := range e.clicks(t) {
		payload := appendPayload(nil, &click)
		if off+recordBytes(len(payload)) > s.size {
			t.Fatalf("the page has only %d bytes", s.size)
		}
		s.put(off, payload)
		if e.Records[i].Torn {
			clear(s.data[off : off+wordBytes])
		}
		off += recordBytes(len(payload))
	}
	doctest.SameBytes(t, s.data[:off], want)
}

// A journal reads the clicks of the page from its bytes, and skips the torn record.
func TestFormatIsRead(t *testing.T) {
	t.Parallel()
	littleEndian(t)
	var e example
	doctest.JSON(t, page, "## Example", &e)
	var want []terse.Click
	torn := int64(0)
	for i, click := range e.clicks(t) {
		if e.Records[i].Torn {
			torn += recordBytes(len(appendPayload(nil, &click)))
			continue
		}
		if click.Values[terse.ByCountry] == "" {
			click.Values[terse.ByCountry] = terse.UnknownCountry.String() // it has a fixed place
		}
		want = append(want, click)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, e.File), doctest.Hex(t, page, "## Example"),
		0o600); err != nil {
		t.Fatal(err)
	}
	id := doctest.Blocks(t, page, "## Folder", "text")[0]
	if err := os.WriteFile(filepath.Join(dir, idFile), []byte(id), 0o600); err != nil {
		t.Fatal(err)
	}
	base, _ := parseBase(e.File)
	j := open(t, Options{Dir: dir, Sync: time.Hour}, base)
	if j.ID() != strings.TrimSpace(id) {
		t.Errorf("the journal's ID is %q", j.ID())
	}
	got, _ := readAll(t, j, base)
	diff(t, got, want)
	if d := j.Stats().Damaged; d != torn || d == 0 {
		t.Errorf("%d bytes were skipped, want %d", d, torn)
	}
}

// Data of another version is refused, or skipped if that loses nothing else.
func TestFormatOfOtherVersions(t *testing.T) {
	t.Parallel()
	littleEndian(t)
	var e example
	doctest.JSON(t, page, "## Example", &e)
	base, _ := parseBase(e.File)
	h := segmentHeader(e.Salt, base)
	h[8]++
	binary.NativeEndian.PutUint32(h[headerSummed:], checksum(0, 0, h[:headerSummed]))
	if _, err := parseHeader(h, base); err != errNewFormat {
		t.Errorf("another version of a segment: %v", err)
	}
	click := e.clicks(t)[0]
	payload := appendPayload(nil, &click)
	payload = append(payload, 90, 3, 'n', 'e', 'w', 91+wordTag, 5) // two fields that are not known
	payload = append(payload, wordTag, byte(len(words)))           // and a word
	clicks := NewClicks(1)
	var got terse.NumberedClick
	if err := decode(payload, &got, clicks); err != nil {
		t.Fatal(err)
	}
	clicks.List = append(clicks.List, got)
	if got := clicks.Click(0); got != click {
		t.Errorf("with fields that are not known: %+v, want %+v", got, click)
	}
}

// The page lists the words with their numbers.
func TestFormatHasAllWords(t *testing.T) {
	t.Parallel()
	var listed []string
	for line := range strings.Lines(doctest.Blocks(t, page, "## Words", "text")[0]) {
		number, some, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(number); err != nil || n != len(listed) {
			t.Errorf("a line begins with %q, not with %d", number, len(listed))
		}
		listed = append(listed, strings.Split(strings.TrimSpace(some), ", ")...)
	}
	if diff := cmp.Diff(words[:], listed); diff != "" {
		t.Error(diff)
	}
}

// littleEndian skips a test of bytes on a machine with the other order.
func littleEndian(t *testing.T) {
	t.Helper()
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the page has numbers in little-endian order")
	}
}
