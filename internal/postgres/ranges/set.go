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

// Tagged returns the links of an owner that have a tag, which is folded.
func Tagged(ctx context.Context, tx pgx.Tx, owner, tag string) (s linkset.Set, err error) {
	rows, _ := tx.Query(ctx, `SELECT id_range, links FROM link_sets
		WHERE owner = $1 AND tag = $2 ORDER BY id_range`, owner, tag)
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

// Tag is a tag of an owner: its name is folded.
type Tag struct{ Owner, Name string }

// Compare is the order in which tags are written.
func (t Tag) Compare(u Tag) int {
	return cmp.Or(cmp.Compare(t.Owner, u.Owner), cmp.Compare(t.Name, u.Name))
}

// tagRange are the links with a tag in a range of IDs.
type tagRange struct {
	Tag
	number int64
}

// Toggles are links that get tags or lose them: bits to change, the first of which is the highest
// of a byte.
type Toggles map[tagRange]*[size / 8]byte

// Toggle notes that a link gets a tag, or that it loses one that it has.
func (t Toggles) Toggle(tag Tag, id int64) {
	key := tagRange{tag, Of(id)}
	if t[key] == nil {
		t[key] = &[size / 8]byte{}
	}
	t[key][id&(size-1)>>3] ^= 0x80 >> (id & 7)
}

// Write writes them. Sets that get empty are forgotten when links lost tags.
func (t Toggles) Write(ctx context.Context, tx pgx.Tx, lost bool) error {
	var owners, tags []string
	var numbers []int64
	var links []pgtype.Bits
	for _, key := range slices.SortedFunc(maps.Keys(t), func(a, b tagRange) int {
		return cmp.Or(a.Compare(b.Tag), cmp.Compare(b.number, a.number))
	}) {
		owners, tags = append(owners, key.Owner), append(tags, key.Name)
		numbers = append(numbers, key.number)
		links = append(links, pgtype.Bits{Bytes: t[key][:], Len: size, Valid: true})
	}
	if len(owners) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO link_sets AS s (owner, tag, id_range, links)
		SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bit(1024)[])
		ON CONFLICT (owner, tag, id_range) DO UPDATE SET links = s.links # excluded.links`,
		owners, tags, numbers, links)
	if lost {
		batch.Queue(`DELETE FROM link_sets AS s
			USING unnest($1::text[], $2::text[], $3::bigint[]) AS n(owner, tag, id_range)
			WHERE s.owner = n.owner AND s.tag = n.tag AND s.id_range = n.id_range
				AND s.links = 0::bit(1024)`, owners, tags, numbers)
	}
	return tx.SendBatch(ctx, batch).Close()
}
