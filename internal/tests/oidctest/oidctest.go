// Package oidctest is an OpenID provider for tests, which can be told to do wrong. It signs anybody
// in without asking. Only tests import it.
package oidctest

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// The one client that the provider knows.
const (
	ClientID     = "terse"
	ClientSecret = "a secret, with +/%: in it"
)

// Behaviour is what a provider does. Claims and the like replace those that are sent otherwise; nil
// removes one.
type Behaviour struct {
	Document map[string]any // the discovery document
	IDToken  map[string]any // claims
	Header   map[string]any // of the ID token
	UserInfo map[string]any // claims beside sub
	Response map[string]any // parameters of the response, such as "iss"
	// Token changes the signed ID token.
	Token func(token string) string
	// Key signs ID tokens; nil: the provider's.
	Key *rsa.PrivateKey
	// Serve handles a request in place of the provider if it returns true.
	Serve func(w http.ResponseWriter, r *http.Request) bool
	// AnyCode accepts codes that were used before, and any code verifier.
	AnyCode bool
}

// Provider is a running provider.
type Provider struct {
	URL string // its issuer

	mu       sync.Mutex
	does     Behaviour
	key      *rsa.PrivateKey
	keyID    string
	grants   map[string]grant // by code
	requests map[string]int   // by path
}

type grant struct{ nonce, challenge, redirect string }

// Start starts a provider, which stops with the test.
func Start(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{
		grants: map[string]grant{}, requests: map[string]int{}, key: firstKey(), keyID: "first",
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Do makes the provider behave in another way.
func (p *Provider) Do(b Behaviour) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.does = b
}

// firstKey is the key that each provider begins with: making one takes a tenth of a second.
var firstKey = sync.OnceValue(NewKey)

// NewKey returns a new key.
func NewKey() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err) // never: the length is allowed
	}
	return key
}

// Rotate replaces the provider's key.
func (p *Provider) Rotate() {
	key := NewKey()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key, p.keyID = key, rand.Text()
}

// Requests returns how many requests there were for a path.
func (p *Provider) Requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests[path]
}

// PublicKey returns the provider's public key as text, which HMAC must not be keyed with.
func (p *Provider) PublicKey() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	der, _ := x509.MarshalPKIXPublicKey(&p.key.PublicKey) // an RSA key always can be
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.requests[r.URL.Path]++
	serve := p.does.Serve
	p.mu.Unlock()
	if serve != nil && serve(w, r) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		answer(w, http.StatusOK, with(map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/auth",
			"token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"userinfo_endpoint": p.URL + "/userinfo", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported":      []string{"S256"},
			"id_token_signing_alg_values_supported": []string{"RS256"},
		}, p.does.Document))
	case "/keys":
		answer(w, http.StatusOK, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "kid": p.keyID, "use": "sig", "alg": "RS256",
			"n": encode(p.key.N.Bytes()), "e": encode(big.NewInt(int64(p.key.E)).Bytes()),
		}}})
	case "/auth":
		p.authorize(w, r)
	case "/token":
		p.token(w, r)
	case "/userinfo":
		p.userInfo(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != ClientID || q.Get("response_type") != "code" ||
		q.Get("code_challenge_method") != "S256" || len(q.Get("state")) < 8 {
		http.Error(w, "invalid request", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.grants[code] = grant{q.Get("nonce"), q.Get("code_challenge"), q.Get("redirect_uri")}
	response := url.Values{}
	for name, value := range with(map[string]any{"code": code, "state": q.Get("state")},
		p.does.Response) {
		response.Set(name, value.(string)) //nolint:errcheck // tests set texts
	}
	//nolint:gosec // tests may redirect anywhere
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+response.Encode(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if basic { // RFC 6749, 2.3.1
		id, _ = url.QueryUnescape(id)
		secret, _ = url.QueryUnescape(secret)
	} else {
		id, secret = r.FormValue("client_id"), r.FormValue("client_secret")
	}
	if id != ClientID || secret != ClientSecret {
		answer(w, http.StatusUnauthorized, map[string]any{
			"error": "invalid_client", "error_description": "no client with " + secret,
		})
		return
	}
	code := r.FormValue("code")
	granted, found := p.grants[code]
	challenge := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !p.does.AnyCode {
		delete(p.grants, code)
		found = found && granted.challenge == encode(challenge[:]) &&
			granted.redirect == r.FormValue("redirect_uri")
	}
	if !found {
		answer(w, http.StatusBadRequest, map[string]any{
			"error": "invalid_grant", "error_description": "there is no code " + code,
		})
		return
	}
	now := time.Now().Unix()
	token := p.sign(with(map[string]any{
		"iss": p.URL, "sub": "248289761001", "aud": ClientID, "nonce": granted.nonce,
		"iat": now, "exp": now + 300, "email": "Ann@Example.com", "email_verified": true,
		"name": "Ann",
	}, p.does.IDToken))
	if p.does.Token != nil {
		token = p.does.Token(token)
	}
	answer(w, http.StatusOK, map[string]any{
		"access_token": "access", "token_type": "Bearer", "expires_in": 300, "id_token": token,
	})
}

func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer access" {
		http.Error(w, "unauthorized", http.StatusUnauthorized)
		return
	}
	subject := any("248289761001")
	if other := p.does.IDToken["sub"]; other != nil {
		subject = other
	}
	answer(w, http.StatusOK, with(map[string]any{"sub": subject}, p.does.UserInfo))
}

func (p *Provider) sign(claims map[string]any) string {
	key := p.key
	if p.does.Key != nil {
		key = p.does.Key
	}
	header := with(map[string]any{"alg": "RS256", "kid": p.keyID, "typ": "JWT"}, p.does.Header)
	signed := Part(header) + "." + Part(claims)
	hash := sha256.Sum256([]byte(signed))
	signature, _ := rsa.SignPKCS1v15(nil, key, crypto.SHA256, hash[:]) // the key is long enough
	return signed + "." + encode(signature)
}

// Part returns a part of a JWT.
func Part(members map[string]any) string {
	text, _ := json.Marshal(members) // tests set nothing that can't be encoded
	return encode(text)
}

// HMAC returns a text with its HS256 signature.
func HMAC(signed string, key []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(signed))
	return signed + "." + encode(mac.Sum(nil))
}

func encode(text []byte) string { return base64.RawURLEncoding.EncodeToString(text) }

func with(members, changes map[string]any) map[string]any {
	maps.Copy(members, changes)
	maps.DeleteFunc(members, func(_ string, value any) bool { return value == nil })
	return members
}

func answer(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only if the caller has gone
}
