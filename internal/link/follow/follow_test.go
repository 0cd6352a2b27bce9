package follow_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/link/follow"
)

var (
	now   = time.UnixMicro(1_800_000_000_000_000).UTC()
	later = now.Add(time.Hour)
)

const ever, never = math.MaxInt64, math.MinInt64

// link returns a link with options, as it was last changed n microseconds after now.
func link(t *testing.T, c string, o terse.LinkOptions, n int64) *follow.Stored {
	t.Helper()
	code, err := terse.ParseCode(c)
	if err != nil {
		t.Fatal(err)
	}
	text, err := o.Encode()
	if err != nil {
		t.Fatal(err)
	}
	l := terse.Link{
		ID: 7, Code: code, URL: "https://example.org/", CreatedBy: "a", CreatedAt: now,
		Options: text,
	}
	if n > 0 {
		l.UpdatedAt = now.Add(time.Duration(n) * time.Microsecond)
	}
	return follow.Decode(l)
}

// in puts a link into sets, as rows may have it.
func in(l *follow.Stored, status terse.Status, tags ...string) *follow.Stored {
	l.Status, l.Tags = status, tags
	return l
}

// archived puts a link into the set of the archived ones.
func archived(l *follow.Stored) *follow.Stored {
	l.Archived = true
	return l
}

func damaged(l *follow.Stored, aliases ...string) *follow.Stored {
	l.Options = "{"
	l = follow.Decode(l.Link)
	l.Aliases = aliases
	return l
}

func owned(l *follow.Stored, owner string) *follow.Stored {
	l.CreatedBy = owner
	return l
}

func TestFollow(t *testing.T) {
	t.Parallel()
	type options = terse.LinkOptions
	always := func(sets follow.Sets) follow.Facts {
		return follow.Facts{Sets: sets, OpenUntil: ever, Since: never, Until: ever}
	}
	tagged := options{Tags: []string{"News", "Ä"}, Aliases: []string{"x/y"}}
	ending := options{ExpiresAt: later}
	for name, tt := range map[string]struct {
		before, after *follow.Stored
		cause         terse.Cause
		at            time.Time
		want          follow.Effects
		entry         []string // the fields of the entry in the history
	}{
		"a plain link is created": {
			after: link(t, "aaa", options{}, 0),
			want:  follow.Effects{Facts: always(follow.Sets{})},
		},
		"a link with tags and an alias is created": {
			after: link(t, "aaa", tagged, 0),
			want: follow.Effects{
				Facts:  always(follow.Sets{Tags: []string{"news", "ä"}}),
				Joined: []string{"#news", "#ä"},
			},
		},
		"a link that is disabled is created": {
			after: link(t, "aaa", options{Disabled: true}, 0),
			want: follow.Effects{
				Facts: follow.Facts{
					Sets: follow.Sets{Status: terse.Disabled}, OpenUntil: never, Since: never,
					Until: ever,
				},
				Joined: []string{"disabled"},
			},
		},
		"an archived link is created": {
			after: link(t, "aaa", options{Archived: true}, 0),
			want: follow.Effects{
				Facts: always(follow.Sets{Archived: true}), Joined: []string{"archived"},
			},
		},
		"a link is archived no longer": {
			before: archived(link(t, "aaa", options{Archived: true, Disabled: true}, 0)),
			after:  link(t, "aaa", options{Disabled: true}, 1),
			want: follow.Effects{
				Facts: follow.Facts{
					Sets: follow.Sets{Status: terse.Disabled}, OpenUntil: never, Since: never,
					Until: ever,
				},
				Left: []string{"archived"}, Joined: []string{"disabled"}, Forget: []string{"aaa"},
			},
			entry: []string{"archived"},
		},
		"damaged options keep a link in the archive": {
			before: archived(damaged(link(t, "aaa", options{}, 0))),
			after:  owned(damaged(link(t, "aaa", options{}, 1)), "b"),
			want: follow.Effects{
				Facts: always(follow.Sets{Archived: true}), Tombstone: follow.Moved,
				Left: []string{"archived"}, Joined: []string{"archived"}, Forget: []string{"aaa"},
			},
			entry: []string{"owner"},
		},
		"a link that will end is created": {
			after: link(t, "aaa", ending, 0),
			want: follow.Effects{Facts: follow.Facts{
				Sets: follow.Sets{Status: terse.Active}, OpenUntil: later.UnixMicro(),
				Since: never, Until: later.UnixMicro(),
			}},
		},
		"a damaged link is created": {
			after: damaged(link(t, "aaa", options{}, 0)),
			want:  follow.Effects{Facts: always(follow.Sets{})},
		},
		"a tag is exchanged": {
			before: in(link(t, "aaa", options{Tags: []string{"old", "same"}}, 0), "",
				"old", "same"),
			after: link(t, "aaa", options{Tags: []string{"new", "Same"}}, 1),
			want: follow.Effects{
				Facts: always(follow.Sets{Tags: []string{"new", "same"}}),
				Left:  []string{"#old"}, Joined: []string{"#new"}, Forget: []string{"aaa"},
			},
			entry: []string{"tags"},
		},
		"a code changes, and becomes an alias": {
			before: link(t, "aaa", options{}, 0),
			after:  link(t, "bbb", options{Aliases: []string{"aaa"}}, 1),
			want: follow.Effects{
				Facts: always(follow.Sets{}), Former: true,
				Tombstone: follow.Moved, Forget: []string{"aaa", "bbb"},
			},
			entry: []string{"aliases", "short_code"},
		},
		"a link is given to somebody": {
			before: in(link(t, "aaa", tagged, 0), "", "news", "ä"),
			after:  owned(link(t, "aaa", tagged, 1), "b"),
			want: follow.Effects{
				Facts: always(follow.Sets{Tags: []string{"news", "ä"}}),
				Left:  []string{"#news", "#ä"}, Joined: []string{"#news", "#ä"},
				Tombstone: follow.Moved, Forget: []string{"aaa", "x/y"},
			},
			entry: []string{"owner"},
		},
		"a link is deleted": {
			before: in(link(t, "aaa", tagged, 0), terse.Expired, "news", "ä"),
			want: follow.Effects{
				Left: []string{"#news", "#ä", "expired"}, Tombstone: follow.Deleted,
				Forget: []string{"aaa", "x/y"},
			},
		},
		"a link ends by time": {
			before: in(link(t, "aaa", ending, 0), terse.Active),
			after:  link(t, "aaa", ending, 0), cause: terse.CauseTime, at: later,
			want: follow.Effects{
				Facts: follow.Facts{
					Sets: follow.Sets{Status: terse.Expired}, OpenUntil: later.UnixMicro(),
					Since: later.UnixMicro(), Until: ever,
				},
				Joined: []string{"expired"},
			},
		},
		"a link that has ended since is no longer limited": {
			before: in(link(t, "aaa", ending, 0), terse.Active),
			after:  link(t, "aaa", options{}, 1), at: later,
			want: follow.Effects{
				Facts: always(follow.Sets{}), Forget: []string{"aaa"},
			},
			entry: []string{"expires_at"},
		},
		"damaged options keep tags, aliases and state": {
			before: in(damaged(link(t, "aaa", options{}, 0), "x"), terse.UsedUp, "news"),
			after:  damaged(link(t, "bbb", options{}, 1)),
			want: follow.Effects{
				Facts:  always(follow.Sets{Tags: []string{"news"}, Status: terse.UsedUp}),
				Former: true, Tombstone: follow.Moved,
				Forget: []string{"aaa", "bbb", "x"},
			},
			entry: []string{"short_code"},
		},
		"damaged options are replaced": {
			before: in(damaged(link(t, "aaa", options{}, 0), "x"), terse.UsedUp, "news"),
			after:  link(t, "aaa", options{}, 1),
			want: follow.Effects{
				Facts: always(follow.Sets{}), Left: []string{"#news", "used_up"},
				Forget: []string{"aaa", "x"},
			},
		},
		"an import changes a time": {
			before: link(t, "aaa", options{}, 0),
			after:  link(t, "aaa", options{}, 5), cause: terse.CauseImport,
			want: follow.Effects{Facts: always(follow.Sets{}), Forget: []string{"aaa"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.at.IsZero() {
				tt.at = now
			}
			by := terse.Caller{Identity: "me", RequestID: "id", Cause: tt.cause}
			got, err := follow.Follow(follow.Change{
				Before: tt.before, After: tt.after, By: by, At: tt.at,
			})
			if err != nil {
				t.Fatal(err)
			}
			wantEntry(t, got.History, tt.after, tt.entry)
			got.History, got.Rows = nil, nil // TestAudit has these
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// wantEntry wants an entry about fields, or none.
func wantEntry(t *testing.T, got *follow.History, after *follow.Stored, fields []string) {
	t.Helper()
	var names []string
	if got != nil {
		for name := range got.Fields {
			names = append(names, name)
		}
		slices.Sort(names)
		if got.By != "me" || got.RequestID != "id" || !got.Time.Equal(after.UpdatedAt) ||
			len(got.Text) == 0 {
			t.Errorf("entry %+v", got)
		}
	}
	if !slices.Equal(names, fields) || (got == nil) != (fields == nil) {
		t.Errorf("the history has %q, want %q", names, fields)
	}
}

// TestUserUpdated: an entry names what differs, and a bounded number of groups.
func TestUserUpdated(t *testing.T) {
	t.Parallel()
	before := terse.User{Identity: "a", Role: terse.Editor, Groups: []string{"x"}}
	if what, changed := follow.UserUpdated(before, before); changed {
		t.Errorf("nothing differs, and it notes %+v", what)
	}
	after := before
	after.Groups = nil
	for i := range terse.MaxGroups {
		after.Groups = append(after.Groups, fmt.Sprint(i))
	}
	got, _ := follow.UserUpdated(before, after)
	want := terse.Noted{
		Action: terse.ActionUpdateUser, Target: "a", Details: map[string]any{
			"groups": map[string]any{"left": []string{"x"}, "joined": after.Groups[:20]},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	after.Groups = nil
	got, _ = follow.UserUpdated(before, after)
	want.Details["groups"] = map[string]any{"left": []string{"x"}, "joined": []string{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
