package importer

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/database/sqlite"
	"terse/internal/link/hosts"
	"terse/internal/link/manage"
	"terse/internal/visit/password"
)

// watched is a store that says when a transaction ended.
type watched struct {
	*sqlite.Store
	inside atomic.Int32
	ended  chan struct{}
}

func (w *watched) Transact(ctx context.Context, do func(terse.Tx) error) error {
	err := w.Store.Transact(ctx, func(tx terse.Tx) error {
		w.inside.Add(1)
		defer w.inside.Add(-1)
		return do(tx)
	})
	select {
	case w.ended <- struct{}{}:
	default:
	}
	return err
}

// Passwords are checked and hashed while nobody waits for the store. A hash that another one
// replaces meanwhile is not put back.
func TestHashesOutsideOfTransactions(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	store := &watched{Store: db, ended: make(chan struct{}, 1)}
	var hashed atomic.Int32
	i := New(Options{
		Store: store, Dir: t.TempDir(), Changed: func(string) {},
		Logger: slog.New(slog.DiscardHandler),
		Manager: manage.New(manage.Options{
			Hosts:    hosts.New(hosts.Options{BaseURL: "https://sho.rt"}),
			Reserved: func(string) bool { return false },
			HashPassword: func(text string) string {
				if hashed.Add(1); store.inside.Load() != 0 {
					t.Error("a password is hashed in a transaction")
				}
				return password.Hash(text)
			},
		}),
	})
	send := func(dry bool, lines ...string) (out []string) {
		body, err := i.Receive(t.Context(), strings.NewReader(strings.Join(lines, "\n")), "")
		if err != nil {
			t.Error(err)
			return nil
		}
		defer body.Close()
		r := Request{Caller: terse.Caller{Identity: "me"}, Conflict: Overwrite, DryRun: dry}
		if err := i.Run(t.Context(), body, r, func(lines []any) error {
			for _, line := range lines {
				if result, ok := line.(api.ImportResult); ok {
					out = append(out, result.ShortCode+" "+result.Result)
				}
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		return out
	}
	link := func(code, n, more string) string {
		return fmt.Sprintf(`{"type":"link","short_code":%q,"original_url":`+
			`"https://e.example/%s"%s}`, code, n, more)
	}
	want := func(what string, got []string, want ...string) {
		t.Helper()
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	const secret, other = `,"password":"secret"`, `,"password":"other"`
	lines := []string{
		link("code-a", "1", secret), link("code-b", "2", ""), link("code-c", "3", secret),
	}
	want("first", send(false, lines...), "code-a created", "code-b created", "code-c created")
	want("again", send(false, lines...), "code-a unchanged", "code-b unchanged",
		"code-c unchanged")
	want("dry run", send(true, link("code-a", "1", other), link("code-c", "3", secret),
		link("code-d", "4", secret)), "code-a updated", "code-c unchanged", "code-d created")
	if n := hashed.Load(); n != 2 {
		t.Errorf("%d passwords were hashed, want 2", n)
	}
	one := send(false, link("", "5", secret), link("", "5", secret))
	created, _ := strings.CutSuffix(one[0], " created")
	want("without a code", one, created+" created", created+" unchanged")

	i.verifying.Lock()
	<-store.ended // one of before
	answer := make(chan []string, 1)
	go func() { answer <- send(false, link("code-a", "1", secret)) }()
	select {
	case <-store.ended:
	case <-time.After(time.Minute):
		t.Fatal("a transaction waits for a password")
	}
	hash := password.Hash("secret")
	want("meanwhile", send(false, link("code-a", "1", fmt.Sprintf(`,"password_hash":%q`, hash))),
		"code-a updated")
	i.verifying.Unlock()
	want("after another one", <-answer, "code-a unchanged")
	code, err := terse.ParseCode("code-a")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := db.Link(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	if options, err := stored.Options.Decode(); err != nil || options.Password != hash {
		t.Errorf("password %q, %v", options.Password, err)
	}
}
