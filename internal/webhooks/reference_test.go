package webhooks

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terse/internal/tests/longtest"
)

// Receivers that use the reference libraries of Standard Webhooks for Go and for JavaScript take
// deliveries, also during a rotation, and refuse those that somebody has changed.
func TestReferenceLibraries(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	var received []map[string]string
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		headers := map[string]string{}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			headers[name] = r.Header.Get(name)
		}
		body, _ := io.ReadAll(r.Body)
		received, bodies = append(received, headers), append(bodies, string(body))
	}))
	t.Cleanup(server.Close)
	c := newClient(guardFor(t, nil, "127.0.0.0/8"), "terse/test", nil)
	t.Cleanup(c.close)
	hook, d := aHook(server.URL), aDelivery()
	d.Payload = []byte(`{"type":"link.created","data":{"link":{"title":"Grüße \"x\" <&>"}}}`)
	hook.FormerSecret = bytes.Repeat([]byte("f"), 32)
	for _, until := range []time.Duration{-time.Hour, time.Hour} { // rotated long ago, and just now
		hook.FormerUntil = time.Now().Add(until)
		if a, _ := c.attempt(t.Context(), d, hook); a.Status != 200 {
			t.Fatalf("%+v", a)
		}
	}
	var input bytes.Buffer
	var want []bool
	add := func(secret []byte, n int, body string, valid bool) {
		line, err := json.Marshal(map[string]any{
			"secret":  "whsec_" + base64.StdEncoding.EncodeToString(secret),
			"headers": received[n], "body": body,
		})
		if err != nil {
			t.Fatal(err)
		}
		input.Write(append(line, '\n'))
		want = append(want, valid)
	}
	add(hook.Secret, 0, bodies[0], true)
	add(hook.FormerSecret, 0, bodies[0], false)
	add(hook.Secret, 1, bodies[1], true)
	add(hook.FormerSecret, 1, bodies[1], true)
	add(hook.Secret, 0, bodies[0]+" ", false)
	for name, verifier := range referenceLibraries(t) {
		verifier.Stdin = bytes.NewReader(input.Bytes())
		verifier.Stderr = os.Stderr
		out, err := verifier.Output()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != len(want) {
			t.Fatalf("%s: %q", name, lines)
		}
		for i, line := range lines {
			if (line == "ok") != want[i] {
				t.Errorf("%s: delivery %d: %s", name, i, line)
			}
		}
	}
}

// referenceLibraries returns programs that verify. They are built apart, so that our module has
// none of their dependencies.
func referenceLibraries(t *testing.T) map[string]*exec.Cmd {
	t.Helper()
	dir, module := filepath.Join("testdata", "reference"), t.TempDir()
	for from, to := range map[string]string{
		"go.mod": "go.mod", "go.sum": "go.sum", "verify.go.txt": "verify.go",
	} {
		text, err := os.ReadFile(filepath.Join(dir, from))
		if err == nil {
			err = os.WriteFile(filepath.Join(module, to), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(module, "verify")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".")
	build.Dir = module
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=")
	out, err := build.CombinedOutput()
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "node_modules", "standardwebhooks"))
	}
	if err != nil {
		loud := "SIGNATURES ARE NOT VERIFIED BY OTHERS (scripts/needs.sh installs them): " +
			err.Error() + "\n" + string(out)
		if os.Getenv("CI") == "true" {
			t.Fatal(loud)
		}
		t.Skip(loud)
	}
	return map[string]*exec.Cmd{
		"Go":         exec.CommandContext(t.Context(), path),
		"JavaScript": exec.CommandContext(t.Context(), "node", filepath.Join(dir, "verify.mjs")),
	}
}
