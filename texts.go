package terse

import "hash/maphash"

// Texts numbers texts, from 0 on, in the order in which they first come. They lie in one piece of
// memory, and beside it is a table of their hashes: to find one of hundreds of thousands takes two
// looks at memory that is not in the processor's cache, and the garbage collector has no work. The
// zero Texts has none.
type Texts struct {
	bytes []byte   // of all texts, one after the other
	ends  []uint32 // where each ends, by number
	// slots is a hash table, at most half full. Its size is 0 or a power of two.
	slots []textSlot
}

type textSlot struct {
	hash  uint32
	place uint32 // the text's number plus 1; 0: free
}

// textSeed keeps others from choosing texts with one hash.
var textSeed = maphash.MakeSeed()

// Len returns how many texts there are.
func (t *Texts) Len() int { return len(t.ends) }

// Size returns how many bytes all texts have.
func (t *Texts) Size() int { return len(t.bytes) }

// At returns the text with a number. It is valid until Reset.
func (t *Texts) At(number uint32) []byte {
	start := uint32(0)
	if number > 0 {
		start = t.ends[number-1]
	}
	return t.bytes[start:t.ends[number]]
}

// Number returns the number of a text. A new text gets the next one, unless there are so many: then
// it is not ok. All of them must have less than 4 GiB.
func (t *Texts) Number(text []byte, most int) (number uint32, ok bool) {
	if 2*len(t.ends) >= len(t.slots) {
		t.grow()
	}
	hash := uint32(maphash.Bytes(textSeed, text))
	slot := t.slot(hash)
	for t.slots[slot].place > 0 {
		if s := t.slots[slot]; s.hash == hash && string(t.At(s.place-1)) == string(text) {
			return s.place - 1, true
		}
		slot = t.slot(slot + 1)
	}
	if len(t.ends) >= most {
		return 0, false
	}
	t.bytes = append(t.bytes, text...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
	t.slots[slot] = textSlot{hash, uint32(len(t.ends))}
	return uint32(len(t.ends) - 1), true
}

// slot returns the slot where a hash belongs, or the one that follows another.
func (t *Texts) slot(n uint32) uint32 { return n & uint32(len(t.slots)-1) }

func (t *Texts) grow() {
	before := t.slots
	t.slots = make([]textSlot, max(16, 2*len(before)))
	for _, s := range before {
		if s.place > 0 {
			slot := t.slot(s.hash)
			for t.slots[slot].place > 0 {
				slot = t.slot(slot + 1)
			}
			t.slots[slot] = s
		}
	}
}

// fewSlots is how many slots are kept however few texts there were.
const fewSlots = 1 << 10

// Reset forgets the texts. The room is kept for as many again, and not for 16 times as many: those
// of a flood that is over.
func (t *Texts) Reset() {
	if len(t.slots) > max(fewSlots, 32*len(t.ends)) {
		*t = Texts{}
		return
	}
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
	clear(t.slots)
}
