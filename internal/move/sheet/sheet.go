// Package sheet writes CSV (RFC 4180) that spreadsheets may open: no cell runs as a formula.
package sheet

import (
	"encoding/csv"
	"io"
	"strings"
)

// formulas are the characters at which spreadsheets take a cell for a formula.
const formulas = "=+-@\t\r"

// quote in front of a cell makes it a text.
const quote = "'"

// Writer writes rows, which end in CR LF.
type Writer struct {
	csv        *csv.Writer
	reversible bool
}

// NewWriter returns a Writer. If reversible, it also puts a quote in front of cells that begin with
// one, so that Plain restores every cell.
func NewWriter(to io.Writer, reversible bool) *Writer {
	w := csv.NewWriter(to)
	w.UseCRLF = true
	return &Writer{w, reversible}
}

// Write writes a row. It changes cells.
func (w *Writer) Write(cells []string) error {
	for i, cell := range cells {
		if cell != "" && (strings.Contains(formulas, cell[:1]) ||
			w.reversible && strings.HasPrefix(cell, quote)) {
			cells[i] = quote + cell
		}
	}
	return w.csv.Write(cells)
}

// Flush writes what was buffered. Its error is the first one of writing.
func (w *Writer) Flush() error {
	w.csv.Flush()
	return w.csv.Error()
}

// Plain returns a cell without the quote that makes it a text.
func Plain(cell string) string {
	rest, quoted := strings.CutPrefix(cell, quote)
	if quoted && rest != "" && strings.Contains(formulas+quote, rest[:1]) {
		return rest
	}
	return cell
}
