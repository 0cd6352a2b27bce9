package redirect

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/address"
	"terse/internal/redirect/urls"
)

// Suffixes of pages, of address.Suffixes: no address ends in one.
const (
	previewSuffix = "+"
	svgSuffix     = ".svg"
)

// addresses are the possible addresses that a path begins with: each ends at a slash, or with the
// path.
type addresses struct {
	text []byte // begins with each of them
	ends [terse.MaxFind]end
	n    int // of ends, from the shortest address
	// whole says that the longest one is all of the path, but for a trailing slash and the suffix
	// of a page.
	whole bool
	page  string // that suffix, "" for a redirect
	room  [roomBytes]byte
}

// end is where an address ends.
type end struct {
	text int16
	rest int16 // in the path, where what is behind the address begins
}

const (
	maxSuffix = len(svgSuffix)
	// roomBytes has room for an address, and for a segment as it was sent: a text in NFC has at
	// least a third of its bytes.
	roomBytes = 4 * (terse.MaxAlias + maxSuffix)
)

// at returns one of the addresses.
func (r *addresses) at(i int) []byte { return r.text[:r.ends[i].text] }

// read finds the possible addresses in a path as it was sent. It decodes each segment once (RFC
// 3986) and brings it into NFC. A slash in percent-encoding is in no address. A single trailing
// slash is ignored: people and programs that find links in texts add it.
func (h *Handler) read(path []byte, r *addresses) {
	r.text = r.room[:0]
	for rest := path; len(rest) > 0 && rest[0] == '/' && !r.whole; {
		var segment []byte
		if segment, rest = urls.CutBefore(rest[1:], '/'); !r.add(segment) {
			return
		}
		e := end{text: int16(len(r.text)), rest: int16(len(path) - len(rest))}
		if len(rest) == 0 {
			r.page = suffixOf(r.text)
			e.text -= int16(len(r.page))
		}
		if !h.possible(r.text[:e.text]) {
			continue
		}
		r.whole = len(rest) <= 1
		r.ends[r.n] = e
		r.n++
	}
}

// add appends a segment to the text, and reports whether an address can begin so.
func (r *addresses) add(segment []byte) bool {
	if len(r.text) > 0 {
		r.text = append(r.text, '/')
	}
	from, ascii := len(r.text), true
	for len(segment) > 0 {
		c, n, ok := urls.DecodeByte(segment)
		if !ok || c == '/' || len(r.text) == cap(r.text) {
			return false
		}
		ascii = ascii && c < utf8.RuneSelf
		r.text, segment = append(r.text, c), segment[n:]
	}
	if sent := r.text[from:]; !ascii {
		if !utf8.Valid(sent) {
			return false
		}
		if !norm.NFC.IsNormal(sent) {
			r.text = append(r.text[:from], norm.NFC.Bytes(sent)...)
		}
	}
	return len(r.text) > from && len(r.text) <= terse.MaxAlias+maxSuffix
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
		var room [terse.MaxAlias]byte
		first, _ := urls.CutBefore(text, '/')
		if h.reserved[string(appendFolded(room[:0], first))] {
			return false
		}
	}
	_, err := terse.ParseCode(text)
	return err == nil || address.Valid(string(text))
}

// addressOf returns the address that is all of a path but for a trailing slash and the suffix of a
// page, "" if it is none.
func (h *Handler) addressOf(path []byte) string {
	var r addresses
	if h.read(path, &r); !r.whole {
		return ""
	}
	return string(r.at(r.n - 1))
}
