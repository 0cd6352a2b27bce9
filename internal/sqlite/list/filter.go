package list

import (
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/linkset"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
)

// filter are the links that a list may have.
type filter struct {
	terse.LinkFilter
	conn      *sqlite.Conn
	owner     string
	ranges    []idRange   // with their links
	links     linkset.Set // some more than there are, where nothing but time is asked for
	total     int64
	unsettled int
}

// newFilter combines the sets of tags and states, and leaves out what was not made in time. A list
// by clicks needs the set of all links, too.
func newFilter(conn *sqlite.Conn, owner string, of terse.LinkFilter, byClicks bool) (
	*filter, error,
) {
	f := &filter{LinkFilter: of, conn: conn, owner: owner}
	ranges, err := ownerRanges(conn, owner)
	if err != nil || !byClicks && of.IsZero() {
		f.ranges = ranges
		return f, err
	}
	var links linkset.Set
	for _, r := range ranges {
		links = append(links, linkset.OfRange(r.number)...)
	}
	if len(f.Tags) > 0 {
		tagged, err := record.Tagged(conn, owner, f.Tags)
		if err != nil {
			return nil, err
		}
		links = links.And(tagged)
	}
	switch f.Status {
	case "":
	case terse.Active:
		others, err := f.withStatus(slices.DeleteFunc(slices.Clone(terse.Statuses),
			func(s terse.Status) bool { return s == terse.Active })...)
		if err != nil {
			return nil, err
		}
		links = links.Without(others)
	default:
		some, err := f.withStatus(f.Status)
		if err != nil {
			return nil, err
		}
		links = links.And(some)
	}
	return f, f.add(ranges, links)
}

// add adds the links that were made in time. They are read only of ranges that were partly made in
// it; of others it is known how many there are.
func (f *filter) add(ranges []idRange, links linkset.Set) error {
	first, last := f.Made()
	exact := len(f.Tags) > 0 || f.Status != "" && f.Status != terse.Active
	for _, r := range ranges {
		some := links.InRange(r.number)
		switch {
		case len(some) == 0 || r.last < first || last < r.first:
			continue
		case r.first < first || last < r.last:
			made, err := f.madeIn(r.number)
			if err != nil {
				return err
			}
			some = some.And(made)
			r.links = some.Count()
		case exact:
			r.links = some.Count()
		default: // those of other owners and of none are not missing from them
			r.links -= linkset.RangeSize - some.Count()
		}
		if r.links > 0 {
			f.ranges, f.links = append(f.ranges, r), append(f.links, some...)
			f.total += r.links
		}
	}
	return nil
}

// madeIn returns the links of a range that were made in time.
func (f *filter) madeIn(number int64) (made linkset.Set, err error) {
	first, last := f.Made()
	err = query.Each(f.conn, "SELECT id FROM links "+
		"WHERE id BETWEEN ?1 << 10 AND (?1 << 10) + 1023 "+
		"AND +created_by = ?2 AND +created_at BETWEEN ?3 AND ?4 ORDER BY id",
		func(row *sqlite.Stmt) error {
			made = made.With(row.ColumnInt64(0))
			return nil
		}, number, f.owner, first, last)
	return made, err
}

// withStatus returns the links with one of some statuses other than active.
func (f *filter) withStatus(statuses ...terse.Status) (links linkset.Set, err error) {
	for _, status := range statuses {
		some, err := record.Set(f.conn, f.owner, string(status))
		if err != nil {
			return nil, err
		}
		links = links.Or(some)
	}
	var more, less []int64
	err = record.Changing(f.conn, f.owner, f.Now, func(s record.State) {
		f.unsettled++
		if slices.Contains(statuses, s.Status(f.Now)) {
			more = append(more, int64(s.Link))
		} else {
			less = append(less, int64(s.Link))
		}
	})
	return links.Or(linkset.Of(more)).Without(linkset.Of(less)), err
}
