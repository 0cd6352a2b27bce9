package httpapi

import (
	"net/http"
	"net/url"
	"slices"

	"terse"
)

// permit decides whether a caller may use a route, and whose links the request is about. It comes
// right after authentication, before anything else in the request is looked at.
func (s *service) permit(r *http.Request, route Route, by terse.Caller) (owner string, err error) {
	if r.URL.RawQuery != "" {
		owner = askedOwner(r.URL.Query())
	}
	needed := route.Role
	if owner != "" && owner != by.Identity && route.Owners != Own {
		if needed = terse.Admin; route.Method == http.MethodGet {
			needed = terse.Auditor
		}
	}
	switch {
	case !by.Role.Allows(needed):
		return "", needsRole(needed)
	case owner == "" || owner == by.Identity && route.Owners != Own:
		return by.Identity, nil
	case route.Owners == Own:
		return "", terse.Invalidf("owner", "owner is not known here")
	case owner == terse.AllOwners && route.Owners == One:
		return "", terse.Invalidf("owner", "owner must be one identity here")
	case owner == terse.AllOwners:
		return owner, nil
	}
	return "", terse.ErrUnknownOwner // nobody else has a name yet
}

// askedOwner returns the first value of the parameter owner that is not empty.
func askedOwner(query url.Values) string {
	given := query["owner"]
	if i := slices.IndexFunc(given, func(text string) bool { return text != "" }); i >= 0 {
		return given[i]
	}
	return ""
}

// needsRole returns the error that a caller's role does not suffice.
func needsRole(needed terse.Role) error {
	return &terse.Error{Kind: terse.Forbidden, Message: "needs the role " + needed.String()}
}
