package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"

	"terse"
)

// A record is a header word and a payload, padded to whole words. All numbers are in the
// machine's byte order: a journal does not move between machines of different ones.
//
//	header    CRC-32C of the payload (32 bits) | payload bytes (16) | record version (8) | 0 (8)
//	payload   time (8) | link ID (8) | code (16) | country (2) | fields
//	field     tag (1) | length (uvarint) | value
//
// The fields are the known values of the click's dimensions. The country is not among them: it has
// a fixed place. A tag is the dimension's ID less 1.
//
// A zero header word is no record: nothing was written there, or not to its end. The
// checksum is salted with the segment's salt, so that a visitor who sends a record as a
// referrer can't have it found by a search through a damaged segment.
const (
	wordBytes     = 8
	recordVersion = 1
	fixedBytes    = 8 + 8 + 16 + 2
	countryAt     = 8 + 8 + 16
	// maxPayload bounds a payload of any version. It holds the longest record of this version
	// (mustFit checks that) and keeps the search through a damaged segment of 16 MiB under a
	// second.
	maxPayload = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errBadRecord = errors.New("journal: malformed record")

// fields yields the fields of a click by their tags. A value that is longer than the
// domain allows is left out.
func fields(c *terse.Click) iter.Seq2[byte, string] {
	return func(yield func(byte, string) bool) {
		for d := range terse.NumDimensions {
			value := c.Values[d]
			if d == terse.ByCountry || value == "" || value == d.Unknown() ||
				len(value) > d.MaxBytes() {
				continue
			}
			if !yield(d.ID()-1, value) {
				return
			}
		}
	}
}

// payloadBytes returns the length of a click's payload.
func payloadBytes(c *terse.Click) int {
	n := fixedBytes
	for _, value := range fields(c) {
		n += fieldBytes(len(value))
	}
	return n
}

// maxPayloadBytes returns the length of the longest payload of this version.
func maxPayloadBytes() int {
	n := fixedBytes
	for d := range terse.NumDimensions {
		if d != terse.ByCountry {
			n += fieldBytes(d.MaxBytes())
		}
	}
	return n
}

// More dimensions than a record has room for would lose clicks in silence.
var _ = mustFit(maxPayloadBytes())

func mustFit(n int) bool {
	if n > maxPayload {
		panic(fmt.Sprintf("journal: a record may take %d bytes, more than %d", n, maxPayload))
	}
	return true
}

// fieldBytes returns what a field with a value of n bytes takes. A value is shorter than 2^14.
func fieldBytes(n int) int {
	if n < 0x80 {
		return 2 + n
	}
	return 3 + n
}

// recordBytes returns what a payload of n bytes takes with its header and padding.
func recordBytes(n int) int64 { return wordBytes + int64(n+wordBytes-1)&^(wordBytes-1) }

// encode writes the payload of c to b, which has payloadBytes(c) bytes.
func encode(b []byte, c *terse.Click) {
	hi, lo := c.Code.Pack()
	binary.NativeEndian.PutUint64(b, uint64(c.Time))
	binary.NativeEndian.PutUint64(b[8:], uint64(c.Link))
	binary.NativeEndian.PutUint64(b[16:], hi)
	binary.NativeEndian.PutUint64(b[24:], lo)
	copy(b[countryAt:], terse.UnknownCountry[:])
	if country := c.Values[terse.ByCountry]; len(country) == len(terse.UnknownCountry) {
		copy(b[countryAt:], country)
	}
	b = b[fixedBytes:]
	for tag, value := range fields(c) {
		b[0] = tag
		n := 1 + binary.PutUvarint(b[1:], uint64(len(value)))
		n += copy(b[n:], value)
		b = b[n:]
	}
}

// header returns the header word of a payload.
func header(salt uint32, payload []byte) uint64 {
	meta := uint32(len(payload)) | recordVersion<<16
	return uint64(meta)<<32 | uint64(checksum(salt, meta, payload))
}

// checksum covers the header's other half as well: it is part of where the sum begins.
func checksum(salt, meta uint32, payload []byte) uint32 {
	return crc32.Update(salt^meta, castagnoli, payload)
}

func payloadLength(header uint64) int { return int(uint16(header >> 32)) }

func version(header uint64) uint8 { return uint8(header >> 48) }

// payloadAt returns the payload of the record at the start of b, and whether there is a
// whole one of any version.
func payloadAt(salt uint32, header uint64, b []byte) ([]byte, bool) {
	n := payloadLength(header)
	if n == 0 || n > maxPayload || wordBytes+n > len(b) {
		return nil, false
	}
	payload := b[wordBytes : wordBytes+n]
	return payload, checksum(salt, uint32(header>>32), payload) == uint32(header)
}

// decode reads a payload of this version into c. Fields with an unknown tag are skipped.
// Equal values become the same string, by way of the map.
func decode(payload []byte, c *terse.Click, values map[string]string) error {
	if len(payload) < fixedBytes {
		return errBadRecord
	}
	code, err := terse.UnpackCode(binary.NativeEndian.Uint64(payload[16:]),
		binary.NativeEndian.Uint64(payload[24:]))
	if err != nil {
		return errBadRecord
	}
	*c = terse.Click{
		Link: terse.LinkID(binary.NativeEndian.Uint64(payload[8:])),
		Code: code,
		Time: int64(binary.NativeEndian.Uint64(payload)),
	}
	c.Values[terse.ByCountry] = terse.Country(payload[countryAt:fixedBytes]).String()
	for rest := payload[fixedBytes:]; len(rest) > 0; {
		n, w := binary.Uvarint(rest[1:])
		if w <= 0 || n > uint64(len(rest)-1-w) {
			return errBadRecord
		}
		value := rest[1+w : 1+w+int(n)]
		if d, known := terse.DimensionOf(uint64(rest[0]) + 1); known && d != terse.ByCountry {
			c.Values[d] = intern(values, value)
		}
		rest = rest[1+w+int(n):]
	}
	return nil
}

func intern(known map[string]string, b []byte) string {
	if s, ok := known[string(b)]; ok { // the compiler looks up without making a string
		return s
	}
	s := string(b)
	known[s] = s
	return s
}
