package server

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/valyala/fasthttp"

	"terse/internal/redirect"
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

// routed tells whether the control plane routes a path: by what stands between its first and
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

var headerRequestID = []byte("X-Request-Id")

// requestID reuses a request's X-Request-ID when it is 1 to 128 visible ASCII characters
// and makes a new one otherwise (contract: Cross-cutting behaviour, 1). It stands in the
// request for the handlers, and in the answer.
func (s *Server) requestID(ctx *fasthttp.RequestCtx) []byte {
	id := ctx.Request.Header.PeekBytes(headerRequestID)
	if !visibleASCII(id) {
		var fresh [36]byte
		putUUID(&fresh)
		id = fresh[:]
		ctx.Request.Header.SetCanonical(headerRequestID, id)
	}
	ctx.Response.Header.SetCanonical(headerRequestID, id)
	return id
}

func visibleASCII(id []byte) bool {
	if len(id) == 0 || len(id) > maxRequestIDBytes {
		return false
	}
	for _, c := range id {
		if c <= ' ' || c >= 0x7F {
			return false
		}
	}
	return true
}

// putUUID writes a random UUID (RFC 9562, 5.4). Its randomness is the runtime's ChaCha8,
// one generator a thread: a request ID is no secret, but must not make requests wait for
// each other.
func putUUID(b *[36]byte) {
	const hex = "0123456789abcdef"
	high, low := rand.Uint64(), rand.Uint64()
	high = high&^0xF000 | 0x4000     // version 4
	low = low&^(0b11<<62) | 0b10<<62 // variant
	for i, at := 0, 0; i < 32; i++ {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b[at] = '-'
			at++
		}
		word := high
		if i >= 16 {
			word = low
		}
		b[at] = hex[word>>(60-4*(i%16))&15]
		at++
	}
}

// client returns whose request this is.
func (s *Server) client(ctx *fasthttp.RequestCtx) redirect.Visitor {
	peer := peerAddr(ctx.RemoteAddr())
	if !contains(s.opts.TrustedProxies, peer) {
		return redirect.Visitor{Addr: peer}
	}
	return redirect.Visitor{Addr: s.forwardedFor(peer, ctx.Request.Header.PeekAll(fasthttp.HeaderXForwardedFor)...), Trusted: true}
}

// forwardedFor returns the address that a trusted proxy speaks for: the rightmost of the
// X-Forwarded-For lines that is not a trusted proxy itself.
func (s *Server) forwardedFor(proxy netip.Addr, lines ...[]byte) netip.Addr {
	addr := proxy
	for _, line := range slices.Backward(lines) {
		for _, sent := range slices.Backward(strings.Split(string(line), ",")) {
			hop, ok := parseHop(sent)
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

// parseHop takes an address, with a port or without.
func parseHop(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
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
