package httpapi_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
)

// TestChangeAndDelete sends a change and a delete of one version at the same moment, 400 times: one
// of them is done, and the other one is told that it was too late.
func TestChangeAndDelete(t *testing.T) {
	t.Parallel()
	const links = 400
	f := newFixture(t, nil)
	var wg sync.WaitGroup
	turns := make(chan struct{}, 8) // races at a time: the database serves all callers
	for i := range links {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			f.changeAndDelete(t, fmt.Sprintf("race%d", i))
		})
	}
	wg.Wait()
}

func (f *fixture) changeAndDelete(t *testing.T, code string) {
	made := f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+`"}`))
	version := made.header.Get("ETag")
	var patch, remove answer
	var wg sync.WaitGroup
	start := make(chan struct{})
	wg.Go(func() {
		<-start
		patch = f.do(t, patchRequest(code, `{"title":"new"}`).with("If-Match", version))
	})
	wg.Go(func() {
		<-start
		remove = f.do(t, request{method: "DELETE", target: "/api/urls/" + code}.
			with("If-Match", version))
	})
	close(start)
	wg.Wait()
	changed := patch.status == http.StatusOK && remove.status == http.StatusPreconditionFailed
	deleted := remove.status == http.StatusNoContent && (patch.status == http.StatusNotFound ||
		patch.status == http.StatusPreconditionFailed)
	if !changed && !deleted {
		t.Errorf("%s: PATCH answered %d, DELETE %d", code, patch.status, remove.status)
	}
	got := f.do(t, request{target: "/api/urls/" + code})
	if there := got.status == http.StatusOK; there != changed {
		t.Errorf("%s: PATCH answered %d, DELETE %d, GET %d", code, patch.status, remove.status,
			got.status)
	}
}

// TestDeleteOfAnyVersion: a delete without a version, or of any that there is, goes past changes
// that are made meanwhile.
func TestDeleteOfAnyVersion(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for i := range 100 {
		code := fmt.Sprintf("any%d", i)
		f.do(t, post(`{"original_url":"https://example.com/","short_code":"`+code+`"}`))
		var wg sync.WaitGroup
		for n := range 3 {
			wg.Go(func() {
				got := f.do(t, patchRequest(code, fmt.Sprintf(`{"title":"%d"}`, n)))
				if got.status != http.StatusOK && got.status != http.StatusNotFound {
					t.Errorf("%s: PATCH answered %v", code, got)
				}
			})
		}
		remove := request{method: "DELETE", target: "/api/urls/" + code}
		if i%2 == 0 {
			remove = remove.with("If-Match", "*")
		}
		if got := f.do(t, remove); got.status != http.StatusNoContent {
			t.Errorf("%s: DELETE answered %v", code, got)
		}
		wg.Wait()
	}
}
