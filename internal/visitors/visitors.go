// Package visitors tells the first click of a visitor on a link and UTC day from the others.
//
// A visitor is a hash, which Hash makes of an address, a user agent and a link with a key of the
// day. Whether a hash was there before is known by the set of its link and day. The sets of 256
// links are one Bucket, which stores keep as a log of chunks.
//
// A set has all of its hashes up to MaxExact. From then on it is a sketch (HyperLogLog). Each hash
// that changes a register says how many visitors there are by how improbable that was (historic
// inverse probability; Ting, 2014), so that the estimate costs nothing and only grows. A click is a
// first when the estimate is above the firsts so far. docs/format/visitors.md has the log byte by
// byte, and what a set makes of it.
//
// The package does no I/O and knows no database. It neither panics nor allocates more than a few
// times the log on damaged bytes.
package visitors

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// Links is how many links a Bucket has.
const Links = 256

// MaxExact is up to how many visitors a set is exact. That takes 16 KB; a sketch takes 64 KiB, and
// its log up to some MB.
const MaxExact = 2000

// maxChunk bounds a chunk: the last one is written again with each batch.
const maxChunk = 1000

// minEntries is how many keys a chunk has room for, however many links have a sketch.
const minEntries = 32

// ErrDamaged says that bytes are no chunk.
var ErrDamaged = errors.New("visitors: damaged bytes")

const version = 1

// keyBytes is how much a visitor takes in the log. Two of a link's exact set have one key by chance
// once in 140,000,000 days.
const keyBytes = 7

// Bucket has the sets of links on one day. Its zero value is empty. It must not be used
// concurrently.
type Bucket struct {
	exact table
	count [Links]uint16 // of a link's visitors in exact, or MaxExact + a number from 1 on in large
	large []*sketch     // of the links with more than MaxExact visitors

	seq     int    // of the log's last chunk, or of its first
	saved   bool   // there is such a chunk
	entries []byte // in it, and behind it those that are not saved
	changed bool   // since the last Save
}

// keyOf is the first 48 bits of a hash, with its link's offset behind them. It is not zero, which
// marks free places of a table.
func keyOf(offset uint8, hash uint64) uint64 { return max(hash>>16, 1)<<8 | uint64(offset) }

func appendKey(to []byte, key uint64) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], key)
	return append(to, b[8-keyBytes:]...)
}

// keyAt returns the key at the beginning of some.
func keyAt(entries []byte) uint64 {
	var b [8]byte
	copy(b[8-keyBytes:], entries[:keyBytes])
	return max(binary.BigEndian.Uint64(b[:]), 1<<8) // which it is, unless it is damaged
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
	case b.count[offset] < MaxExact:
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

// grow makes a sketch of the exact set of a link.
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
	s.sum, s.firsts = float64(MaxExact), MaxExact
	b.large = append(b.large, s)
	b.count[offset] = MaxExact + uint16(len(b.large))
	return s
}

// sketch returns that of a link, nil while it has none.
func (b *Bucket) sketch(offset uint8) *sketch {
	if n := int(b.count[offset]) - MaxExact; n > 0 {
		return b.large[n-1]
	}
	return nil
}

// Bytes returns about how much memory the Bucket takes.
func (b *Bucket) Bytes() int {
	const fixed = 1 << 10
	return fixed + 8*len(b.exact.keys) + len(b.large)*registers + cap(b.entries)
}

// Wipe overwrites what is known of visitors.
func (b *Bucket) Wipe() {
	clear(b.exact.keys)
	clear(b.entries[:cap(b.entries)])
	*b = Bucket{}
}

// Seq returns the number of the log's last chunk: that one and later ones are to be loaded when
// others may have saved. To load one again changes nothing.
func (b *Bucket) Seq() int { return b.seq }

// StartAt numbers the chunks of a new log from a number on. When a log takes the place of another,
// its chunks have higher numbers: whoever has read some of the old ones sees that they are gone.
func (b *Bucket) StartAt(seq int) { b.seq = seq }

// Saved reports whether the log has a chunk.
func (b *Bucket) Saved() bool { return b.saved }

// Save calls write for the chunks that are new or have changed since the last Save.
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

// Load adds the log's next chunk, or its last one again.
func (b *Bucket) Load(seq int, chunk []byte) error {
	firsts, entries, ok := cutHead(chunk)
	if !ok || seq < b.seq {
		return ErrDamaged
	}
	for rest := entries; len(rest) > 0; rest = rest[keyBytes:] {
		b.add(keyAt(rest))
	}
	for len(firsts) > 0 {
		offset := firsts[0]
		n, size := binary.Uvarint(firsts[1:])
		s := b.sketch(offset)
		if s == nil {
			return ErrDamaged
		}
		s.firsts = int64(n)
		firsts = firsts[1+size:]
	}
	b.seq, b.saved, b.entries = seq, true, append(b.entries[:0], entries...)
	return nil
}

// appendHead appends what the last chunk begins with, before the keys. Other chunks have no firsts.
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

// cutHead divides a chunk.
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

// Without returns the Bucket, whose log is given, without the set of a link, as one whose log is
// new.
func (b *Bucket) Without(offset uint8, log [][]byte) (*Bucket, error) {
	without := &Bucket{}
	for _, chunk := range log {
		_, entries, ok := cutHead(chunk)
		if !ok {
			return nil, ErrDamaged
		}
		for ; len(entries) > 0; entries = entries[keyBytes:] {
			key := keyAt(entries)
			if uint8(key) != offset && without.add(key) {
				without.entries = append(without.entries, entries[:keyBytes]...)
			}
		}
	}
	for offset := range Links {
		s, before := without.sketch(uint8(offset)), b.sketch(uint8(offset))
		if s != nil && before != nil {
			s.firsts = before.firsts
		}
	}
	without.changed = true
	return without, nil
}

// table is a set of keys, by open addressing: at most three quarters of the places are taken.
type table struct {
	keys []uint64 // 0: free
	n    int
}

// place returns where a key is, or where it belongs.
func (t *table) place(key uint64) int {
	mask := len(t.keys) - 1
	i := int(key>>8) & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (t *table) has(key uint64) bool { return t.n > 0 && t.keys[t.place(key)] != 0 }

// add adds a key, and reports whether it was not there.
func (t *table) add(key uint64) bool {
	if 4*(t.n+1) > 3*len(t.keys) {
		before := t.keys
		t.keys = make([]uint64, max(minKeys, 2*len(before)))
		for _, k := range before {
			if k != 0 {
				t.keys[t.place(k)] = k
			}
		}
		clear(before) // no hash stays in memory that is not used any more
	}
	at := t.place(key)
	if t.keys[at] != 0 {
		return false
	}
	t.keys[at] = key
	t.n++
	return true
}

// minKeys is how many places the smallest table has. Others have it times a power of two.
const minKeys = 16

const (
	registers = 1 << 16
	// maxRank is the longest run that a register tells of: 32 bits of a hash are behind the
	// register's number.
	maxRank = 33
)

// sketch estimates how many visitors a large set has.
type sketch struct {
	ranks [registers]uint8
	// chances is the sum of 2^-rank of all registers, in units of 2^-maxRank.
	chances uint64
	sum     float64 // the estimate
	firsts  int64
}

func newSketch() *sketch { return &sketch{chances: registers << maxRank} }

// add reports whether a key changed a register.
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
