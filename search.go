package terse

import (
	"bytes"
	"encoding/json"
)

// Search is what to look for in short codes, URLs, titles and tags: a link is found when each word
// is in one of them. The zero Search finds all links.
type Search []Word

// Word is one word of a Search, in each of its spellings. One of them has to be there. All are in
// lower case.
type Word []string

// MaxSearchTotal is up to where the links that a Search finds are counted.
const MaxSearchTotal = 1000

// searchGap separates the parts of a link's search text. No UTF-8 text contains it, so no word
// matches across it.
const searchGap = 0xFF

// AppendSearchText appends the text of a link that Finds looks through: code, URL, title and tags
// in lower case.
func AppendSearchText[T ~string | ~[]byte](text []byte, code, url T, options []byte) []byte {
	text = append(appendLower(text, code), searchGap)
	text = appendLower(text, url)
	if len(options) == 0 {
		return text
	}
	// To decode all options would take longer than the search. In a text that Encode wrote the
	// title comes first, and no list but that of tags has their name.
	if title, ok := bytes.CutPrefix(options, []byte(`{"title":`)); ok {
		text, _ = appendLiteral(text, title)
	}
	_, tags, more := bytes.Cut(options, []byte(`"tags":[`))
	for more {
		text, tags = appendLiteral(text, tags)
		tags, more = bytes.CutPrefix(tags, []byte{','})
	}
	return text
}

// appendLiteral appends the JSON string that a text begins with to a search text, and returns what
// comes behind it.
func appendLiteral(text, source []byte) (longer, rest []byte) {
	if len(source) == 0 || source[0] != '"' {
		return text, nil
	}
	end, escaped := 1, false
	for ; end < len(source) && source[end] != '"'; end++ {
		if source[end] == '\\' {
			escaped = true
			end++
		}
	}
	if end >= len(source) {
		return text, nil
	}
	text, rest = append(text, searchGap), source[end+1:]
	if !escaped {
		return appendLower(text, source[1:end]), rest
	}
	var value string
	if json.Unmarshal(source[:end+1], &value) != nil {
		return text, nil
	}
	return appendLower(text, value), rest
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
