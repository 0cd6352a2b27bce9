package journal

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"terse"
)

// A record is a header word and a payload, padded to whole words. All numbers are in the
// machine's byte order: a journal does not move between machines of different ones.
//
//	header    CRC-32C of the payload (32 bits) | payload bytes (16) | record version (8) | 0 (8)
//	payload   time (8) | link ID (8) | code (16) | country (2) | fields
//	field     tag (1) | length (uvarint) | value
//
// A zero header word is no record: nothing was written there, or not to its end. The
// checksum is salted with the segment's salt, so that a visitor who sends a record as a
// referrer can't have it found by a search through a damaged segment.
const (
	wordBytes     = 8
	recordVersion = 1
	fixedBytes    = 8 + 8 + 16 + 2
	tagReferrer   = 1
	// maxPayload bounds a payload of any version. It holds the longest record of this
	// version and keeps the search through a damaged segment of 16 MiB under a second.
	maxPayload = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errBadRecord = errors.New("journal: malformed record")

// payloadBytes returns the length of a click's payload.
func payloadBytes(c *terse.Click) int {
	n := len(referrer(c))
	switch {
	case n == 0:
		return fixedBytes
	case n < 0x80:
		return fixedBytes + 2 + n
	default:
		return fixedBytes + 3 + n
	}
}

// referrer returns the referrer to write: none for a direct click, and for one that is
// longer than the domain allows.
func referrer(c *terse.Click) string {
	if c.Referrer == terse.DirectReferrer || len(c.Referrer) > terse.MaxReferrerBytes {
		return ""
	}
	return c.Referrer
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
	copy(b[32:], c.Country[:])
	if r := referrer(c); r != "" {
		b[fixedBytes] = tagReferrer
		n := binary.PutUvarint(b[fixedBytes+1:], uint64(len(r)))
		copy(b[fixedBytes+1+n:], r)
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
// Equal referrers become the same string, by way of the map.
func decode(payload []byte, c *terse.Click, referrers map[string]string) error {
	if len(payload) < fixedBytes {
		return errBadRecord
	}
	code, err := terse.UnpackCode(binary.NativeEndian.Uint64(payload[16:]), binary.NativeEndian.Uint64(payload[24:]))
	if err != nil {
		return errBadRecord
	}
	*c = terse.Click{
		Link:     terse.LinkID(binary.NativeEndian.Uint64(payload[8:])),
		Code:     code,
		Time:     int64(binary.NativeEndian.Uint64(payload)),
		Country:  terse.Country(payload[32:34]),
		Referrer: terse.DirectReferrer,
	}
	for rest := payload[fixedBytes:]; len(rest) > 0; {
		n, w := binary.Uvarint(rest[1:])
		if w <= 0 || n > uint64(len(rest)-1-w) {
			return errBadRecord
		}
		value := rest[1+w : 1+w+int(n)]
		if rest[0] == tagReferrer {
			c.Referrer = intern(referrers, value)
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
