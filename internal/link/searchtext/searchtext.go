// Package searchtext makes the text of a link that a terse.Search searches, in lower case and
// Unicode's composed form, like its words. It does no I/O.
package searchtext

import (
	"bytes"
	"encoding/json"

	"golang.org/x/text/unicode/norm"
)

// gap separates the parts of a search text. No UTF-8 text contains it, so no word matches across
// it.
const gap = 0xFF

// Append appends the search text of a link: its code, URL, title, tags and aliases.
func Append[T ~string | ~[]byte](text []byte, code, url T, options []byte) []byte {
	text = append(appendLower(text, code), gap)
	text = appendLower(text, url)
	if len(options) == 0 {
		return text
	}
	// Decoding all options would take longer than the search. In a text from Encode the title comes
	// first, and no other list is called tags or aliases.
	if title, ok := bytes.CutPrefix(options, []byte(`{"title":`)); ok {
		text, _ = appendLiteral(text, title)
	}
	for _, list := range []string{`"tags":[`, `"aliases":[`} {
		_, values, more := bytes.Cut(options, []byte(list))
		for more {
			text, values = appendLiteral(text, values)
			values, more = bytes.CutPrefix(values, []byte{','})
		}
	}
	return text
}

// appendLiteral appends the JSON string at the start of source to a search text, and returns the
// rest of source.
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
	text, rest = append(text, gap), source[end+1:]
	if !escaped {
		return appendLower(text, source[1:end]), rest
	}
	var value string
	if json.Unmarshal(source[:end+1], &value) != nil {
		return text, nil
	}
	return appendLower(text, value), rest
}

// appendLower appends a text, composed and in lower case.
func appendLower[T ~string | ~[]byte](text []byte, s T) []byte {
	from := len(text)
	text = append(text, s...)
	for i, c := range text[from:] {
		switch {
		case 'A' <= c && c <= 'Z':
			text[from+i] = c + 'a' - 'A'
		case c >= 0x80:
			return norm.NFC.Append(text[:from], bytes.ToLower([]byte(s))...)
		}
	}
	return text
}
