package sqldump

import (
	"errors"
	"fmt"
)

// quotes are what ends a text in quotes, or has a meaning in it.
var quotes = map[byte]*[256]bool{
	'\'': {'\'': true, '\\': true}, '"': {'"': true, '\\': true}, '`': {'`': true},
}

// quoted reads a text in quotes and appends its first bytes to kept, up to a number.
func (s *scanner) quoted(kept []byte, bytes int) (_ []byte, err error) {
	begin := s.line
	defer func() {
		if errors.Is(err, errCut) {
			err = fmt.Errorf("line %d: a text has no end: the dump was cut off", begin)
		}
	}()
	keep := func(text ...byte) {
		text = text[:min(len(text), bytes)]
		kept, bytes = append(kept, text...), bytes-len(text)
	}
	quote, err := s.next()
	for err == nil {
		keep(s.run(quotes[quote])...)
		var c byte
		if c, err = s.next(); err != nil {
			break
		}
		switch {
		case c == '\\' && quote != '`':
			if c, err = s.next(); c == '%' || c == '_' {
				keep('\\') // in front of these it stays
			}
			keep(unescaped(c))
		case c != quote: // run has ended at the end of its buffer
			keep(c)
		case s.peekByte() != quote:
			return kept, nil
		default:
			s.skip(s.peek(1))
			keep(quote)
		}
	}
	return kept, err
}

// unescaped returns what MySQL means by a byte behind a backslash.
func unescaped(c byte) byte {
	switch c {
	case '0':
		return 0
	case 'b':
		return '\b'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'Z':
		return 0x1a
	}
	return c
}
