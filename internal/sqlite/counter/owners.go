package counter

import (
	"cmp"
	"maps"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/sqlite/query"
)

// firstAll is the ID of all links of the first owner: the least one that can have days. Those of
// other owners follow, each in a bucket of its own. No link that the store makes is near them.
const firstAll terse.LinkID = -1 << 47

// IsAll reports whether an ID stands for all links of an owner.
func IsAll(link terse.LinkID) bool { return link < 0 }

// AllOf returns the ID that stands for all links of an owner, or 0, which no link has, where no
// click of the owner's links was counted.
func AllOf(conn *sqlite.Conn, owner string) (terse.LinkID, error) {
	id, err := query.Int(conn,
		"SELECT coalesce(max(link_id), 0) FROM click_owners WHERE created_by = ?", owner)
	return terse.LinkID(id), err
}

// maxOwners bounds what is remembered of owners, at some hundred bytes each.
const maxOwners = 1 << 12

// knownAll is AllOf for an owner of links.
func (c *Counter) knownAll(name []byte) (terse.LinkID, error) {
	if id, known := c.owners[string(name)]; known {
		return id, nil
	}
	owner := string(name)
	id, err := AllOf(c.conn, owner)
	if err != nil || id == 0 {
		return 0, err
	}
	if len(c.owners) >= maxOwners {
		clear(c.owners)
	}
	c.owners[owner] = id
	return id, nil
}

// allOf is AllOf for an owner of a link that was clicked.
func (c *Counter) allOf(name []byte) (terse.LinkID, error) {
	if id, err := c.knownAll(name); err != nil || id != 0 {
		return id, err
	}
	c.newOwner = true
	owner := string(name)
	if err := query.Run(c.conn, `INSERT INTO click_owners (created_by, link_id)
		SELECT ?1, max(link_id) + ?2 FROM click_owners`, owner, BucketLinks); err != nil {
		return 0, err
	}
	return c.knownAll([]byte(owner))
}

// addToAllLinks counts the clicks in c.batch for all links of their owners. They are in the order
// of the batch, which is nearly that of time.
func (c *Counter) addToAllLinks() error {
	for from := 0; from < len(c.batch); from += maxAtOnce {
		c.turn.Yield()
		part := c.batch[from:min(from+maxAtOnce, len(c.batch))]
		if err := c.addPart(part, from); err != nil {
			return err
		}
		clear(part)
	}
	c.packer.Reset()
	return nil
}

// addPart counts clicks that begin at a place of the batch.
func (c *Counter) addPart(part []clickblock.Click, from int) error {
	if len(c.others) == 0 {
		return c.addOwned(firstAll, part)
	}
	owned := map[terse.LinkID][]clickblock.Click{}
	for i, click := range part {
		if click.Link != 0 {
			all := cmp.Or(c.others[from+i], firstAll)
			owned[all] = append(owned[all], click)
		}
	}
	for _, all := range slices.Sorted(maps.Keys(owned)) {
		c.turn.Yield()
		if err := c.addOwned(all, owned[all]); err != nil {
			return err
		}
	}
	return nil
}
