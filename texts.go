package terse

import (
	"hash/maphash"
	"slices"
)

// Texts numbers distinct texts from 0 on, in order of first use. They lie in one piece of memory,
// beside a table of their hashes. So finding one among hundreds of thousands takes two accesses
// outside the processor's cache, and the garbage collector has no work. The zero Texts is empty.
type Texts struct {
	bytes []byte   // of all texts, one after the other
	ends  []uint32 // end of each text, by number
	// slots is a hash table, at most three quarters full. Its size is 0 or a power of two.
	slots []textSlot
}

// textSlot is a text's number plus 1 and, above it, some bits of its hash; 0 means free. It is this
// small so that the slots of many texts stay in the processor's cache.
type textSlot uint32

const (
	textBits = 24
	maxTexts = 1<<textBits - 1
)

func newTextSlot(hash uint64, number uint32) textSlot {
	const hashBits = 32 - textBits
	return textSlot(hash>>(64-hashBits)<<textBits) | textSlot(number+1)
}

func (s textSlot) number() uint32 { return uint32(s)%(maxTexts+1) - 1 }

// textSeed prevents clients from choosing texts that collide.
var textSeed = maphash.MakeSeed()

// Len returns how many texts there are.
func (t *Texts) Len() int { return len(t.ends) }

// Size returns the total length of all texts in bytes.
func (t *Texts) Size() int { return len(t.bytes) }

// At returns the text with a number. It is valid until Reset.
func (t *Texts) At(number uint32) []byte {
	start := uint32(0)
	if number > 0 {
		start = t.ends[number-1]
	}
	return t.bytes[start:t.ends[number]]
}

// Grow makes room for texts of so many more bytes. Growing bit by bit takes several times as long.
func (t *Texts) Grow(bytes int) { t.bytes = slices.Grow(t.bytes, bytes) }

// Number returns the number of a text. A new text gets the next number. If there are already most
// texts, or 16,777,215, ok is false. All texts together must be shorter than 4 GiB.
func (t *Texts) Number(text []byte, most int) (number uint32, ok bool) {
	if 4*len(t.ends) >= 3*len(t.slots) {
		t.grow()
	}
	hash := maphash.Bytes(textSeed, text)
	place := t.place(hash)
	for t.slots[place] > 0 {
		number := t.slots[place].number()
		if t.slots[place] == newTextSlot(hash, number) && string(t.At(number)) == string(text) {
			return number, true
		}
		place = t.place(place + 1)
	}
	if len(t.ends) >= min(most, maxTexts) {
		return 0, false
	}
	number = uint32(len(t.ends))
	t.bytes = append(t.bytes, text...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
	t.slots[place] = newTextSlot(hash, number)
	return number, true
}

// place maps a hash, or a slot number past the end, to a slot.
func (t *Texts) place(n uint64) uint64 { return n & uint64(len(t.slots)-1) }

// grow doubles the slots.
func (t *Texts) grow() {
	t.slots = make([]textSlot, max(16, 2*len(t.slots)))
	for number := range uint32(len(t.ends)) {
		hash := maphash.Bytes(textSeed, t.At(number))
		place := t.place(hash)
		for t.slots[place] > 0 {
			place = t.place(place + 1)
		}
		t.slots[place] = newTextSlot(hash, number)
	}
}

// fewSlots is how many slots Reset always keeps.
const fewSlots = 1 << 10

// Reset forgets the texts. It keeps the memory for as many again, but frees it if the texts filled
// less than a 32nd of the slots, as after a flood.
func (t *Texts) Reset() {
	if len(t.slots) > max(fewSlots, 32*len(t.ends)) {
		*t = Texts{}
		return
	}
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
	clear(t.slots)
}
