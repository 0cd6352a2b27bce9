// Package visitors decides whether a click is its visitor's first on a link and UTC day.
//
// A visitor is a hash, which Hash makes from an address, a user agent and a link with the key of
// the day. The set of a link and day holds the hashes of its visitors. The sets of 256 links make a
// Bucket, which stores keep as a log of chunks.
//
// A set of up to 2,000 visitors holds all hashes. A larger one is a sketch (HyperLogLog). Each hash
// that raises a register adds the inverse of that event's probability to the estimate of visitors
// (historic inverse probability; Ting, 2014), so that the estimate costs nothing and only grows. A
// click is a first if the firsts so far are below the estimate. docs/format/visitors.md describes
// the log byte by byte, and how to build the sets from it.
//
// The package does no I/O and knows no database. Damaged bytes never make it panic, or allocate
// more than a few times the size of the log.
package visitors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

// Links is the number of links in a Bucket.
const Links = 256

// maxExact bounds the visitors of an exact set, which takes 16 KB. A sketch takes 64 KiB, and its
// log up to a few MB.
const maxExact = 2000

// maxChunk bounds a chunk, in bytes: the last chunk is rewritten with each batch.
const maxChunk = 1000

// minEntries is the number of keys that always fit into a chunk, however many links have sketches.
const minEntries = 32

// ErrDamaged means that bytes are not a valid chunk.
var ErrDamaged = errors.New("visitors: damaged bytes")

const version = 1

// keyBytes is the size of a visitor's key in the log. Two visitors in the exact set of a link have
// the same key by chance once in 140,000,000 days.
const keyBytes = 7

// Bucket holds the sets of its links on one day. Its zero value is empty. It must not be used
// concurrently.
type Bucket struct {
	exact table
	count [Links]uint16 // of each link: its keys in exact, or maxExact + 1 + its place in large
	large []*sketch     // of links with more than maxExact visitors

	seq     int    // number of the log's last chunk, or of the first one to write
	saved   bool   // the log has a chunk
	entries []byte // the keys of the last chunk, then unsaved ones
	changed bool   // since the last Save
}

// keyOf returns the key of a visitor: the first 48 bits of the hash, then the link's offset. It is
// never zero, which marks a free place in a table.
func keyOf(offset uint8, hash uint64) uint64 { return max(hash>>16, 1)<<8 | uint64(offset) }

func appendKey(to []byte, key uint64) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], key)
	return append(to, b[8-keyBytes:]...)
}

// keyAt returns the first key of entries.
func keyAt(entries []byte) uint64 {
	var b [8]byte
	copy(b[8-keyBytes:], entries[:keyBytes])
	return max(binary.BigEndian.Uint64(b[:]), 1<<8) // damaged bytes may be zero
}

// First adds the hash of a click on the link at an offset, and reports whether the click is a
// first.
func (b *Bucket) First(offset uint8, hash uint64) bool {
	key := keyOf(offset, hash)
	added := b.add(key)
	if added {
		b.entries = appendKey(b.entries, key)
		b.changed = true
	}
	s := b.sketch(offset)
	if s == nil {
		return added
	}
	if s.firsts >= s.estimate() {
		return false
	}
	s.firsts++
	b.changed = true
	return true
}

// add reports whether a key changed its set.
func (b *Bucket) add(key uint64) bool {
	offset := uint8(key)
	s := b.sketch(offset)
	switch {
	case s != nil:
	case b.count[offset] < maxExact:
		added := b.exact.add(key)
		if added {
			b.count[offset]++
		}
		return added
	case b.exact.has(key):
		return false
	default:
		s = b.grow(offset)
	}
	return s.add(key)
}

// grow replaces the exact set of a link with a sketch.
func (b *Bucket) grow(offset uint8) *sketch {
	s, before := newSketch(), b.exact
	b.exact = table{}
	for _, key := range before.keys {
		switch {
		case key == 0:
		case uint8(key) == offset:
			s.add(key)
		default:
			b.exact.add(key)
		}
	}
	clear(before.keys)
	s.sum, s.firsts = float64(maxExact), maxExact
	b.large = append(b.large, s)
	b.count[offset] = maxExact + uint16(len(b.large))
	return s
}

// sketch returns the sketch of a link, or nil.
func (b *Bucket) sketch(offset uint8) *sketch {
	if n := int(b.count[offset]) - maxExact; n > 0 {
		return b.large[n-1]
	}
	return nil
}

// Bytes returns the approximate memory of the Bucket.
func (b *Bucket) Bytes() int {
	const fixed = 1 << 10
	return fixed + 8*len(b.exact.keys) + len(b.large)*registers + cap(b.entries)
}

// Wipe overwrites the hashes and empties the Bucket.
func (b *Bucket) Wipe() {
	clear(b.exact.keys)
	clear(b.entries[:cap(b.entries)])
	*b = Bucket{}
}

// Seq returns the number of the log's last chunk. If other processes may have saved, load that
// chunk and all later ones. Loading a chunk again changes nothing.
func (b *Bucket) Seq() int { return b.seq }

// StartAt sets the number of the first chunk of a new log. If the log replaces another, its numbers
// must be higher, so that readers of the old chunks notice that they are gone.
func (b *Bucket) StartAt(seq int) { b.seq = seq }

// Saved reports whether the log has a chunk.
func (b *Bucket) Saved() bool { return b.saved }

// Save calls write for each new or changed chunk since the last Save.
func (b *Bucket) Save(write func(seq int, chunk []byte) error) error {
	if !b.changed {
		return nil
	}
	head := b.appendHead(nil)
	room := max((maxChunk-len(head))/keyBytes, minEntries)
	for len(b.entries) > room*keyBytes {
		full := b.entries[:room*keyBytes]
		if err := write(b.seq, append([]byte{version, 0}, full...)); err != nil {
			return err
		}
		b.entries = append(b.entries[:0], b.entries[len(full):]...)
		b.seq++
	}
	if err := write(b.seq, append(head, b.entries...)); err != nil {
		return err
	}
	b.changed, b.saved = false, true
	return nil
}

// Load adds the log's next chunk, or its last chunk again.
func (b *Bucket) Load(seq int, chunk []byte) error {
	firsts, entries, ok := cutHead(chunk)
	if !ok || seq < b.seq {
		return ErrDamaged
	}
	fresh := entries
	if seq == b.seq { // it begins as before
		fresh = bytes.TrimPrefix(entries, b.entries)
	}
	for ; len(fresh) > 0; fresh = fresh[keyBytes:] {
		b.add(keyAt(fresh))
	}
	b.seq, b.saved, b.entries = seq, true, append(b.entries[:0], entries...)
	return b.setFirsts(firsts)
}

// Copy adds the next chunk of another log, without the visitors of the link at an offset. The next
// Save writes everything copied.
func (b *Bucket) Copy(chunk []byte, without uint8) error {
	firsts, entries, ok := cutHead(chunk)
	if !ok {
		return ErrDamaged
	}
	for ; len(entries) > 0; entries = entries[keyBytes:] {
		if key := keyAt(entries); uint8(key) != without && b.add(key) {
			b.entries = appendKey(b.entries, key)
		}
	}
	b.changed = true
	return b.setFirsts(firsts, without)
}

// setFirsts sets the firsts of sketches from a chunk, except for links at the offsets without.
func (b *Bucket) setFirsts(firsts []byte, without ...uint8) error {
	for len(firsts) > 0 {
		offset := firsts[0]
		n, size := binary.Uvarint(firsts[1:])
		firsts = firsts[1+size:]
		if slices.Contains(without, offset) {
			continue
		}
		s := b.sketch(offset)
		if s == nil && b.count[offset] == maxExact {
			s = b.grow(offset) // by a key that raised no register, so it is not in the log
		}
		if s == nil {
			return ErrDamaged
		}
		s.firsts = int64(n)
	}
	return nil
}

// appendHead appends the head of the last chunk, which precedes its keys. Other chunks have no
// firsts.
func (b *Bucket) appendHead(to []byte) []byte {
	to = append(to, version)
	to = binary.AppendUvarint(to, uint64(len(b.large)))
	for offset := range Links {
		if s := b.sketch(uint8(offset)); s != nil {
			to = append(to, uint8(offset))
			to = binary.AppendUvarint(to, uint64(s.firsts))
		}
	}
	return to
}

// cutHead splits a chunk into the firsts of links and the keys.
func cutHead(chunk []byte) (firsts, entries []byte, ok bool) {
	if len(chunk) == 0 || chunk[0] != version {
		return nil, nil, false
	}
	n, size := binary.Uvarint(chunk[1:])
	if size <= 0 || n > Links {
		return nil, nil, false
	}
	firsts = chunk[1+size:]
	at := 0
	for range n {
		if at >= len(firsts) {
			return nil, nil, false
		}
		count, size := binary.Uvarint(firsts[at+1:])
		if size <= 0 || count > 1<<62 {
			return nil, nil, false
		}
		at += 1 + size
	}
	entries = firsts[at:]
	return firsts[:at], entries, len(entries)%keyBytes == 0
}

// table is a set of keys with open addressing. At most three quarters of its places are used.
type table struct {
	keys []uint64 // 0: free
	n    int
}

// place returns the place of a key, or the free place where it would go.
func (t *table) place(key uint64) int {
	mask := len(t.keys) - 1
	i := int(key>>8) & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (t *table) has(key uint64) bool { return t.n > 0 && t.keys[t.place(key)] != 0 }

// add adds a key, and reports whether it is new.
func (t *table) add(key uint64) bool {
	if 4*(t.n+1) > 3*len(t.keys) {
		before := t.keys
		t.keys = make([]uint64, max(minKeys, 2*len(before)))
		for _, k := range before {
			if k != 0 {
				t.keys[t.place(k)] = k
			}
		}
		clear(before) // unused memory must hold no hashes
	}
	at := t.place(key)
	if t.keys[at] != 0 {
		return false
	}
	t.keys[at] = key
	t.n++
	return true
}

// minKeys is the number of places in the smallest table. The next larger one has twice as many.
const minKeys = 16

const (
	registers = 1 << 16
	// maxRank is the highest rank of a register: a key has 32 bits after the register's number.
	maxRank = 33
)

// sketch estimates how many visitors a large set has.
type sketch struct {
	ranks [registers]uint8
	// chances is the sum of 2^-rank over all registers, in units of 2^-maxRank.
	chances uint64
	sum     float64 // the estimate
	firsts  int64
}

func newSketch() *sketch { return &sketch{chances: registers << maxRank} }

// add adds a key, and reports whether it raised a register.
func (s *sketch) add(key uint64) bool {
	rank := &s.ranks[key>>40]
	r := uint8(bits.LeadingZeros64(key<<24|1<<(64-maxRank))) + 1
	if r <= *rank {
		return false
	}
	s.sum += float64(registers<<maxRank) / float64(s.chances)
	s.chances -= 1<<(maxRank-*rank) - 1<<(maxRank-r)
	*rank = r
	return true
}

func (s *sketch) estimate() int64 { return int64(s.sum + 0.5) }
