package list

import (
	"math"

	"terse"
	"terse/internal/linkset"
	"terse/internal/postgres/links"
	"terse/internal/postgres/ranges"
)

// maxRead bounds the links that are looked up at once, of which many may be others', gone or not
// active.
const maxRead = 1 << 15

// byClicks reports whether the list is sorted by the clicks of all time.
func (l *listing) byClicks() bool {
	return l.Order == terse.MostClickedFirst && l.within == nil
}

// scanByClicks finds the links that come next by their totals alone, and looks those up.
func (l *listing) scanByClicks() (err error) {
	if l.links == nil {
		if l.links, _, err = l.find(l.Filter); err != nil {
			return err
		}
	}
	mark := linkset.Ranked{ID: math.MaxInt64, Key: math.MaxInt64}
	if l.After != nil {
		mark = linkset.Ranked{ID: int64(l.After.ID), Key: l.After.Key}
	}
	for wanted := l.candidates(); ; {
		found, err := l.links.MostClicked(mark, wanted, ranges.Totals(l.ctx, l.tx))
		if err != nil || len(found) == 0 {
			return err
		}
		if err := l.lookUp(found); err != nil || l.page.Next != nil || len(found) < wanted {
			return err
		}
		mark, wanted = found[len(found)-1], max(wanted, min(2*wanted, maxRead))
	}
}

// lookUp takes those of some links that may be listed. They are put in order here, because to have
// them joined takes the planner, before it knows the table, to reading all of it.
func (l *listing) lookUp(found []linkset.Ranked) error {
	ids := make([]int64, len(found))
	for i, r := range found {
		ids[i] = r.ID
	}
	s := l.byID(ids)
	rows := make(map[int64]links.Row, len(found))
	err := l.each("SELECT "+links.Columns+" FROM "+s.from+" WHERE "+s.where, s.args, nil,
		func() (bool, error) {
			rows[l.row.ID.Int64] = l.row.Clone()
			return true, nil
		})
	for more := true; more && err == nil && len(found) > 0; found = found[1:] {
		row, listed := rows[found[0].ID]
		if l.row = row; listed {
			more, err = l.look(found[0].Key)
		}
	}
	return err
}

// candidates returns how many links of the set are probably enough for the page.
func (l *listing) candidates() int {
	wanted := int64(l.wanted())
	if l.Search == nil {
		wanted = min(wanted*l.links.Count()/l.page.Total+1, max(wanted, maxRead))
	}
	return int(wanted)
}

// maxJoinedOneByOne is how many links are quicker joined one by one with their clicks than all at
// once.
const maxJoinedOneByOne = 30_000

// scanByClicksWithin makes the list by the clicks of a range.
func (l *listing) scanByClicksWithin() error {
	n, err := l.page.Total, error(nil)
	if l.Search != nil {
		n, err = l.total(l.Filter)
	}
	if err == nil && n > maxJoinedOneByOne {
		err = l.set(joined)
	}
	mark := terse.LinkMark{Key: math.MaxInt64, ID: math.MaxInt64}
	if l.After != nil {
		mark = *l.After
	}
	if err != nil {
		return err
	}
	sql, args := l.source.byClicksWithin(l.within, mark, l.wanted())
	return l.each(sql, args, []any{&mark.ID, &mark.Key}, func() (bool, error) {
		return l.look(mark.Key)
	})
}
