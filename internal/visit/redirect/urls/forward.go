package urls

import (
	"bytes"

	"terse"
)

// MaxLocation bounds a Location with forwarded parts: browsers and proxies refuse longer ones.
const MaxLocation = 8 << 10

// Forward returns a location with the parts of the request's query and of the path behind the code
// that a link with these options forwards. It reports whether the visitor may be sent there. It
// uses the capacity behind the text in scratch.
func Forward(o *terse.LinkOptions, location, query, path, scratch []byte) ([]byte, bool) {
	if !o.ForwardQuery {
		query = nil
	}
	if len(path) > 0 && (!o.ForwardPath || !safePath(path)) {
		return nil, false
	}
	if len(path)+len(query) == 0 {
		return location, true
	}
	from := len(scratch)
	rest, fragment := CutBefore(location, '#')
	before, own := CutBefore(rest, '?')
	b := append(scratch, before...)
	if len(path) > 0 {
		b = appendSent(bytes.TrimSuffix(b, []byte("/")), path)
	}
	b = appendQuery(b, own, query)
	b = append(b, fragment...)
	return b[from:], len(b)-from <= MaxLocation
}

// appendQuery appends a location's own query, which begins with "?", then the visitor's. The
// visitor's parameters replace the location's of the same name.
func appendQuery(b, own, query []byte) []byte {
	if len(query) == 0 {
		return append(b, own...)
	}
	b = append(b, '?')
	if len(own) > 1 {
		has := newNames(query)
		for param := range bytes.SplitSeq(own[1:], []byte("&")) {
			if !has.name(param) {
				b = append(append(b, param...), '&')
			}
		}
	}
	return appendSent(b, query)
}

// names are the parameter names of a query.
type names struct {
	query []byte
	index map[string]bool // of a long query, which may have thousands
}

// shortQuery is the length in bytes below which scanning a query is faster than building a map.
const shortQuery = 256

func newNames(query []byte) names {
	n := names{query: query}
	if len(query) > shortQuery {
		n.index = map[string]bool{}
		for param := range bytes.SplitSeq(query, []byte("&")) {
			n.index[string(nameOf(param))] = true
		}
	}
	return n
}

// name reports whether the query has a parameter's name.
func (n *names) name(param []byte) bool {
	name := nameOf(param)
	if n.index != nil {
		return n.index[string(name)]
	}
	for sent := range bytes.SplitSeq(n.query, []byte("&")) {
		if bytes.Equal(nameOf(sent), name) {
			return true
		}
	}
	return false
}

// nameOf returns the decoded name of a parameter. A malformed one stands for itself.
func nameOf(param []byte) []byte {
	name, _ := CutBefore(param, '=')
	if bytes.IndexByte(name, '%') < 0 && bytes.IndexByte(name, '+') < 0 {
		return name
	}
	decoded := make([]byte, 0, len(name))
	for len(name) > 0 {
		c, n, _ := DecodeByte(name)
		if c == '+' && n == 1 {
			c = ' '
		}
		decoded, name = append(decoded, c), name[n:]
	}
	return decoded
}

// safePath reports whether a path may be appended to another: no segment leads upwards, and no
// character is one that servers have taken for a slash or an end, percent-encoded or not.
func safePath(path []byte) bool {
	dots, others := 0, 0 // within the segment
	for len(path) > 0 {
		c, n, _ := DecodeByte(path)
		switch c {
		case '\\', 0, '\r', '\n':
			return false
		case '/':
			if others == 0 && (dots == 1 || dots == 2) {
				return false
			}
			dots, others = 0, 0
		case '.':
			dots++
		default:
			others++
		}
		path = path[n:]
	}
	return others > 0 || dots != 1 && dots != 2
}

// appendSent appends a visitor's text, percent-encoding what must not be in a URL.
func appendSent(b, sent []byte) []byte {
	for _, c := range sent {
		if c == ' ' || !sendable(c) {
			b = appendByte(b, c)
		} else {
			b = append(b, c)
		}
	}
	return b
}
