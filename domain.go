package terse

import (
	"bytes"
	"context"
	"strconv"
	"strings"
)

// Domain is a host at which links are served, as the number that a store gave to it. A number is
// never given to another host.
type Domain uint8

// The bounds of domains.
const (
	DefaultDomain Domain = 0   // the host of BASE_URL
	MaxDomain     Domain = 126 // a Code has 7 bits for its domain; a cache needs the last number
)

// MaxDomains bounds the hosts that a server is configured with, beside that of BASE_URL.
const MaxDomains = 100

// keyMark begins the keys of addresses on other domains than the default. No address has it.
const keyMark = '#'

// Key returns the text by which stores and caches keep an address of a domain: the address itself
// on the default domain, and "#3/launch" for launch on domain 3. Addresses of all domains share one
// space of keys.
func (d Domain) Key(address string) string {
	if d == DefaultDomain {
		return address
	}
	return string(d.AppendKey(nil, address))
}

// AppendKey appends the key of an address to b.
func (d Domain) AppendKey(b []byte, address string) []byte {
	if d != DefaultDomain {
		b = append(strconv.AppendUint(append(b, keyMark), uint64(d), 10), '/')
	}
	return append(b, address...)
}

// Keys returns the keys of addresses.
func (d Domain) Keys(addresses []string) []string {
	if d == DefaultDomain {
		return addresses
	}
	var keys []string
	for _, address := range addresses {
		keys = append(keys, d.Key(address))
	}
	return keys
}

// KeyRange returns bounds of the keys of a domain's codes, in the order of their bytes: the first
// included, the second not.
func (d Domain) KeyRange() (from, to string) {
	if d == DefaultDomain {
		return "-", "{" // around the characters of codes
	}
	from = d.Key("")
	return from, from[:len(from)-1] + "0" // which follows the slash
}

// SplitKey returns the domain and the address of a key. What is no key is an address of the default
// domain.
func SplitKey(key string) (Domain, string) {
	if key == "" || key[0] != keyMark {
		return DefaultDomain, key
	}
	number, address, _ := strings.Cut(key[1:], "/")
	n, err := strconv.ParseUint(number, 10, 8)
	if err != nil || n == 0 || Domain(n) > MaxDomain {
		return DefaultDomain, key
	}
	return Domain(n), address
}

// AddressOfKey returns the address of a key, without its domain.
func AddressOfKey(key []byte) []byte {
	if len(key) > 0 && key[0] == keyMark {
		if _, address, ok := bytes.Cut(key, []byte{'/'}); ok {
			return address
		}
	}
	return key
}

// ParseKey returns the code of a key, or an error of ParseCode.
func ParseKey(key string) (Code, error) {
	d, text := SplitKey(key)
	code, err := ParseCode(text)
	if err != nil {
		return code, err
	}
	return code.On(d), nil
}

// DomainRow is what a store has of a domain.
type DomainRow struct {
	Domain Domain
	Host   string // in lower case and punycode; "" for the default
	Links  int64  // of all owners, archived ones included
	DomainTargets
}

// DomainTargets are where a domain leads visitors for whom it has no link; "": nowhere.
type DomainTargets struct {
	Root    URL // for a request of "/"
	Unknown URL // for an address without a link, or with one that is scheduled
	Ended   URL // for a link that has ended and has no ExpiredURL
}

// DomainChange changes DomainTargets. A nil field stays as it is, "" removes it.
type DomainChange struct {
	Root, Unknown, Ended *URL
	// Host is by which name the change of the default domain is noted: stores do not know it.
	Host string
}

// Apply returns the targets as the change makes them.
func (c DomainChange) Apply(t DomainTargets) DomainTargets {
	for _, field := range []struct {
		to   *URL
		from *URL
	}{{&t.Root, c.Root}, {&t.Unknown, c.Unknown}, {&t.Ended, c.Ended}} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	return t
}

// DomainsKey is what Node.Watch reports instead of an address when domains have changed. It is the
// key of no address.
const DomainsKey = string(keyMark)

// Domains stores the hosts of links. It is a part of a store, see Links.
type Domains interface {
	// Domains returns the default domain, then all hosts that have a number, by number.
	Domains(ctx context.Context) ([]DomainRow, error)

	// AddDomains gives a number to each host that has none. ErrNoDomainLeft.
	AddDomains(ctx context.Context, hosts []string) error

	// UpdateDomain changes where a domain leads, and notes it if anything changes. Other nodes
	// learn of it by Watch. ErrDomainNotFound.
	UpdateDomain(ctx context.Context, by Caller, d Domain, change DomainChange) (DomainRow, error)
}
