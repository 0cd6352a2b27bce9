package logging

import (
	"io"
	"unicode/utf8"
)

// deceptive reports whether a non-ASCII character changes how a log looks: C1 controls, which may
// start a terminal command, line and paragraph separators, and bidirectional controls, which
// reverse text (Unicode, UAX 9).
func deceptive(r rune) bool {
	switch {
	case 0x80 <= r && r <= 0x9F, r == 0x061C, r == 0x200E, r == 0x200F,
		0x2028 <= r && r <= 0x202E, 0x2066 <= r && r <= 0x2069:
		return true
	}
	return false
}

// appendVisible appends a character to a JSON string, escaped if it is deceptive.
func appendVisible(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	if !deceptive(r) {
		return utf8.AppendRune(b, r)
	}
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// visible escapes deceptive characters in JSON records, where they occur only in strings.
type visible struct{ out io.Writer }

func (v visible) Write(record []byte) (int, error) {
	for i, c := range record {
		if c >= utf8.RuneSelf {
			return len(record), v.escape(record, i)
		}
	}
	return v.out.Write(record)
}

// escape writes a record whose first ascii bytes are ASCII.
func (v visible) escape(record []byte, ascii int) error {
	b := append(make([]byte, 0, 2*len(record)), record[:ascii]...)
	for _, r := range string(record[ascii:]) {
		b = appendVisible(b, r)
	}
	_, err := v.out.Write(b)
	return err
}
