package redirect

import (
	"encoding/binary"
	"strings"

	"terse"
	"terse/internal/redirect/urls"
)

// target is a link's destination in the cache's form: a copy, or a part of a cached value.
type target struct {
	id       terse.LinkID
	code     terse.Code
	location []byte // as in a Location header
	encoded  []byte // terse.EncodedOptions that redirects obey; empty for a plain link
	stale    bool   // the link may have changed since it was cached

	options *options // compiled from encoded; nil for a plain link
}

// targetHeader: the link's ID (8 bytes), the location's length (4).
const targetHeader = 12

// newTarget returns a link's target.
func newTarget(link *terse.Link) target {
	return target{
		id: link.ID, code: link.Code, location: []byte(urls.Location(link.URL)),
		encoded: []byte(withoutAliases(link.Options)),
	}
}

// withoutAliases returns options without the link's aliases: no redirect needs them, and so a link
// that has nothing else is as plain as one without.
func withoutAliases(text terse.EncodedOptions) terse.EncodedOptions {
	if !strings.Contains(string(text), `"aliases"`) {
		return text
	}
	options, err := text.Decode()
	if err != nil {
		return text
	}
	options.Aliases = nil
	less, err := options.Encode()
	if err != nil {
		return text
	}
	return less
}

// ref returns the link's identity.
func (t *target) ref() terse.LinkRef { return terse.LinkRef{ID: t.id, Code: t.code} }

// append appends the target in the cache's form.
func (t *target) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(t.id))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(t.location)))
	return append(append(b, t.location...), t.encoded...)
}

func parseTarget(value []byte) target {
	rest := value[targetHeader:]
	end := binary.LittleEndian.Uint32(value[8:])
	return target{
		id:       terse.LinkID(binary.LittleEndian.Uint64(value)),
		location: rest[:end:end], encoded: rest[end:],
	}
}
