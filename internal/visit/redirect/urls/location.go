package urls

import (
	"strings"

	"terse"
	"terse/internal/link/weburl"
)

// Location returns a URL as a Location header needs it: ASCII only (RFC 9110, 10.2.2). An
// international host becomes punycode, even if it is percent-encoded, and other non-ASCII
// characters are percent-encoded in upper-case hex. ASCII stays verbatim.
func Location(u terse.URL) string {
	s := string(u)
	parts, ok := weburl.Split(s)
	if !ok || isASCII(parts.Host) && !strings.Contains(parts.Host, "%") {
		return escape(s)
	}
	ascii, ok := weburl.Host(parts.Host)
	if !ok { // an old link, from before such hosts were refused
		return escape(s)
	}
	host := strings.Index(s, "://") + len("://") + len(parts.User)
	return escape(s[:host]) + ascii + escape(s[host+len(parts.Host):])
}

func isASCII(s string) bool {
	for i := range len(s) {
		if !sendable(s[i]) {
			return false
		}
	}
	return true
}

// sendable also refuses control characters. No URL of the API has one, but a row written by hand
// must not inject a header field.
func sendable(c byte) bool { return ' ' <= c && c < 0x7F }

// escape percent-encodes characters that must not be sent. Spaces stay as submitted.
func escape(s string) string {
	if isASCII(s) {
		return s
	}
	b := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		if c := s[i]; sendable(c) {
			b = append(b, c)
		} else {
			b = appendByte(b, c)
		}
	}
	return string(b)
}

// appendByte appends a byte percent-encoded.
func appendByte(b []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(b, '%', hex[c>>4], hex[c&15])
}
