package useragent

// finder finds out which of many parts a text has, in one pass over it.
type finder struct {
	parts []string
	// by has the places of parts by their first bytes.
	by map[[prefix]byte][]int
}

// prefix is how long the shortest parts are.
const prefix = 3

func newFinder(lists ...[]string) *finder {
	f := &finder{by: map[[prefix]byte][]int{}}
	for _, list := range lists {
		for _, part := range list {
			start := [prefix]byte([]byte(part))
			f.by[start] = append(f.by[start], len(f.parts))
			f.parts = append(f.parts, part)
		}
	}
	return f
}

// first returns the place of the first of the parts that a text has.
func (f *finder) first(text string) (place int, ok bool) {
	place = len(f.parts)
	for i := range len(text) - prefix + 1 {
		for _, at := range f.by[[prefix]byte{text[i], text[i+1], text[i+2]}] {
			if at < place && len(text)-i >= len(f.parts[at]) &&
				text[i:i+len(f.parts[at])] == f.parts[at] {
				place = at
			}
		}
	}
	return place, place < len(f.parts)
}
