// Package urls works on URLs as they are sent: a link's as a Location header, what it forwards of a
// visitor's, and the parts of both. A part that is malformed stands for itself.
package urls

import "bytes"

// CutBefore returns what is before a character, and what begins with it.
func CutBefore(b []byte, c byte) (before, from []byte) {
	if i := bytes.IndexByte(b, c); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// DecodeByte returns the byte that a text begins with, percent-encoded or not, and how many
// characters it takes. It is not ok when the escape is malformed. The text must not be empty.
func DecodeByte(b []byte) (c byte, n int, ok bool) {
	if b[0] != '%' {
		return b[0], 1, true
	}
	if len(b) < 3 {
		return '%', 1, false
	}
	hi, ok1 := hexDigit(b[1])
	lo, ok2 := hexDigit(b[2])
	if !ok1 || !ok2 {
		return '%', 1, false
	}
	return hi<<4 | lo, 3, true
}

func hexDigit(c byte) (value byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}
