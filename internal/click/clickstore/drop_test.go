package clickstore_test

import (
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickstore"
)

// A pass of the retention that can find nothing is over at once: it was complete before, and no
// older click came since.
func TestNoSecondPass(t *testing.T) {
	t.Parallel()
	m := newModel(t, 1)
	id := m.ids[0]
	add := func(at int64) {
		t.Helper()
		batch := terse.ClicksOf(terse.Click{Link: id, Code: m.links.All[id].Codes[0], Time: at})
		m.transact(func(c *clickstore.Counter) error {
			_, err := c.Add(&batch, false)
			return err
		})
	}
	// looked drops the clicks before a time and returns how often a pass looked for some.
	looked := func(before int64) int {
		t.Helper()
		n := 0
		var place clickstore.DropPlace
		for done := false; !done; {
			rows := m.rows.Clone()
			m.must(m.counter.Begin(rows, m.links, nil, time.UnixMicro(m.now)))
			var err error
			place, done, err = m.counter.Drop(place, before)
			m.must(err)
			m.counter.End(true)
			n += rows.Looked
			m.rows = rows
		}
		return n
	}
	singles := func() int { return len(m.singleClicks(id)) }

	add(spring)
	add(spring + 10)
	if looked(spring+5) == 0 || singles() != 1 {
		t.Errorf("%d clicks are left, want 1", singles())
	}
	add(spring + 7)
	for _, before := range []int64{spring + 5, spring + 4} {
		if n := looked(before); n > 0 {
			t.Errorf("a second pass looked %d times for clicks", n)
		}
	}
	add(spring + 3) // which was counted late
	if looked(spring+5) == 0 || singles() != 2 {
		t.Errorf("%d clicks are left, want 2", singles())
	}
	if looked(spring+9) == 0 || singles() != 1 {
		t.Errorf("%d clicks are left, want 1", singles())
	}
	m.counter.Forget()
	if looked(spring+9) == 0 {
		t.Error("no pass after what is known was forgotten")
	}
}
