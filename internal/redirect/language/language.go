// Package language finds the language that a visitor reads among those that there are. It is made
// here because golang.org/x/text/language leaves out of a header what is refused (q=0), and
// shortens tags by CLDR's parents instead of RFC 4647's look-up.
package language

import (
	"bytes"
	"slices"
)

// maxRanges bounds how much of an Accept-Language header is read: nobody reads more languages.
const maxRanges = 32

// item is one of an Accept-Language header (RFC 9110, 12.5.4).
type item struct {
	tag    []byte
	weight int // in thousandths; 0: refused
}

// LookUp returns the first choice of an Accept-Language header among languages in lower case, or -1
// when it names none. It is RFC 4647, 3.4: a range is made shorter until it is one of the
// languages, then the next one is tried.
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

// parseWeight reads "q=0.5" (RFC 9110, 12.4.2).
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

// shorter takes the last part off a language range, and one of a single character before it, which
// only introduces what follows.
func shorter(tag []byte) []byte {
	tag = tag[:max(bytes.LastIndexByte(tag, '-'), 0)]
	if n := len(tag); n >= 2 && tag[n-2] == '-' {
		return tag[:n-2]
	}
	return tag
}

// refused reports whether the range that says most about a language refuses it.
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

// equalFold compares with a text in lower case, both of ASCII.
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
