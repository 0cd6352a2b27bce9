package auth

import (
	"slices"
	"strings"

	"terse"
)

// Admission says which people may come in, and which of them are admins. It is applied to each
// request, so a changed setting also holds for those who have signed in before. The nil Admission,
// that of a server without OpenID Connect, lets no person in.
type Admission struct {
	// Emails are the people who may come in, by the address of their last sign-in: addresses,
	// "@example.com" for all of a domain, or "*" for everyone. In lower case.
	Emails []string
	// Groups are those whose members may come in, too, by the groups of their last sign-in. As the
	// provider spells them: there Staff and staff may be two.
	Groups []string
	// AdminEmails are addresses, and AdminGroups groups, of people who are admins, whatever role is
	// stored. Addresses are in lower case.
	AdminEmails, AdminGroups []string
	DefaultRole              terse.Role // of people who sign in for the first time
}

// Allowed reports whether a user may come in. Settings decide it only for people.
func (a *Admission) Allowed(user terse.User) bool {
	return !user.IsPerson() || a != nil && (a.allowsEmail(user.Email) ||
		slices.ContainsFunc(user.Groups, in(a.Groups)))
}

// Role returns what a user who is allowed may do: what is stored, unless the settings make a person
// an admin.
func (a *Admission) Role(user terse.User) terse.Role {
	if a != nil && user.IsPerson() && (a.IsAdminEmail(user.Email) ||
		slices.ContainsFunc(user.Groups, in(a.AdminGroups))) {
		return terse.Admin
	}
	return user.Role
}

// IsAdminEmail reports whether the settings name an address as an admin's.
func (a *Admission) IsAdminEmail(email string) bool {
	return a != nil && slices.Contains(a.AdminEmails, strings.ToLower(email))
}

// UsesGroups reports whether anything depends on groups.
func (a *Admission) UsesGroups() bool {
	return a != nil && len(a.Groups)+len(a.AdminGroups) > 0
}

func (a *Admission) allowsEmail(email string) bool {
	email = strings.ToLower(email)
	_, domain, found := strings.Cut(email, "@")
	return found && slices.ContainsFunc(a.Emails, func(allowed string) bool {
		return allowed == email || allowed == "@"+domain || allowed == "*"
	})
}

func in(list []string) func(string) bool {
	return func(text string) bool { return slices.Contains(list, text) }
}
