// Package address has the rules for links' addresses that are not codes: which texts can be an
// alias. It does no I/O, and does not know which first segments are routes.
package address

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"terse"
)

// Suffixes are what follows an address in the path of its preview and its pictures. No alias ends
// in one.
var Suffixes = []string{"+", ".svg", ".png"}

// WellKnown is a first segment that is reserved for the Web (RFC 8615).
const WellKnown = ".well-known"

// Valid reports whether a text, in Unicode's composed form (NFC), can be an alias: 1 to
// terse.MaxAlias bytes of UTF-8, in segments that single slashes separate. None of them is empty,
// "." or "..", because clients resolve these. Characters that are invisible, that end a path, or
// that begin an escape are not allowed, nor is a blank at an end.
func Valid(text string) bool {
	if text == "" || len(text) > terse.MaxAlias || !utf8.ValidString(text) ||
		text[0] == ' ' || text[len(text)-1] == ' ' {
		return false
	}
	for _, suffix := range Suffixes {
		if strings.HasSuffix(text, suffix) {
			return false
		}
	}
	for segment := range strings.SplitSeq(text, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
	}
	return !strings.ContainsFunc(text, isRefused)
}

func isRefused(r rune) bool {
	return r != ' ' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z) ||
		strings.ContainsRune(`?#\%`, r)
}

// First returns the first segment of an address.
func First(address string) string {
	first, _, _ := strings.Cut(address, "/")
	return first
}
