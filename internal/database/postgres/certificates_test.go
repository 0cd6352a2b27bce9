package postgres_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terse/internal/database/postgres"
	"terse/internal/tests/pgtest"
)

// TestCertificates: what one node stores, others find, and notice.
func TestCertificates(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	one, other := open(t, url).Certificates(), open(t, url).Certificates()
	ctx := t.Context()
	if value, err := other.Load(ctx, "s.example.pem"); value != nil || err != nil {
		t.Errorf("Load of nothing: %q, %v", value, err)
	}
	must(t, one.Delete(ctx, "s.example.pem")) // which is not there
	must(t, one.Store(ctx, "s.example.pem", []byte("first")))
	before, err := other.Versions(ctx)
	must(t, err)
	must(t, one.Store(ctx, "s.example.pem", []byte("other")))
	after, err := other.Versions(ctx)
	must(t, err)
	if len(after) != 1 || cmp.Equal(before, after) {
		t.Errorf("versions %v, and then %v", before, after)
	}
	value, err := other.Load(ctx, "s.example.pem")
	must(t, err)
	if !bytes.Equal(value, []byte("other")) {
		t.Errorf("Load: %q", value)
	}
	found, err := postgres.ReadCertificates(ctx, url, []string{"s.example.pem", "none"})
	must(t, err)
	if len(found) != 1 || string(found["s.example.pem"]) != "other" {
		t.Errorf("ReadCertificates: %q", found)
	}
	must(t, one.Delete(ctx, "s.example.pem"))
	if value, err := other.Load(ctx, "s.example.pem"); value != nil || err != nil {
		t.Errorf("Load after Delete: %q, %v", value, err)
	}
}

// TestLead: one node at a time leads. The next one does when its connection is lost, and then the
// first has ended.
func TestLead(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	one, other := open(t, url).Certificates(), open(t, url).Certificates()
	leads, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		led, err := one.Lead(t.Context(), func(ctx context.Context) {
			close(leads)
			<-ctx.Done()
		})
		if !led || err == nil {
			t.Errorf("Lead without a connection: %t, %v", led, err)
		}
	}()
	<-leads
	tried := false
	try := func() bool {
		led, err := other.Lead(t.Context(), func(context.Context) { tried = true })
		must(t, err)
		return led
	}
	if try() || tried {
		t.Error("two nodes lead")
	}
	pgtest.Exec(t, url, `SELECT pg_terminate_backend(pid) FROM pg_locks
		WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = $1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
		int64(0x7465727363657274))
	await(t, "another node to lead", try)
	<-ended
}

// useCertificates runs all statements of certificates.
func useCertificates(t *testing.T, c postgres.Certificates) {
	t.Helper()
	must(t, c.Store(t.Context(), "used", []byte("value")))
	_, err := c.Load(t.Context(), "used")
	must(t, err)
	_, err = c.Versions(t.Context())
	must(t, err)
	_, err = c.Lead(t.Context(), func(context.Context) {})
	must(t, err)
	must(t, c.Delete(t.Context(), "used"))
}
