// Package weburl parses http and https URLs like browsers, by the WHATWG's URL standard: whether
// they are valid, their parts, and their host. It does no I/O.
package weburl

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"terse"
)

// Parse checks that s is a URL: http or https in any case, a host that browsers open (see Host), a
// port from 1 to 65535 if any, no control character, no raw space, valid UTF-8, at most
// terse.MaxURLBytes. A "%" that begins no escape is allowed in path, query and fragment. It fails
// with terse.ErrURLRequired, terse.ErrLongURL or terse.ErrBadURL.
func Parse(s string) (terse.URL, error) {
	switch {
	case s == "":
		return "", terse.ErrURLRequired
	case len(s) > terse.MaxURLBytes:
		return "", terse.ErrLongURL
	case !utf8.ValidString(s) || strings.ContainsFunc(s, refused) || strings.TrimSpace(s) != s:
		return "", terse.ErrBadURL
	}
	parts, ok := Split(s)
	if !ok || !validAuthority(s[:len(s)-len(parts.Rest)]) || !parts.validPort() {
		return "", terse.ErrBadURL
	}
	if _, ok := Host(parts.Host); !ok {
		return "", terse.ErrBadURL
	}
	return terse.URL(s), nil
}

func refused(r rune) bool { return r == ' ' || unicode.IsControl(r) }

// validAuthority reports whether the part of a URL before its path has the form of RFC 3986. Unlike
// browsers, it refuses percent-encoded ASCII characters in the host.
func validAuthority(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	return !strings.ContainsFunc(u.Hostname(), invisible)
}

// invisible reports whether browsers silently drop a character from a host. Joiners are excluded:
// some languages need them, and the mapping knows where.
func invisible(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) && !unicode.Is(unicode.Join_Control, r)
}

// Parts are the parts of a URL, spelled as in the URL.
type Parts struct {
	Scheme string // "http" or "https"
	User   string // including "@"
	Host   string // including the brackets of an IPv6 address
	Port   string // without the colon
	Rest   string // path, query and fragment
}

// Split returns the parts of a URL. ok is false unless it begins with http:// or https://, in any
// case. Parts are not checked.
func Split(s string) (p Parts, ok bool) {
	scheme, rest, _ := strings.Cut(s, "://")
	p.Scheme = strings.ToLower(scheme)
	if p.Scheme != "http" && p.Scheme != "https" {
		return Parts{}, false
	}
	end := strings.IndexAny(rest, `/?#\`)
	if end < 0 {
		end = len(rest)
	}
	p.Host, p.Rest = rest[:end], rest[end:]
	if at := strings.LastIndexByte(p.Host, '@') + 1; at > 0 {
		p.User, p.Host = p.Host[:at], p.Host[at:]
	}
	if colon := strings.LastIndexByte(p.Host, ':'); colon > strings.LastIndexByte(p.Host, ']') {
		p.Host, p.Port = p.Host[:colon], p.Host[colon+1:]
	}
	return p, true
}

// Path returns the path of a base URL, which has no trailing slash, query or fragment: "" or, for
// example, "/go".
func Path(baseURL string) string {
	parts, _ := Split(baseURL)
	return parts.Rest
}

// validPort reports whether a connection to the port is possible. An empty one is the scheme's (RFC
// 3986, 3.2.3).
func (p Parts) validPort() bool {
	n, err := strconv.ParseUint(p.Port, 10, 16)
	return p.Port == "" || err == nil && n > 0
}
