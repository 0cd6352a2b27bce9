package terse

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A link's addresses are its code and its aliases: what follows the base URL in a short URL. An
// address leads to one link. It is stored as it is decoded from a URL, in Unicode's composed form
// (NFC).
//
// Each domain has addresses of its own: stores, caches and this package's functions tell them apart
// by their keys, see Domain.Key.
//
// Codes and aliases share one space. Aliases are an option of their link, and stores keep an index
// of them beside it, always with the folded form, so that IGNORE_CASE needs no other data. One
// statement looks up both, so a link whose code becomes its alias is found at every moment. A link
// that gets another code keeps its ID. Its former codes stay known, so clicks that were answered
// there still count.

// Bounds of aliases.
const (
	MaxAliases = 20  // of a link
	MaxAlias   = 128 // bytes, in NFC
)

// MaxFind bounds the addresses of one call of Links.Find. A path has no more prefixes that can be
// an address.
const MaxFind = MaxAlias / 2

// FoldAddress returns the form of an address by which a server that ignores case compares it, by
// Unicode's simple case folding. Letters of ASCII become lower case.
func FoldAddress(address string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}
		// The least rune of those that fold alike, in lower case if it is of ASCII.
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		if 'A' <= least && least <= 'Z' {
			least += 'a' - 'A'
		}
		return least
	}, address)
}

// Naming is how addresses are compared.
type Naming struct{ IgnoreCase bool }

// Key returns the form of an address that is compared.
func (n Naming) Key(address string) string {
	if n.IgnoreCase {
		return FoldAddress(address)
	}
	return address
}

// Same reports whether two addresses are one.
func (n Naming) Same(a, b string) bool { return n.Key(a) == n.Key(b) }

// ByCode returns the link that Links.Find found at a code, or ErrNotFound if there is none or the
// code is only its alias.
func (n Naming) ByCode(found map[string]Link, code Code) (Link, error) {
	link, exists := found[code.String()]
	if !exists || !n.Same(link.Code.String(), code.String()) {
		return Link{}, ErrNotFound
	}
	return link, nil
}

// Addresses returns the keys of all addresses of a link, its code first. If its options can't be
// decoded, it has no aliases.
func (l Link) Addresses() []string { return Addresses(l.Code, l.Options) }

// Addresses returns the keys of the addresses of a link with a code and options, the code first.
func Addresses(code Code, text EncodedOptions) []string {
	addresses := []string{code.String()}
	if !strings.Contains(string(text), `"aliases":`) {
		return addresses
	}
	options, err := text.Decode()
	if err != nil {
		return addresses
	}
	return append(addresses, code.Domain().Keys(options.Aliases)...)
}

// AddressTaken returns the error for an alias, which is the one at index i of a link's, that is an
// address of another link. It names the address of a key.
func AddressTaken(aliases []string, i int) error {
	_, address := SplitKey(aliases[i])
	return &Error{
		Kind: Conflict, Message: "address already exists: " + address,
		Field: "aliases[" + strconv.Itoa(i) + "]",
	}
}

// FindTaken returns the error for a link's addresses if one is taken: ErrCodeTaken for the code,
// else AddressTaken for the first alias. It takes the keys of aliases.
func FindTaken(code Code, aliases []string, taken func(key string) bool) error {
	if taken(code.String()) {
		return ErrCodeTaken
	}
	if i := slices.IndexFunc(aliases, taken); i >= 0 {
		return AddressTaken(aliases, i)
	}
	return nil
}

// MaxClashes bounds the pairs that ClashError names.
const MaxClashes = 10

// ClashError returns the error for addresses of different links that differ in case only, which a
// store that ignores case can't tell apart; nil if there are none.
func ClashError(pairs [][2]string) error {
	if len(pairs) == 0 {
		return nil
	}
	var names []string
	for _, pair := range pairs {
		names = append(names, fmt.Sprintf("%q and %q", pair[0], pair[1]))
	}
	return errors.New("IGNORE_CASE=true: links have addresses that differ in case only; change " +
		"or delete one of each pair: " + strings.Join(names, ", "))
}
