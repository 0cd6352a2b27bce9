package main

import (
	"context"
	"slices"
	"strings"

	"terse/internal/auth/oidc"
)

// checkSignIn asks the OpenID provider what it says of itself.
func (d *doctor) checkSignIn(ctx context.Context) {
	const check = "sign-in"
	s := d.settings.signIn
	if s.Issuer == "" {
		return
	}
	document, err := oidc.Discover(ctx, s.Issuer)
	if err != nil {
		d.fail(check, "Correct OIDC_ISSUER, or have the provider answer this machine. Until then "+
			"nobody can sign in there; tokens work.", "people can't sign in with %s: %v", s.Issuer,
			err)
		return
	}
	if !document.KnowsS256() {
		d.warn(check, "Update the provider, or accept that one guard less protects sign-ins.",
			"the provider does not know PKCE with S256 (code_challenge_methods_supported)")
	}
	unknown := slices.DeleteFunc(slices.Clone(s.Scopes), func(scope string) bool {
		return slices.Contains(document.Scopes, scope)
	})
	if document.Scopes != nil && len(unknown) > 0 {
		d.warn(check, "It may refuse sign-ins, or leave out claims. Correct OIDC_SCOPES, or add "+
			"the scopes at the provider.", "the provider does not list the scopes %s "+
			"(scopes_supported)", strings.Join(unknown, " "))
	}
	d.ok(check, "%s answers; it has to know the redirect URI %s", s.Issuer,
		callbackURL(d.settings.baseURL))
}
