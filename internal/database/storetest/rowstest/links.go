package rowstest

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickstore"
)

// LinksDatabase is a database on which clickstore.Links is tested.
type LinksDatabase interface {
	// Make creates a link.
	Make(owner string) terse.LinkRef
	Delete(link terse.LinkRef)
	// Rename changes the code of a link, and Move its owner.
	Rename(link terse.LinkRef, to terse.Code)
	Move(link terse.LinkRef, owner string)
	// Links runs f in a transaction, which is rolled back if f returns an error.
	Links(f func(clickstore.Links) error) error
	// Restore changes the random value of the newest tombstone, as if a restored backup had been
	// used since.
	Restore()
}

// RunLinks tests the promises of clickstore.Links on databases. open creates an empty one.
func RunLinks(t *testing.T, open func(testing.TB) LinksDatabase) {
	t.Helper()
	for name, test := range map[string]func(*links){
		"look up": lookUp, "changes": changes, "many deletes": manyDeletes,
		"taken back": takenBack, "a day later": dayLater, "restored": restored,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(&links{t, open(t), time.Now()})
		})
	}
}

type links struct {
	*testing.T
	LinksDatabase
	now time.Time
}

func (l *links) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

// lookUp returns the facts about IDs.
func (l *links) lookUp(ids ...terse.LinkID) (known []clickstore.Fact) {
	l.Helper()
	slices.Sort(ids)
	l.must(l.Links(func(links clickstore.Links) error {
		return clickstore.Lookup(links, ids, func(k clickstore.Fact) { known = append(known, k) })
	}))
	return known
}

func (l *links) want(got []clickstore.Fact, want ...clickstore.Fact) {
	l.Helper()
	if len(got) != len(want) {
		l.Errorf("%v is known, want %v", got, want)
	}
	for _, k := range want {
		if !slices.Contains(got, k) {
			l.Errorf("%v is known, want %v", got, k)
		}
	}
}

// told is the result of Changed.
type told struct {
	now        clickstore.Mark
	everything bool
	ids        []terse.LinkID
	removed    []terse.LinkID
}

func (l *links) changed(since clickstore.Mark) (all told) {
	l.Helper()
	l.must(l.Links(func(links clickstore.Links) (err error) {
		all, err = l.changedIn(links, since)
		return err
	}))
	return all
}

func (l *links) changedIn(links clickstore.Links, since clickstore.Mark) (all told, err error) {
	all.now, all.everything, err = clickstore.Changed(links, since, l.now,
		func(id terse.LinkID) { all.ids = append(all.ids, id) },
		func(id terse.LinkID) error {
			all.removed = append(all.removed, id)
			return nil
		})
	return all, err
}

func (l *links) wantTold(got told, everything bool, ids, removed []terse.LinkID) {
	l.Helper()
	if got.everything != everything || !slices.Equal(got.ids, ids) ||
		!slices.Equal(got.removed, removed) {
		l.Errorf("told %v %v, removed %v, want %v %v, removed %v", got.everything, got.ids,
			got.removed, everything, ids, removed)
	}
}

func lookUp(l *links) {
	a, b, gone := l.Make("ann"), l.Make("ann"), l.Make("ann")
	other := l.Make("bob")
	l.Delete(gone)
	known := l.lookUp(other.ID, a.ID, b.ID, gone.ID, other.ID+100, -4096)
	if len(known) != 4 {
		l.Fatalf("%v is known", known)
	}
	owners := map[terse.LinkID]clickstore.OwnerID{}
	for _, k := range known {
		owners[k.ID] = k.Owner
	}
	if owners[a.ID] <= 0 || owners[other.ID] <= 0 || owners[a.ID] == owners[other.ID] {
		l.Errorf("owners have the numbers %v", owners)
	}
	l.want(known, clickstore.Fact{ID: a.ID, Code: a.Code, Owner: owners[a.ID]},
		clickstore.Fact{ID: b.ID, Code: b.Code, Owner: owners[a.ID]},
		clickstore.Fact{ID: other.ID, Code: other.Code, Owner: owners[other.ID]},
		clickstore.Fact{ID: gone.ID, Deleted: true})
	l.want(l.lookUp(a.ID), clickstore.Fact{ID: a.ID, Code: a.Code, Owner: owners[a.ID]})
	l.want(l.lookUp())

	code := terse.NewCode(false)
	l.Rename(a, code)
	l.Move(terse.LinkRef{ID: a.ID, Code: code}, "bob")
	l.want(l.lookUp(a.ID), clickstore.Fact{ID: a.ID, Code: code, Owner: owners[other.ID]},
		clickstore.Fact{ID: a.ID, Code: a.Code, Former: true, Owner: owners[other.ID]})
}

func changes(l *links) {
	a, b, c := l.Make("ann"), l.Make("ann"), l.Make("ann")
	first := l.changed(clickstore.Mark{})
	l.wantTold(first, true, nil, nil)
	if first.now.Number <= 0 {
		l.Errorf("the first mark is %v", first.now)
	}
	l.wantTold(l.changed(first.now), false, nil, nil)
	l.Delete(a)
	l.Move(b, "bob")
	second := l.changed(first.now)
	l.wantTold(second, false, []terse.LinkID{a.ID, b.ID}, []terse.LinkID{a.ID})
	l.wantTold(l.changed(second.now), false, nil, nil)
	l.Rename(c, terse.NewCode(false))
	// Another process learns of all changes, and removes nothing again.
	l.wantTold(l.changed(first.now), false, []terse.LinkID{a.ID, b.ID, c.ID}, nil)
}

func manyDeletes(l *links) {
	const n = 2*clickstore.MaxDeletes + 5
	all := map[terse.LinkID]bool{}
	var made []terse.LinkRef
	for range n {
		made = append(made, l.Make("ann"))
	}
	mark := l.changed(clickstore.Mark{}).now
	for _, link := range made {
		l.Delete(link)
	}
	for round, removed := range []int{clickstore.MaxDeletes, clickstore.MaxDeletes, 5, 0} {
		got := l.changed(mark)
		if len(got.ids) != n*max(0, 1-round) || len(got.removed) != removed || got.everything {
			l.Errorf("round %d: %v", round, got)
		}
		for _, id := range got.removed {
			all[id] = true
		}
		mark = got.now
	}
	if len(all) != n {
		l.Errorf("%d links of %d were removed: %v", len(all), n, slices.Sorted(maps.Keys(all)))
	}
}

// takenBack lets a transaction fail after Changed: the next one gets the same result.
func takenBack(l *links) {
	link := l.Make("ann")
	mark := l.changed(clickstore.Mark{}).now
	l.Delete(link)
	for range 2 {
		err := l.Links(func(links clickstore.Links) error {
			got, err := l.changedIn(links, mark)
			l.wantTold(got, false, []terse.LinkID{link.ID}, []terse.LinkID{link.ID})
			if err != nil {
				return err
			}
			return errBack
		})
		if !errors.Is(err, errBack) {
			l.Fatal(err)
		}
	}
	l.wantTold(l.changed(mark), false, []terse.LinkID{link.ID}, []terse.LinkID{link.ID})
}

// dayLater lets tombstones be deleted: a process that was away since then learns that everything
// may have changed.
func dayLater(l *links) {
	a, b := l.Make("ann"), l.Make("ann")
	first := l.changed(clickstore.Mark{}).now
	l.Delete(a)
	l.changed(first)
	l.Delete(b)
	newest := l.changed(first).now
	l.now = l.now.Add(23 * time.Hour)
	l.wantTold(l.changed(first), false, []terse.LinkID{a.ID, b.ID}, nil)
	l.now = l.now.Add(2 * time.Hour)
	l.changed(newest) // forgets
	l.wantTold(l.changed(first), true, nil, nil)
	l.wantTold(l.changed(newest), false, nil, nil)
	l.want(l.lookUp(a.ID))
	l.want(l.lookUp(b.ID), clickstore.Fact{ID: b.ID, Deleted: true})
}

func restored(l *links) {
	link := l.Make("ann")
	first := l.changed(clickstore.Mark{}).now
	l.Delete(link)
	mark := l.changed(first).now
	l.Restore()
	got := l.changed(mark)
	l.wantTold(got, true, nil, nil)
	l.wantTold(l.changed(got.now), false, nil, nil)
	ahead := clickstore.Mark{Number: got.now.Number + 1, Random: got.now.Random}
	l.wantTold(l.changed(ahead), true, nil, nil)
}
