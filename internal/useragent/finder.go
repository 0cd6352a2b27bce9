package useragent

import "strings"

// finder finds out which of many parts a text has, in one pass over it.
type finder struct {
	parts []string
	// by has the places of parts by their first bytes, and begins the five low bits of those. Few
	// places in a text have the bits that a part begins with, and only for them by is asked.
	by     map[[prefix]byte][]int
	begins [1 << (5 * prefix)]bool
}

// prefix is how long the shortest parts are.
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

// first returns the place of the first of the parts that a text has: anywhere, or only where a word
// begins and not inside of one. A part that begins with something else than a letter begins one.
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
