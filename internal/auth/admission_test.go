package auth_test

import (
	"testing"

	"terse"
	"terse/internal/auth"
)

func TestAdmission(t *testing.T) {
	t.Parallel()
	admission := &auth.Admission{
		Emails:      []string{"ann@example.com", "@corp.example"},
		Groups:      []string{"staff"},
		AdminEmails: []string{"root@example.com", "ann@example.com"},
		AdminGroups: []string{"admins"},
	}
	everyone := &auth.Admission{Emails: []string{"*"}}
	byGroup := &auth.Admission{Groups: []string{"staff"}}
	person := func(email string, groups ...string) terse.User {
		return terse.User{
			Identity: "first@example.com", Role: terse.Viewer, Issuer: "https://id.example",
			Subject: "1", Email: email, Groups: groups,
		}
	}
	for _, tt := range []struct {
		name      string
		admission *auth.Admission
		user      terse.User
		allowed   bool
		role      terse.Role
	}{
		{"an address", admission, person("ann@example.com"), true, terse.Admin},
		{"in upper case", admission, person("Ann@EXAMPLE.com"), true, terse.Admin},
		{"a domain", admission, person("bob@corp.example"), true, terse.Viewer},
		{"a domain in upper case", admission, person("bob@Corp.Example"), true, terse.Viewer},
		{"below a domain", admission, person("bob@it.corp.example"), false, terse.Viewer},
		{"a longer domain", admission, person("bob@mycorp.example"), false, terse.Viewer},
		{"two domains", admission, person("@corp.example@evil.example"), false, terse.Viewer},
		{"another address", admission, person("ann@example.org"), false, terse.Viewer},
		{"a longer address", admission, person("joann@example.com"), false, terse.Viewer},
		{"no address", admission, person(""), false, terse.Viewer},
		{"a group", admission, person("", "a", "staff"), true, terse.Viewer},
		{"a group in upper case", admission, person("", "Staff"), false, terse.Viewer},
		{"a longer group", admission, person("", "staff2"), false, terse.Viewer},
		{"an admin by group", admission, person("", "staff", "admins"), true, terse.Admin},
		{"an admin who isn't allowed", admission, person("", "admins"), false, terse.Admin},
		{
			"an admin's address that isn't allowed", admission, person("root@example.com"), false,
			terse.Admin,
		},
		{"everyone", everyone, person("x@y.z"), true, terse.Viewer},
		{"everyone without an address", everyone, person(""), false, terse.Viewer},
		{"no addresses", byGroup, person("x@y.z"), false, terse.Viewer},
		{"no addresses, a group", byGroup, person("x@y.z", "staff"), true, terse.Viewer},
		{"no group", byGroup, person("", ""), false, terse.Viewer},
		{"without sign-in", nil, person("ann@example.com", "staff"), false, terse.Viewer},
		{
			"a service", admission,
			terse.User{Identity: "ci", Role: terse.Editor},
			true,
			terse.Editor,
		},
		{
			"a service without sign-in", nil,
			terse.User{Identity: "ci", Role: terse.Auditor},
			true,
			terse.Auditor,
		},
		{
			"tokens of the settings", nil,
			terse.User{Identity: terse.Identity, Role: terse.Admin},
			true, terse.Admin,
		},
	} {
		if allowed := tt.admission.Allowed(tt.user); allowed != tt.allowed {
			t.Errorf("%s: allowed %v, want %v", tt.name, allowed, tt.allowed)
		}
		if role := tt.admission.Role(tt.user); role != tt.role {
			t.Errorf("%s: %v, want %v", tt.name, role, tt.role)
		}
	}
}
