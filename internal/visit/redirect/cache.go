package redirect

import (
	"encoding/binary"
	"hash/maphash"
	"time"
	"unicode/utf8"

	"terse"
	"terse/internal/visit/redirect/ring"
)

// MinCacheBytes is the smallest useful cache, with room for a few thousand links.
const MinCacheBytes = 1 << 20

// unknownLifetime is how long an unknown address is cached. Its creation may not be announced,
// because another program may write to the store's database. One look-up per lifetime costs next to
// nothing.
const unknownLifetime = 500 * time.Millisecond

// unknownBytes bounds the cache of unknown addresses, about 24,000. It is for addresses that are
// requested again and again, such as a code that was just deleted.
const unknownBytes = 1 << 20

// cache holds targets by code, and codes by other addresses, within a memory budget. Unknown
// addresses are separate, so that a scanner does not evict links.
type cache struct {
	links      *ring.Cache
	unknown    *ring.Cache // the value is the end of validity, in microseconds since 1970
	seeds      [2]maphash.Seed
	ignoreCase bool
}

func newCache(budget int, ignoreCase bool) *cache {
	return &cache{
		links: ring.New(budget), unknown: ring.New(unknownBytes),
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, ignoreCase: ignoreCase,
	}
}

// codeKey is the key of a link by its code.
func codeKey(code terse.Code) ring.Key {
	hi, lo := code.Pack()
	return ring.Key{Hi: hi, Lo: lo}
}

// notCode are bits that no packed code has: those of its domain, of which none has the last number.
const notCode = 127 << 57

// keyBytes has room for the longest address with its domain.
const keyBytes = len("#126/") + terse.MaxAlias

// key is the key of an address as such, whether it is a code or not. It is a hash with secret
// seeds, so that nobody can choose addresses of the same key.
func (c *cache) key(d terse.Domain, address []byte) ring.Key {
	if c.ignoreCase || d != terse.DefaultDomain {
		var room [keyBytes]byte
		text := d.AppendKey(room[:0], "")
		if c.ignoreCase {
			address = appendFolded(text, address)
		} else {
			address = append(text, address...)
		}
	}
	return ring.Key{
		Hi: maphash.Bytes(c.seeds[0], address) | notCode,
		Lo: maphash.Bytes(c.seeds[1], address),
	}
}

// appendFolded appends the form by which addresses are compared when case is ignored.
func appendFolded(b, address []byte) []byte {
	from := len(b)
	for _, char := range address {
		if char >= utf8.RuneSelf {
			return append(b[:from], terse.FoldAddress(string(address))...)
		}
		if 'A' <= char && char <= 'Z' {
			char += 'a' - 'A'
		}
		b = append(b, char)
	}
	return b
}

// knowledge is what the cache knows of an address.
type knowledge uint8

const (
	notKnown knowledge = iota
	hasLink
	hasNone
)

// link returns the target of a link's code. It uses scratch if that has room.
func (c *cache) link(code terse.Code, scratch []byte) (target, bool) {
	value, stale, ok := c.links.Get(scratch[:0], codeKey(code))
	if !ok {
		return target{}, false
	}
	t := parseTarget(value)
	t.code, t.stale = code, stale
	return t, true
}

// get returns what is known of an address of a domain, and its target.
func (c *cache) get(d terse.Domain, address, scratch []byte) (target, knowledge) {
	if code, err := terse.ParseCode(address); err == nil {
		if t, ok := c.link(code.On(d), scratch); ok {
			return t, hasLink
		}
	}
	key := c.key(d, address)
	var room [aliasBytes]byte
	if value, stale, ok := c.links.Get(room[:0], key); ok {
		id, code := parseAlias(value)
		// Another link may have the code by now.
		if t, ok := c.link(code.On(d), scratch); ok && t.id == id {
			t.stale = t.stale || stale
			return t, hasLink
		}
		return target{}, notKnown
	}
	until, stale, ok := c.unknown.Get(room[:0], key)
	if ok && !stale && uint64(time.Now().UnixMicro()) < binary.LittleEndian.Uint64(until) {
		return target{}, hasNone
	}
	return target{}, notKnown
}

// aliasBytes bounds a cached alias: its link's ID (8 bytes) and code, as text. The link is on the
// alias's domain.
const aliasBytes = 8 + terse.MaxCodeLength

func appendAlias(b []byte, id terse.LinkID, code terse.Code) []byte {
	return code.AppendTo(binary.LittleEndian.AppendUint64(b, uint64(id)))
}

func parseAlias(value []byte) (terse.LinkID, terse.Code) {
	code, _ := terse.ParseCode(value[8:]) // appendAlias had one
	return terse.LinkID(binary.LittleEndian.Uint64(value)), code
}

// versions are read before the store is asked, and passed to put or putUnknown with the answer.
type versions struct{ links, unknown ring.Version }

func (c *cache) versions() versions { return versions{c.links.Version(), c.unknown.Version()} }

// put caches the link that the store returned for an address of its domain.
func (c *cache) put(address []byte, t *target, v *versions) {
	c.links.Put(codeKey(t.code), t.append(nil), &v.links)
	d := t.code.Domain()
	code, err := terse.ParseCode(address)
	if err == nil && code.On(d) == t.code {
		return
	}
	if err == nil {
		c.links.Forget(codeKey(code.On(d)), &v.links) // no link has it as its code any more
	}
	var room [aliasBytes]byte
	c.links.Put(c.key(d, address), appendAlias(room[:0], t.id, t.code), &v.links)
}

// putUnknown caches that the store has no link at an address of a domain.
func (c *cache) putUnknown(d terse.Domain, address []byte, v *versions) {
	if code, err := terse.ParseCode(address); err == nil {
		c.links.Forget(codeKey(code.On(d)), &v.links)
	}
	key := c.key(d, address)
	c.links.Forget(key, &v.links)
	until := uint64(time.Now().Add(unknownLifetime).UnixMicro())
	var room [8]byte
	c.unknown.Put(key, binary.LittleEndian.AppendUint64(room[:0], until), &v.unknown)
}

// drop forgets an address, by its key: see terse.Domain.Key.
func (c *cache) drop(of string) {
	d, address := terse.SplitKey(of)
	if code, err := terse.ParseCode(address); err == nil {
		c.links.Drop(codeKey(code.On(d)))
	}
	key := c.key(d, []byte(address))
	c.links.Drop(key)
	c.unknown.Drop(key)
}

// invalidateAll makes all targets stale, and forgets which addresses are unknown.
func (c *cache) invalidateAll() {
	c.links.Invalidate()
	c.unknown.Invalidate()
}
