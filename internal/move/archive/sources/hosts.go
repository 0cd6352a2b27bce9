package sources

import (
	"fmt"
	"hash/maphash"
)

// Bounds of what Hosts keep in memory, some 100 MiB.
const (
	maxCodes = 2_000_000
	maxHosts = 1000
)

// Hosts know at which host of the source each code of a domain was first, as soon as links have
// hosts: of one code at several hosts that become one domain only one link can be read. The zero
// Hosts know none.
type Hosts struct {
	seed  maphash.Seed
	names []string
	of    map[uint64]int // hash of a domain and a code to the index of the host
}

// NoHost stands for the host of links of which a source names none, where it could.
const NoHost = "no host"

// Other keeps that a link has a code at a host, which becomes one on a domain, and returns the
// other host at which it was before. It is "" for the first link of a code, and for a further one
// at the same host, which the importer judges. No host is none of several, and nil Hosts keep
// nothing.
func (h *Hosts) Other(host, domain, code string) (string, error) {
	if h == nil || host == "" {
		return "", nil
	}
	if h.of == nil {
		h.seed, h.of = maphash.MakeSeed(), map[uint64]int{}
	}
	at := 0
	for at < len(h.names) && h.names[at] != host {
		at++
	}
	if at == len(h.names) {
		if at == maxHosts {
			return "", fmt.Errorf("there are more than %d hosts; --only-host names one", maxHosts)
		}
		h.names = append(h.names, host)
	}
	hash := maphash.Comparable(h.seed, [2]string{domain, code})
	before, known := h.of[hash]
	switch {
	case !known && len(h.of) == maxCodes && len(h.names) == 1:
		return "", nil // all are at one host so far
	case !known && len(h.of) == maxCodes:
		return "", fmt.Errorf("there are more than %d links at several hosts; --only-host names "+
			"one", maxCodes)
	case !known:
		h.of[hash] = at
	case before != at:
		return h.names[before], nil
	}
	return "", nil
}

// AtOther says of a code at a host why it is not read. Its field stands in front.
func AtOther(other, host string) error {
	at := "at " + other
	if other == NoHost {
		at = "without a host"
	}
	if host == NoHost {
		return fmt.Errorf("is that of a link %s, too, which was read", at)
	}
	return fmt.Errorf("is that of a link %s, too, which was read: --only-host %s reads it", at,
		host)
}
