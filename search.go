package terse

import "bytes"

// Search is a set of words to find in short codes, aliases, URLs, titles and tags. A link matches
// if each word occurs in one of them. The zero Search matches all links.
type Search []Word

// Word is one word of a Search in each of its spellings, one of which has to occur. All are in
// lower case and in Unicode's composed form (NFC).
type Word []string

// MaxSearchTotal bounds how many links found by a Search are counted.
const MaxSearchTotal = 1000

// Finds reports whether a link with this search text (see package searchtext) matches.
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
