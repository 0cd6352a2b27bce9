package manage

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/address"
	"terse/internal/link/hosts"
	"terse/internal/link/weburl"
)

// shortURLs recognises this service's own URLs, on all of its domains.
type shortURLs struct {
	hosts      *hosts.Hosts
	host, port string   // of the base URL, see hostOf
	path       []string // path segments of the base URL
}

func newShortURLs(of *hosts.Hosts) shortURLs {
	parts, _ := weburl.Split(of.Table().Of(terse.DefaultDomain).URL)
	s := shortURLs{hosts: of, path: segments(parts)}
	s.host, s.port = hostOf(parts)
	return s
}

// domainOf returns the domain whose URLs have the host and port of a URL. All have the same port.
func (s shortURLs) domainOf(u weburl.Parts) (d terse.Domain, ours bool) {
	host, port := hostOf(u)
	switch {
	case host == "", port != s.port:
		return d, false
	case host == s.host:
		return terse.DefaultDomain, true
	}
	return s.hosts.Table().At(host)
}

// below returns the domain of a URL and the path segments behind the prefix of its short URLs, in
// any spelling that browsers treat alike: a redirect there would lead back here.
func (s shortURLs) below(u terse.URL) (d terse.Domain, path []string, ours bool) {
	parts, _ := weburl.Split(string(u))
	d, ours = s.domainOf(parts)
	if !ours {
		return d, nil, false
	}
	path = segments(parts)
	if d != terse.DefaultDomain {
		return d, path, true
	}
	for _, segment := range s.path {
		if len(path) == 0 || path[0] != segment {
			return d, nil, false
		}
		path = path[1:]
	}
	return d, path, true
}

// hasHost reports whether a URL has one of the service's hosts, whatever its port and path.
// Visitors are led to none for an unknown address, see redirect.
func (s shortURLs) hasHost(u terse.URL) bool {
	parts, _ := weburl.Split(string(u))
	_, own := s.hosts.Table().Named(parts.Host)
	return own
}

// segments returns the decoded path segments of a URL, without trailing empty ones. Like browsers,
// it takes a backslash for a slash and resolves "." and "..", even percent-encoded (URL standard,
// section 4.4).
func segments(parts weburl.Parts) (path []string) {
	text := parts.Rest
	if end := strings.IndexAny(text, "?#"); end >= 0 {
		text = text[:end]
	}
	text = strings.ReplaceAll(text, `\`, "/")
	for segment := range strings.SplitSeq(strings.TrimPrefix(text, "/"), "/") {
		if decoded, err := url.PathUnescape(segment); err == nil {
			segment = decoded
		}
		switch segment {
		case ".":
		case "..":
			path = path[:max(len(path)-1, 0)]
		default:
			path = append(path, segment)
		}
	}
	for len(path) > 0 && path[len(path)-1] == "" {
		path = path[:len(path)-1]
	}
	return path
}

// isShortLink reports whether a URL leads to one of this service's links, on any domain: everything
// below the prefix of short URLs except the server's own routes. Most links forward no path behind
// their code, but any may some day.
func (m *Manager) isShortLink(u terse.URL) bool {
	_, path, ours := m.self.below(u)
	return ours && len(path) > 0 && path[0] != "" && !m.isReserved(path[0])
}

// pastedAddress returns the key of the address in a short URL as people copy it: with or without
// scheme, host, query, and a trailing slash or plus sign. It may have another host, through which
// the service was reached.
func (m *Manager) pastedAddress(word, host string) (pasted string, ok bool) {
	parts, d := weburl.Parts{Rest: word}, terse.DefaultDomain
	if !strings.HasPrefix(word, "/") {
		if !strings.Contains(word, "://") {
			word = "http://" + word
		}
		parts, _ = weburl.Split(word)
		if d, ok = m.self.domainOf(parts); !ok && !sameHost(parts, host) {
			return "", false
		}
	}
	path := segments(parts)
	if base := m.self.path; d == terse.DefaultDomain && len(path) > len(base) &&
		slices.Equal(path[:len(base)], base) {
		path = path[len(base):]
	}
	pasted = norm.NFC.String(strings.TrimRight(strings.Join(path, "/"), "+"))
	return d.Key(pasted), address.Valid(pasted) && !m.isReserved(path[0])
}

// sameHost reports whether a URL has a host, which may have a port.
func sameHost(u weburl.Parts, text string) bool {
	asked, _ := weburl.Split(u.Scheme + "://" + text)
	host, port := hostOf(u)
	askedHost, askedPort := hostOf(asked)
	return host != "" && host == askedHost && port == askedPort
}

// hostOf returns host and port of a URL in a normal form: the host as browsers name it, without the
// root's dot, an IPv4 address not within IPv6; the port empty if it is the scheme's default. The
// host is empty if browsers would not open it.
func hostOf(u weburl.Parts) (host, port string) {
	host, ok := weburl.Host(u.Host)
	if !ok {
		return "", ""
	}
	host = strings.TrimSuffix(host, ".")
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		host = addr.Unmap().String()
	}
	port = strings.TrimLeft(u.Port, "0")
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		port = ""
	}
	return host, port
}
