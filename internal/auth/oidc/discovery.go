package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-json-experiment/json"
	"golang.org/x/oauth2"
)

// Document is what a provider says of itself (OpenID Connect Discovery 1.0, 3).
type Document struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	UserInfoEndpoint      string   `json:"userinfo_endpoint"`
	KeysURL               string   `json:"jwks_uri"`
	ResponseTypes         []string `json:"response_types_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	Algorithms            []string `json:"id_token_signing_alg_values_supported"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	Scopes                []string `json:"scopes_supported"`
	// AnnouncesIssuer means that responses name the issuer (RFC 9207).
	AnnouncesIssuer bool `json:"authorization_response_iss_parameter_supported"`
}

// asymmetric are the algorithms whose keys are not secret (RFC 7518, RFC 8037). Neither "none" nor
// HMAC is: with that, anyone who knows what is public could sign.
var asymmetric = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384,
	oidc.PS512, oidc.EdDSA,
}

// CheckIssuer returns why a text can't be an issuer, in words that follow "it must be"; "" if it
// can.
func CheckIssuer(issuer string) (must string) {
	u, err := url.Parse(issuer)
	switch {
	case strings.ContainsAny(issuer, "{}"):
		return "the issuer of your own tenant, without a placeholder"
	case err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(issuer, "?#"):
		return "a URL such as https://id.example.com, without user, query and fragment"
	case !private(u):
		return "an https URL, or an http URL of this machine"
	}
	return ""
}

// private reports whether nobody else sees what is sent to a URL.
func private(u *url.URL) bool {
	addr, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" &&
		(u.Hostname() == "localhost" || err == nil && addr.IsLoopback())
}

// Discover requests the document of a provider. It returns an error if people can't sign in with
// it.
func Discover(ctx context.Context, issuer string) (Document, error) {
	return discover(ctx, newHTTPClient(), issuer)
}

func discover(ctx context.Context, client *http.Client, issuer string) (Document, error) {
	at := strings.TrimSuffix(issuer, "/") + "/.well-known/openid-configuration"
	body, err := get(ctx, client, at, "")
	if err != nil {
		return Document{}, err
	}
	var d Document
	if err := json.Unmarshal(body, &d); err != nil {
		return Document{}, fmt.Errorf("the discovery document can't be read: %w", err)
	}
	return d, d.check(issuer)
}

// check returns why people can't sign in with the provider of a document.
func (d *Document) check(issuer string) error {
	switch {
	case strings.Contains(d.Issuer, "{tenantid}"):
		// Everybody can have a tenant there, and choose the addresses of its people.
		return fmt.Errorf("the discovery document is of all tenants (its issuer is %q): "+
			"OIDC_ISSUER must name your own tenant", shorten(d.Issuer))
	case strings.TrimSuffix(d.Issuer, "/") == strings.TrimSuffix(issuer, "/") && d.Issuer != issuer:
		return fmt.Errorf("the issuer is %q in the discovery document, and %q in OIDC_ISSUER: "+
			"they differ by the slash at the end", shorten(d.Issuer), issuer)
	case d.Issuer != issuer:
		return fmt.Errorf(
			"the issuer is %q in the discovery document, and not %q as in OIDC_ISSUER",
			shorten(d.Issuer), issuer)
	case d.ResponseTypes != nil && !slices.Contains(d.ResponseTypes, "code"):
		return errors.New("the provider has no code flow (response_types_supported)")
	}
	for _, endpoint := range []struct{ name, url string }{
		{"authorization_endpoint", d.AuthorizationEndpoint},
		{"token_endpoint", d.TokenEndpoint},
		{"jwks_uri", d.KeysURL},
		{"userinfo_endpoint", d.UserInfoEndpoint},
	} {
		u, err := url.Parse(endpoint.url)
		if endpoint.url == "" && endpoint.name == "userinfo_endpoint" {
			continue // it may have none
		}
		if err != nil || !private(u) || u.Host == "" {
			return fmt.Errorf("%s is %q in the discovery document; it must be an https URL",
				endpoint.name, shorten(endpoint.url))
		}
	}
	return nil
}

// KnowsS256 reports whether the provider may know PKCE with S256, which some do without saying so.
func (d *Document) KnowsS256() bool {
	return d.ChallengeMethods == nil || slices.Contains(d.ChallengeMethods, "S256")
}

// algorithms returns those that the provider may sign ID tokens with.
func (d *Document) algorithms() []string {
	both := slices.DeleteFunc(slices.Clone(asymmetric), func(algorithm string) bool {
		return !slices.Contains(d.Algorithms, algorithm)
	})
	if len(both) == 0 {
		return []string{oidc.RS256} // which each provider has to know
	}
	return both
}

// authStyle returns how the client proves who it is. The provider's first choice by the
// specification is the header; golang.org/x/oauth2 would try both, and some providers take a code
// that was shown in vain for used.
func (d *Document) authStyle(secret string) oauth2.AuthStyle {
	if secret == "" || d.TokenAuthMethods != nil &&
		!slices.Contains(d.TokenAuthMethods, "client_secret_basic") &&
		slices.Contains(d.TokenAuthMethods, "client_secret_post") {
		return oauth2.AuthStyleInParams
	}
	return oauth2.AuthStyleInHeader
}

// Times of the document. It is requested again after documentTime, so that a provider may move, and
// at most once in documentPause while that fails, however many people try to sign in.
const (
	documentTime  = 10 * time.Minute
	documentPause = time.Second
)

// provider is what a sign-in needs of the provider.
type provider struct {
	document Document
	keys     *oidc.RemoteKeySet
}

// discovery finds the provider when it is needed.
type discovery struct {
	issuer string
	http   *http.Client

	mu    sync.Mutex // held during a request, so that others wait for its result
	last  *provider  // nil: none yet
	err   error      // of the last request
	until time.Time  // last or err counts before it
}

// provider returns the provider, or an *UnavailableError.
func (d *discovery) provider(ctx context.Context) (*provider, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !time.Now().Before(d.until) {
		d.request(ctx)
	}
	return d.last, d.err
}

func (d *discovery) request(ctx context.Context) {
	// Others may need the result when the first client has gone. The HTTP client bounds the time.
	document, err := discover(context.WithoutCancel(ctx), d.http, d.issuer)
	if err != nil {
		d.err, d.until = unavailable(err), time.Now().Add(documentPause)
		return
	}
	// Known keys outlast the document.
	if d.last == nil || d.last.document.KeysURL != document.KeysURL {
		d.last = &provider{keys: d.newKeys(document.KeysURL)}
	}
	d.last = &provider{document, d.last.keys}
	d.err, d.until = nil, time.Now().Add(documentTime)
}

func (d *discovery) newKeys(url string) *oidc.RemoteKeySet {
	client := *d.http
	client.Transport = &paused{RoundTripper: client.Transport}
	return oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), &client), url)
}

// get requests a document, with an access token if it is not empty.
func get(ctx context.Context, client *http.Client, url, token string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	return io.ReadAll(res.Body) // in memory, and bounded
}
