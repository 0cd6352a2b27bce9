package clickblock

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"terse"
)

// Hash returns the hash that orders clicks of a link at one instant. It is XXH64, with seed 0, of
// the stored values that are not their dimension's default, in the order of the dimensions' IDs:
// each as the ID in one byte, the length of the text as a varint, and the text. Cursors contain it,
// so it must never change. Adding a dimension changes no hash of clicks without a value in it.
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
