package list

import (
	"encoding/binary"

	"terse"
	"terse/internal/linkset"
	"terse/internal/postgres/ranges"
)

// total counts the links that a filter lets through. The active ones are those that are not
// anything else. What an index counts need not be found.
func (l *listing) total(f terse.LinkFilter) (n int64, err error) {
	switch {
	case l.none:
		return 0, nil
	case f.Status == terse.Active:
		all, others := f, f
		all.Status, others.Status = "", notActive
		if n, err = l.total(all); err != nil {
			return 0, err
		}
		less, err := l.total(others)
		return n - less, err
	case f.IsZero():
		err = l.tx.QueryRow(l.ctx,
			"SELECT coalesce(sum(links), 0)::bigint FROM owners WHERE owner = $1", l.Owner).Scan(&n)
		return n, err
	case len(l.tags) == 1 && f.Status == "" && unbounded(f):
		return l.tags[0].Links, nil
	case len(l.tags) < 2 && f.Status != "" && (f.Status == notActive || !l.byClicks()):
		s := l.sourceOf(f, l.tags)
		err = l.tx.QueryRow(l.ctx, "SELECT count(*) FROM "+s.from+" WHERE "+s.where,
			s.args...).Scan(&n)
		return n, err
	}
	found, n, err := l.find(f)
	if f.Status != notActive {
		l.links = found
	}
	return n, err
}

func unbounded(f terse.LinkFilter) bool {
	return f.CreatedAfter.IsZero() && f.CreatedBefore.IsZero()
}

// find returns the links that a filter lets through, and how many they are, with those that are not
// active where it asks for active ones. The set may have others' links, or none, where nothing but
// a time is asked for.
func (l *listing) find(f terse.LinkFilter) (found linkset.Set, n int64, err error) {
	tags, exact := l.tags, true
	switch {
	case f.Status != "" && f.Status != terse.Active:
		first := tags[:min(1, len(tags))]
		found, err = l.idsOf(l.sourceOf(f, first))
		tags = tags[len(first):]
	case len(tags) > 0 && unbounded(f):
		found, err = ranges.Tagged(l.ctx, l.tx, l.Owner, tags[0].Name)
		tags = tags[1:]
	default:
		found, n, err = l.made(f)
		exact = len(tags) > 0
	}
	for _, t := range tags {
		if err != nil {
			return nil, 0, err
		}
		var tagged linkset.Set
		tagged, err = ranges.Tagged(l.ctx, l.tx, l.Owner, t.Name)
		found = found.And(tagged)
	}
	if exact {
		n = found.Count()
	}
	return found, n, err
}

// idsOf reads the links of a source. As rows of their own they would take several times as long.
func (l *listing) idsOf(s source) (linkset.Set, error) {
	var packed []byte
	err := l.tx.QueryRow(l.ctx, "SELECT string_agg(int8send("+s.id+"), '') FROM "+s.from+
		" WHERE "+s.where, s.args...).Scan(&packed)
	ids := make([]int64, len(packed)/8)
	for i := range ids {
		ids[i] = int64(binary.BigEndian.Uint64(packed[8*i:]))
	}
	return linkset.Of(ids), err
}

// made returns the links that the owner made in a range of time, and how many they are. Links are
// read only of ranges of IDs that were partly made in it.
func (l *listing) made(f terse.LinkFilter) (found linkset.Set, n int64, err error) {
	owned, err := ranges.Owned(l.ctx, l.tx, l.Owner)
	if err != nil {
		return nil, 0, err
	}
	var all linkset.Set
	first, last := f.Made()
	whole, times := ranges.Divide(owned, first, last)
	for _, r := range whole {
		all = append(all, linkset.OfRange(r.Number)...)
		n += r.Links
	}
	for _, t := range times {
		s := l.sourceOf(terse.LinkFilter{}, nil)
		s.where += " AND l.created_at BETWEEN " + s.arg(t.From) + " AND " + s.arg(t.To)
		some, err := l.idsOf(s)
		if err != nil {
			return nil, 0, err
		}
		found = found.Or(some.Without(all))
	}
	return all.Or(found), n + found.Count(), nil
}
