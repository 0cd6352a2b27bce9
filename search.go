package terse

import "bytes"

// Search is what to look for in short codes, URLs, titles and tags: a link is found when each word
// is in one of them. The zero Search finds all links.
type Search []Word

// Word is one word of a Search, in each of its spellings. One of them has to be there. All are in
// lower case and in Unicode's composed form (NFC).
type Word []string

// MaxSearchTotal is up to where the links that a Search finds are counted.
const MaxSearchTotal = 1000

// Finds reports whether a link with a search text, see package searchtext, is found.
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
