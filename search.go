package terse

import "bytes"

// Search is what to look for in short codes and URLs: a link is found when each word is in one of
// them. The zero Search finds all links.
type Search []Word

// Word is one word of a Search, in each of its spellings. One of them has to be there. All are in
// lower case.
type Word []string

// searchGap separates the code from the URL in a link's search text. No UTF-8 text contains it, so
// no word matches across it.
const searchGap = 0xFF

// AppendSearchText appends the text of a link that Finds looks through: code and URL in lower case.
func AppendSearchText[T ~string | ~[]byte](text []byte, code, url T) []byte {
	text = append(appendLower(text, code), searchGap)
	return appendLower(text, url)
}

func appendLower[T ~string | ~[]byte](text []byte, s T) []byte {
	from := len(text)
	text = append(text, s...)
	for i, c := range text[from:] {
		switch {
		case 'A' <= c && c <= 'Z':
			text[from+i] = c + 'a' - 'A'
		case c >= 0x80:
			return append(text[:from], bytes.ToLower([]byte(s))...)
		}
	}
	return text
}

// Finds reports whether a link with a search text is found.
func (s Search) Finds(text []byte) bool {
	for _, word := range s {
		if !word.in(text) {
			return false
		}
	}
	return true
}

func (w Word) in(text []byte) bool {
	for _, spelling := range w {
		if bytes.Contains(text, []byte(spelling)) {
			return true
		}
	}
	return false
}
