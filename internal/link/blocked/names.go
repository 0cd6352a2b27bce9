package blocked

import (
	"errors"
	"hash/maphash"
)

// maxNames bounds the text of all names, in bytes: as many as the file may have. Only names in
// punycode are longer than in the file.
const maxNames = 1 << offsetBits

var errManyNames = errors.New("its hosts take more than 64 MiB in punycode")

// names is a set of names, which refers to those in a text by a table with open addressing.
type names struct {
	seed  maphash.Seed // secret, so that nobody can choose names that share slots
	text  []byte       // each name, behind its length in one byte
	slots []slot       // a power of two
	count int
}

// slot refers to a name: by its position in the text, whether what is below it is blocked too, and
// a tag, some bits of the hash that save most looks at other names. Zero is free, because no name
// is at 0.
type slot uint32

const (
	offsetBits = 26
	onlyItself = slot(1) << offsetBits
	tagShift   = offsetBits + 1
	tagBits    = 32 - tagShift
	minSlots   = 1024
)

func newNames(bytes int) names {
	return names{
		seed: maphash.MakeSeed(), text: make([]byte, 1, min(bytes, maxNames)+1),
		slots: make([]slot, minSlots),
	}
}

// find reports whether a name is in the set, and whether what is below it is blocked too.
func (n *names) find(name string) (below, found bool) {
	if len(n.slots) == 0 {
		return false, false
	}
	i := n.place(maphash.String(n.seed, name), name)
	s := n.slots[i]
	return s&onlyItself == 0, s != 0
}

// place returns the index of the slot that a name has or would get.
func (n *names) place(hash uint64, name string) int {
	mask := len(n.slots) - 1
	for i := int(hash) & mask; ; i = (i + 1) & mask {
		s := n.slots[i]
		if s == 0 || s>>tagShift == tag(hash) && n.at(s) == name {
			return i
		}
	}
}

func tag(hash uint64) slot { return slot(hash >> (64 - tagBits)) }

// at returns the name of a slot, without a copy where it is compared.
func (n *names) at(s slot) string {
	from := int(s & (onlyItself - 1))
	return string(n.text[from+1:][:n.text[from]])
}

// add adds a name of at most 255 bytes. A name that is blocked both alone and with what is below it
// is blocked with that.
func (n *names) add(name string, only bool) error {
	hash := maphash.String(n.seed, name)
	i := n.place(hash, name)
	if n.slots[i] != 0 {
		if !only {
			n.slots[i] &^= onlyItself
		}
		return nil
	}
	if len(n.text)+1+len(name) > maxNames {
		return errManyNames
	}
	s := slot(len(n.text)) | tag(hash)<<tagShift
	if only {
		s |= onlyItself
	}
	n.text = append(append(n.text, byte(len(name))), name...)
	n.slots[i] = s
	if n.count++; n.count > len(n.slots)/3*2 {
		n.grow()
	}
	return nil
}

func (n *names) grow() {
	before := n.slots
	n.slots = make([]slot, 2*len(before))
	for _, s := range before {
		if s != 0 {
			name := n.at(s)
			n.slots[n.place(maphash.String(n.seed, name), name)] = s
		}
	}
}
