package webhooks

import "net/netip"

// block is an entry of a registry.
type block struct {
	netip.Prefix
	reachable bool // globally
}

func to(prefix string) block      { return block{netip.MustParsePrefix(prefix), true} }
func nowhere(prefix string) block { return block{netip.MustParsePrefix(prefix), false} }

// special are IANA's registries of special-purpose addresses, as of 2025-10-09. An address is in
// the longest block that has it. What the registries call neither reachable nor unreachable is
// refused: 6to4, its relays, Teredo and the former ORCHID lead to an address that is not seen here.
//
// Sources: https://www.iana.org/assignments/iana-ipv4-special-registry and
// https://www.iana.org/assignments/iana-ipv6-special-registry.
var special = []block{
	nowhere("0.0.0.0/8"),
	nowhere("10.0.0.0/8"),
	nowhere("100.64.0.0/10"),
	nowhere("127.0.0.0/8"),
	nowhere("169.254.0.0/16"),
	nowhere("172.16.0.0/12"),
	nowhere("192.0.0.0/24"), // with /29, .8, .170 and .171, which are no other than it
	to("192.0.0.9/32"),
	to("192.0.0.10/32"),
	nowhere("192.0.2.0/24"),
	to("192.31.196.0/24"),
	to("192.52.193.0/24"),
	nowhere("192.88.99.0/24"),
	nowhere("192.168.0.0/16"),
	to("192.175.48.0/24"),
	nowhere("198.18.0.0/15"),
	nowhere("198.51.100.0/24"),
	nowhere("203.0.113.0/24"),
	nowhere("240.0.0.0/4"), // with 255.255.255.255

	nowhere("64:ff9b:1::/48"),
	nowhere("100::/64"),
	nowhere("100:0:0:1::/64"),
	nowhere("2001::/23"), // with Teredo, benchmarking and the former ORCHID
	to("2001:1::1/128"),
	to("2001:1::2/128"),
	to("2001:1::3/128"),
	to("2001:3::/32"),
	to("2001:4:112::/48"),
	to("2001:20::/28"),
	to("2001:30::/28"),
	nowhere("2001:db8::/32"),
	nowhere("2002::/16"), // 6to4
	to("2620:4f:8000::/48"),
	nowhere("3fff::/20"),
	nowhere("5f00::/16"),
	nowhere("fc00::/7"),
	nowhere("fe80::/10"),
}

// unicast is all that is given out of IPv6. What is outside is multicast, site-local, an IPv4
// address in an old form, or has no meaning yet.
var unicast = netip.MustParsePrefix("2000::/3")

// global reports whether an address that weburl.Inside returned is global unicast and globally
// reachable.
func global(addr netip.Addr) bool {
	if !addr.IsGlobalUnicast() || addr.Is6() && !unicast.Contains(addr) {
		return false
	}
	reachable, bits := true, -1
	for _, b := range special {
		if b.Bits() > bits && b.Contains(addr) {
			reachable, bits = b.reachable, b.Bits()
		}
	}
	return reachable
}
