package server

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"terse/internal/visit/redirect"
)

// pathOf returns the path of a request target (RFC 9112, 3.2) as it was sent: what stands
// before the query, behind scheme and authority if those were sent too.
func pathOf(uri []byte) []byte {
	if len(uri) > 0 && uri[0] != '/' {
		if i := bytes.Index(uri, []byte("://")); i >= 0 {
			uri = uri[i+len("://"):]
			if i = bytes.IndexAny(uri, "/?"); i < 0 || uri[i] == '?' {
				return []byte("/")
			}
			uri = uri[i:]
		}
	}
	if i := bytes.IndexAny(uri, "?#"); i >= 0 {
		uri = uri[:i]
	}
	return uri
}

// below returns a path without the base path, if it begins with that as a whole segment.
func (s *Server) below(path []byte) []byte {
	if s.opts.BasePath == "" { // nearly always
		return path
	}
	return cutBase(path, s.opts.BasePath)
}

// urlBelow returns a URL without the base path, with which it begins.
func (s *Server) urlBelow(u *url.URL) *url.URL {
	rest := *u
	rest.Path, rest.RawPath = cutBase(u.Path, s.opts.BasePath), cutBase(u.RawPath, s.opts.BasePath)
	return &rest
}

func cutBase[T string | []byte](path T, base string) T {
	if len(path) < len(base) || string(path[:len(base)]) != base {
		return path
	}
	switch rest := path[len(base):]; {
	case len(rest) == 0:
		return T("/")
	case rest[0] == '/':
		return rest
	}
	return path
}

// routed reports whether the control plane routes a path: by what stands between its first and
// second slash, decoded. Where nothing does, "/" alone is a route.
func (s *Server) routed(path []byte) bool {
	if len(path) == 0 || path[0] != '/' || bytes.HasPrefix(path, []byte("//")) {
		return false
	}
	segment := path[1:]
	if i := bytes.IndexByte(segment, '/'); i >= 0 {
		segment = segment[:i]
	}
	if bytes.IndexByte(segment, '%') >= 0 {
		plain, err := url.PathUnescape(string(segment))
		return err == nil && s.reserved[plain]
	}
	return s.reserved[string(segment)]
}

// maxRequestIDBytes bounds a request ID that is reused.
const maxRequestIDBytes = 128

// requestID reuses a request's X-Request-ID when it is 1 to 128 visible ASCII characters
// and makes a new one otherwise (contract: Cross-cutting behaviour, 1). It stands in the
// request for the handlers, and in the answer.
func requestID(w http.ResponseWriter, r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	if !visibleASCII(id) {
		var fresh [36]byte
		putUUID(&fresh)
		id = string(fresh[:])
	}
	line := []string{id}
	r.Header["X-Request-Id"], w.Header()["X-Request-Id"] = line, line
	return id
}

func visibleASCII[T string | []byte](id T) bool {
	if len(id) == 0 || len(id) > maxRequestIDBytes {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] >= 0x7F {
			return false
		}
	}
	return true
}

// putUUID writes a random UUID (RFC 9562, 5.4). Its randomness is the runtime's ChaCha8,
// one generator a thread: a request ID is no secret, but must not make requests wait for
// each other.
func putUUID(b *[36]byte) {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:], rand.Uint64())
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	id[6] = id[6]&0x0F | 0x40 // version 4
	id[8] = id[8]&0x3F | 0x80 // variant
	hex.Encode(b[:], id[:4])
	b[8] = '-'
	hex.Encode(b[9:], id[4:6])
	b[13] = '-'
	hex.Encode(b[14:], id[6:8])
	b[18] = '-'
	hex.Encode(b[19:], id[8:10])
	b[23] = '-'
	hex.Encode(b[24:], id[10:])
}

// client returns the client that sent a request.
func (s *Server) client(c peerConn, r *http.Request) redirect.Visitor {
	peer := peerAddr(c.RemoteAddr())
	if !contains(s.opts.TrustedProxies, peer) {
		return redirect.Visitor{Addr: peer}
	}
	var lines [][]byte
	for _, line := range r.Header["X-Forwarded-For"] {
		lines = append(lines, []byte(line))
	}
	return redirect.Visitor{Addr: s.forwardedFor(peer, lines...), Trusted: true}
}

// forwardedFor returns the address that a trusted proxy speaks for: the rightmost of the
// X-Forwarded-For lines that is not a trusted proxy itself.
func (s *Server) forwardedFor(proxy netip.Addr, lines ...[]byte) netip.Addr {
	addr := proxy
	for _, line := range slices.Backward(lines) {
		for more := true; more; {
			var sent []byte
			line, sent, more = cutLast(line)
			hop, ok := parseHop(string(sent))
			if !ok {
				return addr // nothing beyond a broken hop can be believed
			}
			addr = hop
			if !contains(s.opts.TrustedProxies, hop) {
				return addr
			}
		}
	}
	return addr
}

// cutLast returns the last part of a list, and what is before its comma, if it has one.
func cutLast(list []byte) (before, last []byte, more bool) {
	comma := bytes.LastIndexByte(list, ',')
	return list[:max(comma, 0)], list[comma+1:], comma >= 0
}

// parseHop parses an address with or without a port. Nearly all have none, so it tries that first:
// the error of looking for a port takes longer than parsing the address.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(s)
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone(""), err == nil
}

func contains(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
