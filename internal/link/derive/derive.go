// Package derive says which rows must stand beside links, and names those that differ: the sets,
// tags and numbers that lists read, aliases, states, and what else belongs to a link. Tests of the
// stores and terse doctor compare databases with it.
//
// It is pure: a store passes its rows, of one snapshot. It shares no code with what writes these
// rows, so that a fault there shows here.
//
// # What follows from a link
//
//   - a bit in the set of each of its tags, of its status if that is not active, of the archived
//     links if it is one, and unless its domain is the default, of that and of all but the default
//   - one more link of each of its tags; a tag without links is no row
//   - one more link of its owner in its range of 1,024 IDs, whose creation times have bounds, which
//     may be too wide
//   - the same in sets and ranges of terse.AllOwners, unless its owner is terse.Identity: these
//     hold the links of all other owners once more
//   - an address for each of its aliases
//   - its state: columns that repeat options, and a status with the time for which it holds
//
// Whatever names a link that does not exist is left over, but for tombstones: they must not name
// one that exists.
//
// # What may differ
//
// Between the end of its status and the next pass of the clock, a link's bit is in the set of its
// former status. So the status is right if the link has it at some time, and its bounds are those
// of that time. Links with damaged options keep what their rows had: only that these agree with
// each other is checked. The spelling of a tag in a link's options may be an earlier one.
package derive

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"terse"
	"terse/internal/link/linkset"
)

// Link is a link as its rows say, its state included.
type Link struct {
	ID        terse.LinkID
	Code      string
	Owner     string
	CreatedAt int64 // in microseconds since 1970, like all times here
	Options   terse.EncodedOptions
	Used      int64 // of its MaxClicks
	// Status is the one whose set has the link, "" if it is always active. It holds from Since to
	// before Until; the least and the largest number stand for ever.
	Status       terse.Status
	Since, Until int64
	// Tags are the folded tags whose sets have the link, if HasTags: not all stores keep them.
	Tags     []string
	HasTags  bool
	Archived bool     // as its row says
	Columns  []Column // what else repeats options; valid until the next link
}

// Column is a column that follows from the options of a link. Names of columns differ between
// stores only where they mean something else.
type Column struct {
	Name  string
	Value int64
}

// The names of columns.
const (
	OpenUntil = "open_until" // the least number: disabled or used up; the largest: does not expire
	Ended     = "ended"      // whether Status is one that has ended
	IsOff     = "disabled"
	StartsAt  = "starts_at"  // the least number: none
	ExpiresAt = "expires_at" // the largest number: none
	MaxClicks = "max_clicks"
)

// Set is a part of a set of an owner's links: words from a multiple of 64 on.
type Set struct {
	Owner, Name string // a status, "archived", # and a folded tag, or @ and a domain
	From        int64
	Links       linkset.Set
}

// Range is the number of an owner's links in a range of 1,024 IDs, and bounds of when they were
// created. A range may have several.
type Range struct {
	Owner              string
	Number             int64
	Links, First, Last int64
}

// Alias is an address that leads to a link.
type Alias struct {
	Address, Folded string
	Link            terse.LinkID
}

// Owned is another row that belongs to a link.
type Owned struct {
	What string // such as "a share"
	Link terse.LinkID
	// Code and Owner are the link's, if the row has them.
	Code, Owner string
	// Buries is set for a tombstone of a link whose clicks are to be deleted.
	Buries bool
}

// Tag is an owner's tag.
type Tag struct {
	Owner, Folded, Name string
	Links               int64
}

// Rows are the rows of a snapshot. Each but Tags is in the order of the links' IDs.
type Rows struct {
	Links   iter.Seq2[Link, error]
	Sets    iter.Seq2[Set, error]
	Ranges  iter.Seq2[Range, error]
	Aliases iter.Seq2[Alias, error]
	Owned   []iter.Seq2[Owned, error]
	Tags    iter.Seq2[Tag, error]
}

// Options bound a Compare.
type Options struct {
	// Now is when the snapshot was taken, and Passed when the clock last moved all links whose
	// status had changed. Zero: not known.
	Now, Passed int64
	Most        int // differences of a kind that are named; 0 stands for 10
	MaxTags     int // tags that are compared; 0 stands for 250,000, which take some 50 MB
}

// Compare compares rows with those that follow from their links. It holds what belongs to 1,024
// links at a time, and a number for each tag.
func Compare(rows Rows, o Options) (*Found, error) {
	o.Most, o.MaxTags = cmp.Or(o.Most, 10), cmp.Or(o.MaxTags, 250_000)
	c := &comparison{options: o, found: &Found{}, tags: map[ownedTag]int64{}}
	links := begin(rows.Links, func(l Link) int64 { return int64(l.ID) })
	sets := begin(rows.Sets, func(s Set) int64 { return s.From })
	ranges := begin(rows.Ranges, func(r Range) int64 { return r.Number << linkset.RangeBits })
	aliases := begin(rows.Aliases, func(a Alias) int64 { return int64(a.Link) })
	all := []source{links, sets, ranges, aliases}
	owned := make([]*stream[Owned], len(rows.Owned))
	for i, seq := range rows.Owned {
		owned[i] = begin(seq, func(r Owned) int64 { return int64(r.Link) })
		all = append(all, owned[i])
	}
	defer func() {
		for _, s := range all {
			s.end()
		}
	}()
	for {
		first, more := int64(math.MaxInt64), false
		for _, s := range all {
			at, ok, err := s.at()
			if err != nil {
				return nil, err
			}
			if ok {
				first, more = min(first, at), true
			}
		}
		if !more {
			break
		}
		w := newWindow(c, first>>linkset.RangeBits)
		err := cmp.Or(links.until(w.end, w.link), sets.until(w.end, w.set))
		if err == nil {
			w.missing()
			err = cmp.Or(ranges.until(w.end, w.ranged), aliases.until(w.end, w.alias))
		}
		for _, s := range owned {
			err = cmp.Or(err, s.until(w.end, w.owned))
		}
		if err != nil {
			return nil, err
		}
		w.rest()
	}
	return c.found, c.compareTags(rows.Tags)
}

// source is a stream of any rows.
type source interface {
	at() (id int64, ok bool, err error) // of the next row
	end()
}

// stream is rows in the order of IDs.
type stream[T any] struct {
	next func() (T, error, bool)
	stop func()
	id   func(T) int64

	head  T // the next row
	ahead bool
	err   error
}

func begin[T any](seq iter.Seq2[T, error], id func(T) int64) *stream[T] {
	s := &stream[T]{id: id}
	s.next, s.stop = iter.Pull2(seq)
	s.head, s.err, s.ahead = s.next()
	return s
}

func (s *stream[T]) at() (id int64, ok bool, err error) {
	if s.err != nil || !s.ahead {
		return 0, false, s.err
	}
	return s.id(s.head), true, nil
}

func (s *stream[T]) end() { s.stop() }

// until calls f with the rows before an ID.
func (s *stream[T]) until(id int64, f func(T)) error {
	for s.err == nil && s.ahead && s.id(s.head) < id {
		f(s.head)
		s.head, s.err, s.ahead = s.next()
	}
	return s.err
}

// status reports whether a link has the status of its row at some time, with the right bounds.
func (o *Options) status(l *Link, set *terse.LinkOptions) bool {
	if !set.HasStatus() {
		return l.Status == "" && l.Since == math.MinInt64 && l.Until == math.MaxInt64
	}
	bounds := []int64{math.MinInt64, math.MaxInt64}
	for _, at := range []time.Time{set.StartsAt, set.ExpiresAt} {
		if !at.IsZero() && !set.Disabled {
			bounds = append(bounds, at.UnixMicro())
		}
	}
	slices.Sort(bounds)
	if !slices.Contains(bounds, l.Since) || !slices.Contains(bounds, l.Until) ||
		l.Since >= l.Until || o.Now != 0 && l.Since > o.Now ||
		o.Passed != 0 && l.Until <= o.Passed {
		return false
	}
	for _, at := range bounds {
		if l.Since < at && at < l.Until {
			return false
		}
	}
	// Options written by hand may have times between two microseconds.
	first, last := l.Since, l.Until
	if first == math.MinInt64 {
		first = last - 1
	}
	if last == math.MaxInt64 {
		last = first + 2
	}
	return set.Status(time.UnixMicro(first), l.Used) == l.Status ||
		set.Status(time.UnixMicro(last-1), l.Used) == l.Status
}

// value returns what a column has to be.
func value(name string, l *Link, set *terse.LinkOptions) int64 {
	switch name {
	case OpenUntil:
		switch {
		case set.Disabled, set.MaxClicks > 0 && l.Used >= set.MaxClicks:
			return math.MinInt64
		case !set.ExpiresAt.IsZero():
			return set.ExpiresAt.UnixMicro()
		}
		return math.MaxInt64
	case Ended:
		return number(l.Status.Ended())
	case IsOff:
		return number(set.Disabled)
	case StartsAt:
		if set.StartsAt.IsZero() {
			return math.MinInt64
		}
		return set.StartsAt.UnixMicro()
	case ExpiresAt:
		if set.ExpiresAt.IsZero() {
			return math.MaxInt64
		}
		return set.ExpiresAt.UnixMicro()
	}
	return set.MaxClicks
}

func number(is bool) int64 {
	if is {
		return 1
	}
	return 0
}
