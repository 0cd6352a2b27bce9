package sqlite

import (
	"testing"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/storetest"
)

// A click counts if its code is its link's current code or a former one, also when another program
// changed the code. Counting caches links, and forgets those that change.
func TestClicksFollowCodes(t *testing.T) {
	t.Parallel()
	s, batches := openTemp(t), int64(0)
	code := func(s string) terse.Code {
		c, err := terse.ParseCode(s)
		must(t, err)
		return c
	}
	clicks := func(link terse.LinkRef) int64 {
		clicks, err := s.Clicks(t.Context(), link)
		must(t, err)
		return clicks.Clicks
	}
	click := func(link terse.LinkRef) {
		t.Helper()
		must(t, s.AddClicks(t.Context(), terse.ClickBatch{
			Journal: "j", From: batches, To: batches + 1,
			Clicks: terse.ClicksOf([]terse.Click{{Link: link.ID, Code: link.Code}}...),
			GiveUp: func(int) {},
		}))
		batches++
	}
	before := terse.LinkRef{ID: 1, Code: code("old")}
	after := terse.LinkRef{ID: 1, Code: code("new")}
	click(before) // of no link
	link, err := s.Create(t.Context(), terse.Caller{}, terse.NewLink{
		Code: before.Code, URL: "https://example.org/", CreatedBy: terse.Identity,
	})
	must(t, err)
	if link.Ref() != before {
		t.Fatalf("the first link is %+v", link)
	}
	click(before)
	if n := clicks(before); n != 1 {
		t.Errorf("%d clicks by the first code, want 1", n)
	}
	must(t, s.write(t.Context(), func(w *writer) error {
		return query.Run(w.conn, "UPDATE links SET code = ? WHERE id = ?", after.Code.String(),
			after.ID)
	}))
	click(before)
	click(after)
	if n := clicks(after); n != 3 {
		t.Errorf("%d clicks by both codes, want 3", n)
	}
	must(t, s.Delete(t.Context(), terse.Caller{}, terse.Link{ID: after.ID, Code: after.Code}))
	click(after)
	all, err := s.Series(t.Context(), terse.AllLinks, storetest.AllTime)
	if err != nil || all.Total != 3 {
		t.Errorf("%d clicks of all links, %v, want 3", all.Total, err)
	}
}
