package sqlite

import (
	"path/filepath"
	"testing"

	"terse"
)

// A look-up that began before something was forgotten is not believed.
func TestKnownForgets(t *testing.T) {
	t.Parallel()
	var k known
	has := func(link terse.LinkID) bool {
		set := k.of(spanOf(link))
		return set.has(inSpan(link))
	}
	for _, forget := range []func(){func() { k.forget([]terse.LinkID{7}) }, k.forgetAll} {
		began := k.forgets.Load()
		forget()
		if k.add(7, began); has(7) {
			t.Error("a link is known that was forgotten while it was looked up")
		}
		if k.add(7, k.forgets.Load()); !has(7) || has(8) {
			t.Error("a link that was looked up is not known, or another one is")
		}
	}
}

// More deletes between two batches than the writer remembers make it forget all links.
func TestManyDeleted(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "terse.db")})
	must(t, err)
	defer s.Close()
	link, err := s.Create(t.Context(), terse.NewLink{Code: terse.NewCode(), URL: "https://example.org/", CreatedBy: "me"})
	must(t, err)
	_, err = s.Link(t.Context(), link.Code)
	must(t, err)
	must(t, s.write(t.Context(), func(w *writer) error {
		w.deleted = make([]terse.LinkID, maxDeleted+1)
		return nil
	}))
	must(t, s.Delete(t.Context(), link))
	click := terse.Click{Link: link.ID, Code: link.Code, Time: link.CreatedAt.UnixMicro() + 1, Referrer: terse.DirectReferrer}
	must(t, s.AddClicks(t.Context(), terse.ClickBatch{Journal: "j", To: 1, Clicks: []terse.Click{click}}))
	if all, err := s.Stats(t.Context(), terse.AllLinks, terse.AllTime); err != nil || all.Total != 0 {
		t.Errorf("%d clicks of a link that was deleted are counted, %v", all.Total, err)
	}
}
