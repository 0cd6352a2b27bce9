package redirect

import (
	"reflect"
	"testing"
	"time"
)

func TestDecide(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	there := []byte("https://example.com/")
	for name, test := range map[string]struct {
		link  *target
		visit Visit
		want  Outcome
	}{
		"no link":          {nil, Visit{}, Outcome{Kind: NotFound}},
		"no link, by HEAD": {nil, Visit{Head: true}, Outcome{Kind: NotFound}},
		"a link": {
			&target{location: there},
			Visit{},
			Outcome{Kind: Redirect, Location: there, Click: true},
		},
		"HEAD": {
			&target{location: there},
			Visit{Head: true},
			Outcome{Kind: Redirect, Location: there},
		},
	} {
		test.visit.Time = now
		if got := decide(test.link, &test.visit, now); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
