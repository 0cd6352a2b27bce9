package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"terse"
	"terse/internal/auth"
	"terse/internal/auth/oidc"
)

// rawOIDC are the settings of signing in with OpenID Connect, as given.
type rawOIDC struct {
	Issuer               string `help:"OpenID provider that people sign in with, such as https://id.example.com: an https URL, or an http URL of this machine. It needs BASE_URL; default none."`
	ClientID             string `name:"client-id" help:"ID of the client that is registered for terse at the provider."`
	ClientSecret         string `help:"Secret of that client; leave it out for a public client." secret:""`
	AllowedEmails        string `help:"Who may sign in, separated by commas: addresses, @example.com for all of a domain, * for everybody with an account at the provider."`
	AllowedGroups        string `help:"Groups whose members may sign in, too, separated by commas. At least one of the two lists is required."`
	AdminEmails          string `help:"Addresses of people who are admins, separated by commas."`
	AdminGroups          string `help:"Groups whose members are admins, separated by commas."`
	GroupsClaim          string `help:"Claim with a person's groups, a list or one text." default:"groups"`
	DefaultRole          string `help:"Role of people who sign in for the first time: viewer, editor, auditor or admin." default:"editor" complete:"viewer,editor,auditor,admin"`
	RequireVerifiedEmail string `help:"Whether the provider has to say that a person's address is verified." default:"true" complete:"true,false"`
	Scopes               string `help:"What is asked of the provider, separated by spaces." default:"openid email profile"`
	Name                 string `help:"Name of the provider on the button." default:"OpenID Connect"`
	AutoRedirect         string `help:"Whether the dashboard leads to the provider at once; to sign in with a token, open /ui/?token." default:"false" complete:"true,false"`
}

// signInSettings say how people sign in.
type signInSettings struct {
	oidc.Options                 // without RedirectURL; no Issuer: nobody can
	admission    *auth.Admission // nil: nobody may come in
	name         string          // of the provider; "": none
	auto         bool
}

// callbackURL returns where the provider sends people back to.
func callbackURL(baseURL string) string { return baseURL + "/ui/oidc/callback" }

// Bounds of these settings.
const (
	maxProviderName = 50 // characters, so that it fits on a button
	maxAdmitted     = 10_000
)

// signIn parses the settings of signing in. baseURL is BASE_URL as given.
func (p *problems) signIn(raw *rawOIDC, baseURL string) signInSettings {
	if raw.Issuer == "" {
		for _, other := range []struct{ variable, value string }{
			{"OIDC_CLIENT_ID", raw.ClientID},
			{"OIDC_CLIENT_SECRET", raw.ClientSecret},
			{"OIDC_ALLOWED_EMAILS", raw.AllowedEmails},
			{"OIDC_ALLOWED_GROUPS", raw.AllowedGroups},
			{"OIDC_ADMIN_EMAILS", raw.AdminEmails},
			{"OIDC_ADMIN_GROUPS", raw.AdminGroups},
		} {
			if other.value != "" {
				p.errs = append(p.errs, fmt.Errorf("%s is set without OIDC_ISSUER", other.variable))
			}
		}
		return signInSettings{}
	}
	s := signInSettings{
		Options: oidc.Options{
			Issuer: raw.Issuer, ClientID: raw.ClientID, ClientSecret: raw.ClientSecret,
			Scopes:          p.scopes(raw.Scopes),
			RequireVerified: p.boolean("OIDC_REQUIRE_VERIFIED_EMAIL", raw.RequireVerifiedEmail),
		},
		admission: &auth.Admission{
			Emails:      p.emails("OIDC_ALLOWED_EMAILS", raw.AllowedEmails, true),
			AdminEmails: p.emails("OIDC_ADMIN_EMAILS", raw.AdminEmails, false),
			Groups:      p.groups("OIDC_ALLOWED_GROUPS", raw.AllowedGroups),
			AdminGroups: p.groups("OIDC_ADMIN_GROUPS", raw.AdminGroups),
			DefaultRole: p.role("OIDC_DEFAULT_ROLE", raw.DefaultRole),
		},
		name: p.providerName(raw.Name), auto: p.boolean("OIDC_AUTO_REDIRECT", raw.AutoRedirect),
	}
	if s.admission.UsesGroups() {
		s.GroupsClaim = raw.GroupsClaim
		if raw.GroupsClaim == "" {
			p.add("OIDC_GROUPS_CLAIM", raw.GroupsClaim, "the name of a claim, such as groups")
		}
	}
	if must := oidc.CheckIssuer(raw.Issuer); must != "" {
		p.add("OIDC_ISSUER", raw.Issuer, must)
	}
	if raw.ClientID == "" {
		p.errs = append(p.errs, errors.New(
			"OIDC_CLIENT_ID is not set; it must be the name by which the provider knows terse"))
	}
	if len(s.admission.Emails) == 0 && len(s.admission.Groups) == 0 {
		p.errs = append(p.errs, errors.New(
			"neither OIDC_ALLOWED_EMAILS nor OIDC_ALLOWED_GROUPS names anybody; one must say who "+
				"may sign in, such as @example.com"))
	}
	if baseURL == "" {
		p.errs = append(p.errs, errors.New("BASE_URL is not set; with OIDC_ISSUER it must be, "+
			"because the provider sends people back there"))
	}
	return s
}

// emails parses a list of addresses, and with patterns of @domain and *, too.
func (p *problems) emails(variable, list string, patterns bool) (emails []string) {
	given := fields(list)
	p.atMost(variable, len(given))
	for _, field := range given {
		local, want := field, "addresses such as ann@example.com, separated by commas"
		if patterns {
			want = "addresses such as ann@example.com, @example.com for a domain, or *, " +
				"separated by commas"
			if strings.HasPrefix(field, "@") {
				local = "anybody" + field
			}
		}
		_, ok := terse.ParseEmail(local)
		ok = ok && !strings.Contains(field, "*") // *@example.com would be nobody's address
		if !ok && !(patterns && field == "*") {
			p.add(variable, field, want)
		}
		emails = append(emails, strings.ToLower(field))
	}
	return emails
}

func (p *problems) groups(variable, list string) []string {
	groups := fields(list)
	p.atMost(variable, len(groups))
	for _, group := range groups {
		if len(group) > terse.MaxGroupName {
			p.add(variable, group, fmt.Sprintf("groups of at most %d bytes", terse.MaxGroupName))
		}
	}
	return groups
}

// atMost bounds a list, which is looked through for each request of a person.
func (p *problems) atMost(variable string, n int) {
	if n > maxAdmitted {
		p.errs = append(p.errs, fmt.Errorf("%s has %d entries; it must have at most %d", variable,
			n, maxAdmitted))
	}
}

func (p *problems) role(variable, value string) terse.Role {
	role, err := terse.ParseRole(strings.ToLower(value))
	if err != nil {
		p.add(variable, value, "viewer, editor, auditor or admin")
	}
	return role
}

func (p *problems) scopes(value string) []string {
	scopes := strings.Fields(value)
	// RFC 6749, 3.3
	if !slices.Contains(scopes, "openid") || strings.ContainsFunc(value,
		func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' || r == ',' }) {
		p.add("OIDC_SCOPES", value, "openid and others, separated by spaces")
	}
	return scopes
}

func (p *problems) providerName(value string) string {
	name := strings.TrimSpace(value)
	if name == "" || terse.CutName(name) != name ||
		utf8.RuneCountInString(name) > maxProviderName {
		p.add("OIDC_NAME", value, fmt.Sprintf("1 to %d characters, in one line", maxProviderName))
	}
	return name
}
