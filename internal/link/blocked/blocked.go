// Package blocked knows where no link may lead: hosts, with all that is below them, and blocks of
// addresses, from a file that it rereads when it changes.
//
// A list of a million hosts takes about 35 MB and no garbage collection: names are adjacent in one
// text, and a table of 4 bytes a slot refers to them. A look-up compares names, not hashes, so no
// host is blocked because its hash is that of another one.
package blocked

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"

	"terse/internal/link/weburl"
)

// HostOf returns the host of a URL, as Blocks wants it; "" if it has none that can be read.
func HostOf(url string) string {
	parts, ok := weburl.Split(url)
	if !ok {
		return ""
	}
	host, ok := weburl.Host(parts.Host)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(host, ".")
}

// List is what is blocked. It never changes. The nil List blocks nothing.
type List struct {
	names names
	v4    []block[uint32]
	v6    []block[address]
}

// BlocksURL reports whether no link may lead to a URL.
func (l *List) BlocksURL(url string) bool { return l != nil && l.Blocks(HostOf(url)) }

// Blocks reports whether no link may lead to a host, as HostOf returns it. It looks for the host
// and for each domain above it, and does not allocate. What could not be read is blocked, because
// browsers may read it in their own way.
func (l *List) Blocks(host string) bool {
	switch {
	case l == nil:
		return false
	case host == "":
		return true
	}
	if addr, ok := parseAddress(host); ok {
		return l.blocksAddress(addr)
	}
	below, found := l.names.find(host)
	for !found || !below {
		_, above, ok := strings.Cut(host, ".")
		if !ok {
			return found
		}
		host = above
		var is bool
		below, is = l.names.find(host)
		found = found || is && below
	}
	return true
}

func (l *List) blocksAddress(addr netip.Addr) bool {
	if inside := weburl.Inside(addr); inside.Is4() &&
		within(l.v4, number(inside), cmp.Compare[uint32]) {
		return true
	}
	return addr.Is6() && within(l.v6, addr.As16(), compareAddresses)
}

// parseAddress parses a host that is an address, which weburl.Host has brought into its usual form.
// A name never ends in a number (URL standard, section 3.5).
func parseAddress(host string) (addr netip.Addr, ok bool) {
	if inside, is := strings.CutPrefix(host, "["); is {
		host = strings.TrimSuffix(inside, "]")
	} else if last := host[len(host)-1]; last < '0' || '9' < last ||
		strings.Trim(host[strings.LastIndexByte(host, '.')+1:], "0123456789") != "" {
		return addr, false
	}
	addr, err := netip.ParseAddr(host)
	return addr, err == nil
}

// address is one of IPv6.
type address = [16]byte

func compareAddresses(a, b address) int { return bytes.Compare(a[:], b[:]) }

func number(v4 netip.Addr) uint32 {
	b := v4.As4()
	return binary.BigEndian.Uint32(b[:])
}

// block is a range of addresses.
type block[T any] struct{ first, last T }

// settled sorts blocks, and merges those that overlap.
func settled[T any](blocks []block[T], compare func(a, b T) int) []block[T] {
	slices.SortFunc(blocks, func(a, b block[T]) int { return compare(a.first, b.first) })
	merged := blocks[:0]
	for _, b := range blocks {
		if n := len(merged); n > 0 && compare(b.first, merged[n-1].last) <= 0 {
			if compare(b.last, merged[n-1].last) > 0 {
				merged[n-1].last = b.last
			}
			continue
		}
		merged = append(merged, b)
	}
	return slices.Clone(merged) // into memory of the right size
}

// within reports whether one of the settled blocks has an address.
func within[T any](blocks []block[T], at T, compare func(a, b T) int) bool {
	i, starts := slices.BinarySearchFunc(blocks, at, func(b block[T], at T) int {
		return compare(b.first, at)
	})
	return starts || i > 0 && compare(at, blocks[i-1].last) <= 0
}
