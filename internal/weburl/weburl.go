// Package weburl reads http and https URLs as browsers do, by the WHATWG's URL standard: what is a
// valid one, what its parts are, and which host it leads to. It sends nothing, and looks nothing
// up.
package weburl

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"terse"
)

// Parse returns s as a URL: http or https in any case, a host that browsers open (see Host), a port
// from 1 to 65535 if any, no control character, no raw space, valid UTF-8, at most
// terse.MaxURLBytes. A "%" that begins no escape may be in path, query and fragment. It fails with
// terse.ErrURLRequired, terse.ErrLongURL or terse.ErrBadURL.
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

// validAuthority reports whether what comes before the path of a URL has the form of RFC 3986. That
// is stricter than browsers: a host has no percent-encoded ASCII character.
func validAuthority(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	return !strings.ContainsFunc(u.Hostname(), invisible)
}

// invisible are characters that browsers leave out of a host without a word. Joiners are not among
// them: some languages need them, and the mapping knows where.
func invisible(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) && !unicode.Is(unicode.Join_Control, r)
}

// Parts are those of a URL, spelled as in it.
type Parts struct {
	Scheme string // "http" or "https"
	User   string // with its "@"
	Host   string // with the brackets of an IPv6 address
	Port   string // without its colon
	Rest   string // what begins with the path, a query or a fragment
}

// Split returns the parts of a URL. It is not ok unless that begins with http:// or https://, in
// any case; no part is checked.
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

// validPort reports whether the port can be connected to. An empty one is the scheme's (RFC 3986,
// 3.2.3).
func (p Parts) validPort() bool {
	n, err := strconv.ParseUint(p.Port, 10, 16)
	return p.Port == "" || err == nil && n > 0
}
