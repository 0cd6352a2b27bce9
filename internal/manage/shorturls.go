package manage

import (
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"terse"
)

// shortURLs recognises this service's own short links.
type shortURLs struct {
	host string // see hostPort; empty when there is no base address
	path string // what stands before a code's slash, for example "" or "/go"
}

func newShortURLs(baseURL string) shortURLs {
	u, err := url.Parse(baseURL)
	if err != nil {
		return shortURLs{}
	}
	return shortURLs{host: hostPort(u), path: u.Path}
}

// code returns the short code when a URL is one of the service's short links, in any
// spelling that browsers treat alike: a redirect to it would lead back here.
func (s shortURLs) code(original terse.URL) (string, bool) {
	u, err := url.Parse(browserSlashes(string(original)))
	if err != nil || s.host == "" || hostPort(u) != s.host {
		return "", false
	}
	// Browsers resolve "." and "..", also when percent-encoded, before they ask.
	resolved := (&url.URL{Path: "/"}).ResolveReference(&url.URL{Path: u.Path}).Path
	code, found := strings.CutPrefix(resolved, s.path+"/")
	if !found {
		return "", false
	}
	code = strings.TrimSuffix(code, "/") // as the redirect does
	_, err = terse.ParseCode(code)
	return code, err == nil
}

// pastedCode returns the short code of a short URL of this service as people copy it: with or
// without scheme, host, query, a slash or a plus sign at its end. It may begin with another host,
// by which the service was reached.
func (m *Manager) pastedCode(word, host string) (code string, ok bool) {
	path := word
	if !strings.HasPrefix(word, "/") {
		if !strings.Contains(word, "://") {
			word = "http://" + word
		}
		u, err := url.Parse(word)
		if err != nil || hostPort(u) == "" || hostPort(u) != m.self.host &&
			hostPort(u) != hostPort(&url.URL{Scheme: u.Scheme, Host: host}) {
			return "", false
		}
		path = u.Path
	}
	code, ok = strings.CutPrefix(strings.TrimPrefix(path, m.self.path), "/")
	code, _, _ = strings.Cut(code, "?")
	code = strings.TrimRight(code, "/+")
	_, err := terse.ParseCode(code)
	return code, ok && err == nil && !m.Reserved(code)
}

// browserSlashes returns a URL with the slashes that browsers see in it: before query and fragment
// a backslash is one (WHATWG URL, 4.4).
func browserSlashes(s string) string {
	end := len(s)
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		end = i
	}
	return strings.ReplaceAll(s[:end], `\`, "/") + s[end:]
}

// hostPort returns host and port so that equal ones are spelled alike: in lower case and
// punycode, without the root's dot and without the scheme's default port.
func hostPort(u *url.URL) string {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	port := strings.TrimLeft(u.Port(), "0")
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return host
	}
	return net.JoinHostPort(host, port)
}
