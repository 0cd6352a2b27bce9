package webhooks

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"terse"
)

// The example of the documentation, which others have computed, too.
func TestSignature(t *testing.T) {
	t.Parallel()
	const body = `{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000000Z","data":{}}`
	const id = "msg_0123456789ABCDEFGHIJKLMNOPQ"
	const want = "v1,Aol4HFpIjk+UzbJWPAwYcUg+vGoNCRdDrLeNRxdEYJo="
	secret, err := base64.StdEncoding.DecodeString("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1767225600, 999_999_999)
	hook := &terse.Webhook{Secret: secret}
	if got := signatures(hook, id, at, []byte(body)); got != want {
		t.Errorf("signed %q, want %q", got, want)
	}
	// After a rotation the former secret signs, too, until its end.
	hook = &terse.Webhook{
		Secret: []byte(strings.Repeat("n", 32)), FormerSecret: secret,
		FormerUntil: at.Add(time.Nanosecond),
	}
	both := strings.Fields(signatures(hook, id, at, []byte(body)))
	if len(both) != 2 || both[0] == want || both[1] != want {
		t.Errorf("after a rotation: %q", both)
	}
	hook.FormerUntil = at
	if got := strings.Fields(signatures(hook, id, at, []byte(body))); len(got) != 1 ||
		got[0] != both[0] {
		t.Errorf("a day after the rotation: %q", got)
	}
}
