package redirect

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// Only a GET is told of, and only of a code that a link could have and none has.
func TestUnknownCodesAreToldOf(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	f.linkWith(t, "soon", "https://example.com/", `starts_at "2100-01-01T00:00:00Z"`)
	f.linkWith(t, "over", "https://example.com/", `expires_at "2001-01-01T00:00:00Z"`)
	f.linkWith(t, "off", "https://example.com/", "disabled true")
	for _, request := range []string{
		"HEAD /lanch", "POST /lanch", "PUT /lanch", "GET /lanch+", "GET /lanch.svg",
		"GET /lanch.png", "GET /ab", "GET /", "GET /a.b", "GET /lanch/x", "GET /lanch//",
		"GET /%zz", "GET /soon", "GET /over", "GET /off", "GET /launch", "GET /launch/x",
	} {
		if _, err := f.ask(request); err != nil || f.missed != nil {
			t.Errorf("%s: told of %v, %v", request, f.missed, err)
			f.missed = nil
		}
	}
	f.wait = time.Second
	_, _ = f.ask("GET /lanch")
	f.wait = 0
	away := errors.New("away")
	f.links.err.Store(&away)
	_, _ = f.ask("GET /launcher")
	f.links.err.Store(nil)
	if f.missed != nil {
		t.Errorf("told of what is not known: %v", f.missed)
	}
	for _, request := range []string{
		"GET /lanch", "GET /lanch", "GET /lanch/", "GET /l%61nch", "GET /lanch?x=1", "GET /Launch",
	} {
		if w, err := f.ask(request); err != nil || w.Code != 404 {
			t.Errorf("%s: %d, %v", request, w.Code, err)
		}
	}
	want := []string{"lanch", "lanch", "lanch", "lanch", "lanch", "Launch"}
	if !slices.Equal(f.missed, want) {
		t.Errorf("told of %v, want %v", f.missed, want)
	}
}

// A link that goes while it is visited is unknown then.
func TestVanishedLinkIsToldOf(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	link := f.linkWith(t, "few", "https://example.com/", "max_clicks 3")
	f.want(t, "/few", "https://example.com/")
	f.delete(t, link)
	f.want(t, "/few", "")
	if !slices.Equal(f.missed, []string{"few"}) {
		t.Errorf("told of %v", f.missed)
	}
	f.Invalidate(link.Code.String())
	f.want(t, "/few", "")
	if !slices.Equal(f.missed, []string{"few", "few"}) {
		t.Errorf("told of %v", f.missed)
	}
}
