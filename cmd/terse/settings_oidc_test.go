package main

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"terse"
	"terse/internal/auth"
	"terse/internal/cli"
)

// serveWith starts a server that is to refuse its settings, and returns what it says.
func serveWith(t *testing.T, env ...string) string {
	t.Helper()
	var told bytes.Buffer
	if code := run(t.Context(), []string{"serve"},
		append([]string{"DATA_DIR=" + t.TempDir(), "AUTH_TOKEN=" + testToken}, env...), nil,
		io.Discard, &told); code != cli.ExitSettings {
		t.Errorf("%q: exit code %d", env, code)
	}
	return told.String()
}

func TestSettingsOfSignInAreRefusedTogether(t *testing.T) {
	t.Parallel()
	told := serveWith(t, "OIDC_ISSUER=http://id.example.com", "OIDC_CLIENT_SECRET=hush-hush",
		"OIDC_ADMIN_EMAILS=*", "OIDC_DEFAULT_ROLE=king", "OIDC_REQUIRE_VERIFIED_EMAIL=perhaps",
		"OIDC_SCOPES=email,profile", "OIDC_NAME="+strings.Repeat("a", 51),
		"OIDC_AUTO_REDIRECT=sometimes", "OIDC_GROUPS_CLAIM=", "OIDC_ALLOWED_EMAILS=,",
		"OIDC_ADMIN_GROUPS="+strings.Repeat("a", 257))
	for _, says := range []string{
		`OIDC_ISSUER is "http://id.example.com"; it must be an https URL`,
		"OIDC_CLIENT_ID is not set", `OIDC_ADMIN_EMAILS is "*"; it must be addresses such as`,
		`OIDC_DEFAULT_ROLE is "king"; it must be viewer, editor, auditor or admin`,
		`OIDC_REQUIRE_VERIFIED_EMAIL is "perhaps"`,
		`OIDC_SCOPES is "email,profile"; it must be openid`,
		"OIDC_NAME is ", "OIDC_AUTO_REDIRECT is ", "OIDC_ADMIN_GROUPS is ",
		"neither OIDC_ALLOWED_EMAILS nor OIDC_ALLOWED_GROUPS names anybody",
		"BASE_URL is not set; with OIDC_ISSUER it must be",
	} {
		if !strings.Contains(told, says) {
			t.Errorf("it does not say %q:\n%s", says, told)
		}
	}
	if strings.Contains(told, "hush") {
		t.Errorf("it shows the secret:\n%s", told)
	}
	for value, says := range map[string]string{
		"ann@example.com, bob": `"bob"`, "@": `"@"`, "ann@": `"ann@"`,
		"*@example.com": `"*@example.com"`, "@*.example.com": `"@*.example.com"`, "@a b": `"@a b"`,
		"Ann <ann@example.com>": "Ann",
	} {
		told := serveWith(t, "OIDC_ISSUER=https://id.example.com", "OIDC_CLIENT_ID=a",
			"BASE_URL=https://sho.rt", "OIDC_ALLOWED_EMAILS="+value)
		if !strings.Contains(told, "OIDC_ALLOWED_EMAILS is ") || !strings.Contains(told, says) {
			t.Errorf("%q: %s", value, told)
		}
	}
	told = serveWith(t, "OIDC_CLIENT_ID=a", "OIDC_ALLOWED_EMAILS=*")
	for _, variable := range []string{"OIDC_CLIENT_ID", "OIDC_ALLOWED_EMAILS"} {
		if !strings.Contains(told, variable+" is set without OIDC_ISSUER") {
			t.Errorf("%s alone: %s", variable, told)
		}
	}
}

func TestSettingsOfSignIn(t *testing.T) {
	t.Parallel()
	raw := rawOIDC{
		Issuer: "https://id.example.com/", ClientID: "terse",
		AllowedEmails: "Ann@Example.com, @Corp.example,*", AllowedGroups: "Staff, it staff",
		AdminEmails: "Ann@example.com", AdminGroups: "admins", GroupsClaim: "roles",
		DefaultRole: "Viewer", RequireVerifiedEmail: "false", Scopes: "openid  email groups",
		Name: " Acme ", AutoRedirect: "true",
	}
	p := &problems{}
	s := p.signIn(&raw, "https://sho.rt")
	if len(p.errs) > 0 || !reflect.DeepEqual(s.admission, &auth.Admission{
		Emails: []string{"ann@example.com", "@corp.example", "*"},
		Groups: []string{"Staff", "it staff"}, AdminEmails: []string{"ann@example.com"},
		AdminGroups: []string{"admins"}, DefaultRole: terse.Viewer,
	}) || s.Issuer != raw.Issuer || s.RequireVerified || s.GroupsClaim != "roles" ||
		s.name != "Acme" || !s.auto ||
		!reflect.DeepEqual(s.Scopes, []string{"openid", "email", "groups"}) {
		t.Errorf("%v %+v", p.errs, s)
	}
	raw.AllowedGroups, raw.AdminGroups = "", ""
	if s := p.signIn(&raw, "https://sho.rt"); s.GroupsClaim != "" {
		t.Error("groups are asked for although nothing depends on them")
	}
}
