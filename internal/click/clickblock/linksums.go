package clickblock

import (
	"maps"
	"slices"

	"terse"
)

// LinkSums counts clicks by link. For each link it counts only the highest era that was added.
type LinkSums struct {
	people bool
	// Links with neighbouring IDs share a chunk: a map of links takes several times as long.
	chunks map[terse.LinkID]*[chunkLinks]LinkSum
}

// LinkSum is the number of clicks of a link.
type LinkSum struct {
	Clicks, People int64
	Era            uint32
}

const (
	chunkBits  = 4
	chunkLinks = 1 << chunkBits
)

// NewLinkSums returns LinkSums without clicks. It counts clicks by people only if people is set,
// because blocks then take longer to read.
func NewLinkSums(people bool) *LinkSums {
	return &LinkSums{people, map[terse.LinkID]*[chunkLinks]LinkSum{}}
}

// Add adds clicks of a link. It ignores the zero Link.
func (s *LinkSums) Add(l Link, sum Sum) {
	if l == (Link{}) {
		return
	}
	chunk := s.chunks[l.ID>>chunkBits]
	if chunk == nil {
		chunk = new([chunkLinks]LinkSum)
		s.chunks[l.ID>>chunkBits] = chunk
	}
	if !s.people {
		sum.People = 0
	}
	of := &chunk[l.ID&(chunkLinks-1)]
	if l.Era > of.Era {
		*of = LinkSum{Era: l.Era}
	}
	if l.Era == of.Era {
		of.Clicks += sum.Clicks
		of.People += sum.People
	}
}

// AddChosen adds the chosen clicks of a block.
func (s *LinkSums) AddChosen(from *Selector) error {
	people, err := from.People(false, s.people)
	if err != nil {
		return err
	}
	return from.eachSum(from.block.links, (*reader).link, people, func(packed []byte, sum Sum) {
		s.Add(unpackLink(packed), sum)
	})
}

// All calls f for each link with clicks, in the order of IDs.
func (s *LinkSums) All(f func(id terse.LinkID, sum LinkSum)) {
	for _, at := range slices.Sorted(maps.Keys(s.chunks)) {
		for i, sum := range s.chunks[at] {
			if sum.Clicks > 0 {
				f(at<<chunkBits+terse.LinkID(i), sum)
			}
		}
	}
}
