package server

import (
	"bytes"

	"terse"
)

// answerer is who answers a request.
type answerer uint8

const (
	dataPlane answerer = iota
	controlPlane
	nobody // the data plane shows the page of an unknown address
	closed // the same, for whatever is asked at the host
)

// route says who answers a request for a path, and on which domain the request arrived by its host.
// On others than the default the control plane has only what is there for machines: nobody signs in
// there, or sends a token. At a host that was closed there is nothing at all.
func (s *Server) route(path, host []byte) (terse.Domain, answerer) {
	d, shut := terse.DefaultDomain, false
	if s.opts.Asked != nil {
		d, shut = s.opts.Asked(host)
	}
	switch {
	case shut:
		return d, closed
	case !s.routed(path):
		return d, dataPlane
	case d == terse.DefaultDomain, s.opts.Everywhere(path):
		return d, controlPlane
	case len(path) == 1: // "/"
		return d, dataPlane
	}
	return d, nobody
}

// hostOf returns the host that a request names: by a target with scheme and authority, or else by
// its Host field (RFC 9112, 3.2.2).
func hostOf(uri, field []byte) []byte {
	if len(uri) == 0 || uri[0] == '/' {
		return field
	}
	_, authority, ok := bytes.Cut(uri, []byte("://"))
	if i := bytes.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	authority = authority[bytes.LastIndexByte(authority, '@')+1:]
	if !ok || len(authority) == 0 {
		return field
	}
	return authority
}
