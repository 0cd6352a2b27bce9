package storetest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"terse"
)

// countSnapshot reads while batches of equal size are added: an answer includes only whole batches.
func countSnapshot(t *testing.T, s Store) {
	var last int64
	countWhileAdding(t, s, func(got terse.Series, _, _ int64) {
		wantSums(t, got)
		if got.Total%addedAtOnce != 0 || got.Total < last {
			t.Fatalf("%d clicks after %d, in batches of %d", got.Total, last, addedAtOnce)
		}
		last = got.Total
	})
}

// countPosition compares answers with the journal's position.
func countPosition(t *testing.T, s Store) {
	countWhileAdding(t, s, func(got terse.Series, before, after int64) {
		if got.Total < before*addedAtOnce || got.Total > after*addedAtOnce {
			t.Fatalf("%d clicks between the positions %d and %d, in batches of %d",
				got.Total, before, after, addedAtOnce)
		}
	})
}

const addedAtOnce = 330

// countWhileAdding calls check with statistics of a link and the positions of the journal before
// and after they were read, while batches are added, and once more at the end.
func countWhileAdding(t *testing.T, s Store,
	check func(got terse.Series, before, after int64),
) {
	t.Helper()
	const batches = 60
	j := newJournal(t, s)
	link := j.create(1)[0]
	var got terse.Series
	until(func() {
		for i := range int64(batches) {
			clicks := j.clicks([]terse.Link{link}, addedAtOnce, spring, 40*24*time.Hour)
			if err := s.AddClicks(t.Context(), Batch("j", i, clicks...)); err != nil {
				t.Error(err)
				return
			}
		}
	}, func() {
		before := positionOf(t, s, "j")
		got = seriesOf(t, s, link.Ref(), ever)
		check(got, before, positionOf(t, s, "j"))
	})
	wantEqual(t, "clicks", got.Total, batches*addedAtOnce)
}

func positionConflict(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 1)
	early := Batch(j.name, 1, j.clicks(links, 10, spring, time.Hour)...)
	if err := s.AddClicks(t.Context(), early); err == nil {
		t.Error("the first batch of a journal is counted from 1 on")
	}
	j.add(j.clicks(links, 10, spring, time.Hour))
	for _, from := range []int64{0, j.position - 1, j.position + 1} {
		clicks := j.clicks(links, 10, spring, time.Hour)
		if err := s.AddClicks(t.Context(), Batch(j.name, from, clicks...)); err == nil {
			t.Errorf("a batch from %d is counted at position %d", from, j.position)
		}
	}
	wantEqual(t, "position", positionOf(t, s, j.name), j.position)
	j.compareEver(links[0])
	j.add(j.clicks(links, 10, spring, time.Hour))
	j.compareEver(links[0])
}

// batchRace: 4 callers add the same batches at the same time, and batches of their own journals in
// between.
func batchRace(t *testing.T, s Store) {
	const callers, batches = 4, 25
	j, links := newJournalOf(t, s, 2)
	for i := range int64(batches) {
		clicks := j.clicks(links, 40, spring, 48*time.Hour)
		counted := make(chan []terse.Click, 2*callers)
		var wg sync.WaitGroup
		for caller := range callers {
			for _, name := range []string{j.name, fmt.Sprint("own", caller)} {
				batch := Batch(name, i, slices.Clone(clicks)...)
				wg.Go(func() {
					if err := s.AddClicks(t.Context(), batch); err == nil {
						counted <- clicks
					} else if batch.Journal != j.name {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		wantEqual(t, "batches counted", len(counted), callers+1)
		for range len(counted) {
			j.note(<-counted)
		}
	}
	j.compareRanges(links...)
	j.compareSeries(terse.AllLinks, j.all())
	j.compareList()
}

func positions(t *testing.T, s Store) {
	for name, to := range map[string]int64{"a": 7, "b": 1 << 60} {
		wantEqual(t, "position of a new journal", positionOf(t, s, name), 0)
		must(t, s.AddClicks(t.Context(), terse.ClickBatch{Journal: name, To: to}))
		wantEqual(t, "position", positionOf(t, s, name), to)
	}
}

func unknownLinks(t *testing.T, s Store) {
	j, links := newJournalOf(t, s, 2)
	unknown := terse.Link{ID: links[1].ID + 1000, Code: code(t, "unknown")}
	// A link without clicks yet counts only those of its own code.
	stale := terse.Link{ID: links[1].ID, Code: code(t, "stale")}
	none := terse.Link{ID: -1, Code: stale.Code}
	huge := terse.Link{ID: math.MaxInt64, Code: stale.Code}
	// A large ID that ends like one with clicks.
	alike := terse.Link{ID: links[0].ID + 1<<52, Code: links[0].Code}
	clicks := j.clicks([]terse.Link{unknown, stale, none, huge, alike, links[0]}, 3000, spring,
		time.Hour)
	err := s.AddClicks(t.Context(), terse.ClickBatch{
		Journal: j.name, To: 1, Clicks: terse.ClicksOf(slices.Clone(clicks)...),
	})
	if !errors.Is(err, terse.ErrUnknownLink) {
		t.Errorf("clicks of an unknown link: %v", err)
	}
	wantEqual(t, "position", positionOf(t, s, j.name), 0)
	j.add(clicks)
	if j.lost == 0 {
		t.Error("no click is lost")
	}
	delete(j.counted, stale.ID)
	j.compareEver(links...)
	j.compareList()
	wantEqual(t, "position", positionOf(t, s, j.name), j.position)
}
