package main

import (
	"testing"

	"terse/api"
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
