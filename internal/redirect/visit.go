package redirect

import (
	"net/netip"
	"time"
)

// Header numbers a header field that a redirect reads.
type Header uint8

// To read one more header field, add it here and in headerNames.
const (
	Referrer Header = iota
	Country         // Options.CountryHeader names it
	NumHeaders
)

// HeaderNames are the names of the header fields that a redirect reads; "" is none.
type HeaderNames [NumHeaders]string

func headerNames(country string) HeaderNames {
	return HeaderNames{Referrer: "Referer", Country: country}
}

// Visit is what is read from a request. It keeps none of the request's memory.
type Visit struct {
	Path   []byte // as it stands in the request line, for example "/launch"
	Head   bool   // HEAD instead of GET
	Header [NumHeaders][]byte
	Time   time.Time
	Visitor
}

// Visitor is who asks: the client's address, and whether it came through a trusted proxy.
type Visitor struct {
	Addr    netip.Addr
	Trusted bool
}

// Attempt is what the caller of Answer has for a visit. The zero Attempt waits as long as it takes.
type Attempt struct {
	Scratch []byte // room for the answer's Value, so that it need not be allocated
	// Wait bounds a look-up in the store: 0 is Options.LinkTimeout, below 0 there is none. What it
	// is too short for is not answered.
	Wait time.Duration
	// Admitted is set for a visit that was not answered before because of Wait: it is not taken off
	// the client's budget again.
	Admitted bool
}
