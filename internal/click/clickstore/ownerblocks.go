package clickstore

import (
	"terse"
	"terse/internal/click/clickblock"
)

// An owner's counts have bounds of their own, but its clicks keep the values that their links' own
// clicks have, so that no link takes room from another. A link's clicks lose values as they get
// counts, which may be later than the owner's. So foldAsLinks bounds what a link with ever new
// values adds to the owner's blocks, but some clicks there may keep more names than the link's.

// foldedFrom is how many different values clicks of a link must have at once before foldAsLinks
// reads its counts. A link that has reached a bound and still matters has mostly new ones.
const foldedFrom = 64

// linkClicks are the places of a link's clicks among others, and a dimension in which they have
// many values.
type linkClicks struct {
	link clickblock.Link
	of   terse.Dimension
	some []int
}

// foldAsLinks sets the values of an owner's clicks of a day to terse.OtherValue that the counts of
// their links have no room for.
func (c *Counter) foldAsLinks(day terse.Day, clicks []clickblock.Click) error {
	var many []linkClicks
	for _, some := range c.byLink(clicks) {
		for _, d := range clickblock.Stored {
			if c.packer.Values(d, clicks, some) >= foldedFrom {
				many = append(many, linkClicks{c.packer.LinkOf(&clicks[some[0]]), d, some})
			}
		}
	}
	if len(many) == 0 {
		return nil
	}
	var ids []terse.LinkID
	var counts []Range
	for _, m := range many {
		ids = append(ids, m.link.ID)
		for _, t := range []Table{Days, Dropped} {
			counts = append(counts, countsBetween(t, m.link.ID, columnOf(m.of), day, day))
		}
	}
	eras, err := erasOf(c.rows, ids)
	if err == nil {
		err = c.rows.Prefetch(counts, nil)
	}
	if err != nil {
		return err
	}
	for _, m := range many {
		if eras[m.link.ID] != m.link.Era {
			continue
		}
		room := clickblock.NewRoom(m.of)
		for _, t := range []Table{Days, Dropped} {
			pieces, err := c.pieces(t, m.link.ID, columnOf(m.of), day)
			if err == nil {
				err = room.Admit(pieces...)
			}
			if err != nil {
				return err
			}
		}
		c.packer.Fold(room, clicks, m.some)
	}
	return nil
}

// byLink returns the places of the clicks of each link that has at least foldedFrom.
func (c *Counter) byLink(clicks []clickblock.Click) (links [][]int) {
	places := map[uint32][]int{}
	for i := range clicks {
		link := clicks[i].IDs[clickblock.ByLink]
		places[link] = append(places[link], i)
	}
	for _, some := range places {
		if len(some) >= foldedFrom {
			links = append(links, some)
		}
	}
	return links
}
