package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse/internal/cli"
	"terse/internal/tests/doctest"
)

// What the command line does with webhooks, from their making to their end.
func TestWebhooksOnTheCommandLine(t *testing.T) {
	t.Parallel()
	i := start(t, "WEBHOOK_ALLOWED_NETWORKS=192.0.2.0/24")
	const url = "http://192.0.2.7/hook"
	made := i.command(t, "webhook", "create", url, "--event", "link.created,clicks", "-l", "News",
		"--description", "For a test")
	id, secret, _ := strings.Cut(strings.TrimSpace(made.out), "\t")
	if made.code != cli.ExitOK || made.err != "" || !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("create a webhook: %d %q %s", made.code, made.out, made.err)
	}
	wantOut(t, i.command(t, "webhook", "list"),
		id+"\t"+url+"\tactive\tclicks,link.created\tNews\t…")
	wantOut(t, i.command(t, "webhook", "show", url), "id\t"+id, "url\t"+url, "state\tactive",
		"events\tclicks, link.created", "tags\tNews", "description\tFor a test", "created_at\t…",
		"created_by\tauthenticated-user")
	if r := i.command(t, "webhook", "edit", id, "--disable", "--clear", "tag"); r.code != 0 ||
		!strings.Contains(r.out, "state\tdisabled:user\n") || strings.Contains(r.out, "tags") {
		t.Errorf("%+v", r)
	}
	wantRefusal(t, i.command(t, "webhook", "test", id), cli.ExitFailure, "Webhook is disabled.")
	if r := i.command(t, "webhook", "edit", url, "--enable", "--event", "clicks"); r.code != 0 ||
		!strings.Contains(r.out, "state\tactive\n") ||
		!strings.Contains(r.out, "events\tclicks\n") {
		t.Errorf("%+v", r)
	}
	again := i.command(t, "webhook", "rotate", id)
	if !strings.HasPrefix(again.out, "whsec_") || strings.TrimSpace(again.out) == secret {
		t.Errorf("%+v", again)
	}
	tested := i.command(t, "webhook", "test", id)
	delivery := strings.TrimSpace(tested.out)
	if tested.code != cli.ExitOK || !strings.HasPrefix(delivery, "msg_") {
		t.Fatalf("%+v", tested)
	}
	wantOut(t, i.command(t, "webhook", "deliveries", id), delivery+"\twebhook.test\twaiting\t…")
	one := i.command(t, "webhook", "deliveries", id, delivery)
	if !strings.Contains(one.out, "payload\t{\"type\":\"webhook.test\"") {
		t.Errorf("%+v", one)
	}
	wantOut(t, i.command(t, "webhook", "deliveries", id, "-s", "failed"))
	wantOut(t, i.command(t, "webhook", "retry", id, delivery), "Sending again "+delivery)

	wantRefusal(t, i.command(t, "webhook", "create", "http://198.51.100.7/", "--event", "clicks"),
		cli.ExitFailure, "Webhook address is not allowed: its host has no address, or one of a "+
			"network that the server's WEBHOOK_ALLOWED_NETWORKS does not name.")
	wantRefusal(t, i.command(t, "webhook", "create", "ftp://a.example/", "--event", "clicks"),
		cli.ExitFailure, "ftp://a.example/ must be an https URL")
	wantRefusal(t, i.command(t, "webhook", "show", "none"), cli.ExitNotFound, `No webhook "none".`)
	wantRefusal(t, i.command(t, "webhook", "show", "https://none.example/"), cli.ExitNotFound,
		`No webhook "https://none.example/".`)
	wantRefusal(t, i.command(t, "webhook", "retry", id, "none"), cli.ExitNotFound,
		`No delivery "none".`)
	if r := i.command(t, "webhook", "edit", id); r.code != cli.ExitUsage ||
		!strings.Contains(r.err, "nothing to change") {
		t.Errorf("%+v", r)
	}
	wantOut(t, i.command(t, "webhook", "delete", url, "-y"), "Deleted "+url)
	wantOut(t, i.command(t, "webhook", "list"))
}

// webhookRequest is one that the document's code judges.
type webhookRequest struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// The code of the document accepts requests as the server signs them, and no others.
func TestTheDocumentVerifiesWebhooks(t *testing.T) {
	t.Parallel()
	const (
		document, section = "../../docs/webhooks.md", "## Verifying a request"

		key  = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
		id   = "msg_0123456789ABCDEFGHIJKLMNOPQ"
		body = `{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000000Z","data":{}}`
	)
	secret, err := base64.StdEncoding.DecodeString(key)
	must(t, err)
	sign := func(timestamp string) string {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(id + "." + timestamp + "." + body))
		return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	text, err := os.ReadFile(document)
	must(t, err)
	for _, part := range []string{"whsec_" + key, id, body, "1767225600", sign("1767225600")} {
		if !strings.Contains(string(text), "`"+part+"`") {
			t.Errorf("the document's example lacks %s", part)
		}
	}
	var requests []webhookRequest
	var want []string
	add := func(accepted bool, timestamp, signature string) {
		headers := map[string]string{"webhook-id": id, "webhook-signature": signature}
		if timestamp != "" {
			headers["webhook-timestamp"] = timestamp
		}
		requests = append(requests, webhookRequest{"whsec_" + key, headers, body})
		want = append(want, strconv.FormatBool(accepted))
	}
	now := time.Now().Unix()
	at := func(seconds int64) string { return strconv.FormatInt(now+seconds, 10) }
	add(true, at(0), sign(at(0)))
	add(true, at(120), sign(at(120)))
	add(true, at(0), "v1,AAAA "+sign(at(0)))
	add(false, at(0), sign(at(1)))
	add(false, at(0), "")
	for _, old := range []string{
		at(-3600), at(3600), "", "x", "nan", "1767225600", strings.Repeat("9", 400),
	} {
		add(false, old, sign(old))
	}
	stdin, err := json.Marshal(requests)
	must(t, err)
	for language, program := range map[string]struct {
		command      []string
		file         string
		before, main string
	}{
		"go": {[]string{"go", "run"}, "main.go", `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

`, `
func main() {
	var requests []struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	for _, r := range requests {
		header := http.Header{}
		for name, value := range r.Headers {
			header.Set(name, value)
		}
		fmt.Println(verify(r.Secret, header, []byte(r.Body)))
	}
}
`},
		"js": {[]string{"node"}, "main.mjs", `import { readFileSync } from "node:fs";
`, `
for (const { secret, headers, body } of JSON.parse(readFileSync(0)))
  console.log(verify(secret, headers, Buffer.from(body)));
`},
		"python": {[]string{"python3"}, "main.py", "import json, sys\n", `
for r in json.load(sys.stdin):
    print(str(verify(r["secret"], r["headers"], r["body"].encode())).lower())
`},
	} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(program.command[0]); err != nil {
				if os.Getenv("CI") == "true" {
					t.Fatal(err)
				}
				t.Skipf("THE CODE IN DOCS/WEBHOOKS.MD IS NOT TRIED: %v", err)
			}
			file := filepath.Join(t.TempDir(), program.file)
			code := program.before + doctest.Blocks(t, document, section, language)[0] +
				program.main
			must(t, os.WriteFile(file, []byte(code), 0o600))
			cmd := exec.CommandContext(t.Context(), program.command[0],
				append(program.command[1:len(program.command):len(program.command)], file)...)
			cmd.Stdin = bytes.NewReader(stdin)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if diff := cmp.Diff(want, strings.Fields(string(out))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
