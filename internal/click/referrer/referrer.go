// Package referrer extracts the host of a referrer. It knows nothing of clicks.
package referrer

import (
	"net"
	"strings"

	"golang.org/x/net/idna"

	"terse"
)

// Host returns the host of a referrer from terse.ParseReferrer, in lower case and punycode (RFC
// 5891), without port, leading "www." and trailing dot. For an Android app it returns the package,
// whose case matters. Anything that is not a URL, such as terse.DirectReferrer, is returned
// unchanged.
func Host(referrer string) string {
	if app, isApp := strings.CutPrefix(referrer, terse.AppReferrer); isApp {
		return strings.TrimSuffix(app, "/")
	}
	_, rest, isURL := strings.Cut(referrer, "://")
	if !isURL {
		return referrer
	}
	host := rest
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		host = rest[:end]
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(ascii(strings.Trim(host, "[]")), ".")
	if short := strings.TrimPrefix(host, "www."); short != "" {
		host = short
	}
	if host == "" {
		return referrer
	}
	return host
}

// ascii returns a host name in lower case and, if possible, as the DNS has it. It is fast for names
// that already are.
func ascii(host string) string {
	if strings.IndexFunc(host, func(r rune) bool { return r >= 0x80 }) >= 0 {
		if name, err := idna.Lookup.ToASCII(host); err == nil {
			return name
		}
	}
	return strings.ToLower(host)
}
