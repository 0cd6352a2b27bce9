package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"time"

	"terse"
)

// signatures returns the value of webhook-signature: that of the secret and, for a time after a
// rotation, that of the former one.
func signatures(hook *terse.Webhook, id string, at time.Time, body []byte) string {
	signed := signature(hook.Secret, id, at, body)
	if len(hook.FormerSecret) > 0 && at.Before(hook.FormerUntil) {
		signed += " " + signature(hook.FormerSecret, id, at, body)
	}
	return signed
}

func signature(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = mac.Write([]byte(id + "." + timestamp(at) + "."))
	_, _ = mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }
