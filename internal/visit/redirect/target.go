package redirect

import (
	"encoding/binary"
	"strings"

	"terse"
	"terse/internal/link/weburl"
	"terse/internal/visit/redirect/urls"
)

// target is a link's destination in the cache's form: a copy, or a part of a cached value.
type target struct {
	id       terse.LinkID
	code     terse.Code
	location []byte // as in a Location header
	encoded  []byte // terse.EncodedOptions that redirects obey; empty for a plain link
	blocked  bool   // location leads where no link may lead, by the list when it was cached
	stale    bool   // the link or the list may have changed since
	alias    string // that was visited, with a slash before it; empty for the code; not cached

	options *options // compiled from encoded; nil for a plain link
}

// targetHeader: the link's ID (8 bytes), the location's length (4), whose highest bit says that it
// is blocked.
const (
	targetHeader = 12
	blockedBit   = 1 << 31
)

// notWeb replaces the options of a link whose URL no browser should be sent to. Only other programs
// store such a link. compile closes it.
const notWeb = "not an http or https URL"

// newTarget returns a link's target.
func newTarget(link *terse.Link) target {
	if _, ok := weburl.Split(string(link.URL)); !ok {
		return target{id: link.ID, code: link.Code, encoded: []byte(notWeb)}
	}
	return target{
		id: link.ID, code: link.Code, location: []byte(urls.Location(link.URL)),
		encoded: []byte(withoutAliases(link.Options)),
	}
}

// withoutAliases returns options without the link's aliases: no redirect needs them, and so a link
// that has nothing else is as plain as one without. It cuts them out, because to decode the options
// would take nearly as long as the look-up. Options in another form than Encode's stay as they are.
func withoutAliases(text terse.EncodedOptions) terse.EncodedOptions {
	depth, from := 0, -1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 1 && from >= 0 {
				return cut(text, from, i+1)
			}
		case '"':
			if depth == 1 && from < 0 && strings.HasPrefix(string(text[i:]), `"aliases":[`) {
				from = i
			}
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return text
}

// cut cuts the member between two places out of options.
func cut(text terse.EncodedOptions, from, to int) terse.EncodedOptions {
	before, after := text[:from], text[to:]
	switch {
	case before == "{" && after == "}":
		return ""
	case strings.HasPrefix(string(after), ","):
		return before + after[1:]
	}
	return before[:len(before)-1] + after
}

// ref returns the link's identity.
func (t *target) ref() terse.LinkRef { return terse.LinkRef{ID: t.id, Code: t.code} }

// append appends the target in the cache's form.
func (t *target) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(t.id))
	length := uint32(len(t.location))
	if t.blocked {
		length |= blockedBit
	}
	b = binary.LittleEndian.AppendUint32(b, length)
	return append(append(b, t.location...), t.encoded...)
}

func parseTarget(value []byte) target {
	rest := value[targetHeader:]
	length := binary.LittleEndian.Uint32(value[8:])
	end := length &^ blockedBit
	return target{
		id:       terse.LinkID(binary.LittleEndian.Uint64(value)),
		location: rest[:end:end], encoded: rest[end:], blocked: length != end,
	}
}
