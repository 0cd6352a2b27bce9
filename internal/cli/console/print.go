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

	"terse/internal/visible"
)

// Colors paints text, or leaves it as it is.
type Colors bool

// Colors returns what suits the output: no colours except on a terminal, and none there if
// NO_COLOR (no-color.org) or TERM=dumb asks for none.
func (e Env) Colors() Colors {
	return Colors(IsTerminal(e.Out) && e.Vars["NO_COLOR"] == "" && e.Vars["TERM"] != "dumb")
}

// Bold is for headings.
func (c Colors) Bold(s string) string { return c.paint("1", s) }

// Dim is for what matters less.
func (c Colors) Dim(s string) string { return c.paint("2", s) }

// Accent is for what people look for.
func (c Colors) Accent(s string) string { return c.paint("36", s) }

func (c Colors) paint(code, s string) string {
	if !c || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[m"
}

// Printable spells out what others sent and what could steer the terminal or mislead the reader,
// such as [U+202E], as the dashboard does: control characters, C1 too, and invisible ones such as
// those that change the direction. Line ends and tabs are \n and \t, as programs write them.
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

// PrintJSON prints a server's answer for programs. What a terminal must not get raw is escaped as
// JSON allows: it is the same text for who reads it.
func (e Env) PrintJSON(answer any, options ...json.Options) error {
	options = append([]json.Options{json.Deterministic(true), jsontext.Multiline(true)}, options...)
	b, err := json.Marshal(answer, options...)
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	_, err = fmt.Fprintln(e.Out, escapeJSON(string(b)))
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

// JSONLines returns a writer for what PrintJSON prints, of which each line is a value.
func (e Env) JSONLines() io.Writer { return &lineWriter{out: e.Out, escape: escapeJSON} }

// Cells returns a writer for CSV: as it is, but on a terminal without hidden characters.
func (e Env) Cells() io.Writer {
	if e.Width() == 0 {
		return e.Out
	}
	return &lineWriter{out: e.Out, escape: func(line string) string {
		return Printable(strings.TrimRight(line, "\r\n")) + "\n"
	}}
}

// lineWriter escapes what is written, line by line.
type lineWriter struct {
	out    io.Writer
	escape func(line string) string
	rest   []byte // a line that has not ended
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	for line := range bytes.Lines(w.rest[:end]) {
		if _, err := io.WriteString(w.out, w.escape(string(line))); err != nil {
			return 0, err
		}
	}
	w.rest = append(w.rest[:0], w.rest[end:]...)
	return len(p), nil
}

// Cells measures text in columns of a terminal. Characters of ambiguous width take one: only old
// East Asian terminals see that otherwise.
var Cells = &runewidth.Condition{StrictEmojiNeutral: true}

// Fit cuts text to a number of columns, or fills it up.
func Fit(s string, columns int) string {
	return Cells.FillRight(Cells.Truncate(s, columns, "…"), columns)
}

// Pad fills text up on a terminal.
func (e Env) Pad(s string, columns int) string {
	if e.Width() == 0 {
		return s
	}
	return Cells.FillRight(Printable(s), columns)
}

// PrintRow prints texts in a line that fits the terminal. Elsewhere it is whole, with tabs.
func (e Env) PrintRow(columns ...string) error {
	for i, column := range columns {
		columns[i] = Printable(column)
	}
	line, width := strings.Join(columns, "\t"), e.Width()
	if width > 0 {
		line = Cells.Truncate(strings.TrimRight(strings.Join(columns, "  "), " "), width, "…")
		if rest, whole := strings.CutPrefix(line, columns[0]); whole {
			line = e.Colors().Accent(columns[0]) + rest
		}
	}
	_, err := fmt.Fprintln(e.Out, line)
	return err
}

// Entry is a text with a name for programs and a label for people.
type Entry struct{ Name, Label, Text string }

// PrintEntries prints texts: for people below each other, elsewhere each is a line with a tab.
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

// printEntry prints a text that begins behind its label, in as many lines as the terminal needs.
func (e Env) printEntry(entry Entry, columns int) error {
	const gap, least = 2, 16 // where there is less room, labels have lines of their own
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

// wrap breaks a text into lines of at most so many columns: between words, and within those that
// are longer than a line.
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

// PrintModules draws a QR code, where true is dark, with half blocks: two modules in a character,
// which is twice as high as wide. On a terminal it says which colours to take, elsewhere light
// modules are drawn, for paper is white but most terminals are dark.
func (e Env) PrintModules(modules [][]bool) error {
	before, after := "", "\n"
	if e.Colors() {
		before, after = "\x1b[97;40m", "\x1b[m\n"
	}
	var b strings.Builder
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
