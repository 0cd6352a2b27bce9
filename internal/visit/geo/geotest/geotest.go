// Package geotest builds MaxMind DB files for tests.
package geotest

import (
	"encoding/binary"
	"net/netip"
	"slices"
)

// File returns a MaxMind DB file (format 2.0, IPv6 tree, 24-bit records) with a record for each
// prefix: one string at path, for example {"country": {"iso_code": "DE"}}.
func File(path []string, countries map[string]string) []byte {
	records := map[string]any{}
	for prefix, country := range countries {
		var record any = country
		for _, name := range slices.Backward(path) {
			record = map[string]any{name: record}
		}
		records[prefix] = record
	}
	return FileOf(records)
}

// FileOf returns a file with a record of maps, arrays and strings for each prefix.
func FileOf(records map[string]any) []byte {
	const none = -1
	nodes := [][2]int{{none, none}}
	var data []byte
	leaves := map[[2]int]int{} // node and bit → offset in data
	for prefix, record := range records {
		bits, n := treeBits(netip.MustParsePrefix(prefix))
		at := 0
		for i := range n - 1 {
			b := bit(bits, i)
			if nodes[at][b] == none {
				nodes = append(nodes, [2]int{none, none})
				nodes[at][b] = len(nodes) - 1
			}
			at = nodes[at][b]
		}
		leaves[[2]int{at, bit(bits, n-1)}] = len(data)
		data = appendValue(data, record)
	}

	var file []byte
	for i, node := range nodes {
		for b, next := range node {
			record := len(nodes) // nothing
			if offset, ok := leaves[[2]int{i, b}]; ok {
				record = len(nodes) + 16 + offset
			} else if next != none {
				record = next
			}
			file = append(file, byte(record>>16), byte(record>>8), byte(record))
		}
	}
	file = append(file, make([]byte, 16)...)
	file = append(file, data...)
	return append(file, metadata(len(nodes))...)
}

// treeBits returns a prefix's path in an IPv6 tree, where IPv4 is below ::/96.
func treeBits(p netip.Prefix) (bits [16]byte, n int) {
	if p.Addr().Is4() {
		b := p.Addr().As4()
		copy(bits[12:], b[:])
		return bits, 96 + p.Bits()
	}
	return p.Addr().As16(), p.Bits()
}

func bit(b [16]byte, i int) int { return int(b[i/8]>>(7-i%8)) & 1 }

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		b = append(b, 7<<5|byte(len(v)))
		for name, member := range v {
			b = appendValue(appendString(b, name), member)
		}
	case []any:
		b = append(b, byte(len(v)), 4)
		for _, member := range v {
			b = appendValue(b, member)
		}
	case string:
		b = appendString(b, v)
	}
	return b
}

// appendString appends a string of at most 284 bytes; beyond 28, the length takes a byte of its
// own.
func appendString(b []byte, s string) []byte {
	const short = 28
	if len(s) <= short {
		return append(append(b, 2<<5|byte(len(s))), s...)
	}
	return append(append(b, 2<<5|short+1, byte(len(s)-short-1)), s...)
}

func metadata(nodes int) []byte {
	b := []byte("\xab\xcd\xefMaxMind.com")
	b = append(b, 7<<5|9)
	number := func(name string, n uint16) {
		b = binary.BigEndian.AppendUint16(append(appendString(b, name), 5<<5|2), n)
	}
	number("binary_format_major_version", 2)
	number("binary_format_minor_version", 0)
	number("ip_version", 6)
	number("record_size", 24)
	b = binary.BigEndian.AppendUint32(append(appendString(b, "node_count"), 6<<5|4), uint32(nodes))
	b = binary.BigEndian.AppendUint64(append(appendString(b, "build_epoch"), 8, 2), 1_700_000_000)
	b = appendString(appendString(b, "database_type"), "Test-Country")
	b = append(appendString(b, "languages"), 0, 4)      // an empty array
	return append(appendString(b, "description"), 7<<5) // an empty map
}
