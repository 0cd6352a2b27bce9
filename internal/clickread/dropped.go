package clickread

import (
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// Dropped is what is kept of the clicks of a day that were dropped.
type Dropped struct {
	Last   int64 // the time of the last one
	Counts []byte
	Links  []byte // how many each link has, where they are those of all links
}

// Add adds sorted clicks of the day. The counts are in the packer's memory then.
func (d *Dropped) Add(
	p *clickblock.Packer, clicks []clickblock.Click, all bool, yield func(),
) (err error) {
	d.Last = max(d.Last, clicks[len(clicks)-1].Time)
	if all {
		if d.Links, err = AddLinks(p, d.Links, clicks, yield); err != nil {
			return err
		}
	}
	d.Counts, err = p.Count(d.Counts, clicks)
	return err
}

// AddLinks returns how many clicks each link has, with some more.
func AddLinks(p *clickblock.Packer, links []byte, clicks []clickblock.Click, yield func()) (
	[]byte, error,
) {
	tally := NewLinkTally(terse.AllTime)
	err := tally.Links.Add(links)
	for some := range slices.Chunk(clicks, clickblock.MaxClicks) {
		yield()
		if err == nil {
			err = tally.AddBlock(p.Pack(some))
		}
	}
	return tally.Links.Pack(), err
}
