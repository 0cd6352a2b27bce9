package clickblock

import (
	"maps"
	"slices"

	"terse"
)

// LinkSums are clicks by link. Of a link that was cleared, those of its last era that is known of
// are left.
type LinkSums struct {
	// WithPeople has the clicks of people counted, too; reading blocks takes longer then.
	WithPeople bool
	// Links whose IDs are neighbours lie together: to look up each takes several times as long.
	chunks map[terse.LinkID]*[chunkLinks]LinkSum
}

// LinkSum is how many clicks a link has.
type LinkSum struct {
	Clicks, People int64
	Era            uint32
}

const (
	chunkBits  = 4
	chunkLinks = 1 << chunkBits
)

// NewLinkSums returns sums without clicks.
func NewLinkSums(people bool) *LinkSums {
	return &LinkSums{people, map[terse.LinkID]*[chunkLinks]LinkSum{}}
}

// Add adds clicks of a link; those of the zero Link are of none.
func (s *LinkSums) Add(l Link, sum Sum) {
	if l == (Link{}) {
		return
	}
	chunk := s.chunks[l.ID>>chunkBits]
	if chunk == nil {
		chunk = new([chunkLinks]LinkSum)
		s.chunks[l.ID>>chunkBits] = chunk
	}
	if !s.WithPeople {
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
	people, err := from.People(s.WithPeople)
	if err != nil {
		return err
	}
	return from.eachSum(from.block.links, (*reader).link, people, func(packed []byte, sum Sum) {
		s.Add(unpackLink(packed), sum)
	})
}

// All calls f for each link that has clicks, in the order of their IDs.
func (s *LinkSums) All(f func(id terse.LinkID, sum LinkSum)) {
	for _, at := range slices.Sorted(maps.Keys(s.chunks)) {
		for i, sum := range s.chunks[at] {
			if sum.Clicks > 0 {
				f(at<<chunkBits+terse.LinkID(i), sum)
			}
		}
	}
}
