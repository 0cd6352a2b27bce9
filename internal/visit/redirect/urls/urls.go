// Package urls handles URLs as they are sent: a link's URL as a Location header, the parts of a
// visitor's URL that it forwards, and parts of both. A malformed part stands for itself.
package urls

import "bytes"

// CutBefore splits b before the first c; from begins with c.
func CutBefore(b []byte, c byte) (before, from []byte) {
	if i := bytes.IndexByte(b, c); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// DecodeByte returns the first byte of a text, percent-encoded or not, and how many characters it
// takes. ok is false if the escape is malformed. The text must not be empty.
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
