package clickblock

import (
	"encoding/binary"
	"slices"
	"strings"

	"terse"
)

// A packed value is a head and a body. The head is the body's length * 8, plus 4 when a "/"
// follows the body, plus the number of the prefix that precedes it: on a link with few clicks
// the referrers are most of its bytes, and nearly all of them start and end like this. Nothing
// at all (head 0) is the dimension's default.
const (
	prefixBits = 3
	slash      = 4
)

func prefix(head uint64) string {
	switch head & 3 {
	case 1:
		return "https://"
	case 2:
		return "http://"
	case 3:
		return "https://www."
	}
	return ""
}

func appendValue(b []byte, d terse.Dimension, s string) []byte {
	if s == d.Unknown() {
		s = ""
	}
	return appendText(b, s)
}

// appendText packs a text as it is: also one that reads like the dimension's default.
func appendText(b []byte, s string) []byte {
	var head uint64
	for _, p := range [...]uint64{3, 1, 2} {
		if rest, ok := strings.CutPrefix(s, prefix(p)); ok {
			s, head = rest, p
			break
		}
	}
	if rest, ok := strings.CutSuffix(s, "/"); ok {
		s, head = rest, head|slash
	}
	b = binary.AppendUvarint(b, uint64(len(s))<<prefixBits|head)
	return append(b, s...)
}

// packedDefault is the packed default of each dimension.
var packedDefault = []byte{0}

// value returns the next packed value as it is.
func (r *reader) value() []byte {
	start := r.at
	head := r.uvarint((terse.MaxValueBytes+1)<<prefixBits - 1)
	r.bytes(head >> prefixBits)
	if r.bad {
		return nil
	}
	return r.b[start:r.at]
}

// unpackValue is the reverse of appendValue, for a value that reader.value returned.
func unpackValue(d terse.Dimension, packed string) string {
	head, n := binary.Uvarint([]byte(packed))
	s := prefix(head) + packed[n:]
	if head&slash != 0 {
		s += "/"
	}
	if s == "" {
		return d.Unknown()
	}
	return s
}

// The IDs of two values that every table holds. Up to OtherID they are no values of their own.
const (
	defaultID = 0
	OtherID   = 1 // terse.OtherValue
)

// table numbers the packed values of a dimension.
type table struct {
	ids    map[string]uint32
	values []entry
	bytes  int
	last   uint32 // what find returned last
	bound  int    // of len(values); what comes later is OtherID
}

type entry struct {
	packed string
	next   uint32 // what find returned after this one when it was asked last
	// Where the value is in the dictionary being made; holds when epoch is the packer's.
	place uint32
	epoch uint64
}

func (t *table) reset(d terse.Dimension, bound int) {
	if t.ids == nil {
		t.ids = make(map[string]uint32)
	}
	clear(t.ids)
	clear(t.values)
	t.values, t.bytes, t.last, t.bound = t.values[:0], 0, 0, bound
	t.add(string(appendValue(nil, d, d.Unknown())))
	t.add(string(appendText(nil, terse.OtherValue)))
}

// expect makes room for so many values, if there are none yet.
func (t *table) expect(values int) {
	if len(t.values) > OtherID+1 {
		return
	}
	t.values = slices.Grow(t.values, values)
	t.ids = make(map[string]uint32, values+len(t.values))
	for id := range t.values {
		t.ids[t.values[id].packed] = uint32(id)
	}
}

func (t *table) add(packed string) uint32 {
	id := uint32(len(t.values))
	t.ids[packed] = id
	t.values = append(t.values, entry{packed: packed})
	t.bytes += len(packed)
	return id
}

// find returns a value's ID. Dictionaries of one link resemble each other, so the value that
// followed the last one before is tried first: this saves most look-ups by hash.
func (t *table) find(packed []byte) uint32 {
	guess := t.values[t.last].next
	if t.values[guess].packed == string(packed) {
		t.last = guess
		return guess
	}
	id, ok := t.ids[string(packed)]
	if !ok && len(t.values) >= t.bound {
		return OtherID
	}
	if !ok {
		id = t.add(string(packed))
		t.values[id].next = guess
	}
	t.values[t.last].next = id
	t.last = id
	return id
}

// next cuts the next value off and returns its ID. No value is the beginning of another, because
// its head tells its length; so the guess of find is tried on the bytes as they come, and, up to
// the number of guesses, the values that followed that one. In counts they are in an order, which
// begins with the default: what is behind the value need not be tried, and the value goes there.
func (t *table) next(r *reader, guesses int) uint32 {
	rest, before := r.rest(), t.last
	for range guesses {
		guess := t.values[before].next
		packed := t.values[guess].packed
		n := min(len(packed), len(rest))
		if string(rest[:n]) == packed {
			r.at += n
			t.last = guess
			return guess
		}
		if string(rest[:n]) < packed {
			t.last = before
			break
		}
		if guess == defaultID {
			break
		}
		before = guess
	}
	v := r.value()
	if r.bad {
		return defaultID
	}
	return t.find(v)
}
