package list

import (
	"math"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
)

// scanByClicks finds the links that come next by their totals alone, and looks those up. The ones
// without clicks come last.
func (l *listing) scanByClicks() error {
	wanted := l.Limit + 1
	if l.Search != nil {
		wanted = l.most + 1
	}
	for mark := (ranked{int64(l.last.ID), l.last.Key}); mark.key > 0; {
		found, err := l.mostClicked(mark, wanted)
		if err != nil {
			return err
		}
		for _, r := range found {
			more, err := l.lookUp(r)
			if err != nil || !more {
				return err
			}
			mark = r
		}
		if len(found) < wanted {
			break
		}
		// Some were others' links.
	}
	return l.scanUnclicked()
}

// mostClicked returns those clicked links that come next after a mark, so many at most. It reads
// the totals of all links.
func (l *listing) mostClicked(mark ranked, wanted int) ([]ranked, error) {
	found := top{most: wanted}
	err := l.clicks.Each(func(first terse.LinkID, clicks []int64) {
		for i, n := range slices.Backward(clicks) { // so that of equals the first ones are added
			r := ranked{int64(first) + int64(i), n}
			if n > 0 && mark.before(r) && found.wants(r) && l.lets(r.id) {
				found.add(r)
			}
		}
	})
	return found.sorted(), err
}

// lets reports whether the filter lets a link through.
func (l *listing) lets(id int64) bool { return l.Filter.IsZero() || l.filter.links.has(id) }

// scanUnclicked takes the links without clicks, by descending ID. IDs that all have clicks are
// passed over a bucket at a time.
func (l *listing) scanUnclicked() error {
	below := terse.LinkID(math.MaxInt64)
	if l.last.Key == 0 {
		below = l.last.ID
	}
	for {
		link, found, err := l.linkBelow(below)
		if !l.Filter.IsZero() && found {
			link, found = l.filter.links.upTo(link)
		}
		if err != nil || !found {
			return err
		}
		all, first, err := l.clicks.AllClicked(link)
		if err != nil {
			return err
		}
		if !all {
			more, err := l.takeUnclicked(first, link)
			if err != nil || !more {
				return err
			}
		}
		below = first
	}
}

// linkBelow returns the largest ID of a link below another.
func (l *listing) linkBelow(below terse.LinkID) (id terse.LinkID, found bool, err error) {
	err = query.Each(l.conn, "SELECT id FROM links WHERE id < ? ORDER BY id DESC LIMIT 1",
		func(row *sqlite.Stmt) error {
			id, found = terse.LinkID(row.ColumnInt64(0)), true
			return nil
		}, below)
	return id, found, err
}

// takeUnclicked takes the links without clicks in a range of IDs, downwards.
func (l *listing) takeUnclicked(first, last terse.LinkID) (more bool, err error) {
	more = true
	err = query.Each(l.conn, "SELECT "+record.Columns+" FROM links "+
		"WHERE id BETWEEN ? AND ? AND +created_by = ? ORDER BY id DESC",
		func(row *sqlite.Stmt) error {
			id := terse.LinkID(row.ColumnInt64(0))
			clicks, err := l.clicks.Of(id)
			if err != nil || clicks > 0 || !l.lets(int64(id)) {
				return err
			}
			if more, err = l.take(row, 0); err == nil && !more {
				err = query.ErrStop
			}
			return err
		}, first, last, l.Owner)
	return more, err
}

// lookUp looks a link up if it is the owner's, and takes it as the next one.
func (l *listing) lookUp(r ranked) (more bool, err error) {
	more = true
	err = query.Each(l.conn,
		"SELECT "+record.Columns+" FROM links WHERE id = ? AND created_by = ?",
		func(row *sqlite.Stmt) error {
			more, err = l.take(row, r.key)
			return err
		}, r.id, l.Owner)
	return more, err
}

// ranked is a link and what it is sorted by.
type ranked struct{ id, key int64 }

// before reports whether a link comes before another one in a list: the larger key first.
func (r ranked) before(s ranked) bool { return r.key > s.key || r.key == s.key && r.id > s.id }

// top keeps those of many links that come first in a list, so many at most.
type top struct {
	most  int
	links []ranked // up to twice as many
	last  ranked   // nothing behind it is among the first, once there are as many
	full  bool
}

// wants reports whether a link may be among the first.
func (t *top) wants(r ranked) bool { return !t.full || r.before(t.last) }

func (t *top) add(r ranked) {
	if !t.wants(r) {
		return
	}
	if t.links = append(t.links, r); len(t.links) == 2*t.most {
		t.sorted()
		t.last, t.full = t.links[t.most-1], true
	}
}

// fullBefore reports whether nothing with a key, or behind that, is among the first.
func (t *top) fullBefore(key int64) bool {
	if len(t.links) < t.most {
		return false
	}
	t.sorted()
	return t.links[t.most-1].key > key
}

// sorted returns them in the order of the list.
func (t *top) sorted() []ranked {
	slices.SortFunc(t.links, func(r, s ranked) int {
		if r.before(s) {
			return -1
		}
		return 1
	})
	t.links = t.links[:min(t.most, len(t.links))]
	return t.links
}
