package main

import (
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"

	"terse/internal/cli"
)

// quietZone is the margin that readers need (ISO/IEC 18004, 6.3.8), in modules.
const quietZone = 4

// All pictures of a QR code show the same modules: those of the short URL, with a quiet zone.
func TestQRPictures(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://sho.rt")
	i.shortenAs(t, "drawn", "https://example.com/")
	want := drawQR(t, "https://sho.rt/drawn")
	checkFinders(t, want)
	dir := t.TempDir()
	for _, name := range []string{"a.png", "a.svg"} {
		if r := i.command(t, "qr", "drawn", "--output",
			filepath.Join(dir, name)); r.code != cli.ExitOK ||
			r.out != "" || r.err != "" {
			t.Fatalf("%s: %+v", name, r)
		}
	}
	terminal := i.onTerminal(t, 80, "qr", "drawn").out
	for line := range strings.Lines(terminal) {
		if !strings.HasPrefix(line, "\x1b[97;40m") || !strings.HasSuffix(line, "\x1b[m\n") {
			t.Fatalf("colours are left to the terminal: %q", line)
		}
	}
	for name, got := range map[string][][]bool{
		"a pipe":     readBlocks(i.command(t, "qr", "drawn").out),
		"a terminal": readBlocks(escapes.ReplaceAllString(terminal, "")),
		"PNG":        readPNG(t, filepath.Join(dir, "a.png")),
		"SVG":        readSVG(t, filepath.Join(dir, "a.svg")),
	} {
		sameModules(t, name, got, want)
	}
	if r := i.command(t, "qr", "drawn", "--output", filepath.Join(dir, "no",
		"a.png")); r.code != cli.ExitFailure {
		t.Errorf("a folder that is not there: %+v", r)
	}
}

// URLs are ASCII (RFC 3986), and readers may take other bytes for Latin-1 (ISO/IEC 18004, 7.3.5).
func TestQROfInternationalHost(t *testing.T) {
	t.Parallel()
	i := start(t, "BASE_URL=https://bücher.example")
	i.shortenAs(t, "drawn", "https://example.com/")
	want := drawQR(t, "https://xn--bcher-kva.example/drawn?utm_medium=qr")
	path := filepath.Join(t.TempDir(), "server.svg")
	picture := i.do(t, "GET /drawn.svg?medium=qr", "")
	if err := os.WriteFile(path, []byte(picture.body), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][][]bool{
		"the server":       readSVG(t, path),
		"the command line": readBlocks(i.command(t, "qr", "drawn", "--medium", "qr").out),
	} {
		sameModules(t, name, got, want)
	}
}

// sameModules compares QR codes. What is read may have more, as half a line of text has.
func sameModules(t *testing.T, name string, got, want [][]bool) {
	t.Helper()
	for y := range want {
		for x := range want[y] {
			if y >= len(got) || x >= len(got[y]) || got[y][x] != want[y][x] {
				t.Fatalf("%s differs in row %d, column %d", name, y, x)
			}
		}
	}
}

// drawQR returns the modules of a QR code with its quiet zone; true is dark.
func drawQR(t *testing.T, text string) (modules [][]bool) {
	t.Helper()
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		t.Fatal(err)
	}
	for y := -quietZone; y < code.Bounds().Dy()+quietZone; y++ {
		row := []bool{}
		for x := -quietZone; x < code.Bounds().Dx()+quietZone; x++ {
			inside := image.Pt(x, y).In(code.Bounds())
			row = append(row, inside && color.GrayModel.Convert(code.At(x, y)) == color.Gray{})
		}
		modules = append(modules, row)
	}
	return modules
}

// checkFinders looks for the quiet zone and the squares in three corners (ISO/IEC 18004, 6.3).
func checkFinders(t *testing.T, b [][]bool) {
	t.Helper()
	last := len(b) - 1
	for k := range b {
		for margin := range quietZone {
			if b[margin][k] || b[k][margin] || b[last-margin][k] || b[k][last-margin] {
				t.Fatalf("the quiet zone is dark at %d", k)
			}
		}
	}
	for _, corner := range [][2]int{
		{quietZone, quietZone},
		{quietZone, last - quietZone - 6},
		{last - quietZone - 6, quietZone},
	} {
		for y := range 7 {
			for x := range 7 {
				ring := min(x, y, 6-x, 6-y)
				if b[corner[0]+y][corner[1]+x] != (ring != 1) {
					t.Fatalf("no finder pattern at %v", corner)
				}
			}
		}
	}
}

func readBlocks(picture string) (b [][]bool) {
	for line := range strings.Lines(picture) {
		var upper, lower []bool
		for _, r := range strings.TrimSuffix(line, "\n") {
			upper, lower = append(upper, r != '█' && r != '▀'), append(lower, r != '█' && r != '▄')
		}
		b = append(b, upper, lower)
	}
	return b
}

func readPNG(t *testing.T, path string) [][]bool {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	b := make([][]bool, picture.Bounds().Dy()/8)
	for y := range b {
		for x := range b {
			red, _, _, _ := picture.At(8*x+4, 8*y+4).RGBA()
			b[y] = append(b[y], red == 0)
		}
	}
	return b
}

func readSVG(t *testing.T, path string) [][]bool {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var svg struct {
		ViewBox string `xml:"viewBox,attr"`
	}
	if err := xml.Unmarshal(source, &svg); err != nil {
		t.Fatal(err)
	}
	size, err := strconv.Atoi(strings.Fields(svg.ViewBox)[2])
	if err != nil {
		t.Fatal(err)
	}
	b := make([][]bool, size)
	for y := range b {
		b[y] = make([]bool, size)
	}
	for _, m := range regexp.MustCompile(`M(\d+) (\d+)h1v1h-1z`).FindAllStringSubmatch(
		string(source), -1) {
		x, _ := strconv.Atoi(m[1])
		y, _ := strconv.Atoi(m[2])
		b[y][x] = true
	}
	return b
}

// With a base that no browser opens, no link could be found to lead to one of our own.
func TestABaseThatNoBrowserOpens(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"http://256.1.1.1", "https://xn--/", "http://％65xample.com"} {
		r := command(t, []string{"BASE_URL=" + base, "DATA_DIR=" + t.TempDir()}, "", "serve")
		if r.code != cli.ExitSettings || !strings.Contains(r.err, "BASE_URL") {
			t.Errorf("%s: %+v", base, r)
		}
	}
}
