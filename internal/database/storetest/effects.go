package storetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"terse"
	"terse/internal/link/follow"
)

// Seen is a rule with one more effect than stores have. The database needs a table seen, with a
// column what for texts. In stores, an effect is added in Follow itself.
func Seen(c follow.Change) (follow.Effects, error) {
	e, err := follow.Follow(c)
	var what string
	switch {
	case c.Noted != nil:
		what = fmt.Sprintf("%s %s", c.Noted.Action, c.Noted.Target)
		if c.Noted.Details != nil {
			details, err := json.Marshal(c.Noted.Details)
			if err != nil {
				return e, err
			}
			what += " " + string(details)
		}
	case c.Before == nil:
		what = fmt.Sprintf("create %s", c.After.Code)
	case c.After == nil:
		what = fmt.Sprintf("delete %s", c.Before.Code)
	default:
		what = fmt.Sprintf("change %s %v", c.After.Code, e.Joined)
	}
	e.Rows = append(e.Rows, follow.Row{
		Into: "seen (what)", Values: []any{fmt.Sprintf("%s by %q, cause %d", what, c.By.Identity,
			c.By.Cause)},
	})
	return e, err
}

// Effects tests that an added effect follows from every change, in its transaction. The store has
// the rule Seen; seen returns the rows of its table, and pass is a pass of its clock.
func Effects(t *testing.T, s Store, seen func() []string, pass func() error) {
	me := terse.Caller{Identity: "me"}
	var want []string
	wantSeen := func(what string, texts ...string) {
		t.Helper()
		want = append(want, texts...)
		got := seen()
		slices.Sort(got)
		slices.Sort(want)
		wantEqual(t, what, got, want)
	}
	create := func(c string, o terse.LinkOptions) terse.Link {
		l := newLink(t, c)
		l.Options = encoded(t, o)
		link, err := s.Create(t.Context(), me, l)
		must(t, err)
		return link
	}
	link := create("link", terse.LinkOptions{Tags: []string{"news"}})
	wantSeen("a create", `create link by "me", cause 0`)
	_, err := s.Create(t.Context(), me, newLink(t, "link"))
	wantError(t, "a code that is taken", err, terse.ErrCodeTaken)
	wantSeen("a refused create")

	after := link
	after.Options = encoded(t, terse.LinkOptions{Tags: []string{"news", "x"}})
	link, err = s.Update(t.Context(), me, terse.LinkChange{Before: link, After: after})
	must(t, err)
	wantSeen("an update", `change link [#x] by "me", cause 0`)

	renaming := terse.Caller{Identity: "me", Cause: terse.CauseTag}
	after = link
	after.Options = encoded(t, terse.LinkOptions{Tags: []string{"old", "x"}})
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		err := tx.Note(t.Context(), renaming, terse.Noted{
			Action: terse.ActionRenameTag, Target: "news",
		})
		if err == nil {
			link, err = tx.Update(t.Context(), renaming,
				terse.LinkChange{Before: link, After: after})
		}
		return err
	}))
	wantSeen("a tag that is renamed", `tag.rename news by "me", cause 1`,
		`change link [#old] by "me", cause 1`)

	importing := terse.Caller{Identity: "me", Cause: terse.CauseImport}
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		_, _, err := tx.CreateAll(t.Context(), importing,
			[]terse.RestoredLink{{Link: newLink(t, "brought")}})
		return err
	}))
	wantSeen("an import", `create brought by "me", cause 2`)

	soon := time.Now().Add(50 * time.Millisecond)
	create("ends", terse.LinkOptions{ExpiresAt: soon.UTC().Truncate(time.Microsecond)})
	want = append(want, `create ends by "me", cause 0`)
	for time.Now().Before(soon) {
		time.Sleep(time.Until(soon))
	}
	must(t, pass())
	wantSeen("an end by time", `change ends [expired] by "", cause 3`)

	taken := create("taken", terse.LinkOptions{MaxClicks: 2})
	want = append(want, `create taken by "me", cause 0`)
	must(t, s.Take(t.Context(), taken.Ref()))
	must(t, s.Take(t.Context(), taken.Ref()))
	wantSeen("the last click", `change taken [used_up] by "", cause 4`)

	must(t, s.Delete(t.Context(), me, link))
	must(t, s.ClearClicks(t.Context(), me, taken.Ref())) // which has no clicks
	must(t, s.AddClicks(t.Context(), Batch("j", 0,
		terse.Click{Link: taken.ID, Code: taken.Code, Time: spring.UnixMicro()})))
	must(t, s.ClearClicks(t.Context(), me, taken.Ref()))
	wantSeen("a delete and a reset", `delete link by "me", cause 0`,
		`link.reset taken by "me", cause 0`)
}
