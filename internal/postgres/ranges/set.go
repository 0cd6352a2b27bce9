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
)

const (
	rangeBits = 10
	size      = 1 << rangeBits
)

// Of returns the range of an ID.
func Of(id int64) int64 { return id >> rangeBits }

// Words are some IDs of a range. The first of 64 is the highest bit of a word, as in the bit
// strings of PostgreSQL.
type Words [size / 64]uint64

// Set is a set of IDs, by range.
type Set map[int64]*Words

// SetOf returns a set of IDs.
func SetOf(ids []int64) Set {
	s, number, words := Set{}, int64(-1), (*Words)(nil)
	for _, id := range ids {
		if Of(id) != number { // neighbours usually follow each other
			number = Of(id)
			words = s.words(number)
		}
		words.toggle(id)
	}
	return s
}

// words returns the IDs of a range, to be changed.
func (s Set) words(number int64) *Words {
	words := s[number]
	if words == nil {
		words = &Words{}
		s[number] = words
	}
	return words
}

// toggle adds an ID, or removes one that is there.
func (w *Words) toggle(id int64) { w[id&(size-1)>>6] ^= 1 << 63 >> (id & 63) }

// AddRange adds all IDs of a range, up to a last one.
func (s Set) AddRange(number, last int64) {
	words := &Words{}
	for i := range words {
		if n := last + 1 - number<<rangeBits - int64(64*i); n > 0 {
			words[i] = ^uint64(0) << (64 - min(n, 64))
		}
	}
	s[number] = words
}

// AddFrom adds what another set has of some ranges, and returns how many IDs that is.
func (s Set) AddFrom(t Set, of map[int64]bool) (n int64) {
	for number, words := range t {
		if of[number] {
			n += words.count()
			of := s.words(number)
			for i, word := range words {
				of[i] |= word
			}
		}
	}
	return n
}

// And returns what is in both sets.
func (s Set) And(t Set) Set {
	both := make(Set, min(len(s), len(t)))
	for number, words := range s {
		others := t[number]
		if others == nil {
			continue
		}
		common := &Words{}
		for i := range words {
			common[i] = words[i] & others[i]
		}
		if *common != (Words{}) {
			both[number] = common
		}
	}
	return both
}

// Count returns how many IDs there are.
func (s Set) Count() (n int64) {
	for _, words := range s {
		n += words.count()
	}
	return n
}

func (w *Words) count() (n int64) {
	for _, word := range w {
		n += int64(bits.OnesCount64(word))
	}
	return n
}

// Ranges returns those that the set has IDs of, downwards.
func (s Set) Ranges() []int64 {
	return slices.SortedFunc(maps.Keys(s), func(a, b int64) int { return cmp.Compare(b, a) })
}

// IDs returns all of a set.
func (s Set) IDs() []int64 {
	var ids []int64
	for number, words := range s {
		for i := range words.down {
			ids = append(ids, number<<rangeBits+i)
		}
	}
	return ids
}

// down calls f for the offsets that are there, downwards.
func (w *Words) down(f func(offset int64) bool) {
	for i := len(w) - 1; i >= 0; i-- {
		for rest := w[i]; rest != 0; rest &= rest - 1 {
			if !f(int64(64*i + 63 - bits.TrailingZeros64(rest))) {
				return
			}
		}
	}
}

// Tagged returns the links of an owner that have a tag, which is folded.
func Tagged(ctx context.Context, tx pgx.Tx, owner, tag string) (Set, error) {
	rows, err := tx.Query(ctx,
		"SELECT id_range, links FROM link_sets WHERE owner = $1 AND tag = $2", owner, tag)
	if err != nil {
		return nil, err
	}
	s := Set{}
	var number int64
	var links pgtype.Bits
	_, err = pgx.ForEachRow(rows, []any{&number, &links}, func() error {
		words := &Words{}
		for i := range words {
			words[i] = binary.BigEndian.Uint64(links.Bytes[8*i:])
		}
		s[number] = words
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

// Toggles are links that get tags or lose them.
type Toggles map[Tag]Set

// Toggle notes that a link gets a tag, or that it loses one that it has.
func (t Toggles) Toggle(tag Tag, id int64) {
	if t[tag] == nil {
		t[tag] = Set{}
	}
	t[tag].words(Of(id)).toggle(id)
}

// Write writes them. Sets that get empty are forgotten when links lost tags.
func (t Toggles) Write(ctx context.Context, tx pgx.Tx, lost bool) error {
	var owners, tags []string
	var numbers []int64
	var links []pgtype.Bits
	for _, tag := range slices.SortedFunc(maps.Keys(t), Tag.Compare) {
		for _, number := range t[tag].Ranges() {
			owners, tags = append(owners, tag.Owner), append(tags, tag.Name)
			numbers, links = append(numbers, number), append(links, t[tag][number].bits())
		}
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

func (w *Words) bits() pgtype.Bits {
	b := pgtype.Bits{Len: size, Valid: true}
	for _, word := range w {
		b.Bytes = binary.BigEndian.AppendUint64(b.Bytes, word)
	}
	return b
}
