package list

import (
	"math"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
)

// filter are the links that a list may have.
type filter struct {
	ranges    []idRange // with their links
	links     set       // some more than there are, where nothing but time is asked for
	total     int64
	unsettled int
}

// newFilter combines the sets of tags and states, and leaves out what was not made in time. Rows
// are read only of ranges that were partly made in time.
func newFilter(conn *sqlite.Conn, owner string, f terse.LinkFilter) (*filter, error) {
	filter := &filter{}
	ranges, err := ownerRanges(conn, owner)
	if err != nil || f.IsZero() {
		filter.ranges = ranges
		return filter, err
	}
	in, all, err := tagged(conn, owner, f.Tags)
	if err != nil {
		return nil, err
	}
	var out set
	switch f.Status {
	case "":
	case terse.Active:
		out, err = filter.inactive(conn, owner, f)
	default:
		var of set
		of, err = filter.withStatus(conn, owner, f)
		if all {
			in, all = of, false
		} else {
			in = in.and(of)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, r := range ranges {
		words := in.inRange(r.number)
		if all {
			words = allInRange(r.number)
		}
		words = words.without(out.inRange(r.number))
		if err := filter.add(conn, owner, f, r, words, all); err != nil {
			return nil, err
		}
	}
	return filter, nil
}

// add adds the links of a range that may be listed. Unless some of it was made too early or too
// late, their number is known without reading them.
func (f *filter) add(conn *sqlite.Conn, owner string, of terse.LinkFilter, r idRange, links set,
	all bool,
) error {
	from, to := int64(math.MinInt64), int64(math.MaxInt64)
	if !of.CreatedAfter.IsZero() {
		from = ceilMicros(of.CreatedAfter)
	}
	if !of.CreatedBefore.IsZero() {
		to = of.CreatedBefore.UnixMicro()
	}
	if len(links) == 0 || r.last < from || to < r.first {
		return nil
	}
	switch {
	case r.first < from || to < r.last:
		made, err := madeBetween(conn, owner, r.number, from, to)
		if err != nil {
			return err
		}
		links = links.and(made)
		r.links = links.count()
	case all: // those of other owners and of none are not missing from them
		r.links -= rangeSize - links.count()
	default:
		r.links = links.count()
	}
	if r.links > 0 {
		f.ranges, f.links = append(f.ranges, r), append(f.links, links...)
		f.total += r.links
	}
	return nil
}

// madeBetween returns the links of a range that were made between two times.
func madeBetween(conn *sqlite.Conn, owner string, number, from, to int64) (made set, err error) {
	err = query.Each(conn, "SELECT id FROM links WHERE id BETWEEN ?1 << 10 AND (?1 << 10) + 1023 "+
		"AND +created_by = ?2 AND +created_at BETWEEN ?3 AND ?4 ORDER BY id",
		func(row *sqlite.Stmt) error {
			made = made.with(row.ColumnInt64(0))
			return nil
		}, number, owner, from, to)
	return made, err
}

// tagged returns the links of an owner that have all of some tags.
func tagged(conn *sqlite.Conn, owner string, tags []string) (links set, all bool, err error) {
	all = true
	for _, tag := range tags {
		have, err := readSet(conn, owner, record.TagSet(tag))
		if err != nil {
			return nil, false, err
		}
		if !all {
			have = links.and(have)
		}
		links, all = have, false
	}
	return links, all, nil
}

// withStatus returns the links with a status other than active.
func (f *filter) withStatus(conn *sqlite.Conn, owner string, of terse.LinkFilter) (set, error) {
	links, err := readSet(conn, owner, string(of.Status))
	if err != nil {
		return nil, err
	}
	var more, less []int64
	err = record.Changing(conn, owner, of.Now, func(s record.State) {
		f.unsettled++
		switch of.Status {
		case s.Status(of.Now):
			more = append(more, int64(s.Link))
		case s.Stored:
			less = append(less, int64(s.Link))
		}
	})
	return links.or(setOf(more)).without(setOf(less)), err
}

// inactive returns the links that have another status than active.
func (f *filter) inactive(conn *sqlite.Conn, owner string, of terse.LinkFilter) (
	links set, err error,
) {
	for _, status := range terse.Statuses {
		if status == terse.Active {
			continue
		}
		some, err := readSet(conn, owner, string(status))
		if err != nil {
			return nil, err
		}
		links = links.or(some)
	}
	var more, less []int64
	err = record.Changing(conn, owner, of.Now, func(s record.State) {
		f.unsettled++
		if s.Status(of.Now) == terse.Active {
			less = append(less, int64(s.Link))
		} else {
			more = append(more, int64(s.Link))
		}
	})
	return links.or(setOf(more)).without(setOf(less)), err
}

// ceilMicros returns the first microsecond since 1970 that is not before a time.
func ceilMicros(t time.Time) int64 {
	micros := t.UnixMicro()
	if time.UnixMicro(micros).Before(t) {
		micros++
	}
	return micros
}
