package oidc

import (
	"crypto/rand"
	"encoding/base64"
	"strconv"
	"strings"
	"sync"
	"time"
)

// AttemptLifetime is how long somebody may take to sign in at the provider.
const AttemptLifetime = 10 * time.Minute

// Attempt is what a browser keeps while a person is at the provider. It binds what comes back to
// this browser (State), this attempt (nonce) and this client (verifier).
//
// It needs no signature: who could make one up could also begin an attempt, and the browser shows
// it to nobody else.
type Attempt struct {
	State           string
	Next            string // where to go afterwards
	nonce, verifier string
	expires         time.Time
}

func newAttempt(next string, now time.Time) Attempt {
	return Attempt{
		State: secret(), Next: next, nonce: secret(), verifier: secret(),
		expires: now.Add(AttemptLifetime).Truncate(time.Second),
	}
}

// secret returns 256 random bits, fit for a URL and, with 43 characters, for a code verifier.
func secret() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// String returns the attempt for a cookie.
func (a Attempt) String() string {
	return strings.Join([]string{
		a.State, a.nonce, a.verifier, strconv.FormatInt(a.expires.Unix(), 10),
		base64.RawURLEncoding.EncodeToString([]byte(a.Next)),
	}, ".")
}

// ParseAttempt parses what String returned.
func ParseAttempt(value string) (a Attempt, ok bool) {
	parts := strings.Split(value, ".")
	if len(parts) != 5 {
		return Attempt{}, false
	}
	for _, part := range parts[:3] {
		if len(part) != len(secret()) {
			return Attempt{}, false
		}
	}
	seconds, err := strconv.ParseInt(parts[3], 10, 64)
	next, malformed := base64.RawURLEncoding.DecodeString(parts[4])
	return Attempt{
		State: parts[0], nonce: parts[1], verifier: parts[2], expires: time.Unix(seconds, 0),
		Next: string(next),
	}, err == nil && malformed == nil
}

// maxUsed bounds the states that are remembered. Whoever fills it up can make the server accept an
// old state once more, but needs the browser's cookie, and a code that the provider accepts twice.
const maxUsed = 4096

// usedStates are the states that were accepted lately. Other nodes do not know them. There the
// provider refuses the code, which it accepts once (RFC 6749, 4.1.2).
type usedStates struct {
	mu    sync.Mutex
	used  map[string]bool
	order []usedState // the oldest first
}

type usedState struct {
	state string
	until time.Time
}

// take reports whether a state was not used before.
func (u *usedStates) take(state string, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.used[state] {
		return false
	}
	if u.used == nil {
		u.used = map[string]bool{}
	}
	for len(u.order) > 0 && (now.After(u.order[0].until) || len(u.order) >= maxUsed) {
		delete(u.used, u.order[0].state)
		u.order = u.order[1:]
	}
	u.used[state] = true
	u.order = append(u.order, usedState{state, now.Add(AttemptLifetime)})
	return true
}
