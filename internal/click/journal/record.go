package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"

	"terse"
)

// docs/format/journal.md describes the format byte by byte. Numbers are in the machine's byte
// order: a journal cannot be moved to a machine with another one.
//
// A zero header word is not a record: nothing was written there, or not completely. The checksum is
// salted with the segment's salt. Otherwise a visitor could send a record as a referrer, and the
// search through a damaged segment would take it for a click.
const (
	wordBytes     = 8
	recordVersion = 1
	visitorTag    = 127
	visitorBytes  = 8
	untrackedTag  = 126
	wordTag       = 128 // added to the tag of a field with a word
	fixedBytes    = 8 + 8 + 16 + 2
	countryAt     = 8 + 8 + 16
	// maxPayload bounds a payload of any version. It holds the longest record of this version
	// (mustFit checks that) and keeps the search through a damaged segment of 16 MiB under a
	// second.
	maxPayload = 4096
	// A payload of up to usualPayload bytes is built without allocating.
	usualPayload = 512
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errBadRecord = errors.New("journal: malformed record")

// fields yields the values of a click that get a field. It leaves out values that are derived or
// longer than the domain allows.
func fields(c *terse.Click) iter.Seq2[terse.Dimension, string] {
	return func(yield func(terse.Dimension, string) bool) {
		for d := range terse.NumDimensions {
			value := c.Values[d]
			if value == "" || d == terse.ByCountry || value == d.Unknown() ||
				len(value) > d.MaxBytes() {
				continue
			}
			if _, derived := d.From(); derived {
				continue
			}
			if !yield(d, value) {
				return
			}
		}
	}
}

// maxPayloadBytes returns the length of the longest payload of this version.
func maxPayloadBytes() int {
	n := fixedBytes + fieldBytes(visitorBytes) + fieldBytes(0)
	for d := range terse.NumDimensions {
		if _, derived := d.From(); d != terse.ByCountry && !derived {
			n += fieldBytes(d.MaxBytes())
		}
	}
	return n
}

// With more dimensions than fit into a record, clicks would be lost silently.
var _ = mustFit(maxPayloadBytes())

func mustFit(n int) bool {
	if n > maxPayload {
		panic(fmt.Sprintf("journal: a record may take %d bytes, more than %d", n, maxPayload))
	}
	return true
}

// fieldBytes returns the maximum size of a field with a value of n bytes. A value is shorter than
// 2^14 bytes.
func fieldBytes(n int) int {
	if n < 0x80 {
		return 2 + n
	}
	return 3 + n
}

// recordBytes returns the size of a payload of n bytes with its header and padding.
func recordBytes(n int) int64 { return wordBytes + int64(n+wordBytes-1)&^(wordBytes-1) }

// appendPayload appends the payload of a click.
func appendPayload(b []byte, c *terse.Click) []byte {
	hi, lo := c.Code.Pack()
	b = binary.NativeEndian.AppendUint64(b, uint64(c.Time))
	b = binary.NativeEndian.AppendUint64(b, uint64(c.Link))
	b = binary.NativeEndian.AppendUint64(b, hi)
	b = binary.NativeEndian.AppendUint64(b, lo)
	country := c.Values[terse.ByCountry]
	if len(country) != len(terse.UnknownCountry) {
		country = string(terse.UnknownCountry[:])
	}
	b = append(b, country...)
	for d, value := range fields(c) {
		b = appendField(b, d.ID()-1, value)
	}
	if c.Visitor != 0 {
		b = append(b, visitorTag, visitorBytes)
		b = binary.NativeEndian.AppendUint64(b, c.Visitor)
	}
	if c.Untracked {
		b = append(b, untrackedTag, 0)
	}
	return b
}

func appendField(b []byte, tag byte, value string) []byte {
	if word, known := wordOf[value]; known {
		return append(b, tag+wordTag, word)
	}
	b = binary.AppendUvarint(append(b, tag), uint64(len(value)))
	return append(b, value...)
}

// header returns the header word of a payload.
func header(salt uint32, payload []byte) uint64 {
	meta := uint32(len(payload)) | recordVersion<<16
	return uint64(meta)<<32 | uint64(checksum(salt, meta, payload))
}

// checksum also covers the other half of the header, which is part of its initial value.
func checksum(salt, meta uint32, payload []byte) uint32 {
	return crc32.Update(salt^meta, castagnoli, payload)
}

func payloadLength(header uint64) int { return int(uint16(header >> 32)) }

func version(header uint64) uint8 { return uint8(header >> 48) }

// payloadAt returns the payload of the record at the start of b, and whether it is a complete
// record, of any version.
func payloadAt(salt uint32, header uint64, b []byte) ([]byte, bool) {
	n := payloadLength(header)
	if n == 0 || n > maxPayload || wordBytes+n > len(b) {
		return nil, false
	}
	payload := b[wordBytes : wordBytes+n]
	return payload, checksum(salt, uint32(header>>32), payload) == uint32(header)
}

// decode reads a payload of recordVersion into c. Values get numbers in clicks, which must come
// from NewClicks. It skips fields with unknown tags, and words of a later version.
func decode(payload []byte, c *terse.NumberedClick, clicks *terse.NumberedClicks) error {
	if len(payload) < fixedBytes {
		return errBadRecord
	}
	code, err := terse.UnpackCode(binary.NativeEndian.Uint64(payload[16:]),
		binary.NativeEndian.Uint64(payload[24:]))
	if err != nil {
		return errBadRecord
	}
	*c = terse.NumberedClick{
		Link: terse.LinkID(binary.NativeEndian.Uint64(payload[8:])),
		Code: code,
		Time: int64(binary.NativeEndian.Uint64(payload)),
	}
	c.Values[terse.ByCountry] = clicks.Number(terse.ByCountry, payload[countryAt:fixedBytes])
	for rest := payload[fixedBytes:]; len(rest) > 0; {
		n, err := decodeField(rest, c, clicks)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// decodeField reads the first field of b, and returns its length.
func decodeField(
	b []byte, c *terse.NumberedClick, clicks *terse.NumberedClicks,
) (n int, err error) {
	if len(b) < 2 {
		return 0, errBadRecord
	}
	if b[0] >= wordTag {
		if d, known := dimensionOf(b[0] - wordTag); known && int(b[1]) < len(words) {
			c.Values[d] = 1 + uint32(b[1])
		}
		return 2, nil
	}
	size, w := binary.Uvarint(b[1:])
	if w <= 0 || size > uint64(len(b)-1-w) {
		return 0, errBadRecord
	}
	n = 1 + w + int(size)
	value := b[1+w : n]
	d, known := dimensionOf(b[0])
	switch {
	case known:
		c.Values[d] = clicks.Number(d, value)
	case b[0] == visitorTag && len(value) == visitorBytes:
		c.Visitor = binary.NativeEndian.Uint64(value)
	case b[0] == untrackedTag:
		c.Untracked = true
	}
	return n, nil
}

// dimensionOf returns the dimension with a tag, if this version knows it.
func dimensionOf(tag byte) (terse.Dimension, bool) {
	d, known := terse.DimensionOf(uint64(tag) + 1)
	return d, known && d != terse.ByCountry
}
