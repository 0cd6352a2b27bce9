package moving

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"terse/internal/archive"
)

// checkExport reads an export, or lines of its form, and fails if there are none, its version is
// not known or it was cut off.
func checkExport(from io.Reader) error {
	lines := archive.NewReader(from)
	begun, open := false, false
	for {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF) && open:
			return errors.New("the export has no end: it was cut off")
		case errors.Is(err, io.EOF) && !begun:
			return errors.New("the export is empty")
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if !begun && looksLikeTable(line) {
			return errors.New("this looks like a table: use terse import csv")
		}
		begun = true
		switch line.Type {
		case archive.TypeExport:
			if open {
				return fmt.Errorf("line %d: the export before it has no end", line.Number)
			}
			if _, _, err := line.Export(); err != nil {
				return err
			}
			open = true
		case archive.TypeEnd:
			open = false
		}
	}
}

// looksLikeTable reports whether the first line of a file could name the columns of a table.
func looksLikeTable(line *archive.Line) bool {
	text := bytes.TrimSpace(line.Text)
	return line.Err != nil && len(text) > 0 && text[0] != '{' && bytes.ContainsAny(text, ",;\t|")
}
