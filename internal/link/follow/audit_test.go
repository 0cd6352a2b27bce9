package follow_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/link/follow"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	type options = terse.LinkOptions
	plain := link(t, "aaa", options{}, 0)
	titled := link(t, "bbb", options{Title: "secret", Password: "secret"}, 1)
	by := terse.Caller{
		Identity: "me", Via: terse.ViaToken, Token: "t", RequestID: "r",
		Address: netip.MustParseAddr("192.0.2.1"),
	}
	of := func(cause terse.Cause) terse.Caller {
		other := by
		other.Cause = cause
		return other
	}
	settings := by
	settings.Via = terse.ViaAuthTokens
	mine := owned(link(t, "aaa", options{}, 0), "me")
	for name, tt := range map[string]struct {
		change follow.Change
		want   string // action, target and details; "": no row
	}{
		"a create": {
			follow.Change{After: mine, By: by}, "link.create aaa ",
		},
		"a create with a token of the settings": {
			follow.Change{After: mine, By: settings}, "",
		},
		"a create for somebody else with a token of the settings": {
			follow.Change{After: plain, By: settings}, `link.create aaa {"owner":"a"}`,
		},
		"a create for somebody else with a named token": {
			follow.Change{After: plain, By: by}, `link.create aaa {"owner":"a"}`,
		},
		"an update": {
			follow.Change{Before: plain, After: titled, By: settings},
			`link.update aaa {"fields":["password","short_code","title"]}`,
		},
		"an update of nothing": {
			follow.Change{Before: plain, After: link(t, "aaa", options{}, 1), By: by}, "",
		},
		"a link is given to somebody": {
			follow.Change{Before: plain, After: owned(link(t, "aaa", options{}, 1), "b"), By: by},
			`link.update aaa {"fields":["owner"],"owner":"b"}`,
		},
		"a delete": {
			follow.Change{Before: titled, By: settings}, `link.delete bbb ` +
				`{"created_at":"2027-01-15T08:00:00Z","created_by":"a",` +
				`"original_url":"https://example.org/"}`,
		},
		"an import creates a link": {
			follow.Change{After: plain, By: of(terse.CauseImport)}, "",
		},
		"an import changes a link": {
			follow.Change{Before: plain, After: titled, By: of(terse.CauseImport)}, "",
		},
		"a tag is renamed": {
			follow.Change{Before: plain, After: titled, By: of(terse.CauseTag)}, "",
		},
		"a link ends by time": {
			follow.Change{Before: plain, After: plain, By: of(terse.CauseTime)}, "",
		},
		"a visit": {
			follow.Change{Before: plain, After: titled, By: of(terse.CauseVisit)}, "",
		},
		"something else": {
			follow.Change{By: of(terse.CauseTag), Noted: &terse.Noted{
				Action: terse.ActionRenameTag, Target: "x", Details: map[string]any{"name": "<y>"},
			}}, `tag.rename x {"name":"<y>"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.change.At = now
			e, err := follow.Follow(tt.change)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, row := range e.Rows {
				v := row.Values
				got += fmt.Sprintf("%s %s %s", v[4], v[5], v[6])
				want := []any{
					now.UnixMicro(), "me", string(tt.change.By.Via), "t", v[4], v[5], v[6],
					"192.0.2.1", int64(0), "r",
				}
				if diff := cmp.Diff(want, v); diff != "" {
					t.Error(diff)
				}
				if n := strings.Count(row.Into, ",") + 1; n != len(v) {
					t.Errorf("%d values for %d columns", len(v), n)
				}
				if row.Unless != "" {
					t.Errorf("it is noted unless %s", row.Unless)
				}
			}
			if got != tt.want {
				t.Errorf("the audit has %q, want %q", got, tt.want)
			}
			e.Rows = nil
			without, err := follow.Unaudited(tt.change)
			if diff := cmp.Diff(e, without); diff != "" || err != nil {
				t.Errorf("%v, and without an audit other things follow:\n%s", err, diff)
			}
		})
	}
}
