package journal

import (
	"encoding/binary"
	"io"
	"os"
	"slices"
)

// searchSalt finds the salt of a segment with a damaged head, by its records. It returns how many
// records have it; with none the segment can't be read.
//
// The salt may be the one in the head, or the one that the first record gives. That record is at
// the place that the format says, where no visitor can put anything; a second record confirms it.
func searchSalt(f *os.File, s *segment) (salt uint32, records int, err error) {
	if s.size > maxSegment || s.size < headerBytes {
		return 0, 0, nil
	}
	b := make([]byte, s.size)
	if _, err := f.ReadAt(b, 0); err != nil && err != io.EOF {
		return 0, 0, err
	}
	salt = binary.NativeEndian.Uint32(b[12:])
	if records = countRecords(b, salt); records > 0 || len(b) < headerBytes+wordBytes {
		return salt, records, nil
	}
	head := binary.NativeEndian.Uint64(b[headerBytes:])
	n := payloadLength(head)
	if n == 0 || n > maxPayload || headerBytes+wordBytes+n > len(b) {
		return salt, 0, nil
	}
	payload := b[headerBytes+wordBytes:][:n]
	salt = saltOf(uint32(head), uint32(head>>32), payload)
	if records = countRecords(b, salt); records < 2 {
		return salt, 0, nil
	}
	return salt, records, nil
}

// countRecords returns the number of whole records.
func countRecords(b []byte, salt uint32) (n int) {
	for off := int64(headerBytes); off+wordBytes <= int64(len(b)); {
		head := binary.NativeEndian.Uint64(b[off:])
		if payload, whole := payloadAt(salt, head, b[off:]); head != 0 && whole {
			n++
			off += recordBytes(len(payload))
		} else {
			off += wordBytes
		}
	}
	return n
}

// saltOf returns the salt with which a payload has a checksum: it goes back through the CRC, whose
// table has a different upper byte in each entry.
func saltOf(sum, meta uint32, payload []byte) uint32 {
	var entry [256]byte // by upper byte
	for i, t := range castagnoli {
		entry[t>>24] = byte(i)
	}
	crc := ^sum
	for _, b := range slices.Backward(payload) {
		n := entry[crc>>24]
		crc = (crc^castagnoli[n])<<8 | uint32(n^b)
	}
	return ^crc ^ meta
}
