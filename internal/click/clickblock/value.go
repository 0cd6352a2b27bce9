package clickblock

import (
	"bytes"
	"encoding/binary"
	"math"

	"terse"
)

// A packed value is a head and a body. The head is the body's length * 8, plus 4 if a "/" follows
// the body, plus the number of the prefix that precedes it. Referrers are most of the bytes of a
// link with few clicks, and nearly all of them begin and end like this. Head 0 stands for the
// dimension's default.
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

// appendText packs a text even if it is the default of its dimension.
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

// packedDefault is the default of every dimension.
var (
	packedDefault = []byte{0}
	packedOther   = appendText(nil, []byte(terse.OtherValue))
	packedBot     = appendText(nil, []byte(terse.Bot))
)

// value returns the next packed value.
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

// textLen returns the length of a packed value's text, in bytes.
func textLen(packed []byte) int {
	head, _ := binary.Uvarint(packed)
	n := len(prefixes[head&3]) + int(head>>prefixBits)
	if head&slash != 0 {
		n++
	}
	return n
}

// IDs that are equal in all tables of values.
const (
	defaultID = 0 // in a table of links: the zero Link
	otherID   = 1 // terse.OtherValue
	botID     = 2 // terse.Bot
)

// table numbers the packed values of a dimension, or links.
type table struct {
	packed terse.Texts // by ID
	places []uint32    // by ID: 1 + its place in the dictionary being made, 0: not in it
}

func (t *table) reset(first ...[]byte) {
	t.packed.Reset()
	t.places = t.places[:0]
	for _, packed := range first {
		t.find(packed)
	}
}

// find returns the ID of a value. A Packer is full long before it runs out of IDs at 16,777,215
// values.
func (t *table) find(packed []byte) uint32 {
	id, _ := t.packed.Number(packed, math.MaxInt)
	if int(id) == len(t.places) {
		t.places = append(t.places, 0)
	}
	return id
}

// Text returns the value with an ID.
func (p *Packer) Text(d terse.Dimension, id uint32) string {
	return unpackValue(d, p.tables[d].packed.At(id))
}
