// Package language chooses a visitor's language among those available. It is handwritten because
// golang.org/x/text/language drops refused languages (q=0) from a header, and shortens tags by
// CLDR's parents instead of RFC 4647's look-up.
package language

import (
	"bytes"
	"slices"
)

// maxRanges bounds how many ranges of an Accept-Language header are read: nobody reads more
// languages.
const maxRanges = 32

// item is a range of an Accept-Language header (RFC 9110, 12.5.4).
type item struct {
	tag    []byte
	weight int // in thousandths; 0: refused
}

// LookUp returns the index of an Accept-Language header's first choice among languages, which are
// in lower case, or -1 if it names none. As in RFC 4647, 3.4, a range is shortened until it is one
// of the languages; then the next range is tried.
func LookUp(languages []string, header []byte) int {
	var room [maxRanges]item
	ranges := parseRanges(room[:0], header)
	slices.SortStableFunc(ranges, func(a, b item) int { return b.weight - a.weight })
	for _, r := range ranges {
		if r.weight == 0 {
			break
		}
		for tag := r.tag; len(tag) > 0; tag = shorter(tag) {
			for i, language := range languages {
				if equalFold(tag, language) && !refused(ranges, language) {
					return i
				}
			}
		}
	}
	return -1
}

func parseRanges(ranges []item, header []byte) []item {
	for part := range bytes.SplitSeq(header, []byte(",")) {
		tag, parameter, weighted := bytes.Cut(part, []byte(";"))
		r := item{tag: bytes.Trim(tag, " \t"), weight: 1000}
		ok := len(r.tag) > 0 && string(r.tag) != "*"
		if weighted {
			var valid bool
			r.weight, valid = parseWeight(bytes.Trim(parameter, " \t"))
			ok = ok && valid
		}
		if ok {
			ranges = append(ranges, r)
		}
		if len(ranges) == maxRanges {
			break
		}
	}
	return ranges
}

// parseWeight parses a weight such as "q=0.5" (RFC 9110, 12.4.2).
func parseWeight(parameter []byte) (thousandths int, ok bool) {
	if len(parameter) < 3 || parameter[0]|0x20 != 'q' || parameter[1] != '=' {
		return 0, false
	}
	number := parameter[2:]
	if number[0] != '0' && number[0] != '1' || len(number) > len("0.000") ||
		len(number) > 1 && number[1] != '.' {
		return 0, false
	}
	thousandths = int(number[0]-'0') * 1000
	for i, unit := 2, 100; i < len(number); i, unit = i+1, unit/10 {
		if number[i] < '0' || number[i] > '9' {
			return 0, false
		}
		thousandths += int(number[i]-'0') * unit
	}
	return thousandths, thousandths <= 1000
}

// shorter removes the last part of a language range, and before it a single-character part, which
// only introduces the next.
func shorter(tag []byte) []byte {
	tag = tag[:max(bytes.LastIndexByte(tag, '-'), 0)]
	if n := len(tag); n >= 2 && tag[n-2] == '-' {
		return tag[:n-2]
	}
	return tag
}

// refused reports whether the most specific range for a language refuses it.
func refused(ranges []item, language string) bool {
	most, weight := 0, 1
	for _, r := range ranges {
		n := len(r.tag)
		if n > most && n <= len(language) && equalFold(r.tag, language[:n]) &&
			(n == len(language) || language[n] == '-') {
			most, weight = n, r.weight
		}
	}
	return weight == 0
}

// equalFold compares ASCII texts, ignoring the case of b; lower is in lower case.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
