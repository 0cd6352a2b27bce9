// Package oidc signs people in with an OpenID provider: the authorization code flow with PKCE,
// state and nonce (OpenID Connect Core 1.0, RFC 7636, RFC 9207).
//
// It says who somebody is, and not what they may do. It knows URLs and values of cookies, but not
// HTTP requests of ours, and stores nothing. What it returns in errors may be logged: never a code,
// a token or a secret.
//
// github.com/coreos/go-oidc verifies signatures and finds keys, golang.org/x/oauth2 exchanges
// codes. What they leave to their callers is here: the bounds of answers (transport.go), the
// algorithms, times, azp and nonce of ID tokens (token.go), the document of the provider
// (discovery.go).
package oidc

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// Options are the settings of a Client. All are required unless their comment says otherwise.
type Options struct {
	Issuer       string // CheckIssuer accepts it
	ClientID     string
	ClientSecret string   // "" for a public client
	Scopes       []string // with "openid"
	RedirectURL  string   // where the provider sends people back to
	// GroupsClaim is the claim with a person's groups; "": they are not needed.
	GroupsClaim string
	// RequireVerified means that an address counts only if the provider says that it is verified.
	// Then UserInfo is asked if the ID token does not say it.
	RequireVerified bool
}

// Client signs people in at one provider. Its methods may be called concurrently.
type Client struct {
	Options
	discovery discovery
	used      usedStates
	http      *http.Client
}

// New returns a Client. It does not contact the provider yet.
func New(opts Options) *Client {
	c := &Client{Options: opts, http: newHTTPClient()}
	c.discovery = discovery{issuer: opts.Issuer, http: c.http}
	return c
}

// Person is who has signed in, as the provider says.
type Person struct {
	// Issuer and Subject tell people apart, and never change.
	Issuer, Subject string
	Email           string // as sent; "" if the provider does not say
	Verified        Verified
	Name            string   // "" if the provider does not say
	Groups          []string // of Options.GroupsClaim
	HasGroups       bool     // the provider sent that claim, if only an empty one
}

// Verified is what a provider says about whether an address is the person's own.
type Verified uint8

// What it may say.
const (
	Unsaid Verified = iota
	Unverified
	IsVerified
)

// UnavailableError means that the provider can't be reached or does not work. Other errors mean
// that a person could not prove who they are.
type UnavailableError struct{ Err error }

func (e *UnavailableError) Error() string { return "OpenID provider: " + e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

func unavailable(err error) error { return &UnavailableError{err} }

// Begin returns where to send a person who wants to sign in, and the attempt to keep in their
// browser meanwhile.
func (c *Client) Begin(ctx context.Context, next string) (location string, a Attempt, err error) {
	p, err := c.discovery.provider(ctx)
	if err != nil {
		return "", Attempt{}, err
	}
	a = newAttempt(next, time.Now())
	return c.config(p).AuthCodeURL(a.State, oauth2.S256ChallengeOption(a.verifier),
		oauth2.SetAuthURLParam("nonce", a.nonce)), a, nil
}

// Finish returns who has come back from the provider, with the attempt that the browser kept and
// the query of the address. It accepts an attempt once.
func (c *Client) Finish(ctx context.Context, a Attempt, query url.Values) (Person, error) {
	for _, name := range []string{"state", "code", "iss", "error"} {
		if len(query[name]) > 1 { // which one is meant would be a guess
			return Person{}, fmt.Errorf("the response has several parameters %s", name)
		}
	}
	now := time.Now()
	switch {
	case subtle.ConstantTimeCompare([]byte(a.State), []byte(query.Get("state"))) != 1:
		return Person{}, errors.New("the state is not that of the browser's last attempt")
	case !now.Before(a.expires):
		return Person{}, fmt.Errorf("the attempt is more than %v old", AttemptLifetime)
	case !c.used.take(a.State, now):
		return Person{}, errors.New("the state was used before")
	}
	p, err := c.discovery.provider(ctx)
	if err != nil {
		return Person{}, err
	}
	// RFC 9207, 2.4, also for errors: another provider must not answer for ours.
	iss, named := query.Get("iss"), query.Has("iss") || p.document.AnnouncesIssuer
	if named && iss != c.Issuer {
		return Person{}, fmt.Errorf("the response is of the issuer %q, not of %q", shorten(iss),
			c.Issuer)
	}
	if query.Has("error") {
		return Person{}, fmt.Errorf("the provider answers %q: %q", shorten(query.Get("error")),
			shorten(query.Get("error_description")))
	}
	if query.Get("code") == "" {
		return Person{}, errors.New("the response has no code")
	}
	token, err := c.exchange(ctx, p, query.Get("code"), a.verifier)
	if err != nil {
		return Person{}, err
	}
	claims, err := c.verify(ctx, p, token, a.nonce)
	if err != nil {
		return Person{}, err
	}
	return c.person(ctx, p, token, claims)
}

func (c *Client) config(p *provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: c.ClientID, ClientSecret: c.ClientSecret, RedirectURL: c.RedirectURL,
		Scopes: c.Scopes, Endpoint: oauth2.Endpoint{
			AuthURL: p.document.AuthorizationEndpoint, TokenURL: p.document.TokenEndpoint,
			AuthStyle: p.document.authStyle(c.ClientSecret),
		},
	}
}

// exchange exchanges a code for tokens.
func (c *Client) exchange(ctx context.Context, p *provider, code, verifier string) (
	*oauth2.Token, error,
) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, c.http)
	token, err := c.config(p).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err == nil {
		return token, nil
	}
	answer, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok { // it says nothing of what was sent
		return nil, unavailable(err)
	}
	// Never the body: it may repeat what was sent.
	secrets := strings.NewReplacer(pairs(code, verifier, c.ClientSecret)...)
	status := answer.Response.StatusCode
	err = fmt.Errorf("exchange the code: the provider answers %d %q: %q", status,
		shorten(secrets.Replace(answer.ErrorCode)),
		shorten(secrets.Replace(answer.ErrorDescription)))
	if status >= http.StatusInternalServerError {
		err = unavailable(err)
	}
	return nil, err
}

// pairs replaces texts that are not empty.
func pairs(texts ...string) (replacements []string) {
	for _, text := range texts {
		if text != "" {
			replacements = append(replacements, text, "…")
		}
	}
	return replacements
}

// maxSaid bounds in bytes what is logged of a text of the provider's, or of a stranger's.
const maxSaid = 200

func shorten(text string) string {
	if len(text) > maxSaid {
		text = strings.ToValidUTF8(text[:maxSaid], "") + "…"
	}
	return text
}
