package urls

import (
	"strings"

	"golang.org/x/net/idna"

	"terse"
)

// hostNames turns international host names into punycode (RFC 5891) as browsers do.
var hostNames = idna.New(idna.MapForLookup(), idna.Transitional(false),
	idna.StrictDomainName(false))

// Location returns a URL as a Location header holds it: ASCII only (RFC 9110, 10.2.2), with
// an international host in punycode and other non-ASCII characters percent-encoded in
// upper-case hex. What is ASCII already stays verbatim.
func Location(u terse.URL) string {
	s := string(u)
	if isASCII(s) {
		return s
	}
	scheme, _, ok := strings.Cut(s, "://")
	if !ok { // written by hand
		return string(appendEscaped(nil, s))
	}
	start := len(scheme) + len("://")
	end := len(s)
	if i := strings.IndexAny(s[start:], "/?#"); i >= 0 {
		end = start + i
	}
	host := start + strings.LastIndexByte(s[start:end], '@') + 1
	port := end
	if i := strings.LastIndexByte(s[host:end], ':'); i >= 0 {
		port = host + i
	}
	b := make([]byte, 0, 2*len(s))
	b = appendEscaped(b, s[:host])
	if ascii, err := hostNames.ToASCII(s[host:port]); err == nil && isASCII(ascii) &&
		!isASCII(s[host:port]) {
		b = append(b, ascii...)
	} else {
		b = appendEscaped(b, s[host:port])
	}
	return string(appendEscaped(b, s[port:]))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if !sendable(s[i]) {
			return false
		}
	}
	return true
}

// sendable refuses control characters, too: no URL of the interface has one, but a row that
// was written by hand must not become a header field of its own.
func sendable(c byte) bool { return ' ' <= c && c < 0x7F }

// appendEscaped appends a part of a link's URL. Spaces stay, as they were submitted.
func appendEscaped(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; sendable(c) {
			b = append(b, c)
		} else {
			b = appendByte(b, c)
		}
	}
	return b
}

// appendByte appends a byte percent-encoded.
func appendByte(b []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(b, '%', hex[c>>4], hex[c&15])
}
