package clickblock

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"terse"
)

// Hash returns the hash by which clicks of a link at one instant are ordered: XXH64 with seed 0 of
// the stored values that are not the defaults of their dimensions, in the order of the dimensions'
// IDs, each as the ID in a byte, the length of the text as a varint, and the text. Cursors have it,
// so it never changes; a dimension that is added later changes no hash of clicks without it.
func Hash(values *terse.Values) uint64 {
	b := make([]byte, 0, 512)
	for _, d := range Stored {
		if text := values[d]; text != "" && text != d.Unknown() {
			b = append(b, d.ID())
			b = binary.AppendUvarint(b, uint64(len(text)))
			b = append(b, text...)
		}
	}
	return xxhash.Sum64(b)
}
