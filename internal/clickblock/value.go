package clickblock

import (
	"bytes"
	"encoding/binary"
	"slices"

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

var prefixes = [...][]byte{nil, []byte("https://"), []byte("http://"), []byte("https://www.")}

func appendValue(b []byte, d terse.Dimension, text []byte) []byte {
	if string(text) == d.Unknown() {
		text = nil
	}
	return appendText(b, text)
}

// appendText packs a text as it is: also one that reads like the dimension's default.
func appendText(b, text []byte) []byte {
	var head uint64
	for _, p := range [...]uint64{3, 1, 2} {
		if rest, ok := bytes.CutPrefix(text, prefixes[p]); ok {
			text, head = rest, p
			break
		}
	}
	if n := len(text) - 1; n >= 0 && text[n] == '/' {
		text, head = text[:n], head|slash
	}
	b = binary.AppendUvarint(b, uint64(len(text))<<prefixBits|head)
	return append(b, text...)
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
func unpackValue(d terse.Dimension, packed []byte) string {
	return string(appendUnpacked(nil, d, packed))
}

func appendUnpacked(b []byte, d terse.Dimension, packed []byte) []byte {
	head, n := binary.Uvarint(packed)
	from := len(b)
	b = append(append(b, prefixes[head&3]...), packed[n:]...)
	if head&slash != 0 {
		b = append(b, '/')
	}
	if len(b) == from {
		b = append(b, d.Unknown()...)
	}
	return b
}

// The IDs of two values that every table holds. Up to OtherID they are no values of their own.
const (
	defaultID = 0
	OtherID   = 1 // terse.OtherValue
)

// table numbers the packed values of a dimension.
type table struct {
	packed  terse.Texts // by ID
	entries []entry     // by ID
	last    uint32      // what find returned last
	bound   int         // of the values; what comes later is OtherID
}

type entry struct {
	next uint32 // what find returned after this one when it was asked last
	// Where the value is in the dictionary being made; holds when epoch is the packer's.
	place uint32
	epoch uint64
}

func (t *table) reset(d terse.Dimension, bound int) {
	t.packed.Reset()
	t.packed.Number(appendValue(nil, d, nil), bound)
	t.packed.Number(appendText(nil, []byte(terse.OtherValue)), bound)
	t.entries, t.last, t.bound = append(t.entries[:0], entry{}, entry{}), 0, bound
}

// find returns a value's ID. Dictionaries of one link resemble each other, so the value that
// followed the last one before is tried first: this saves most look-ups by hash.
func (t *table) find(packed []byte) uint32 {
	guess := t.entries[t.last].next
	if string(t.packed.At(guess)) == string(packed) {
		t.last = guess
		return guess
	}
	id, ok := t.packed.Number(packed, t.bound)
	if !ok {
		return OtherID
	}
	if int(id) == len(t.entries) {
		t.entries = append(t.entries, entry{next: guess})
	}
	t.entries[t.last].next = id
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
		guess := t.entries[before].next
		packed := t.packed.At(guess)
		n := min(len(packed), len(rest))
		order := bytes.Compare(rest[:n], packed)
		if order == 0 {
			r.at += n
			t.last = guess
			return guess
		}
		if order < 0 {
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

// sort puts values in the order in which counts have them, so that the days of a link resemble each
// other: see find.
func (t *table) sort(ids []uint32) {
	slices.SortFunc(ids,
		func(x, y uint32) int { return bytes.Compare(t.packed.At(x), t.packed.At(y)) })
}
