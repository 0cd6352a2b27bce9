package redirect

import (
	"encoding/binary"

	"terse"
)

// target is a link's destination in the cache's form: a copy, or a part of a cached value.
type target struct {
	id       terse.LinkID
	location []byte // as in a Location header
	encoded  []byte // terse.EncodedOptions; empty for a plain link
	stale    bool   // the link may have changed since it was cached

	options *options // compiled from encoded; nil for a plain link
}

// targetHeader: the link's ID (8 bytes), the location's length (4).
const targetHeader = 12

// append appends the target in the cache's form.
func (t *target) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(t.id))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(t.location)))
	return append(append(b, t.location...), t.encoded...)
}

func parseTarget(value []byte) target {
	rest := value[targetHeader:]
	end := binary.LittleEndian.Uint32(value[8:])
	return target{
		id:       terse.LinkID(binary.LittleEndian.Uint64(value)),
		location: rest[:end:end], encoded: rest[end:],
	}
}
