package manage

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/address"
	"terse/internal/link/weburl"
)

// shortURLs recognises this service's own URLs.
type shortURLs struct {
	host string   // see hostPort; empty if there is no base URL
	path []string // path segments of the base URL
}

func newShortURLs(baseURL string) shortURLs {
	parts, _ := weburl.Split(baseURL)
	return shortURLs{host: hostPort(parts), path: segments(parts)}
}

// below returns the path segments of a URL behind the base URL, in any spelling that browsers treat
// alike: a redirect there would lead back here.
func (s shortURLs) below(u terse.URL) (path []string, ours bool) {
	parts, _ := weburl.Split(string(u))
	if s.host == "" || hostPort(parts) != s.host {
		return nil, false
	}
	path = segments(parts)
	for _, segment := range s.path {
		if len(path) == 0 || path[0] != segment {
			return nil, false
		}
		path = path[1:]
	}
	return path, true
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

// isShortLink reports whether a URL leads to one of this service's links: everything below the base
// URL except the server's own routes. Most links forward no path behind their code, but any may
// some day.
func (m *Manager) isShortLink(u terse.URL) bool {
	path, ours := m.self.below(u)
	return ours && len(path) > 0 && path[0] != "" && !m.isReserved(path[0])
}

// pastedAddress returns the address of a short URL as people copy it: with or without scheme, host,
// query, and a trailing slash or plus sign. It may have another host, through which the service was
// reached.
func (m *Manager) pastedAddress(word, host string) (pasted string, ok bool) {
	parts := weburl.Parts{Rest: word}
	if !strings.HasPrefix(word, "/") {
		if !strings.Contains(word, "://") {
			word = "http://" + word
		}
		parts, _ = weburl.Split(word)
		asked, _ := weburl.Split(parts.Scheme + "://" + host)
		if at := hostPort(parts); at == "" || at != m.self.host && at != hostPort(asked) {
			return "", false
		}
	}
	path := segments(parts)
	if base := m.self.path; len(path) > len(base) && slices.Equal(path[:len(base)], base) {
		path = path[len(base):]
	}
	pasted = norm.NFC.String(strings.TrimRight(strings.Join(path, "/"), "+"))
	return pasted, address.Valid(pasted) && !m.isReserved(path[0])
}

// hostPort returns host and port in a normal form: the host as browsers name it, without the root's
// dot, an IPv4 address not within IPv6, and without the scheme's default port. It is empty if
// browsers would not open the host.
func hostPort(u weburl.Parts) string {
	host, ok := weburl.Host(u.Host)
	if !ok {
		return ""
	}
	host = strings.TrimSuffix(host, ".")
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		host = addr.Unmap().String()
	}
	port := strings.TrimLeft(u.Port, "0")
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return host
	}
	return net.JoinHostPort(host, port)
}
