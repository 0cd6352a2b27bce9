package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/auth"
	"terse/internal/database/postgres"
	"terse/internal/tests/pgtest"
)

// credential is a token or a session that is sent to all nodes all the time, until it is taken
// back.
type credential struct {
	name   string
	header string // of its requests
	// back takes it back, through a node.
	back func(t *testing.T, node *instance)

	mu      sync.Mutex
	answers [clusterNodes][]meAnswer // guarded by mu
}

// meAnswer is the answer to a request that says who asks.
type meAnswer struct {
	sent   time.Time
	status int
}

// ask sends the credential to a node until ctx ends.
func (c *credential) ask(ctx context.Context, client *http.Client, node int, url string) {
	name, value, _ := strings.Cut(c.header, ": ")
	for ctx.Err() == nil {
		sent := time.Now()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/me", nil)
		if err != nil {
			return
		}
		req.Header.Set(name, value)
		resp, err := client.Do(req)
		if err != nil {
			continue // the test is over
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		c.mu.Lock()
		c.answers[node] = append(c.answers[node], meAnswer{sent, resp.StatusCode})
		c.mu.Unlock()
		time.Sleep(clusterPause)
	}
}

// last returns how many answers of a node there are, and the status of the last one.
func (c *credential) last(node int) (n, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n = len(c.answers[node]); n > 0 {
		status = c.answers[node][n-1].status
	}
	return n, status
}

// A token or session that is taken back, and a user who is disabled or deleted, is refused by the
// node that did it at once, and by all nodes within a second, whatever they have under way.
func TestNodesRefuseWhatIsTakenBack(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	var nodes [clusterNodes]*instance
	for i := range nodes {
		nodes[i] = startProcess(t, t.TempDir(), "DATABASE_URL="+url, "BASE_URL=http://localhost",
			"OIDC_ISSUER=http://127.0.0.1:1/", "OIDC_CLIENT_ID=terse",
			"OIDC_ALLOWED_EMAILS=@example.com")
	}
	store, err := postgres.Open(t.Context(), postgres.Options{URL: url, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	credentials := takenBack(t, nodes[0], store)

	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for i, node := range nodes {
		client := plain(t, len(credentials))
		for _, c := range credentials {
			asking.Go(func() { c.ask(ctx, client, i, node.url) })
		}
	}
	defer asking.Wait()
	defer cancel()
	reach := func(c *credential, what string, status int) {
		t.Helper()
		for i := range nodes {
			before, _ := c.last(i)
			await(t, fmt.Sprintf("node %d to answer %s with %d, %s", i, c.name, status, what),
				func() bool {
					n, last := c.last(i)
					return n > before && last == status
				})
		}
	}
	for i, c := range credentials {
		reach(c, "before", http.StatusOK)
		by := i % clusterNodes
		c.back(t, nodes[by])
		done := time.Now()
		await(t, "two seconds", func() bool { return time.Since(done) > 2*time.Second })
		reach(c, "afterwards", http.StatusUnauthorized)
		c.mu.Lock()
		for node, answers := range c.answers {
			latest := done.Add(time.Second)
			if node == by {
				latest = done
			}
			for _, a := range answers {
				if a.sent.After(latest) && a.status != http.StatusUnauthorized {
					t.Errorf("%s: node %d answered %d %v after it was taken back by node %d",
						c.name, node, a.status, a.sent.Sub(done), by)
				}
			}
		}
		c.mu.Unlock()
	}
}

// takenBack returns what the test takes back.
func takenBack(t *testing.T, node *instance, store *postgres.Store) []*credential {
	t.Helper()
	admin := node.client()
	made := func(identity string) api.Token {
		t.Helper()
		token, err := admin.CreateToken(t.Context(), api.TokenRequest{
			Name: auth.NewTokenID(), Identity: identity, Role: "viewer",
		})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	shown := func(token api.Token) string { return "Authorization: Bearer " + token.Text }
	opened := func(token api.Token) string {
		t.Helper()
		got := node.do(t, "POST /ui/session", `{"token":"`+token.Text+`"}`)
		cookies := got.Cookies()
		if got.StatusCode != http.StatusNoContent || len(cookies) != 1 {
			t.Fatalf("sign in: %d %s", got.StatusCode, got.body)
		}
		return "Cookie: " + cookies[0].Name + "=" + cookies[0].Value
	}
	person := func(email string) string {
		t.Helper()
		session, stored := auth.NewSession(time.Now())
		if _, err := store.SignIn(t.Context(), terse.Caller{}, terse.User{
			Identity: email, Email: email, Role: terse.Editor, Issuer: "http://127.0.0.1:1/",
			Subject: email,
		}, stored); err != nil {
			t.Fatal(err)
		}
		return "Cookie: terse_session=" + session.Value
	}
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	deleting := func(token api.Token) func(*testing.T, *instance) {
		return func(t *testing.T, node *instance) {
			t.Helper()
			must(t, node.client().Of(api.AllOwners).DeleteToken(t.Context(), token.ID))
		}
	}
	disabling := func(identity string) func(*testing.T, *instance) {
		return func(t *testing.T, node *instance) {
			t.Helper()
			yes := true
			_, err := node.client().UpdateUser(t.Context(), identity,
				api.UserChanges{Disabled: &yes})
			must(t, err)
		}
	}

	deleted, ended, signedOut := made("one"), made("two"), opened(made("three"))
	return []*credential{
		{name: "a token", header: shown(deleted), back: deleting(deleted)},
		{name: "a session of a token", header: opened(ended), back: deleting(ended)},
		{name: "a session", header: signedOut, back: func(t *testing.T, node *instance) {
			t.Helper()
			got := node.do(t, "DELETE /ui/session", "", signedOut)
			if got.StatusCode != http.StatusNoContent {
				t.Fatalf("sign out: %d %s", got.StatusCode, got.body)
			}
		}},
		{name: "a service's token", header: shown(made("four")), back: disabling("four")},
		{
			name: "a deleted service's token", header: shown(made("five")),
			back: func(t *testing.T, node *instance) {
				t.Helper()
				must(t, node.client().DeleteUser(t.Context(), "five"))
			},
		},
		{
			name: "a person's session", header: person("ann@example.com"),
			back: func(t *testing.T, node *instance) {
				t.Helper()
				must(t, node.client().EndSessions(t.Context(), "ann@example.com"))
			},
		},
		{
			name: "a disabled person's session", header: person("ed@example.com"),
			back: disabling("ed@example.com"),
		},
	}
}

// The log has no token, whichever way it came.
func TestTokensAreNotLogged(t *testing.T) {
	t.Parallel()
	i := start(t, "LOG_LEVEL=debug")
	made, err := i.client().CreateToken(t.Context(), api.TokenRequest{Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	guess := auth.NewNamedToken()
	for _, text := range []string{made.Text, guess} {
		i.do(t, "GET /api/me?token="+text, "")
		i.do(t, "GET /api/me?access_token="+text, "", "Authorization: Bearer "+text)
		i.do(t, "POST /ui/session", `{"token":"`+text+`"}`)
	}
	if lines := i.logLines(t, "/ui/session"); len(lines) < 2 {
		await(t, "the requests to be logged",
			func() bool { return strings.Count(i.log.String(), "/ui/session") >= 2 })
	}
	if log := i.log.String() + i.told.String(); slices.ContainsFunc([]string{made.Text, guess},
		func(text string) bool { return strings.Contains(log, text) }) {
		t.Errorf("the log has a token:\n%s", log)
	}
}
