package list

import (
	"math/bits"
	"slices"
	"sort"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
)

// wordBits is the size of a word of a set, as in the schema.
const wordBits = 6

// word has 64 IDs that follow each other.
type word struct {
	at   int64 // ID >> wordBits
	bits uint64
}

// set is a set of IDs. Its words are in order, and none is empty.
type set []word

// readSet reads a set of an owner: some milliseconds for those of a million links.
func readSet(conn *sqlite.Conn, owner, name string) (s set, err error) {
	err = query.Each(conn, "SELECT id_range, links FROM link_sets WHERE owner = ? AND name = ?",
		func(row *sqlite.Stmt) error {
			s = append(s, word{row.ColumnInt64(0), uint64(row.ColumnInt64(1))})
			return nil
		}, owner, name)
	return s, err
}

// setOf returns a set of IDs in any order.
func setOf(ids []int64) (s set) {
	slices.Sort(ids)
	for _, id := range ids {
		s = s.with(id)
	}
	return s
}

// with adds an ID behind all others.
func (s set) with(id int64) set {
	at, bit := id>>wordBits, uint64(1)<<(id&(1<<wordBits-1))
	if n := len(s); n > 0 && s[n-1].at == at {
		s[n-1].bits |= bit
		return s
	}
	return append(s, word{at, bit})
}

// and returns what is in both sets.
func (s set) and(t set) (both set) {
	for _, w := range s {
		t = t.from(w.at)
		if len(t) > 0 && t[0].at == w.at && t[0].bits&w.bits != 0 {
			both = append(both, word{w.at, t[0].bits & w.bits})
		}
	}
	return both
}

// without returns what is in the first set only.
func (s set) without(t set) set {
	if len(t) == 0 {
		return s
	}
	var rest set
	for _, w := range s {
		if t = t.from(w.at); len(t) > 0 && t[0].at == w.at {
			w.bits &^= t[0].bits
		}
		if w.bits != 0 {
			rest = append(rest, w)
		}
	}
	return rest
}

// or returns what is in one of the sets.
func (s set) or(t set) set {
	if len(t) == 0 {
		return s
	}
	all := make(set, 0, len(s)+len(t))
	for len(s) > 0 && len(t) > 0 {
		switch a, b := s[0], t[0]; {
		case a.at < b.at:
			all, s = append(all, a), s[1:]
		case b.at < a.at:
			all, t = append(all, b), t[1:]
		default:
			all, s, t = append(all, word{a.at, a.bits | b.bits}), s[1:], t[1:]
		}
	}
	return append(append(all, s...), t...)
}

// from returns the words from a place on, which is not far.
func (s set) from(at int64) set {
	for len(s) > 0 && s[0].at < at {
		s = s[1:]
	}
	return s
}

// find returns where the word of a place is, or would be.
func (s set) find(at int64) int {
	return sort.Search(len(s), func(i int) bool { return s[i].at >= at })
}

func (s set) has(id int64) bool {
	i := s.find(id >> wordBits)
	return i < len(s) && s[i].at == id>>wordBits && s[i].bits>>(id&(1<<wordBits-1))&1 != 0
}

// upTo returns the largest ID in the set that is not larger than one.
func (s set) upTo(id terse.LinkID) (largest terse.LinkID, found bool) {
	at := int64(id) >> wordBits
	i := s.find(at)
	if i < len(s) && s[i].at == at {
		if w := s[i].bits << (63 - id&63) >> (63 - id&63); w != 0 {
			return terse.LinkID(at<<wordBits + 63 - int64(bits.LeadingZeros64(w))), true
		}
	}
	if i == 0 {
		return 0, false
	}
	last := s[i-1]
	return terse.LinkID(last.at<<wordBits + 63 - int64(bits.LeadingZeros64(last.bits))), true
}

func (s set) count() (n int64) {
	for _, w := range s {
		n += int64(bits.OnesCount64(w.bits))
	}
	return n
}

// each calls f for each ID, in order.
func (s set) each(f func(id int64) error) error {
	for _, w := range s {
		for rest := w.bits; rest != 0; rest &= rest - 1 {
			if err := f(w.at<<wordBits + int64(bits.TrailingZeros64(rest))); err != nil {
				return err
			}
		}
	}
	return nil
}

// wordsInRange are the words of a range of IDs.
const wordsInRange = 1 << (rangeBits - wordBits)

// inRange returns the part of a set that is in a range of IDs.
func (s set) inRange(number int64) set {
	first := number << (rangeBits - wordBits)
	return s[s.find(first):s.find(first+wordsInRange)]
}

// allInRange returns all IDs of a range.
func allInRange(number int64) set {
	all := make(set, wordsInRange)
	for i := range all {
		all[i] = word{number<<(rangeBits-wordBits) + int64(i), ^uint64(0)}
	}
	return all
}
