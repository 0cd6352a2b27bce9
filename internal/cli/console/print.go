package console

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/mattn/go-runewidth"

	"terse/internal/text/visible"
)

// Colors paints text, or leaves it as it is.
type Colors bool

// Colors returns the colours for the output: none unless it is a terminal, and none if NO_COLOR
// (no-color.org) or TERM=dumb is set.
func (e Env) Colors() Colors {
	return Colors(IsTerminal(e.Out) && e.Vars["NO_COLOR"] == "" && e.Vars["TERM"] != "dumb")
}

// Bold is for headings.
func (c Colors) Bold(s string) string { return c.paint("1", s) }

// Dim is for less important text.
func (c Colors) Dim(s string) string { return c.paint("2", s) }

// Accent is for the text that people look for.
func (c Colors) Accent(s string) string { return c.paint("36", s) }

func (c Colors) paint(code, s string) string {
	if !c || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[m"
}

// Printable replaces characters from others that could steer the terminal or mislead the reader,
// for example by [U+202E], as the dashboard does. These are control characters, also of C1, and
// invisible ones such as those that change the direction. Line ends and tabs become \n and \t.
func Printable(s string) string {
	return visible.Replace(s, func(r rune) string {
		switch r {
		case '\n':
			return `\n`
		case '\t':
			return `\t`
		}
		return fmt.Sprintf("[U+%04X]", r)
	})
}

// PrintJSON prints a server's answer for programs. Characters that must not reach a terminal are
// escaped as JSON allows, so readers get the same text.
func (e Env) PrintJSON(answer any, options ...json.Options) error {
	options = append([]json.Options{json.Deterministic(true), jsontext.Multiline(true)}, options...)
	b, err := json.Marshal(answer, options...)
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	_, err = fmt.Fprintln(e.Out, e.Colors().json(escapeJSON(string(b))))
	return err
}

// escapeJSON replaces the hidden characters of a JSON text.
func escapeJSON(text string) string {
	return visible.Replace(text, func(r rune) string {
		switch high, low := utf16.EncodeRune(r); {
		case r == '\n' || r == '\t': // between the values
			return string(r)
		case high != unicode.ReplacementChar:
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// PrintText prints a text for programs as it is. On a terminal, hidden characters other than tabs
// and line ends are replaced.
func (e Env) PrintText(text string) error {
	return e.PrintMade(text + "\n")
}

// PrintMade is PrintText without a line end of its own.
func (e Env) PrintMade(text string) error {
	if e.Width() > 0 {
		text = visible.Replace(text, func(r rune) string {
			if r == '\n' || r == '\t' {
				return string(r)
			}
			return fmt.Sprintf("[U+%04X]", r)
		})
	}
	_, err := io.WriteString(e.Out, text)
	return err
}

// JSONLines returns a writer that escapes like PrintJSON, for lines of one JSON value each.
func (e Env) JSONLines() io.Writer {
	return LineWriter(func(line string) error {
		_, err := io.WriteString(e.Out, e.Colors().json(escapeJSON(line)))
		return err
	})
}

// Cells returns a writer for CSV. It changes nothing, except for hidden characters on a terminal.
func (e Env) Cells() io.Writer {
	if e.Width() == 0 {
		return e.Out
	}
	return LineWriter(func(line string) error {
		_, err := fmt.Fprintln(e.Out, Printable(strings.TrimRight(line, "\r\n")))
		return err
	})
}

// LineWriter returns a writer that hands on its input line by line, with the line ends.
func LineWriter(each func(line string) error) io.Writer { return &lineWriter{each: each} }

type lineWriter struct {
	each func(line string) error
	rest []byte // the beginning of a line that is not complete
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	for line := range bytes.Lines(w.rest[:end]) {
		if err := w.each(string(line)); err != nil {
			return 0, err
		}
	}
	w.rest = append(w.rest[:0], w.rest[end:]...)
	return len(p), nil
}

// Cells measures text in columns of a terminal. Characters of ambiguous width take one column; only
// old East Asian terminals differ.
var Cells = &runewidth.Condition{StrictEmojiNeutral: true}

// Fit cuts or pads text to a number of columns.
func Fit(s string, columns int) string {
	return Cells.FillRight(Cells.Truncate(s, columns, "…"), columns)
}

// narrow is the widest terminal whose tables have little room for URLs.
const narrow = 100

// Brief returns a URL as tables show it: on a narrow terminal without https://, which almost all
// URLs have. Other schemes stay.
func (e Env) Brief(url string) string {
	if width := e.Width(); width == 0 || width > narrow {
		return url
	}
	return strings.TrimPrefix(url, "https://")
}

// Pad pads text to a number of columns on a terminal.
func (e Env) Pad(s string, columns int) string {
	if e.Width() == 0 {
		return s
	}
	return Cells.FillRight(Printable(s), columns)
}

// PrintRow prints texts in one line, cut to fit a terminal; elsewhere whole and separated by tabs.
func (e Env) PrintRow(columns ...string) error {
	for i, column := range columns {
		columns[i] = Printable(column)
	}
	line, width := strings.Join(columns, "\t"), e.Width()
	if width > 0 {
		line = oneLine(columns, width)
		if rest, whole := strings.CutPrefix(line, columns[0]); whole {
			line = e.Colors().Accent(columns[0]) + rest
		}
	}
	_, err := fmt.Fprintln(e.Out, line)
	return err
}

// PrintHeading prints the names of columns above the rows of a terminal.
func (e Env) PrintHeading(columns ...string) error {
	_, err := fmt.Fprintln(e.Out, e.Colors().Dim(oneLine(columns, e.Width())))
	return err
}

// oneLine joins columns, cut to fit a width.
func oneLine(columns []string, width int) string {
	return Cells.Truncate(strings.TrimRight(strings.Join(columns, "  "), " "), width, "…")
}

// Entry is a text with a name for programs and a label for people.
type Entry struct{ Name, Label, Text string }

// PrintEntries prints texts below each other for people; elsewhere a line each, with a tab behind
// the name.
func (e Env) PrintEntries(entries ...Entry) (err error) {
	columns := 0
	for _, entry := range entries {
		columns = max(columns, Cells.StringWidth(entry.Label))
	}
	for _, entry := range entries {
		if e.Width() == 0 {
			_, err = fmt.Fprintf(e.Out, "%s\t%s\n", entry.Name, Printable(entry.Text))
		} else {
			err = e.printEntry(entry, columns)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printEntry prints a text behind its label, in as many lines as the terminal needs.
func (e Env) printEntry(entry Entry, columns int) error {
	const gap, least = 2, 16 // with less room, labels have lines of their own
	width := e.Width()
	room, label := width-columns-gap, Cells.FillRight(entry.Label, columns)+"  "
	if room < least {
		_, err := fmt.Fprintln(e.Out, e.Colors().Dim(Cells.Truncate(entry.Label, width, "…")))
		if err != nil {
			return err
		}
		room, label = width, ""
	}
	for paragraph := range strings.SplitSeq(entry.Text, "\n") {
		for _, line := range wrap(Printable(paragraph), room) {
			if _, err := fmt.Fprintln(e.Out, e.Colors().Dim(label)+line); err != nil {
				return err
			}
			label = strings.Repeat(" ", len(label)) // labels are ASCII
		}
	}
	return nil
}

// wrap breaks a text into lines of at most columns: between words, and within words that are longer
// than a line.
func wrap(text string, columns int) (lines []string) {
	for Cells.StringWidth(text) > columns {
		line := Cells.Truncate(text, columns, "")
		if text[len(line)] != ' ' {
			if end := strings.LastIndexByte(line, ' '); end > 0 {
				line = line[:end]
			}
		}
		if line == "" { // a character wider than a line
			_, n := utf8.DecodeRuneInString(text)
			line = text[:n]
		}
		lines = append(lines, strings.TrimRight(line, " "))
		text = strings.TrimLeft(text[len(line):], " ")
	}
	return append(lines, text)
}

// PrintModules draws a QR code (true is dark) with half blocks: a character holds two modules,
// because it is twice as high as wide. It draws the light modules, because most terminals are dark,
// and on a terminal also sets the colours.
func (e Env) PrintModules(modules [][]bool) error {
	before, after := "", "\n"
	if e.Colors() {
		before, after = "\x1b[97;40m", "\x1b[m\n"
	}
	var b strings.Builder
	if e.ASCII() { // a row for each, whose modules are two characters wide
		for _, row := range modules {
			b.WriteString(before)
			for _, dark := range row {
				if dark {
					b.WriteString("  ")
				} else {
					b.WriteString("##")
				}
			}
			b.WriteString(after)
		}
		_, err := io.WriteString(e.Out, b.String())
		return err
	}
	for y := 0; y < len(modules); y += 2 {
		b.WriteString(before)
		for x := range modules[y] {
			upper, lower := !modules[y][x], y+1 < len(modules) && !modules[y+1][x]
			switch {
			case upper && lower:
				b.WriteString("█")
			case upper:
				b.WriteString("▀")
			case lower:
				b.WriteString("▄")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString(after)
	}
	_, err := io.WriteString(e.Out, b.String())
	return err
}
