// Package follow says what follows from a change of a link, for both stores: the facts of its
// options, the sets that it leaves and joins, its history, its tombstone, the addresses that other
// nodes forget, its entry in the audit, and the rows that are appended elsewhere. Whatever else is
// to follow from a change is added to Follow, and nowhere else.
//
// It is pure: it reads no clock and no database. A store reads a link as its rows have it, passes
// it with the link that it should become, and writes the Effects in the same transaction. How rows
// are locked, written together and kept true under edits by hand is each store's own.
package follow

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"terse"
)

// Stored is a link as rows have it, which may differ from what its options say: until the next pass
// of the clock, a link that has ended is still in the set of its former status.
type Stored struct {
	terse.Link
	Set     terse.LinkOptions // the decoded options; none if they are damaged
	Damaged bool              // the options can't be decoded
	// Aliases are the keys of those of Set. Damaged options don't tell: they keep the ones that
	// rows have.
	Aliases []string
	Sets
}

// Decode returns a link with its decoded options, in no set. Clicks are used only while there are
// MaxClicks.
func Decode(link terse.Link) *Stored {
	s := &Stored{Link: link}
	var err error
	if s.Set, err = link.Options.Decode(); err != nil {
		s.Set, s.Damaged = terse.LinkOptions{}, true
	} else if s.Set.MaxClicks == 0 {
		s.Used = 0
	}
	s.Aliases = link.Code.Domain().Keys(s.Set.Aliases)
	return s
}

// Become returns the link that a link is to become, in no set.
func (s *Stored) Become(link terse.Link) *Stored {
	if link.Options == s.Options { // decoded already
		after := *s
		after.Link, after.Sets = link, Sets{}
		after.Set.Tags = slices.Clone(s.Set.Tags)
		return &after
	}
	after := Decode(link)
	if after.Damaged {
		after.Aliases = s.Aliases
	}
	return after
}

// Sets are the sets of an owner's links that a link is in.
type Sets struct {
	Tags     []string     // folded
	Status   terse.Status // "": none, it is always active
	Archived bool
}

// ArchivedSet is the name of the set of the archived links.
const ArchivedSet = "archived"

// DomainSet returns the name of the set of the links on a domain. Those on the default domain are
// in none: its set has the links on all others together.
func DomainSet(d terse.Domain) string { return "@" + strconv.Itoa(int(d)) }

// TagSet returns the name of the set of the links with a folded tag. The set of a status has the
// status as its name.
func TagSet(folded string) string { return "#" + folded }

// IsOther reports whether stores keep the sets and the numbers of an owner's links once more: those
// of all owners but terse.Identity are also kept together, under terse.AllOwners. Nearly all
// installations have links of terse.Identity only, and nothing is kept twice there.
func IsOther(owner string) bool { return owner != terse.Identity }

// Owners returns the owners under which the sets and the numbers of an owner's links are found, or
// of those of all owners with terse.AllOwners: a link is in those of one of them.
func Owners(owner string) []string {
	if owner == terse.AllOwners {
		return []string{terse.Identity, terse.AllOwners}
	}
	return []string{owner}
}

// names returns the names of the sets. Active links have none.
func (s Sets) names() (names []string) {
	for _, tag := range s.Tags {
		names = append(names, TagSet(tag))
	}
	if s.Status != "" && s.Status != terse.Active {
		names = append(names, string(s.Status))
	}
	if s.Archived {
		names = append(names, ArchivedSet)
	}
	return names
}

// Change is a change of a link: a create without Before, a delete without After. Noted stands for
// what is no change of a link, and has neither. A click is one only if it ends its link. The Sets
// of a link that SQLite deletes are empty: triggers know them. A link that an import brings may be
// created, and then changed.
type Change struct {
	Before, After *Stored
	Noted         *terse.Noted
	By            terse.Caller
	At            time.Time // decides the status
	Heard         Events    // those that go to the outbox, see Hearing
}

// Tombstone is why other nodes, and the counting of clicks, must learn that a link has gone.
type Tombstone uint8

// The tombstones.
const (
	NoTombstone Tombstone = iota
	Moved                 // to another code or owner
	Deleted               // with its clicks
)

// Facts are derived from the options of a link that exists after a change, and from the time.
type Facts struct {
	Sets
	// OpenUntil is when the link ends, in microseconds since 1970, if nobody uses it up. The least
	// number says that it has ended, the largest that it does not end by time.
	OpenUntil int64
	// Since and Until bound the time for which Status holds, see terse.LinkOptions.StatusSpan.
	Since, Until int64
}

// Row is a row to append to a table that only grows.
type Row struct {
	Into   string // the table with its columns, such as "outbox (at, event)"
	Values []any  // int64 or string
	// Unless is a SELECT, in which $1 is the first of Values and so on. The row is not appended if
	// it finds anything. "": the row is always appended.
	Unless string
}

// Effects is what follows from a change. A store writes it in the transaction of the change. On
// SQLite, triggers write what follows from the row of a link alone, also if it is changed by hand:
// its former code, its tombstone, and all that a delete takes away. There is one node there, which
// has nothing to tell others.
type Effects struct {
	Facts
	Left, Joined []string // names of sets, of the owner before and the owner after
	Former       bool     // the code before stays known, for clicks that were answered there
	Tombstone    Tombstone
	History      *History // nil: no entry
	Forget       []string // keys of addresses that other nodes may have in memory
	Rows         []Row
}

// History is an entry of a link's history, with its fields as JSON.
type History struct {
	terse.HistoryEntry
	Text []byte
}

// Rule returns what follows from a change. Stores use Follow or Unaudited; tests add to them.
type Rule func(Change) (Effects, error)

// RuleOf returns the rule of a store with or without an audit.
func RuleOf(audit bool) Rule {
	if audit {
		return Follow
	}
	return Unaudited
}

// Follow returns what follows from a change, with its entry in the audit. Its error is one of
// encoding.
func Follow(c Change) (Effects, error) {
	e, err := Unaudited(c)
	if err == nil {
		e.Rows, err = audited(&c, &e)
	}
	return e, err
}

// Unaudited is Follow without the audit.
func Unaudited(c Change) (Effects, error) {
	e, err := unheard(c)
	if err == nil {
		e.Rows, err = reported(&c, &e)
	}
	return e, err
}

// unheard is Unaudited without what webhooks report.
func unheard(c Change) (e Effects, err error) {
	before, after := c.Before, c.After
	var from Sets
	if before != nil {
		from = before.Sets
	}
	if after != nil {
		e.Facts = facts(from, after, c.At)
	}
	e.Left, e.Joined = moves(c, from, e.Sets)
	if before == nil {
		return e, nil
	}
	switch {
	case after == nil:
		e.Tombstone = Deleted
	case before.Code != after.Code:
		e.Tombstone, e.Former = Moved, true
	case before.CreatedBy != after.CreatedBy:
		e.Tombstone = Moved
	}
	if after == nil || !before.UpdatedAt.Equal(after.UpdatedAt) {
		e.Forget = c.addresses()
	}
	if after != nil {
		e.History, err = history(before.Link, after.Link, c.By)
	}
	return e, err
}

// facts returns the facts of a link. Damaged options keep the sets that the link was in.
func facts(from Sets, after *Stored, at time.Time) Facts {
	o := &after.Set
	f := Facts{OpenUntil: math.MaxInt64}
	switch {
	case after.Damaged:
		f.Sets, f.Since, f.Until = from, math.MinInt64, math.MaxInt64
		return f
	case o.Disabled, o.MaxClicks > 0 && after.Used >= o.MaxClicks:
		f.OpenUntil = math.MinInt64
	case !o.ExpiresAt.IsZero():
		f.OpenUntil = o.ExpiresAt.UnixMicro()
	}
	for _, name := range o.Tags {
		f.Tags = append(f.Tags, terse.FoldTag(name))
	}
	if o.HasStatus() {
		f.Status = o.Status(at, after.Used)
	}
	f.Archived = o.Archived
	f.Since, f.Until = o.StatusSpan(at)
	return f
}

// moves returns the names of the sets that a link leaves and joins. With another owner these are
// all.
func moves(c Change, from, to Sets) (left, joined []string) {
	left, joined = from.names(), to.names()
	if c.Before == nil || c.After == nil || c.Before.CreatedBy != c.After.CreatedBy {
		return append(left, c.Before.domains()...), append(joined, c.After.domains()...)
	}
	return without(left, joined), without(joined, left)
}

// domains returns the names of the sets of a link's domain, which never changes.
func (s *Stored) domains() []string {
	if s == nil || s.Code.Domain() == terse.DefaultDomain {
		return nil
	}
	return []string{DomainSet(terse.DefaultDomain), DomainSet(s.Code.Domain())}
}

// without returns the names that are not among others.
func without(names, others []string) (rest []string) {
	for _, name := range names {
		if !slices.Contains(others, name) {
			rest = append(rest, name)
		}
	}
	return rest
}

// addresses returns the keys of the addresses that a link had before a change, and of those that it
// has after it.
func (c Change) addresses() []string {
	all := append([]string{c.Before.Code.String()}, c.Before.Aliases...)
	if c.After != nil {
		all = append(append(all, c.After.Code.String()), c.After.Aliases...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// history returns the entry for a change, nil if no field differs: time, visits and imports of
// dates change none.
func history(before, after terse.Link, by terse.Caller) (*History, error) {
	if before.Code == after.Code && before.URL == after.URL && before.Options == after.Options &&
		before.CreatedBy == after.CreatedBy {
		return nil, nil
	}
	fields := terse.DiffLinks(before, after)
	if len(fields) == 0 { // of options that can't be read, or that are written in another way
		return nil, nil
	}
	return Entry(terse.HistoryEntry{
		Time: after.UpdatedAt, By: by.Identity, RequestID: by.RequestID, Fields: fields,
	})
}

// Entry encodes an entry of a history.
func Entry(entry terse.HistoryEntry) (*History, error) {
	text, err := json.Marshal(entry.Fields)
	if err != nil {
		return nil, fmt.Errorf("encode a change: %w", err)
	}
	return &History{entry, text}, nil
}
