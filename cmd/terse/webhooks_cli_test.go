package main

import (
	"os/exec"
	"strings"
	"testing"

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
		cli.ExitFailure, "Webhook address is not allowed: an address of its host is neither "+
			"public nor in WEBHOOK_ALLOWED_NETWORKS.")
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

// The code of the document accepts the signature that stands there, and no other.
func TestTheDocumentVerifiesWebhooks(t *testing.T) {
	t.Parallel()
	const (
		secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
		body   = `{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000000Z","data":{}}`
		fields = `{"webhook-id": "msg_0123456789ABCDEFGHIJKLMNOPQ", "webhook-timestamp": ` +
			`"1767225600", "webhook-signature": "v1,AAAA v1,`
		right = "Aol4HFpIjk+UzbJWPAwYcUg+vGoNCRdDrLeNRxdEYJo="
	)
	const document, section = "../../docs/webhooks.md", "## Verifying a request"
	for language, run := range map[string][]string{
		"js":     {"node", "--input-type=module", "-e", "\nconsole.log(verify(%s, %f, %b))"},
		"python": {"python3", "-c", "\nprint(verify(%s, %f, %b.encode()))"},
	} {
		if _, err := exec.LookPath(run[0]); err != nil {
			t.Skipf("THE CODE IN DOCS/WEBHOOKS.MD IS NOT TRIED: there is no %s", run[0])
		}
		for _, signature := range []string{right, "B" + right[1:]} {
			call := strings.NewReplacer("%s", `"`+secret+`"`, "%f", fields+signature+`"}`, "%b",
				"'"+body+"'").Replace(run[len(run)-1])
			code := doctest.Blocks(t, document, section, language)[0] + call
			args := append(run[1:len(run)-1:len(run)-1], code)
			out, err := exec.CommandContext(t.Context(), run[0], args...).CombinedOutput()
			if want := signature == right; err != nil ||
				strings.EqualFold(strings.TrimSpace(string(out)), "true") != want {
				t.Errorf("%s: %v %s, want %v", language, err, out, want)
			}
		}
	}
}
