package sqldump

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// scanner reads the parts of statements. It keeps little: a dump may be one line.
type scanner struct {
	from *bufio.Reader
	line int64 // of the byte that comes
	// delimiter ends a statement. stops are the bytes at which pass has to look.
	delimiter string
	stops     [256]bool
}

// maxWord bounds names and words that are kept, in bytes. MySQL's names have at most 64 characters.
const maxWord = 256

// errCut is the end of the text inside a statement.
var errCut = errors.New("the dump was cut off inside a statement")

// errorf returns an error at the line.
func (s *scanner) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{s.line}, args...)...)
}

func (s *scanner) setDelimiter(text string) {
	s.delimiter, s.stops = text, [256]bool{}
	for _, c := range []byte("'\"`#-/" + text[:1]) {
		s.stops[c] = true
	}
}

// next returns the next byte, errCut at the end.
func (s *scanner) next() (byte, error) {
	c, err := s.from.ReadByte()
	if c == '\n' {
		s.line++
	}
	if errors.Is(err, io.EOF) {
		err = errCut
	}
	return c, err
}

// peek returns up to n bytes, which stay. At the end there are less.
func (s *scanner) peek(n int) []byte {
	text, _ := s.from.Peek(n) // the error comes again with next
	return text
}

// peekByte returns the next byte, which stays, 0 at the end.
func (s *scanner) peekByte() byte {
	if text := s.peek(1); len(text) == 1 {
		return text[0]
	}
	return 0
}

// skip passes over bytes that peek has shown.
func (s *scanner) skip(text []byte) {
	s.line += int64(bytes.Count(text, []byte{'\n'}))
	_, _ = s.from.Discard(len(text))
}

// run returns bytes up to one of stops, not always all. They are valid until the next call.
func (s *scanner) run(stops *[256]bool) []byte {
	s.peek(1)
	text := s.peek(s.from.Buffered())
	for i, c := range text {
		if stops[c] {
			text = text[:i]
			break
		}
	}
	s.skip(text)
	return text
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z' || c >= 0x80
}

// blank passes over blanks and comments. It calls onComment, if set, with the beginning of each
// comment: MySQL runs some, such as /*!40101 SET NAMES utf8mb4 */.
func (s *scanner) blank(onComment func(string)) error {
	for {
		text := s.peek(3)
		switch {
		case len(text) > 0 && isBlank(text[0]):
			s.skip(text[:1])
		case bytes.HasPrefix(text, []byte("/*")):
			if err := s.comment(onComment); err != nil {
				return err
			}
		case bytes.HasPrefix(text, []byte("#")),
			bytes.HasPrefix(text, []byte("--")) && (len(text) == 2 || text[2] <= ' '):
			if text := s.restOfLine(); onComment != nil {
				onComment(text)
			}
		default:
			return nil
		}
	}
}

var (
	newline  = [256]bool{'\n': true}
	asterisk = [256]bool{'*': true}
)

// restOfLine passes over the rest of the line, but for its line feed, and returns its beginning.
func (s *scanner) restOfLine() string {
	var start []byte
	for {
		text := s.run(&newline)
		if len(text) == 0 {
			return string(start)
		}
		start = append(start, text[:min(len(text), maxWord-len(start))]...)
	}
}

func (s *scanner) comment(onComment func(string)) error {
	begin := s.line
	s.skip(s.peek(2))
	var start []byte
	for {
		text := s.run(&asterisk)
		start = append(start, text[:min(len(text), maxWord-len(start))]...)
		if _, err := s.next(); errors.Is(err, errCut) {
			return fmt.Errorf("line %d: a comment has no end: the dump was cut off", begin)
		} else if err != nil {
			return err
		}
		if s.peekByte() == '/' {
			s.skip(s.peek(1))
			break
		}
	}
	if onComment != nil {
		onComment(string(start))
	}
	return nil
}

// word reads a word, which may be empty. It is cut after maxWord bytes.
func (s *scanner) word() (string, error) {
	var text []byte
	for isWord(s.peekByte()) {
		c, err := s.next()
		if err != nil {
			return "", err
		}
		if len(text) < maxWord {
			text = append(text, c)
		}
	}
	return string(text), nil
}

// keyword passes over blanks and reads a word, in upper case.
func (s *scanner) keyword() (string, error) {
	if err := s.blank(nil); err != nil {
		return "", err
	}
	text, err := s.word()
	return strings.ToUpper(text), err
}

// name reads the name of a table or a column, which may be quoted. Of names with dots, such as that
// of a database and its table, it is the last one.
func (s *scanner) name() (string, error) {
	for {
		if err := s.blank(nil); err != nil {
			return "", err
		}
		var text string
		var err error
		if c := s.peekByte(); c == '`' || c == '"' {
			var quoted []byte
			quoted, err = s.quoted(nil, maxWord)
			text = string(quoted)
		} else {
			text, err = s.word()
		}
		if err != nil {
			return "", err
		}
		if text == "" {
			return "", s.errorf("a name was expected")
		}
		if s.peekByte() != '.' {
			return text, nil
		}
		s.skip(s.peek(1))
	}
}

// pass passes over the rest of a statement, with its delimiter.
func (s *scanner) pass() error {
	for {
		s.run(&s.stops)
		if err := s.blank(nil); err != nil {
			return err
		}
		if text := s.peek(len(s.delimiter)); string(text) == s.delimiter {
			s.skip(text)
			return nil
		}
		var err error
		if c := s.peekByte(); quotes[c] != nil {
			_, err = s.quoted(nil, 0)
		} else {
			_, err = s.next()
		}
		if err != nil {
			return err
		}
	}
}
