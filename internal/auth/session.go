package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"terse"
)

// SessionLifetime is how long a session lasts.
const SessionLifetime = 7 * 24 * time.Hour

// ErrSession means that there is no session, or that it has ended.
const ErrSession Error = "Unauthorized: invalid session"

// Session proves that its holder had a token, or signed in. It ends at its time, or when its token
// is no longer accepted. One that is not stored is kept by its holder only.
type Session struct {
	Value   string // fit for a cookie, for example "1.1795269600.3q2-7w…" or "2.3q2-7w…"
	Expires time.Time
}

// The first parts of a session's value.
const (
	sessionVersion = "1"  // signed with a token of the settings
	storedPrefix   = "2." // stored, by its hash
)

// storedLength is the length of the value of a stored session: 32 random bytes.
const storedLength = len(storedPrefix) + 43

// NewSession returns a new session, and what is to be stored of it, without its Identity.
func NewSession(now time.Time) (Session, terse.Session) {
	session := Session{
		storedPrefix + GenerateToken(), now.Add(SessionLifetime).Truncate(time.Second).UTC(),
	}
	return session, terse.Session{
		Hash: HashOf(session.Value), CreatedAt: now, ExpiresAt: session.Expires,
	}
}

// isStored reports whether a value may be that of a stored session.
func isStored(value string) bool {
	return len(value) == storedLength && strings.HasPrefix(value, storedPrefix)
}

// SignIn returns a new session for an accepted token, and ErrUnknown for any other.
func (t *Tokens) SignIn(token string, now time.Time) (Session, error) {
	hash, known := t.find(token)
	if !known {
		return Session{}, ErrUnknown
	}
	expires := now.Add(SessionLifetime).Truncate(time.Second).UTC()
	signed := sessionVersion + "." + strconv.FormatInt(expires.Unix(), 10)
	return Session{
		signed + "." + base64.RawURLEncoding.EncodeToString(sign(&hash, signed)),
		expires,
	}, nil
}

// Session checks a value that SignIn returned. It returns ErrSession if the session has ended or
// its token is not accepted. Like find, it compares in constant time with every token.
func (t *Tokens) Session(value string, now time.Time) (Session, error) {
	signed, signature, _ := cutLast(value, ".")
	version, end, _ := strings.Cut(signed, ".")
	given, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	if err != nil || version != sessionVersion {
		return Session{}, ErrSession
	}
	match := 0
	for i := range t.hashes {
		match |= subtle.ConstantTimeCompare(given, sign(&t.hashes[i], signed))
	}
	seconds, err := strconv.ParseInt(end, 10, 64)
	if expires := time.Unix(seconds, 0).UTC(); match == 1 && err == nil && now.Before(expires) {
		return Session{value, expires}, nil
	}
	return Session{}, ErrSession
}

// sign returns the HMAC-SHA256 of a text. Its key is the token's hash, because the token itself is
// not kept.
func sign(token *[sha256.Size]byte, text string) []byte {
	mac := hmac.New(sha256.New, token[:])
	mac.Write([]byte("terse session " + text))
	return mac.Sum(nil)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
