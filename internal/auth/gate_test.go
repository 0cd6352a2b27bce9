package auth_test

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"terse"
	"terse/internal/auth"
)

// example is the text of a named token in the documentation.
const example = "terse_0123456789ABCDEFGHIJKLMNOPQRSTUV_4b57acb1"

// fake is a store of grants that counts how often it is asked.
type fake struct {
	mu       sync.Mutex
	grants   map[terse.SecretHash]terse.Grant
	sessions []terse.Session
	by       []terse.Caller
	asked    int
	seen     []string
	err      error         // of every method
	slow     time.Duration // before each answer
}

func (f *fake) ask() error {
	f.mu.Lock()
	f.asked++
	slow, err := f.slow, f.err
	f.mu.Unlock()
	time.Sleep(slow)
	return err
}

func (f *fake) TokenGrant(_ context.Context, hash terse.SecretHash) (terse.Grant, error) {
	return f.grant(hash, terse.ErrTokenNotFound)
}

func (f *fake) SessionGrant(_ context.Context, hash terse.SecretHash) (terse.Grant, error) {
	return f.grant(hash, terse.ErrSessionNotFound)
}

func (f *fake) grant(hash terse.SecretHash, unknown error) (terse.Grant, error) {
	if err := f.ask(); err != nil {
		return terse.Grant{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	granted, ok := f.grants[hash]
	if !ok {
		return terse.Grant{}, fmt.Errorf("look up: %w", unknown)
	}
	return granted, nil
}

func (f *fake) CreateSession(_ context.Context, by terse.Caller, session terse.Session) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.by = append(f.by, by)
	f.sessions = append(f.sessions, session)
	return f.err
}

func (f *fake) DeleteSession(_ context.Context, by terse.Caller, hash terse.SecretHash) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.by = append(f.by, by)
	delete(f.grants, hash)
	return f.err
}

func (f *fake) Seen(_ context.Context, identity, token string, at time.Time) error {
	if err := f.ask(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = append(f.seen, identity+" "+token+" "+at.UTC().Format("15:04:05"))
	return nil
}

// set makes the store know a token or a session.
func (f *fake) set(token string, granted terse.Grant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.grants[auth.HashOf(token)] = granted
}

func (f *fake) drop(token string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.grants, auth.HashOf(token))
}

func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

func (f *fake) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *fake) setSlow(slow time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slow = slow
}

func newFake() *fake { return &fake{grants: map[terse.SecretHash]terse.Grant{}} }

func (f *fake) gate(t testing.TB, admission *auth.Admission) *auth.Gate {
	t.Helper()
	return auth.NewGate(auth.Options{
		Tokens: newTokens(t, "of-settings"), Store: f, Admission: admission,
		Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler),
	})
}

// service is what a token of a service proves.
func service(role terse.Role) terse.Grant {
	return terse.Grant{
		User:  terse.User{Identity: "ci", Role: terse.Admin},
		Token: terse.AccessToken{ID: "t1", Identity: "ci", Role: role},
	}
}

func shown(token string) []string { return []string{"Bearer " + token} }

// role returns what a token may do, or why it is refused.
func role(gate *auth.Gate, token string) string {
	caller, err := gate.Bearer(shown(token))
	if err != nil {
		return err.Error()
	}
	return caller.Role.String()
}

func TestNamedToken(t *testing.T) {
	t.Parallel()
	store := newFake()
	gate := store.gate(t, nil)
	store.set(example, service(terse.Editor))
	want := terse.Caller{Identity: "ci", Role: terse.Editor, Via: terse.ViaToken, Token: "t1"}
	if got, err := gate.Bearer(shown(example)); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	// No other text gets as far as the store.
	asked := store.count()
	others := []string{
		"", "terse_", example[:len(example)-1], example + "1", strings.ToUpper(example),
		strings.Replace(example, "4b57acb1", "4B57ACB1", 1),
		strings.Replace(example, "4b57acb1", "4b57acb2", 1),
		strings.Replace(example, "terse_", "tersé", 1),
		"terse_0123456789ABCDEFGHIJKLMNOPQRSTU-" + fmt.Sprintf("_%08x",
			crc32.ChecksumIEEE([]byte("terse_0123456789ABCDEFGHIJKLMNOPQRSTU-"))),
		strings.Repeat("terse_", 10_000),
	}
	for i := range example {
		others = append(others, example[:i]+string(example[i]^1)+example[i+1:])
	}
	for _, text := range others {
		if got := role(gate, text); got != "Unauthorized: invalid token" &&
			got != "Unauthorized: invalid authorization format" {
			t.Errorf("%.60q: %s", text, got)
		}
	}
	if n := store.count() - asked; n != 0 {
		t.Errorf("the store was asked %d times about texts that are no tokens", n)
	}
}

func TestNewNamedToken(t *testing.T) {
	t.Parallel()
	store := newFake()
	gate := store.gate(t, nil)
	var used strings.Builder
	for range 1000 {
		token := auth.NewNamedToken()
		store.set(token, service(terse.Viewer))
		if got := role(gate, token); got != "viewer" {
			t.Fatalf("%s: %s", token, got)
		}
		used.WriteString(token[len("terse_"):38])
	}
	for _, c := range "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" {
		// 32,000 characters: each of 62 is expected 516 times, give or take 23.
		if n := strings.Count(used.String(), string(c)); n < 516-8*23 || n > 516+8*23 {
			t.Errorf("%q came %d times", c, n)
		}
	}
}

// Whatever is sent, the store is asked only about texts that may be tokens.
func FuzzNamedToken(f *testing.F) {
	f.Add(example)
	f.Add(example[:38])
	f.Add(auth.NewNamedToken())
	f.Fuzz(func(t *testing.T, text string) {
		store := newFake()
		gate := store.gate(t, nil)
		_, err := gate.Bearer(shown(text))
		if _, ok := errors.AsType[auth.Error](err); text != "of-settings" && !ok {
			t.Fatalf("%q: %v", text, err)
		}
		var isToken bool
		if len(text) == 47 && strings.HasPrefix(text, "terse_") && text[38] == '_' {
			isToken = text[39:] == fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text[:38])))
		}
		for _, c := range []byte(text[min(len(text), 6):min(len(text), 38)]) {
			isToken = isToken && (c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' ||
				c >= 'a' && c <= 'z')
		}
		if isToken != (store.count() == 1) {
			t.Fatalf("%q: the store was asked %d times", text, store.count())
		}
	})
}

// A token may do what both its role and its user's allow, as stored and by the settings.
func TestRolesCombine(t *testing.T) {
	t.Parallel()
	person := terse.User{
		Identity: "ann@example.com", Email: "ann@example.com", Issuer: "i", Subject: "s",
		Role: terse.Editor,
	}
	allowed := &auth.Admission{Emails: []string{"@example.com"}}
	admins := &auth.Admission{
		Emails: []string{"@example.com"}, AdminEmails: []string{"ann@example.com"},
	}
	disabled := person
	disabled.Disabled = true
	reader := terse.User{Identity: "reader", Role: terse.Auditor}
	for _, row := range []struct {
		name      string
		user      terse.User
		token     terse.Role
		admission *auth.Admission
		want      string
	}{
		{"as the user", person, terse.Editor, allowed, "editor"},
		{"less than the user", person, terse.Viewer, allowed, "viewer"},
		{"more than the user", person, terse.Admin, allowed, "editor"},
		{"an auditor's editor", reader, terse.Editor, nil, "viewer"},
		{"an auditor's auditor", reader, terse.Auditor, nil, "auditor"},
		{"an auditor's admin", reader, terse.Admin, nil, "auditor"},
		{
			"a person who became an auditor",
			terse.User{Identity: "x", Role: terse.Auditor},
			terse.Viewer, nil, "viewer",
		},
		{"an admin by the settings", person, terse.Admin, admins, "admin"},
		{"an editor's token of one", person, terse.Editor, admins, "editor"},
		{
			"nobody without OpenID Connect", person, terse.Editor, nil,
			"Unauthorized: account disabled",
		},
		{"disabled", disabled, terse.Editor, admins, "Unauthorized: account disabled"},
		{"without a role", terse.User{Identity: "x"}, terse.Admin, nil, ""},
	} {
		store := newFake()
		store.set(example, terse.Grant{
			User: row.user, Token: terse.AccessToken{ID: "t", Role: row.token},
		})
		if got := role(store.gate(t, row.admission), example); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// An answer of the store is used for a second, by all requests, and not after Drop.
func TestGrantsAreKeptForASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFake()
		gate := store.gate(t, nil)
		check := func(what, want string, asked int) {
			t.Helper()
			if got := role(gate, example); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
			if n := store.count(); n != asked {
				t.Errorf("%s: the store was asked %d times, want %d", what, n, asked)
			}
		}
		const unknown = "Unauthorized: invalid token"
		check("unknown", unknown, 1)
		store.set(example, service(terse.Editor))
		check("still unknown", unknown, 1)
		time.Sleep(time.Second)
		check("known", "editor", 2)
		store.set(example, service(terse.Viewer))
		time.Sleep(time.Second - 1)
		check("within a second", "editor", 2)
		time.Sleep(time.Nanosecond)
		check("after it", "viewer", 3)
		store.drop(example)
		gate.Drop()
		check("taken back by this node", unknown, 4)
		store.set(example, service(terse.Editor))
		time.Sleep(time.Second)
		check("again", "editor", 5)

		// What fails is not kept.
		store.fail(errors.New("away"))
		time.Sleep(time.Second)
		check("store away", "look up who a request comes from: away", 6)
		check("store still away", "look up who a request comes from: away", 7)
		store.fail(nil)
		check("store back", "editor", 8)

		// A token ends at its time, not when the store is asked next.
		granted := service(terse.Editor)
		granted.Token.ExpiresAt = time.Now().Add(1500 * time.Millisecond)
		store.set(example, granted)
		time.Sleep(time.Second)
		check("before its end", "editor", 9)
		time.Sleep(500*time.Millisecond - 1)
		check("at the last moment", "editor", 9)
		time.Sleep(time.Nanosecond)
		check("at its end", "Unauthorized: token expired", 9)
	})
}

// Requests that come while the store is asked wait for its answer together, but not for one that
// was asked for more than a second before them: it may be older than what was taken back.
func TestRequestsShareALookUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFake()
		store.slow = 3 * time.Second
		store.set(example, service(terse.Editor))
		gate := store.gate(t, nil)
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if got := role(gate, example); got != "editor" {
					t.Error(got)
				}
			})
		}
		synctest.Wait()
		if n := store.count(); n != 1 {
			t.Errorf("the store is asked %d times", n)
		}
		time.Sleep(time.Second)
		wg.Go(func() { role(gate, example) })
		synctest.Wait()
		if n := store.count(); n != 2 {
			t.Errorf("a second later the store was asked %d times", n)
		}
		gate.Drop()
		wg.Go(func() { role(gate, example) })
		synctest.Wait()
		if n := store.count(); n != 3 {
			t.Errorf("after Drop the store was asked %d times", n)
		}
		wg.Wait()
	})
}

// However many guess at a time, few look-ups of guesses reach the store at once, and a token that
// was right before does not wait for them. One that nobody showed before waits for its turn.
func TestGuessesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const guesses, atOnce, each = 40, 4, 10 * time.Second
		store := newFake()
		store.set(example, service(terse.Editor))
		fresh := auth.NewNamedToken()
		store.set(fresh, service(terse.Editor))
		gate := store.gate(t, nil)
		if _, err := gate.Bearer(shown(example)); err != nil {
			t.Fatal(err)
		}
		store.setSlow(each)
		var wg sync.WaitGroup
		for range guesses {
			wg.Go(func() { _, _ = gate.Bearer(shown(auth.NewNamedToken())) })
		}
		synctest.Wait()
		if n := store.count() - 1; n != atOnce {
			t.Errorf("%d guesses are looked up at once, want %d", n, atOnce)
		}
		time.Sleep(time.Second) // what was said of the first token is old
		began := time.Now()
		if _, err := gate.Bearer(shown(example)); err != nil || time.Since(began) != each {
			t.Errorf("a token that was right before: %v after %v", err, time.Since(began))
		}
		wg.Wait()
		began = time.Now()
		for range atOnce {
			wg.Go(func() { _, _ = gate.Bearer(shown(auth.NewNamedToken())) })
		}
		synctest.Wait()
		if _, err := gate.Bearer(shown(fresh)); err != nil || time.Since(began) != 2*each {
			t.Errorf("a token that nobody showed before: %v after %v", err, time.Since(began))
		}
		wg.Wait()
	})
}

// A store that answers nobody lets nobody in, and is asked again.
func TestGuessesThatWaitTooLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFake()
		store.set(example, service(terse.Editor))
		gate := store.gate(t, nil)
		store.setSlow(2 * time.Minute) // longer than the Timeout of the gate
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { _, _ = gate.Bearer(shown(auth.NewNamedToken())) })
		}
		synctest.Wait()
		if _, err := gate.Bearer(shown(example)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("in the line for longer than the timeout: %v", err)
		}
		wg.Wait()
		store.setSlow(0)
		if _, err := gate.Bearer(shown(example)); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// However many texts are tried, a token in use stays known, and memory is bounded.
func TestManyGuesses(t *testing.T) {
	t.Parallel()
	store := newFake()
	store.set(example, service(terse.Editor))
	gate := store.gate(t, nil)
	for i := range 25_000 {
		_, _ = gate.Bearer(shown(auth.NewNamedToken()))
		if i%100 > 0 {
			continue
		}
		if _, err := gate.Bearer(shown(example)); err != nil {
			t.Fatal(err)
		}
	}
	if young, old := gate.Kept(); young > 10_000 || old > 10_000 {
		t.Errorf("%d and %d answers are kept", young, old)
	}
}

func TestStoredSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFake()
		granted := service(terse.Editor)
		store.set(example, granted)
		gate := store.gate(t, nil)
		from := terse.Caller{RequestID: "r"}
		session, err := gate.SignIn(t.Context(), from, example)
		if err != nil || session.Expires != time.Now().Add(auth.SessionLifetime).UTC() ||
			len(session.Value) != 45 {
			t.Fatalf("%+v, %v", session, err)
		}
		stored := store.sessions[0]
		if stored.Hash != auth.HashOf(session.Value) || stored.Token != "t1" ||
			stored.Identity != "ci" || stored.ExpiresAt != session.Expires ||
			store.by[0].Identity != "ci" || store.by[0].RequestID != "r" {
			t.Errorf("stored %+v by %+v", stored, store.by[0])
		}
		granted.Session = stored
		store.set(session.Value, granted)
		want := terse.Caller{
			Identity: "ci", Role: terse.Editor, Via: terse.ViaSession, Token: "t1",
		}
		got, ends, err := gate.Session(session.Value)
		if err != nil || got != want || ends != session.Expires {
			t.Errorf("%+v, %v, %v", got, ends, err)
		}
		time.Sleep(auth.SessionLifetime - 1)
		if _, _, err := gate.Session(session.Value); err != nil {
			t.Errorf("at the last moment: %v", err)
		}
		time.Sleep(time.Nanosecond)
		if _, _, err := gate.Session(session.Value); !errors.Is(err, auth.ErrSession) {
			t.Errorf("at its end: %v", err)
		}

		// It ends with its token, at the latest.
		granted.Token.ExpiresAt = time.Now().Add(time.Hour)
		store.set(example, granted)
		if session, err = gate.SignIn(t.Context(), from, example); err != nil ||
			!session.Expires.Equal(granted.Token.ExpiresAt) {
			t.Errorf("%+v, %v", session, err)
		}
		granted.Session = store.sessions[1]
		granted.Session.ExpiresAt = granted.Session.ExpiresAt.Add(time.Hour)
		store.set(session.Value, granted)
		if _, ends, err := gate.Session(session.Value); err != nil ||
			!ends.Equal(granted.Token.ExpiresAt) {
			t.Errorf("ends %v, %v", ends, err)
		}

		asked := len(store.by)
		if err := gate.SignOut(t.Context(), from, session.Value); err != nil ||
			len(store.by) != asked+1 || store.by[asked].Token != "t1" {
			t.Errorf("sign out: %v, by %+v", err, store.by[asked:])
		}
		if _, _, err := gate.Session(session.Value); !errors.Is(err, auth.ErrSession) {
			t.Errorf("after signing out: %v", err)
		}
		if err := gate.SignOut(t.Context(), from, session.Value); !errors.Is(err,
			auth.ErrSession) || len(store.by) != asked+1 {
			t.Errorf("sign out again: %v", err)
		}
	})
}

// What is taken back while a session is opened is refused like what was taken back before.
func TestSignInWhileTakenBack(t *testing.T) {
	t.Parallel()
	for failure, want := range map[error]auth.Error{
		terse.ErrTokenNotFound: auth.ErrUnknown, terse.ErrUserNotFound: auth.ErrUnknown,
		terse.ErrUserDisabled: auth.ErrDisabled,
	} {
		synctest.Test(t, func(t *testing.T) {
			store := newFake()
			store.set(example, service(terse.Editor))
			gate := store.gate(t, nil)
			if _, err := gate.Bearer([]string{"Bearer " + example}); err != nil {
				t.Fatal(err)
			}
			store.err = fmt.Errorf("create a session: %w", failure)
			if _, err := gate.SignIn(t.Context(), terse.Caller{}, example); !errors.Is(err, want) {
				t.Errorf("%v, want %v", err, want)
			}
		})
	}
}

// A session of the settings' tokens needs no store.
func TestSessionOfSettingsAsksNoStore(t *testing.T) {
	t.Parallel()
	gate := closed(t, "secret")
	session, err := gate.SignIn(t.Context(), terse.Caller{}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	want := ofSettings
	want.Via = terse.ViaSession
	got, ends, err := gate.Session(session.Value)
	if err != nil || got != want || ends != session.Expires {
		t.Errorf("%+v, %v, %v", got, ends, err)
	}
	if err := gate.SignOut(t.Context(), terse.Caller{}, session.Value); err != nil {
		t.Error(err)
	}
	for _, value := range []string{"", "2.", "2." + strings.Repeat("x", 42), "1.2.3"} {
		if _, _, err := gate.Session(value); !errors.Is(err, auth.ErrSession) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// Who was seen is noted once a minute, without any request waiting for it.
func TestSeen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := newFake()
		gate := store.gate(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- gate.Run(ctx) }()
		granted := service(terse.Editor)
		store.set(example, granted)
		for range 150 { // from the first second of a minute
			role(gate, example)
			time.Sleep(time.Second)
		}
		start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		want := ""
		for at := start; at.Before(start.Add(3 * time.Minute)); at = at.Add(time.Minute) {
			want += "ci t1 " + at.Format("15:04:05") + "\n"
		}
		if got := strings.Join(store.seen, "\n") + "\n"; got != want {
			t.Errorf("noted\n%swant\n%s", got, want)
		}
		// What another node noted is not noted again.
		granted.User.LastSeenAt = time.Now().Add(time.Hour)
		granted.Token.LastUsedAt = granted.User.LastSeenAt
		store.set(example, granted)
		time.Sleep(5 * time.Minute)
		role(gate, example)
		if synctest.Wait(); len(store.seen) != 3 {
			t.Errorf("noted %q", store.seen[3:])
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Nobody waits for a store that is too busy to note who was seen.
func TestSeenNeverWaits(t *testing.T) {
	t.Parallel()
	store := newFake()
	gate := store.gate(t, nil) // which does not run
	for i := range 3000 {
		token := auth.NewNamedToken()
		granted := service(terse.Editor)
		granted.Token.ID = fmt.Sprint(i)
		store.set(token, granted)
		if got := role(gate, token); got != "editor" {
			t.Fatal(got)
		}
	}
}

// What it costs to say who a request comes from.
func BenchmarkBearer(b *testing.B) {
	store := newFake()
	store.set(example, service(terse.Editor))
	gate := store.gate(b, nil)
	for name, header := range map[string][]string{
		"settings": shown("of-settings"), "named": shown(example),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gate.Bearer(header); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
