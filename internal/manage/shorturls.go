package manage

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"terse"
	"terse/internal/weburl"
)

// shortURLs recognises this service's own addresses.
type shortURLs struct {
	host string   // see hostPort; empty when there is no base address
	path []string // the segments of the base address's path
}

func newShortURLs(baseURL string) shortURLs {
	parts, _ := weburl.Split(baseURL)
	return shortURLs{host: hostPort(parts), path: segments(parts)}
}

// below returns the segments of a URL's path behind the base address, in any spelling that browsers
// treat alike: a redirect to it would lead back here.
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

// segments returns those of a URL's path, decoded. As browsers do, it takes a backslash for a slash
// and resolves "." and "..", also when they are percent-encoded (URL standard, section 4.4). Empty
// ones at the end are left out.
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

// isShortLink reports whether a URL leads to one of this service's links: what is below the base
// address is one unless it is the server's own. Most links forward no path behind their code, but
// any may some day.
func (m *Manager) isShortLink(u terse.URL) bool {
	path, ours := m.self.below(u)
	return ours && len(path) > 0 && path[0] != "" && !m.Reserved(path[0])
}

// pastedCode returns the short code of a short URL of this service as people copy it: with or
// without scheme, host, query, a slash or a plus sign at its end. It may begin with another host,
// by which the service was reached.
func (m *Manager) pastedCode(word, host string) (code string, ok bool) {
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
	if len(path) != 1 {
		return "", false
	}
	code = strings.TrimRight(path[0], "+")
	_, err := terse.ParseCode(code)
	return code, err == nil && !m.Reserved(code)
}

// hostPort returns host and port so that equal ones are spelled alike: as browsers call the host,
// without the root's dot, an IPv4 address not within IPv6, and without the scheme's default port.
// It is empty when there is no host that browsers open.
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
