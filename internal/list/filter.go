package list

import (
	"slices"

	"terse"
	"terse/internal/linkset"
)

// filter are the links that a list may have.
type filter struct {
	ranges    []Range     // with their links
	links     linkset.Set // some more than there are, where nothing but time is asked for
	total     int64
	unsettled int
}

// readFilter combines the sets of tags and states, and leaves out what was not made in time. A list
// by clicks needs the set of all links, too.
func (l *listing) readFilter() error {
	ranges, err := l.of.Ranges()
	if err != nil {
		return err
	}
	if l.Order != terse.MostClickedFirst && l.Filter.IsZero() {
		l.filter.ranges = ranges
		return nil
	}
	var links linkset.Set
	for _, r := range ranges {
		links = append(links, linkset.OfRange(r.Number)...)
	}
	for _, tag := range l.Filter.Tags {
		tagged, err := l.of.Tagged(terse.FoldTag(tag))
		if err != nil {
			return err
		}
		links = links.And(tagged)
	}
	switch status := l.Filter.Status; status {
	case "":
	case terse.Active:
		others, err := l.withStatus(slices.DeleteFunc(slices.Clone(terse.Statuses),
			func(s terse.Status) bool { return s == terse.Active })...)
		if err != nil {
			return err
		}
		links = links.Without(others)
	default:
		some, err := l.withStatus(status)
		if err != nil {
			return err
		}
		links = links.And(some)
	}
	return l.addRanges(ranges, links)
}

// addRanges adds the links that were made in time. Those are asked for only of ranges that were
// partly made in it; of others it is known how many there are.
func (l *listing) addRanges(ranges []Range, links linkset.Set) error {
	first, last := l.Filter.Made()
	exact := len(l.Filter.Tags) > 0 || l.Filter.Status != "" && l.Filter.Status != terse.Active
	made, err := l.madePartly(ranges, first, last)
	if err != nil {
		return err
	}
	for _, r := range ranges {
		some := links.InRange(r.Number)
		switch {
		case len(some) == 0 || r.Last < first || last < r.First:
			continue
		case r.First < first || last < r.Last:
			some = some.And(made.InRange(r.Number))
			r.Links = some.Count()
		case exact:
			r.Links = some.Count()
		default: // those of other owners and of none are not missing from them
			r.Links -= linkset.RangeSize - some.Count()
		}
		if r.Links > 0 {
			l.filter.ranges = append(l.filter.ranges, r)
			l.filter.links = append(l.filter.links, some...)
			l.filter.total += r.Links
		}
	}
	return nil
}

// madePartly returns the links made in a span of time of those ranges that were partly made in it:
// where links are in the order of their IDs, these are two.
func (l *listing) madePartly(ranges []Range, first, last int64) (linkset.Set, error) {
	var partly, made []int64
	for _, r := range ranges {
		if r.Last >= first && last >= r.First && (r.First < first || last < r.Last) {
			partly = append(partly, r.Number)
		}
	}
	if len(partly) == 0 {
		return nil, nil
	}
	err := l.of.InRanges(partly, false, func(row *Row) error {
		if first <= row.CreatedAt && row.CreatedAt <= last {
			made = append(made, row.ID)
		}
		return nil
	})
	return linkset.Of(made), err
}

// withStatus returns the links with one of some statuses other than active.
func (l *listing) withStatus(statuses ...terse.Status) (links linkset.Set, err error) {
	for _, status := range statuses {
		some, err := l.of.WithStatus(status)
		if err != nil {
			return nil, err
		}
		links = links.Or(some)
	}
	var more, less []int64
	err = l.of.Changing(l.Filter.Now, func(id int64, status terse.Status) {
		l.filter.unsettled++
		if slices.Contains(statuses, status) {
			more = append(more, id)
		} else {
			less = append(less, id)
		}
	})
	return links.Or(linkset.Of(more)).Without(linkset.Of(less)), err
}
