package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decode returns the text of a file as UTF-8, without a byte order mark, with lines that end in LF.
// wide means that the file is UTF-16.
func decode(in io.Reader) (text io.Reader, wide bool, err error) {
	text, wide, err = DecodeUTF8(in)
	if err != nil {
		return nil, false, err
	}
	buffered := bufio.NewReaderSize(text, maxStyle)
	cr, err := endsInCR(buffered)
	if err != nil {
		return nil, false, err
	}
	if cr {
		return crLines{buffered}, wide, nil
	}
	return buffered, wide, nil
}

// maxStyle is how far the first line end is looked for.
const maxStyle = 64 << 10

// endsInCR reports whether the first line ends in CR alone.
func endsInCR(text *bufio.Reader) (bool, error) {
	quoted := false
	for i := range maxStyle {
		start, err := text.Peek(i + 1)
		if len(start) <= i {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return false, err
		}
		switch c := start[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			return false, nil
		case c == '\r':
			next, _ := text.Peek(i + 2) // its error is the next one of Read
			return len(next) <= i+1 || next[i+1] != '\n', nil
		}
	}
	return false, nil
}

// crLines reads CR as LF, but for those in front of one.
type crLines struct{ *bufio.Reader }

func (r crLines) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i := range n {
		if p[i] != '\r' {
			continue
		}
		next := p[i+1 : n]
		if len(next) == 0 {
			next, _ = r.Peek(1) // its error is the next one of Read
		}
		if len(next) == 0 || next[0] != '\n' {
			p[i] = '\n'
		}
	}
	return n, err
}

// DecodeUTF8 returns the text of a file as UTF-8, without a byte order mark. UTF-16 says what it is
// by its mark or by zero bytes: a table begins with a name in ASCII, and so does an SQL dump.
func DecodeUTF8(in io.Reader) (text io.Reader, wide bool, err error) {
	buffered := bufio.NewReader(in)
	start, err := buffered.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	var from encoding.Encoding
	switch {
	case len(start) == 3 && string(start) == "\xef\xbb\xbf":
		_, err = buffered.Discard(3)
		return buffered, false, err
	case len(start) >= 2 && (string(start[:2]) == "\xff\xfe" || start[0] != 0 && start[1] == 0):
		from = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		if start[1] == 0 {
			from = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
		}
	case len(start) >= 2 && (string(start[:2]) == "\xfe\xff" || start[0] == 0 && start[1] != 0):
		from = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
		if start[0] == 0 {
			from = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
		}
	default:
		return buffered, false, nil
	}
	return transform.NewReader(buffered, from.NewDecoder()), true, nil
}

var errLong = fmt.Errorf("it is longer than %d bytes; is a closing quote missing?", MaxRecord)

// boundedReader fails after left bytes, which bounds one record.
type boundedReader struct {
	io.Reader
	left int
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLong
	}
	n, err := r.Reader.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// firstLine reads the first line that is not blank, with the blank ones before it, and returns it
// and what reads on.
func firstLine(in io.Reader) (head string, rest io.Reader, err error) {
	buffered := bufio.NewReader(in)
	var all strings.Builder
	for {
		text, err := buffered.ReadString('\n')
		all.WriteString(text)
		if errors.Is(err, io.EOF) || err == nil && notBlank(text) {
			return all.String(), buffered, nil
		}
		if err != nil {
			return "", nil, fmt.Errorf("line 1: %w", err)
		}
	}
}
