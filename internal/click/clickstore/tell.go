package clickstore

import "terse/internal/click/clickblock"

// Told are counted clicks on links of an owner, for what reports each click, such as webhooks.
type Told struct {
	Owner OwnerID
	// Untracked clicks have no values, and the time is the start of their day.
	Untracked bool
	Clicks    int
	// Block has the clicks with their links. It is valid until the function that gets it returns.
	Block []byte
}

// Tell has the clicks that Add counts in this transaction told to f; nil: nobody waits for them.
func (c *Counter) Tell(f func(Told) error) { c.tell = f }

// tellOf tells the clicks of an owner that are being counted: tracked in c.fresh, and others in
// c.untracked.
func (c *Counter) tellOf(owner OwnerID) error {
	if c.tell == nil || owner == c.others { // the others' are told as those of their owners
		return nil
	}
	if err := c.tellSome(Told{Owner: owner}, c.fresh); err != nil {
		return err
	}
	bare := make([]clickblock.Click, len(c.untracked))
	for i := range bare {
		click := &c.untracked[i]
		bare[i].Time = dayOf(click.Time).Start()
		bare[i].IDs[clickblock.ByLink] = click.IDs[clickblock.ByLink]
	}
	return c.tellSome(Told{Owner: owner, Untracked: true}, bare)
}

func (c *Counter) tellSome(t Told, clicks []clickblock.Click) error {
	clickblock.Sort(clicks)
	for len(clicks) > 0 {
		t.Block, t.Clicks = packSome(c.packer.Pack, clicks)
		if err := c.tell(t); err != nil {
			return err
		}
		clicks = clicks[t.Clicks:]
	}
	return nil
}

// packSome packs as many of the clicks as a block may have, and returns how many those are.
func packSome(pack func([]clickblock.Click) []byte, clicks []clickblock.Click) ([]byte, int) {
	n := min(len(clicks), clickblock.MaxClicks)
	block := pack(clicks[:n])
	for len(block) > maxBlock && n > 1 {
		n /= 2
		block = pack(clicks[:n])
	}
	return block, n
}
