package follow_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/link/follow"
)

// TestEvents: which changes are which events, and that the outbox has the links as they were.
func TestEvents(t *testing.T) {
	t.Parallel()
	type options = terse.LinkOptions
	plain, renamed := link(t, "aaa", options{}, 0), link(t, "bbb", options{Title: "<&>"}, 5)
	ended := link(t, "aaa", options{ExpiresAt: now}, 0)
	used := link(t, "aaa", options{MaxClicks: 1}, 0)
	used.Used = 1
	disabled := link(t, "aaa", options{Disabled: true}, 1)
	all := follow.EventsOf(terse.EventCreated, terse.EventUpdated, terse.EventDeleted,
		terse.EventExpired)
	for name, tt := range map[string]struct {
		before, after *follow.Stored
		cause         terse.Cause
		heard         follow.Events
		want          []terse.EventType
	}{
		"create":         {nil, plain, terse.CauseRequest, all, events(terse.EventCreated)},
		"create at once": {nil, ended, terse.CauseRequest, all, events(terse.EventCreated)},
		"delete":         {plain, nil, terse.CauseRequest, all, events(terse.EventDeleted)},
		"update":         {plain, renamed, terse.CauseRequest, all, events(terse.EventUpdated)},
		"tag":            {plain, renamed, terse.CauseTag, all, events(terse.EventUpdated)},
		"no difference":  {plain, plain, terse.CauseRequest, all, nil},
		"import":         {plain, renamed, terse.CauseImport, all, nil},
		"imported":       {nil, plain, terse.CauseImport, all, nil},
		"nobody hears":   {plain, renamed, terse.CauseRequest, 0, nil},
		"others are heard": {
			plain, renamed, terse.CauseRequest, follow.EventsOf(terse.EventDeleted), nil,
		},
		"time": {
			in(link(t, "aaa", options{ExpiresAt: now}, 0), terse.Active), ended, terse.CauseTime,
			all, events(terse.EventExpired),
		},
		"it has ended before": {
			in(link(t, "aaa", options{ExpiresAt: now}, 0), terse.Expired), ended, terse.CauseTime,
			all, nil,
		},
		"the last click": {
			in(link(t, "aaa", options{MaxClicks: 1}, 0), terse.Active), used, terse.CauseVisit,
			all, events(terse.EventExpired),
		},
		"an end is set": {
			plain, link(t, "aaa", options{ExpiresAt: now}, 2), terse.CauseRequest, all,
			events(terse.EventUpdated, terse.EventExpired),
		},
		"disabled":      {plain, disabled, terse.CauseRequest, all, events(terse.EventUpdated)},
		"only the time": {plain, plain, terse.CauseTime, all, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rule := follow.Hearing(follow.Unaudited, func() follow.Events { return tt.heard })
			e, err := rule(follow.Change{
				Before: tt.before, After: tt.after, By: terse.Caller{Cause: tt.cause}, At: now,
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []terse.EventType
			for _, row := range e.Rows {
				v := row.Values
				event, err := follow.DecodeEvent(fmt.Sprint(v[1]), now.UnixMicro(),
					fmt.Sprint(v[3]), fmt.Sprint(v[4]))
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, event.Type)
				want := terse.LinkEvent{Type: event.Type, Time: now}
				if tt.before != nil {
					want.Before, want.After = tt.before.Link, tt.before.Link
				}
				if tt.after != nil {
					want.After = tt.after.Link
				}
				if diff := cmp.Diff(want, event, cmp.AllowUnexported(terse.Code{})); diff != "" {
					t.Error(diff)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, text := range []string{"{", `{"key":"!"}`} {
		if _, err := follow.DecodeEvent("link.created", 0, "", text); err == nil {
			t.Errorf("%s is a link", text)
		}
	}
}

func events(all ...terse.EventType) []terse.EventType { return all }
