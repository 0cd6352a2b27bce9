package terse

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxURLBytes bounds an original URL.
const MaxURLBytes = 8192

// URL is a valid original URL, byte for byte as it was submitted (contract: Validation
// rules, 2): http or https in any case, a host name or address, a port from 1 to 65535 if
// any, no control character, no raw space, valid UTF-8, at most MaxURLBytes.
type URL string

// ParseURL returns s as a URL, ErrURLRequired when it is empty, or ErrBadURL.
func ParseURL(s string) (URL, error) {
	if s == "" {
		return "", ErrURLRequired
	}
	if len(s) > MaxURLBytes || !utf8.ValidString(s) || strings.ContainsFunc(s, refusedInURL) ||
		strings.TrimSpace(s) != s {
		return "", ErrBadURL
	}
	u, err := url.Parse(s)
	if err != nil || !isHTTP(u.Scheme) || !validHost(u) {
		return "", ErrBadURL
	}
	return URL(s), nil
}

func refusedInURL(r rune) bool { return r == ' ' || unicode.IsControl(r) }

// isHTTP wants the scheme as url.Parse returns it: in lower case.
func isHTTP(scheme string) bool { return scheme == "http" || scheme == "https" }

func validHost(u *url.URL) bool {
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	host := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		addr, err := netip.ParseAddr(host)
		return err == nil && addr.Is6()
	}
	host = strings.TrimSuffix(host, ".") // the root's dot (RFC 1034, 3.1)
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.ContainsFunc(label, refusedInLabel) {
			return false
		}
	}
	return true
}

// refusedInLabel allows what DNS names are made of in practice: letters, digits, '-', '_'
// and the letters of international names.
func refusedInLabel(r rune) bool {
	switch {
	case r >= utf8.RuneSelf:
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
		return false
	}
	return true
}
