package weburl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// domains maps names like browsers (UTS 46 with the flags of the URL standard, section 3.3).
var domains = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.CheckHyphens(false),
	idna.StrictDomainName(false), idna.BidiRule())

// Bounds of a name in DNS, in bytes (RFC 1035, 2.3.4).
const (
	maxName  = 253
	maxLabel = 63
)

// Host returns the host of a URL in the form that browsers use: a name in lower case and punycode,
// or an address in its usual form, IPv6 in brackets. ok is false if no browser would open it, if a
// name is too long for DNS, or if it has ASCII characters other than letters, digits, hyphens and
// underscores.
func Host(host string) (ascii string, ok bool) {
	if inside, found := strings.CutPrefix(host, "["); found {
		inside, closed := strings.CutSuffix(inside, "]")
		addr, err := netip.ParseAddr(inside)
		if !closed || err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", false
		}
		if b := addr.As16(); addr.Is4In6() {
			high, low := binary.BigEndian.Uint16(b[12:]), binary.BigEndian.Uint16(b[14:])
			return fmt.Sprintf("[::ffff:%x:%x]", high, low), true
		}
		return "[" + addr.String() + "]", true
	}
	name, ok := mapDomain(host)
	if !ok || !validName(name) {
		return "", false
	}
	if !endsInNumber(name) {
		return name, true
	}
	addr, ok := parseIPv4(name)
	return addr.String(), ok
}

// Unicode returns a name, as Host returns it, in its own script. ok is false if it has none beyond
// ASCII.
func Unicode(ascii string) (name string, ok bool) {
	name, err := domains.ToUnicode(ascii)
	if err != nil || name == ascii {
		return ascii, false
	}
	back, ok := mapDomain(name)
	return name, ok && back == ascii
}

// mapDomain converts a name to ASCII, without checking it.
func mapDomain(host string) (string, bool) {
	decoded, err := url.PathUnescape(host)
	if err != nil || !utf8.ValidString(decoded) {
		return "", false
	}
	name, err := domains.ToASCII(decoded)
	// The mapping turns "xn--" into an empty label, which at the end would pass for the root.
	rooted := strings.HasSuffix(name, ".") == strings.ContainsAny(lastRune(decoded), ".。．｡")
	return name, err == nil && rooted
}

func lastRune(s string) string {
	_, n := utf8.DecodeLastRuneInString(s)
	return s[len(s)-n:]
}

func validName(name string) bool {
	name = strings.TrimSuffix(name, ".") // the root (RFC 1034, 3.1)
	if len(name) > maxName {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > maxLabel || strings.ContainsFunc(label, refusedInLabel) {
			return false
		}
	}
	return true
}

func refusedInLabel(r rune) bool {
	return (r < 'a' || 'z' < r) && (r < '0' || '9' < r) && r != '-' && r != '_'
}

// endsInNumber reports whether a name must be an IPv4 address (URL standard, section 3.5).
func endsInNumber(name string) bool {
	name = strings.TrimSuffix(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	_, ok := parseNumber(last)
	return ok || strings.Trim(last, "0123456789") == ""
}

// parseIPv4 parses an IPv4 address in any of the forms that browsers accept.
func parseIPv4(name string) (addr netip.Addr, ok bool) {
	parts := strings.Split(strings.TrimSuffix(name, "."), ".")
	if len(parts) > 4 {
		return addr, false
	}
	var bytes [4]byte
	for i, part := range parts {
		n, ok := parseNumber(part)
		last := i == len(parts)-1 // it holds the remaining bytes
		if most := uint64(1)<<(8*(4-i)) - 1; !ok || n > most || !last && n > 0xFF {
			return addr, false
		}
		if !last {
			bytes[i] = byte(n)
			continue
		}
		for j := 3; j >= i; j-- {
			bytes[j] = byte(n)
			n >>= 8
		}
	}
	return netip.AddrFrom4(bytes), true
}

// parseNumber parses a part of an IPv4 address: decimal, octal after 0, hexadecimal after 0x.
func parseNumber(s string) (n uint64, ok bool) {
	base, digits := 10, s
	if hex, found := strings.CutPrefix(s, "0x"); found {
		base, digits = 16, hex
	} else if octal, found := strings.CutPrefix(s, "0"); found && octal != "" {
		base, digits = 8, octal
	}
	if digits == "" {
		return 0, s != ""
	}
	n, err := strconv.ParseUint(digits, base, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange) // too large, but a number
}

// nat64 is the block of the translators between IPv6 and IPv4 (RFC 6052).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// Inside returns the address that a connection to an address ends at: the IPv4 address in a mapped
// one and in one of NAT64, without a zone.
func Inside(addr netip.Addr) netip.Addr {
	addr = addr.WithZone("").Unmap()
	if nat64.Contains(addr) {
		bytes := addr.As16()
		return netip.AddrFrom4([4]byte(bytes[12:]))
	}
	return addr
}
