package urls

import (
	"bytes"

	"terse"
)

// MaxLocation bounds what forwarding makes of a Location: longer ones are refused by browsers and
// proxies.
const MaxLocation = 8 << 10

// Forward returns a location with what a link with these options forwards of the request's query
// and of the path behind the code, and reports whether the visitor may be sent there. The room
// behind the text that scratch holds is used for it.
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

// appendQuery appends a location's own query, which begins with "?", and then the visitor's. Own
// parameters that the visitor has as well are left out.
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

// names are those of a query's parameters.
type names struct {
	query []byte
	index map[string]bool // of a long query, which could have thousands
}

// shortQuery is looked through faster than put into a map.
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

// name reports whether the query has the name of a parameter.
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

// nameOf returns the decoded name of a parameter. What is malformed stands for itself.
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

// safePath reports whether a path may be put behind another one: no part of it leads upwards, and
// none has a character that servers have taken for a slash or for an end. Percent-encoded ones are
// the same.
func safePath(path []byte) bool {
	dots, others := 0, 0 // in the segment
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

// appendSent appends what a visitor sent; what may not stand in a URL is percent-encoded.
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
