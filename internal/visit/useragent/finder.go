package useragent

import "strings"

// finder finds which of many parts occur in a text, in one pass over the text.
type finder struct {
	parts []string
	// by has the indexes of parts by their first bytes, and begins is indexed by the five low bits
	// of each of these bytes. Few positions in a text match begins, and only for them by is
	// consulted.
	by     map[[prefix]byte][]int
	begins [1 << (5 * prefix)]bool
}

// prefix is the length of the shortest parts.
const prefix = 3

func newFinder(lists ...[]string) *finder {
	f := &finder{by: map[[prefix]byte][]int{}}
	for _, list := range lists {
		for _, part := range list {
			start := [prefix]byte([]byte(part))
			f.by[start] = append(f.by[start], len(f.parts))
			f.begins[lowBits(start)] = true
			f.parts = append(f.parts, part)
		}
	}
	return f
}

func lowBits(start [prefix]byte) int {
	return int(start[0]&31)<<10 | int(start[1]&31)<<5 | int(start[2]&31)
}

// first returns the lowest index of a part that occurs in a text: anywhere, or with atWords only at
// the start of a word. A part that does not begin with a letter starts a word anywhere.
func (f *finder) first(text string, atWords bool) (place int, ok bool) {
	place = len(f.parts)
	for i := range len(text) - prefix + 1 {
		start := [prefix]byte{text[i], text[i+1], text[i+2]}
		if !f.begins[lowBits(start)] ||
			atWords && i > 0 && isLetter(text[i-1]) && isLetter(text[i]) {
			continue
		}
		for _, at := range f.by[start] {
			if at < place && strings.HasPrefix(text[i:], f.parts[at]) {
				place = at
			}
		}
	}
	return place, place < len(f.parts)
}
