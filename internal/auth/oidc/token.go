package oidc

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/oauth2"

	"terse"
)

// leeway is how far the provider's clock may be from ours.
const leeway = time.Minute

// maxSubject bounds a sub in bytes (OpenID Connect Core 1.0, 2).
const maxSubject = 255

// claims are the members of an ID token, or of UserInfo. Names are compared with case, and a name
// that occurs twice is an error.
type claims map[string]jsontext.Value

func parseClaims(text []byte) (claims, error) {
	var c claims
	err := json.Unmarshal(text, &c)
	return c, err
}

// has reports whether there is a claim other than null.
func (c claims) has(name string) bool { return c[name] != nil && c[name].Kind() != 'n' }

// text returns a claim that is a text, "" if it is not one.
func (c claims) text(name string) string {
	var text string
	if !c.has(name) || json.Unmarshal(c[name], &text) != nil {
		return ""
	}
	return text
}

// time returns a claim in seconds since 1970.
func (c claims) time(name string) (at time.Time, ok bool) {
	var seconds float64
	// Before 1e12 (which is the year 33658) a float64 is exact enough.
	if !c.has(name) || json.Unmarshal(c[name], &seconds) != nil || seconds < 0 || seconds > 1e12 {
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0), true
}

// verified returns what email_verified says. Some providers send it as a text.
func (c claims) verified() Verified {
	switch {
	case !c.has("email_verified"):
		return Unsaid
	case string(c["email_verified"]) == "true", c.text("email_verified") == "true":
		return IsVerified
	}
	return Unverified
}

// groups returns a claim that is a list of texts, or one text.
func (c claims) groups(name string) (groups []string) {
	if !c.has(name) {
		return nil
	}
	if one := c.text(name); one != "" {
		return kept(nil, one)
	}
	var all []jsontext.Value
	if json.Unmarshal(c[name], &all) != nil {
		return nil
	}
	for i := range all {
		groups = kept(groups, claims{name: all[i]}.text(name))
	}
	return groups
}

// kept appends a group, unless it is too long or there are too many: with fewer groups, a person
// may at most do less.
func kept(groups []string, group string) []string {
	if group == "" || len(group) > terse.MaxGroupName || len(groups) >= terse.MaxGroups {
		return groups
	}
	return append(groups, group)
}

// verify returns the claims of an ID token that the provider has made for this attempt.
func (c *Client) verify(ctx context.Context, p *provider, token *oauth2.Token, nonce string) (
	claims, error,
) {
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return nil, errors.New("the provider sent no ID token")
	}
	keys := &keySet{RemoteKeySet: p.keys}
	verified, err := oidc.NewVerifier(c.Issuer, keys, &oidc.Config{
		ClientID: c.ClientID, SupportedSigningAlgs: p.document.algorithms(),
		SkipExpiryCheck: true, // below, with leeway
	}).Verify(ctx, raw)
	if keys.failed != nil {
		return nil, unavailable(keys.failed)
	}
	if err != nil {
		return nil, fmt.Errorf("ID token: %w", err)
	}
	var text jsontext.Value
	if err = verified.Claims(&text); err != nil {
		return nil, fmt.Errorf("ID token: %w", err)
	}
	made, err := parseClaims(text)
	if err != nil {
		return nil, fmt.Errorf("ID token: %w", err)
	}
	// at_hash, if there, says which access token belongs to it.
	if verified.AccessTokenHash != "" {
		if err := verified.VerifyAccessToken(token.AccessToken); err != nil {
			return nil, fmt.Errorf("ID token: %w", err)
		}
	}
	return made, c.checkClaims(made, verified, nonce, time.Now())
}

// checkClaims checks what Verify leaves to its caller (OpenID Connect Core 1.0, 3.1.3.7).
func (c *Client) checkClaims(
	made claims, verified *oidc.IDToken, nonce string, now time.Time,
) error {
	expires, hasExpiry := made.time("exp")
	issued, hasIssued := made.time("iat")
	notBefore, hasStart := made.time("nbf")
	subject := made.text("sub")
	switch {
	case subject == "" || len(subject) > maxSubject || strings.ContainsRune(subject, 0) ||
		subject != verified.Subject:
		return errors.New("ID token: no sub")
	case made.has("azp") && made.text("azp") != c.ClientID:
		return fmt.Errorf("ID token: azp is %q", shorten(made.text("azp")))
	case len(verified.Audience) > 1 && !made.has("azp"):
		return errors.New("ID token: several audiences, and no azp")
	case !hasExpiry || !now.Before(expires.Add(leeway)):
		return fmt.Errorf("ID token: expired, exp is %s", shorten(string(made["exp"])))
	case !hasIssued || issued.After(now.Add(leeway)):
		return fmt.Errorf("ID token: issued in the future, iat is %s", shorten(string(made["iat"])))
	case made.has("nbf") && (!hasStart || notBefore.After(now.Add(leeway))):
		return fmt.Errorf("ID token: not valid yet, nbf is %s", shorten(string(made["nbf"])))
	case subtle.ConstantTimeCompare([]byte(made.text("nonce")), []byte(nonce)) != 1:
		return errors.New("ID token: the nonce is not that of this attempt")
	}
	return nil
}

// keySet keeps why keys could not be requested, which the verifier reports only as text.
type keySet struct {
	*oidc.RemoteKeySet
	failed error
}

func (k *keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.RemoteKeySet.VerifySignature(ctx, jwt)
	if failure, ok := errors.AsType[*url.Error](err); ok {
		k.failed = failure
	} else if err != nil {
		k.failed = ctx.Err()
	}
	return payload, err
}

// person returns who the claims of an ID token are about. It asks UserInfo for those that are
// missing.
func (c *Client) person(ctx context.Context, p *provider, token *oauth2.Token, made claims) (
	Person, error,
) {
	address, group := made, made
	if needsAddress := !made.has("email") || c.RequireVerified && made.verified() == Unsaid; p.
		document.UserInfoEndpoint != "" &&
		(needsAddress || c.GroupsClaim != "" && !made.has(c.GroupsClaim)) {
		info, err := c.userInfo(ctx, p, token, made.text("sub"))
		if err != nil {
			return Person{}, err
		}
		// What is said of an address counts for that address only.
		if needsAddress && info.has("email") {
			address = info
		}
		if !made.has(c.GroupsClaim) {
			group = info
		}
		if !made.has("name") && info.has("name") {
			made["name"] = info["name"]
		}
	}
	person := Person{
		Issuer: c.Issuer, Subject: made.text("sub"), Email: address.text("email"),
		Verified: address.verified(), Name: terse.CutName(made.text("name")),
	}
	if c.GroupsClaim != "" {
		person.Groups, person.HasGroups = group.groups(c.GroupsClaim), group.has(c.GroupsClaim)
	}
	if person.Name == "" {
		person.Name = terse.CutName(made.text("preferred_username"))
	}
	return person, nil
}

// userInfo requests the claims of the person with a sub.
func (c *Client) userInfo(ctx context.Context, p *provider, token *oauth2.Token, subject string) (
	claims, error,
) {
	if !strings.EqualFold(token.Type(), "Bearer") {
		return nil, fmt.Errorf("the access token is of the type %q", shorten(token.TokenType))
	}
	body, err := get(ctx, c.http, p.document.UserInfoEndpoint, token.AccessToken)
	if err != nil {
		return nil, unavailable(fmt.Errorf("UserInfo: %w", err))
	}
	info, err := parseClaims(body)
	if err != nil {
		return nil, unavailable(fmt.Errorf("UserInfo: %w", err))
	}
	if info.text("sub") != subject {
		return nil, errors.New("UserInfo is about somebody else: its sub is not the ID token's")
	}
	return info, nil
}
