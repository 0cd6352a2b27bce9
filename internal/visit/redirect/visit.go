package redirect

import (
	"bytes"
	"net/netip"
	"time"

	"terse"
	"terse/internal/visit/redirect/urls"
)

// Header is the number of a header field that redirects read.
type Header uint8

// To read another header field, add it here and in headerNames.
const (
	Referrer Header = iota
	Country         // named by Options.CountryHeader
	UserAgent
	Language
	Purpose
	OldPurpose // sent before Sec-Purpose; Firefox sent MozPurpose
	MozPurpose
	Password
	GPC
	DNT
	NumHeaders
)

// HeaderNames are the names of the header fields that redirects read; "" means none.
type HeaderNames [NumHeaders]string

func headerNames(country string) HeaderNames {
	return HeaderNames{
		Referrer: "Referer", Country: country, UserAgent: "User-Agent",
		Language: "Accept-Language", Purpose: "Sec-Purpose", OldPurpose: "Purpose",
		MozPurpose: "X-Moz", Password: "X-Link-Password", GPC: "Sec-GPC", DNT: "DNT",
	}
}

// Visit is the part of a request that a redirect needs. It retains none of the request's memory.
type Visit struct {
	Path   []byte // as in the request line, for example "/launch"
	Query  []byte // the part behind the "?"
	Head   bool   // HEAD instead of GET
	Post   bool   // POST instead of GET
	Header [NumHeaders][]byte
	Time   time.Time
	Domain terse.Domain // at whose host the request arrived
	// Nothing means that this path is none for visitors at that host, whatever the method: the
	// answer is the page of an unknown address, which this one does not count as.
	Nothing bool
	Visitor

	form    []byte // the password in a POST, nil: none
	foreign bool   // the body of a POST is not a form
}

// Visitor is the client's address, and whether the request came through a trusted proxy.
type Visitor struct {
	Addr    netip.Addr
	Trusted bool
}

// client returns the address that identifies a client: for IPv6 its /64, which is what one customer
// gets.
func (v *Visitor) client() netip.Addr {
	if !v.Addr.Is6() {
		return v.Addr
	}
	block, _ := v.Addr.Prefix(64) // every IPv6 address has one
	return block.Addr()
}

// network returns the block of addresses that one customer or site may well own: a /24 for IPv4, a
// /48 for IPv6.
func (v *Visitor) network() netip.Prefix {
	bits := 24
	if v.Addr.Is6() {
		bits = 48
	}
	block, _ := v.Addr.Prefix(bits) // every address has one
	return block
}

// optsOut reports whether the visitor asked not to be tracked, by Global Privacy Control or Do Not
// Track.
func (v *Visit) optsOut() bool {
	return string(v.Header[GPC]) == "1" || string(v.Header[DNT]) == "1"
}

// isPrefetch reports whether a browser fetches the link in advance and nobody has followed it yet.
// Browsers say so in Sec-Purpose (Fetch standard); older ones did in fields of their own.
func (v *Visit) isPrefetch() bool {
	for _, h := range [...]Header{Purpose, OldPurpose, MozPurpose} {
		if len(v.Header[h]) == 0 { // nearly always
			continue
		}
		first, _ := urls.CutBefore(v.Header[h], ',')
		first, _ = urls.CutBefore(first, ';') // parameters, for example prerender
		if bytes.EqualFold(bytes.Trim(first, " \t"), []byte(terse.Prefetch)) {
			return true
		}
	}
	return false
}

// Tracking is how much is kept about a visit.
type Tracking uint8

const (
	// TrackFull distinguishes the visitors of a day.
	TrackFull Tracking = iota
	// TrackAnonymous does not distinguish visitors.
	TrackAnonymous
	// TrackOff keeps only that there was a click.
	TrackOff
)

// password returns the password that was sent, if any.
func (v *Visit) password() (password []byte, given bool) {
	if v.Post {
		return v.form, v.form != nil
	}
	return v.Header[Password], len(v.Header[Password]) > 0
}

// Attempt holds Answer's limits for a visit. The zero Attempt waits as long as it takes.
type Attempt struct {
	Scratch []byte // memory for the answer's Value, to avoid an allocation
	// Wait bounds a look-up in the store: 0 means Options.LinkTimeout, below 0 no look-up. There is
	// no answer if that is too short, or if getting it takes anything but a look-up.
	Wait time.Duration
	// Admitted marks a visit that was not answered before because of Wait, so it is not taken from
	// the client's budget again.
	Admitted bool
}
