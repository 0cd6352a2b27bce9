package visitors

import (
	"encoding/binary"
	"net/netip"

	"github.com/dchest/siphash"

	"terse"
)

// Hash returns the hash of a link's visitor, made of the address (the /64 of an IPv6 address), the
// user agent as sent, and the link, whatever its code is by now. Without the key nobody can trace
// it back. It is never 0. Every redirect calls Hash, so it does not allocate.
func Hash(key terse.VisitorKey, addr netip.Addr, agent []byte, link terse.LinkID) uint64 {
	k0, k1 := binary.LittleEndian.Uint64(key[:]), binary.LittleEndian.Uint64(key[8:])
	var b [16 + 8 + 8]byte
	if addr = addr.Unmap(); addr.Is4() {
		v4 := addr.As4()
		b[15] = 4 // always 0 for IPv6, of which only 8 bytes are used
		copy(b[:4], v4[:])
	} else {
		v6 := addr.As16()
		copy(b[:8], v6[:])
	}
	binary.LittleEndian.PutUint64(b[16:], uint64(link))
	// A user agent may be long, so its hash goes in instead of a copy.
	binary.LittleEndian.PutUint64(b[24:], siphash.Hash(k0, k1, agent))
	return max(siphash.Hash(k0, k1, b[:]), 1)
}
