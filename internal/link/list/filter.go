package list

import (
	"errors"
	"slices"

	"terse"
	"terse/internal/link/linkset"
)

// filter keeps only the links in ranges that match the list's filter, and counts them: it combines
// the sets of tags, statuses, archived links and domains, and leaves out links that are in use, and
// links created outside of its time span.
func (l *listing) filter() error {
	if l.all() {
		l.page.Total = l.total
		return nil
	}
	for _, r := range l.ranges {
		l.links = append(l.links, linkset.OfRange(r.Number)...)
	}
	for _, tag := range l.Filter.Tags {
		tagged, err := l.of.Tagged(terse.FoldTag(tag))
		if err != nil {
			return err
		}
		l.links = l.links.And(tagged)
	}
	for _, address := range l.Filter.Addresses {
		there, err := l.at(address)
		if err != nil {
			return err
		}
		l.links = l.links.And(there)
	}
	switch status := l.Filter.Status; status {
	case "":
	case terse.Active:
		others, err := l.withStatus(slices.DeleteFunc(slices.Clone(terse.Statuses),
			func(s terse.Status) bool { return s == terse.Active })...)
		if err != nil {
			return err
		}
		l.links = l.links.Without(others)
	default:
		some, err := l.withStatus(status)
		if err != nil {
			return err
		}
		l.links = l.links.And(some)
	}
	switch archived := l.Filter.Archived; {
	case archived == nil:
	case *archived:
		l.links = l.links.And(l.archived)
	default:
		l.links = l.links.Without(l.archived)
	}
	switch domain := l.Filter.Domain; {
	case domain == nil:
	case *domain == terse.DefaultDomain:
		l.links = l.links.Without(l.elsewhere)
	default:
		there, err := l.of.OnDomain(*domain)
		if err != nil {
			return err
		}
		l.links = l.links.And(there)
	}
	if l.Filter.UnusedSince != nil {
		used, err := l.usedSince(*l.Filter.UnusedSince)
		if err != nil {
			return err
		}
		l.links = l.links.Without(used)
	}
	return l.filterRanges()
}

// readArchived reads the archived links if the filter needs them. Where there are none, a list of
// all others needs no filter.
func (l *listing) readArchived() (err error) {
	if l.Filter.Archived == nil {
		return nil
	}
	l.archived, err = l.of.Archived()
	if len(l.archived) == 0 && !*l.Filter.Archived {
		l.Filter.Archived = nil
	}
	return err
}

// readElsewhere reads the links on other domains than the default if the filter needs them. Where
// there are none, a list of all on the default domain needs no filter.
func (l *listing) readElsewhere() (err error) {
	if l.Filter.Domain == nil || *l.Filter.Domain != terse.DefaultDomain {
		return nil
	}
	l.elsewhere, err = l.of.OnDomain(terse.DefaultDomain)
	if len(l.elsewhere) == 0 {
		l.Filter.Domain = nil
	}
	return err
}

// at returns the owner's link at an address, if there is one.
func (l *listing) at(address string) (links linkset.Set, err error) {
	id, err := l.of.At(address)
	if errors.Is(err, terse.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = l.of.ByID([]int64{id}, false, func(row *Row) error {
		links = links.With(row.ID)
		return nil
	})
	return links, err
}

// all reports whether the list needs no set of links: it includes all of them in the order of time.
func (l *listing) all() bool { return l.Filter.IsZero() && l.Order != terse.MostClickedFirst }

// filterRanges counts the links of each range that were created in the filter's time span. It reads
// links only for ranges that lie partly in the span; for others the number is known.
func (l *listing) filterRanges() error {
	first, last := l.Filter.Made()
	made, err := l.madePartly(first, last)
	if err != nil {
		return err
	}
	// Only the set of all links contains IDs of other owners and of no link.
	exact := len(l.Filter.Tags)+len(l.Filter.Addresses) > 0 ||
		l.Filter.Status != "" && l.Filter.Status != terse.Active ||
		l.Filter.Archived != nil && *l.Filter.Archived ||
		l.Filter.Domain != nil && *l.Filter.Domain != terse.DefaultDomain
	all := l.ranges
	links := l.links
	l.ranges, l.links = nil, nil
	for _, r := range all {
		some := links.InRange(r.Number)
		switch {
		case r.Last < first || last < r.First:
			continue
		case r.First < first || last < r.Last:
			some = some.And(made.InRange(r.Number))
			r.Links = some.Count()
		case exact:
			r.Links = some.Count()
		default:
			r.Links -= linkset.RangeSize - some.Count()
		}
		if r.Links > 0 {
			l.ranges, l.links = append(l.ranges, r), append(l.links, some...)
			l.page.Total += r.Links
		}
	}
	return nil
}

// usedSince returns those of the list's links that were clicked on a day or later. The set has only
// links of the owner, so that the others can be counted.
func (l *listing) usedSince(day terse.Day) (linkset.Set, error) {
	others, err := l.of.Shared()
	if err != nil {
		return nil, err
	}
	var ranges, shared []int64
	for _, r := range l.ranges {
		if len(l.links.InRange(r.Number)) == 0 {
			continue
		}
		ranges = append(ranges, r.Number)
		if _, found := slices.BinarySearch(others, r.Number); found {
			shared = append(shared, r.Number)
		}
	}
	slices.Reverse(ranges)
	var parts []linkset.Set
	err = l.of.Totals(ranges, func(first int64, counts Counts) {
		var part linkset.Set
		for i, last := range counts.Last {
			if counts.Clicks[i] > 0 && last >= day.Start() {
				part = part.With(first + int64(i))
			}
		}
		parts = append(parts, part)
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(parts)
	strangers, err := l.strangersIn(shared)
	return slices.Concat(parts...).Without(strangers), err
}

// strangersIn returns the IDs of deleted links whose clicks still exist, and all IDs in the given
// ranges, which are in order, that are not the owner's links.
func (l *listing) strangersIn(ranges []int64) (linkset.Set, error) {
	var all linkset.Set
	var own []int64
	err := l.inRanges(ranges, false, func(row *Row) error {
		own = append(own, row.ID)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, number := range ranges {
		all = append(all, linkset.OfRange(number)...)
	}
	deleted, err := l.of.Deleted()
	return all.Without(linkset.Of(own)).Or(deleted), err
}

// madePartly returns the links created in a span of time, from the ranges that lie partly in it. If
// links are in the order of their IDs, there are two such ranges.
func (l *listing) madePartly(first, last int64) (linkset.Set, error) {
	var partly, made []int64
	for _, r := range l.ranges {
		if r.Last >= first && last >= r.First && (r.First < first || last < r.Last) {
			partly = append(partly, r.Number)
		}
	}
	err := l.inRanges(partly, false, func(row *Row) error {
		if first <= row.CreatedAt && row.CreatedAt <= last {
			made = append(made, row.ID)
		}
		return nil
	})
	return linkset.Of(made), err
}

// withStatus returns the links with one of the statuses, which do not include active.
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
		if slices.Contains(statuses, status) {
			more = append(more, id)
		} else {
			less = append(less, id)
		}
	})
	return links.Or(linkset.Of(more)).Without(linkset.Of(less)), err
}
