package main

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terse/api"
	"terse/internal/tests/foreign"
	"terse/internal/tests/oidctest"
)

// TestAuditRetention: entries outlive the process, unless the audit is turned off.
func TestAuditRetention(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	entries := func(i *instance) []api.AuditEntry {
		t.Helper()
		audit, err := i.client().Audit(t.Context(), api.AuditQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return audit.Entries
	}
	i := startIn(t, dir)
	code := i.shorten(t, "https://example.com/")
	patch := func() {
		t.Helper()
		i.do(t, "PATCH /api/urls/"+code, `{"note":"a note"}`, authorized(), "X-Request-ID: mine")
		i.do(t, "PATCH /api/urls/"+code, `{"note":null}`, authorized())
	}
	patch()
	for range 2 {
		got := entries(i)
		if len(got) != 2 || got[1].RequestID == nil || *got[1].RequestID != "mine" ||
			got[0].RequestID == nil || got[1].Address == nil || *got[1].Address != "127.0.0.1" {
			t.Fatalf("the audit has %+v", got)
		}
		i.stop(t)
		i = startIn(t, dir)
	}
	i.stop(t)
	i = startIn(t, dir, "AUDIT_RETENTION=0")
	patch()
	if got := entries(i); len(got) != 0 {
		t.Errorf("without an audit there is %+v", got)
	}
	i.stop(t)
	// It may have stopped before it deleted them.
	for i = startIn(t, dir); len(entries(i)) > 0; i = startIn(t, dir) {
		if t.Context().Err() != nil {
			t.Fatal("old entries stay")
		}
		i.stop(t)
		i = startIn(t, dir, "AUDIT_RETENTION=0")
		i.stop(t)
	}
}

// TestAuditOfSignIns: the audit says who signed in, and who tried.
func TestAuditOfSignIns(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it lists the whole audit")
	p := oidctest.Start(t)
	s := startSignIn(t, p.URL)
	for range 2 {
		get(t, s.browser, s.url+"/ui/oidc/callback?code=a&state=b")
	}
	p.Do(oidctest.Behaviour{IDToken: map[string]any{"email": "Eve@example.com"}})
	s.wantOut(t, http.StatusForbidden, "Eve@example.com")
	p.Do(oidctest.Behaviour{})
	s.wantIn(t)
	audit, err := s.client().Audit(t.Context(), api.AuditQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range audit.Entries {
		text := e.Action
		for _, part := range []*string{e.By, e.Via, e.Target} {
			if part == nil {
				text += " -"
			} else {
				text += " " + *part
			}
		}
		got = append(got, text+" "+string(e.Details))
		if e.Address == nil || e.RequestID == nil {
			t.Errorf("%s: %+v", text, e)
		}
	}
	slices.Reverse(got)
	if diff := cmp.Diff([]string{
		`sign_in.failed - - - {"reason":"OpenID Connect"}`,
		`user.refused - - eve@example.com {"reason":"OIDC_ALLOWED_EMAILS"}`,
		`user.create ann@example.com session ann@example.com {"email":"ann@example.com",` +
			`"issuer":"` + p.URL + `","role":"editor"}`,
		`session.create ann@example.com session ann@example.com {}`,
	}, got); diff != "" {
		t.Errorf("the audit (-want +got):\n%s", diff)
	}
}
