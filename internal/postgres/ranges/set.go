package ranges

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse/internal/linkset"
)

const size = linkset.RangeSize

// Of returns the range of an ID.
func Of(id int64) int64 { return id >> linkset.RangeBits }

// TagSet is the set of the links with a tag, which is folded. That of a status has its name.
func TagSet(tag string) string { return "#" + tag }

// Links returns the links of an owner in a set.
func Links(ctx context.Context, tx pgx.Tx, owner, set string) (s linkset.Set, err error) {
	rows, _ := tx.Query(ctx, `SELECT id_range, links FROM link_sets
		WHERE owner = $1 AND name = $2 ORDER BY id_range`, owner, set)
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

// setRange are the links of an owner's set in a range of IDs.
type setRange struct {
	owner, set string
	number     int64
}

// Toggles are links that come into sets or leave them: bits to change, the first of which is the
// highest of a byte. Locks on rows of links see to it that each says what its set does not.
type Toggles struct {
	bits map[setRange]*[size / 8]byte
	less bool // links leave
}

// Toggle notes that a link comes into a set, or that it leaves one.
func (t *Toggles) Toggle(owner, set string, id int64, in bool) {
	key := setRange{owner, set, Of(id)}
	if t.bits == nil {
		t.bits = map[setRange]*[size / 8]byte{}
	}
	if t.bits[key] == nil {
		t.bits[key] = &[size / 8]byte{}
	}
	t.bits[key][id&(size-1)>>3] ^= 0x80 >> (id & 7)
	t.less = t.less || !in
}

// Write writes them. Sets that get empty are forgotten.
func (t *Toggles) Write(ctx context.Context, tx pgx.Tx) error {
	var owners, sets []string
	var numbers []int64
	var links []pgtype.Bits
	for _, key := range slices.SortedFunc(maps.Keys(t.bits), func(a, b setRange) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.set, b.set),
			cmp.Compare(b.number, a.number))
	}) {
		owners, sets = append(owners, key.owner), append(sets, key.set)
		numbers = append(numbers, key.number)
		links = append(links, pgtype.Bits{Bytes: t.bits[key][:], Len: size, Valid: true})
	}
	if len(owners) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO link_sets AS s (owner, name, id_range, links)
		SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bit(1024)[])
		ON CONFLICT (owner, name, id_range) DO UPDATE SET links = s.links # excluded.links`,
		owners, sets, numbers, links)
	if t.less {
		batch.Queue(`DELETE FROM link_sets AS s
			USING unnest($1::text[], $2::text[], $3::bigint[]) AS n(owner, name, id_range)
			WHERE s.owner = n.owner AND s.name = n.name AND s.id_range = n.id_range
				AND s.links = 0::bit(1024)`, owners, sets, numbers)
	}
	return tx.SendBatch(ctx, batch).Close()
}
