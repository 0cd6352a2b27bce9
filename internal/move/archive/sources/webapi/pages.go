package webapi

import (
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxElements bounds a List. The longest page of a product has some 290,000 elements.
const maxElements = 1 << 19

// List is a list in an answer. It has a bound, because an element of two bytes may take hundreds in
// memory.
type List[T any] []T

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (l *List[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '[' {
		var none []T // null, or an error that says what it is
		return json.UnmarshalDecode(d, &none)
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	*l = nil
	for d.PeekKind() != ']' {
		if len(*l) == maxElements {
			return fmt.Errorf("a list has more than %d elements", maxElements)
		}
		var element T
		if err := json.UnmarshalDecode(d, &element); err != nil {
			return err
		}
		*l = append(*l, element)
	}
	_, err := d.ReadToken()
	return err
}

// maxSeen bounds what Pages know, in memory some 100 MiB.
const maxSeen = 2_000_000

// Pages know what came on the pages of a list, so that each element is read once though pages shift
// while they are read, and a source that repeats a page or a cursor is given up.
type Pages struct {
	seed  maphash.Seed
	seen  map[uint64]struct{}
	fresh bool
}

// New reports whether an element, by its ID, is new.
func (p *Pages) New(id string) bool {
	if p.seen == nil {
		p.seed, p.seen = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	n := len(p.seen)
	p.seen[maphash.String(p.seed, id)] = struct{}{}
	isNew := len(p.seen) > n
	p.fresh = p.fresh || isNew
	return isNew
}

// Len returns how many elements are known, and cursors.
func (p *Pages) Len() int64 { return int64(len(p.seen)) }

// Turn is called between two pages, with the cursor of the next one, if there are cursors. It fails
// if nothing was new on the page before, or the cursor was there.
func (p *Pages) Turn(cursor string) error {
	fresh := p.fresh
	p.fresh = false
	switch {
	case !fresh:
		return errors.New("the source repeats a page")
	case cursor != "" && !p.New("\x00"+cursor):
		return errors.New("the source repeats a cursor")
	case len(p.seen) >= maxSeen:
		return fmt.Errorf("the source has more than %d entries", maxSeen)
	}
	p.fresh = false
	return nil
}
