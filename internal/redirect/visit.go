package redirect

import (
	"bytes"
	"net/netip"
	"time"

	"terse"
	"terse/internal/redirect/urls"
)

// Header numbers a header field that a redirect reads.
type Header uint8

// To read one more header field, add it here and in headerNames.
const (
	Referrer Header = iota
	Country         // Options.CountryHeader names it
	UserAgent
	Language
	Purpose
	OldPurpose // what browsers sent before Sec-Purpose; of Firefox it is MozPurpose
	MozPurpose
	Password
	GPC
	DNT
	NumHeaders
)

// HeaderNames are the names of the header fields that a redirect reads; "" is none.
type HeaderNames [NumHeaders]string

func headerNames(country string) HeaderNames {
	return HeaderNames{
		Referrer: "Referer", Country: country, UserAgent: "User-Agent",
		Language: "Accept-Language", Purpose: "Sec-Purpose", OldPurpose: "Purpose",
		MozPurpose: "X-Moz", Password: "X-Link-Password", GPC: "Sec-GPC", DNT: "DNT",
	}
}

// Visit is what is read from a request. It keeps none of the request's memory.
type Visit struct {
	Path   []byte // as it stands in the request line, for example "/launch"
	Query  []byte // what stands behind the "?"
	Head   bool   // HEAD instead of GET
	Post   bool   // POST instead of GET
	Header [NumHeaders][]byte
	Time   time.Time
	Visitor

	form    []byte // the password that a POST sent, nil: none
	foreign bool   // a POST sent something else than a form
}

// Visitor is who asks: the client's address, and whether it came through a trusted proxy.
type Visitor struct {
	Addr    netip.Addr
	Trusted bool
}

// client returns the address by which a client is known: of IPv6 its /64, which is what one
// customer gets.
func (v *Visitor) client() netip.Addr {
	if !v.Addr.Is6() {
		return v.Addr
	}
	block, _ := v.Addr.Prefix(64) // which an IPv6 address has
	return block.Addr()
}

// network returns the block of addresses that one customer or site may well have whole: of IPv4 a
// /24, of IPv6 a /48.
func (v *Visitor) network() netip.Prefix {
	bits := 24
	if v.Addr.Is6() {
		bits = 48
	}
	block, _ := v.Addr.Prefix(bits) // which each address has
	return block
}

// optsOut reports whether the visitor asked not to be told from others, by Global Privacy Control
// or by Do Not Track.
func (v *Visit) optsOut() bool {
	return string(v.Header[GPC]) == "1" || string(v.Header[DNT]) == "1"
}

// isPrefetch reports whether nobody has followed the link yet: a browser fetches it in advance. It
// says so in Sec-Purpose (Fetch standard), earlier ones did in a field of their own.
func (v *Visit) isPrefetch() bool {
	for _, h := range [...]Header{Purpose, OldPurpose, MozPurpose} {
		if len(v.Header[h]) == 0 { // as nearly always
			continue
		}
		first, _ := urls.CutBefore(v.Header[h], ',')
		first, _ = urls.CutBefore(first, ';') // its parameters, for example prerender
		if bytes.EqualFold(bytes.Trim(first, " \t"), []byte(terse.Prefetch)) {
			return true
		}
	}
	return false
}

// Tracking is how much is remembered of a visit.
type Tracking uint8

const (
	// TrackFull tells the clicks of a visitor on a day apart from those of others.
	TrackFull Tracking = iota
	// TrackAnonymous does not.
	TrackAnonymous
	// TrackOff remembers nothing but that there was a click.
	TrackOff
)

// password returns the password that was sent, if one was.
func (v *Visit) password() (password []byte, given bool) {
	if v.Post {
		return v.form, v.form != nil
	}
	return v.Header[Password], len(v.Header[Password]) > 0
}

// Attempt is what the caller of Answer has for a visit. The zero Attempt waits as long as it takes.
type Attempt struct {
	Scratch []byte // room for the answer's Value, so that it need not be allocated
	// Wait bounds a look-up in the store: 0 is Options.LinkTimeout, below 0 there is none. What it
	// is too short for is not answered, and neither is what takes anything else but a look-up.
	Wait time.Duration
	// Admitted is set for a visit that was not answered before because of Wait: it is not taken off
	// the client's budget again.
	Admitted bool
}
