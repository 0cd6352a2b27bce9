package redirect

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/address"
	"terse/internal/visit/redirect/urls"
)

// Suffixes of pages, of address.Suffixes: no address ends in one.
const (
	previewSuffix = "+"
	svgSuffix     = ".svg"
)

// addresses are the beginnings of a path that may be the address of a link. Each ends at a slash,
// or with the path.
type addresses struct {
	domain terse.Domain
	room   [roomBytes]byte
	size   int // of the text in room; each address is a prefix of it
	ends   [maxEnds]end
	n      int // of ends, from the shortest address
	// whole reports whether the longest one is the whole path, apart from a trailing slash and the
	// suffix of a page.
	whole bool
	page  string // that suffix, "" for a redirect
}

// end is where an address ends.
type end struct {
	text int16
	rest int16 // where the part of the path behind the address begins
}

const (
	longest = terse.MaxAlias + len(svgSuffix) // of an address and the suffix of a page
	maxEnds = (longest + 1) / 2
	// roomBytes has room for such a text, and for a segment as it was sent, which has at most three
	// times the bytes of its composed form.
	roomBytes = 4 * longest
)

// at returns one of the addresses.
func (r *addresses) at(i int) []byte { return r.room[:r.ends[i].text] }

// key returns the key by which the store knows one of the addresses. None of them looks like the
// key of another domain's, because add refuses that.
func (r *addresses) key(i int) string { return r.domain.Key(string(r.at(i))) }

// read finds the addresses in a path as it was sent. It decodes each segment once (RFC 3986) and
// brings it into NFC. A slash in percent-encoding is in no address. A single trailing slash is
// ignored: people and programs that find links in texts add it.
func (r *addresses) read(path []byte) {
	for rest := path; len(rest) > 0 && rest[0] == '/' && !r.whole; r.n++ {
		var segment []byte
		if segment, rest = urls.CutBefore(rest[1:], '/'); !r.add(segment) {
			return
		}
		e := end{text: int16(r.size), rest: int16(len(path) - len(rest))}
		if len(rest) == 0 {
			r.page = suffixOf(r.room[:r.size])
			e.text -= int16(len(r.page))
		}
		r.ends[r.n], r.whole = e, len(rest) <= 1
	}
}

// add appends a segment to the text, and reports whether an address can begin with it. No address
// has a "#", which begins the keys of domains: they must not be found by a path.
func (r *addresses) add(segment []byte) bool {
	text := r.room[:r.size]
	if r.size > 0 {
		text = append(text, '/')
	}
	from, ascii := len(text), true
	for len(segment) > 0 {
		c, n, ok := urls.DecodeByte(segment)
		if !ok || c == '/' || c == '#' || len(text) == len(r.room) {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
		text, segment = append(text, c), segment[n:]
	}
	if sent := text[from:]; !ascii {
		if !utf8.Valid(sent) {
			return false
		}
		// A copy, because an argument of norm escapes to the heap, and with it all of r.
		text = text[:from+copy(r.room[from:], norm.NFC.Bytes(bytes.Clone(sent)))]
	}
	r.size = len(text)
	return r.size > from && r.size <= longest
}

// suffixOf returns the suffix of a page that a text ends in, "" if there is none.
func suffixOf(text []byte) string {
	for _, suffix := range address.Suffixes {
		if bytes.HasSuffix(text, []byte(suffix)) {
			return suffix
		}
	}
	return ""
}

// possible reports whether a text can be the address of a link.
func (h *Handler) possible(text []byte) bool {
	if h.reserved != nil {
		var room [longest]byte
		first, _ := urls.CutBefore(text, '/')
		if h.reserved[string(appendFolded(room[:0], first))] {
			return false
		}
	}
	_, err := terse.ParseCode(text)
	return err == nil || address.Valid(string(text))
}

// addressOf returns the address that is a whole path, apart from a trailing slash and the suffix of
// a page, or "" if it can't be one.
func addressOf(path []byte) string {
	var r addresses
	if r.read(path); !r.whole {
		return ""
	}
	return string(r.at(r.n - 1))
}
