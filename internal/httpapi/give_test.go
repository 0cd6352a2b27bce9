package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

// failing is a store whose transactions fail while there are none left.
type failing struct {
	httpapi.Store
	left *atomic.Int64
}

func (s failing) Transact(ctx context.Context, do func(terse.Tx) error) error {
	if s.left.Add(-1) < 0 {
		return errors.New("the database is away")
	}
	return s.Store.Transact(ctx, do)
}

// An admin deletes a user and gives all its links to somebody else, some at a time. A request that
// ended early can be sent again.
func TestDeleteUserAndGiveLinks(t *testing.T) {
	t.Parallel()
	left := &atomic.Int64{}
	f := newFixture(t, func(o *httpapi.Options) { o.Store = failing{o.Store, left} })
	f.addUsers(t, "ci", "deploy")
	const links = 250 // more than a transaction gives
	for i := range links {
		f.createOf(t, "ci", "link-"+strconv.Itoa(i), "https://example.com/", "NEWS")
	}
	f.exec(t, "UPDATE links SET options = '{' WHERE code = 'link-7'") // it keeps its tag
	f.createOf(t, "deploy", "theirs", "https://example.com/", "news")
	token := f.tokenFor(t, "ci", terse.Admin)

	remove := func(query string) answer {
		return f.do(t, request{method: "DELETE", target: "/api/users/ci" + query})
	}
	wantError(t, remove(""), http.StatusConflict, "still owns 250 links")
	wantError(t, remove("?move_to="), http.StatusConflict, "still owns 250 links")
	wantError(t, remove("?move_to=nobody"), http.StatusBadRequest, "unknown owner")
	wantError(t, remove("?move_to=*"), http.StatusBadRequest, "unknown owner")
	wantError(t, remove("?move_to=ci"), http.StatusBadRequest, "move_to must be somebody else")
	wantError(t, f.do(t, request{
		method: "DELETE", target: "/api/users/nobody?move_to=deploy",
	}), http.StatusNotFound, "user not found")
	wantError(t, f.do(t, request{
		method: "DELETE", target: "/api/users/ci?move_to=deploy",
		header: f.tokenFor(t, "deploy", terse.Editor),
	}), http.StatusForbidden, "needs the role admin")

	total := func(owner string) int64 {
		return decodeAs[api.Page](t, f.do(t, request{target: "/api/urls?owner=" + owner}),
			http.StatusOK).Total
	}
	left.Store(1)
	if got := remove("?move_to=deploy"); got.status != http.StatusInternalServerError {
		t.Errorf("%d %s", got.status, got.body)
	}
	if of, to := total("ci"), total("deploy"); of+to != links+1 || to < 2 || of == 0 {
		t.Errorf("after a part, %d and %d links", of, to)
	}
	left.Store(1000)
	if got := remove("?move_to=deploy"); got.status != http.StatusNoContent {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if n := total("deploy"); n != links+1 {
		t.Errorf("%d links were given", n-1)
	}
	tags := f.do(t, request{target: "/api/tags?owner=deploy"})
	if tags.body != `{"tags":[{"tag":"news","links":251}]}` {
		t.Errorf("tags %s", tags.body)
	}
	wantError(t, f.do(t, request{target: "/api/urls?owner=ci"}), http.StatusBadRequest,
		"unknown owner")
	wantError(t, f.do(t, request{target: "/api/urls", header: token}),
		http.StatusUnauthorized, "Unauthorized: invalid token")
	history := decodeAs[api.History](t,
		f.do(t, request{target: "/api/urls/link-0/history?owner=deploy"}), http.StatusOK)
	if len(history.Changes) != 1 || history.Changes[0].By != terse.Identity {
		t.Errorf("history %+v", history)
	}
	if !f.changed.has("link-0") {
		t.Error("redirects were not told")
	}
}

// late is a store that creates a link when a user has just been deleted, as a request of the user
// does that was under way.
type late struct {
	httpapi.Store
	create func()
}

func (s late) DeleteUser(ctx context.Context, by terse.Caller, identity string) error {
	err := s.Store.DeleteUser(ctx, by, identity)
	s.create()
	return err
}

func TestDeleteUserWhoCreatesALink(t *testing.T) {
	t.Parallel()
	var f *fixture
	f = newFixture(t, func(o *httpapi.Options) {
		o.Store = late{o.Store, func() { f.createOf(t, "ci", "late", "https://example.com/") }}
	})
	f.addUsers(t, "ci", "deploy")
	if got := f.do(t, request{
		method: "DELETE", target: "/api/users/ci?move_to=deploy",
	}); got.status != http.StatusNoContent {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := f.do(t, request{target: "/api/urls/late?owner=deploy"}); got.status != http.StatusOK {
		t.Errorf("the link that came late: %d %s", got.status, got.body)
	}
}
