package links

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse"
	"terse/internal/link/follow"
	"terse/internal/link/linkset"
)

// Set returns the links of an owner, or of all, in a set. A million links are a thousand rows of
// 130 KB in total, and take a few milliseconds.
func Set(ctx context.Context, tx pgx.Tx, owner, name string) (all linkset.Set, err error) {
	for _, owner := range follow.Owners(owner) {
		s, err := setOf(ctx, tx, owner, name)
		if err != nil {
			return nil, err
		}
		all = all.Or(s)
	}
	return all, nil
}

func setOf(ctx context.Context, tx pgx.Tx, owner, name string) (s linkset.Set, err error) {
	rows, _ := tx.Query(ctx, `SELECT id_range, links FROM link_sets
		WHERE owner = $1 AND name = $2 ORDER BY id_range`, owner, name)
	var number int64
	var links pgtype.Bits
	_, err = pgx.ForEachRow(rows, []any{&number, &links}, func() error {
		for at := number << (linkset.RangeBits - 6); len(links.Bytes) >= 8; at++ {
			// The first ID is the highest bit.
			word := bits.Reverse64(binary.BigEndian.Uint64(links.Bytes))
			if word != 0 {
				s = append(s, linkset.Word{At: at, Bits: word})
			}
			links.Bytes = links.Bytes[8:]
		}
		return nil
	})
	return s, err
}

// setRange identifies the part of an owner's set in a range of IDs.
type setRange struct {
	owner, set string
	number     int64
}

// rangeBits holds a bit for each ID of a range. The first ID of a byte is its highest bit.
type rangeBits [linkset.RangeSize / 8]byte

// toggle adds a link to a set, or with -1 removes it. The row of the link is locked, so no other
// transaction does the same.
func (c *Changes) toggle(owner, set string, id terse.LinkID, links int64) {
	c.flip(owner, set, id)
	if follow.IsOther(owner) {
		c.flip(terse.AllOwners, set, id)
	}
	c.left = c.left || links < 0
	if folded, isTag := strings.CutPrefix(set, follow.TagSet("")); isTag {
		c.tag(owner, folded).links += links
	}
}

// flip flips the bit of a link in a set.
func (c *Changes) flip(owner, set string, id terse.LinkID) {
	key := setRange{owner, set, int64(id) >> linkset.RangeBits}
	if c.toggled[key] == nil {
		c.toggled[key] = &rangeBits{}
	}
	c.toggled[key][id&(linkset.RangeSize-1)>>3] ^= 0x80 >> (id & 7)
}

// writeSets writes the toggled sets, sorted, and deletes sets that are then empty.
func (c *Changes) writeSets(ctx context.Context) error {
	if len(c.toggled) == 0 {
		return nil
	}
	var owners, sets []string
	var numbers []int64
	var links []pgtype.Bits
	for _, key := range slices.SortedFunc(maps.Keys(c.toggled), func(a, b setRange) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.set, b.set),
			cmp.Compare(a.number, b.number))
	}) {
		owners, sets = append(owners, key.owner), append(sets, key.set)
		numbers = append(numbers, key.number)
		links = append(links, pgtype.Bits{
			Bytes: c.toggled[key][:], Len: linkset.RangeSize, Valid: true,
		})
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO link_sets AS s (owner, name, id_range, links)
		SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bit(1024)[])
		ON CONFLICT (owner, name, id_range) DO UPDATE SET links = s.links # excluded.links`,
		owners, sets, numbers, links)
	if c.left {
		batch.Queue(`DELETE FROM link_sets AS s
			USING unnest($1::text[], $2::text[], $3::bigint[]) AS n(owner, name, id_range)
			WHERE s.owner = n.owner AND s.name = n.name AND s.id_range = n.id_range
				AND s.links = 0::bit(1024)`, owners, sets, numbers)
	}
	return c.tx.SendBatch(ctx, batch).Close()
}
