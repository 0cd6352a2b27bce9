package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"terse"
)

// permit decides whether a caller may use a route, and whose links the request is about. It comes
// right after authentication, before anything else in the request is looked at.
func (s *service) permit(r *http.Request, route Route, by terse.Caller) (owner string, err error) {
	owner, malformed := askedOwner(r.URL.RawQuery)
	needed := route.Role
	if owner != "" && route.Owners != Own {
		most := terse.Admin
		if route.Method == http.MethodGet {
			most = terse.Auditor
		}
		if owner != by.Identity || by.Role.Allows(most) { // whose role may not be the route's
			needed = most
		}
	}
	switch {
	case !by.Role.Allows(needed):
		return "", terse.NeedsRole(needed)
	case malformed != nil:
		return "", malformed
	case owner == "" || owner == by.Identity && route.Owners != Own:
		return by.Identity, nil
	case route.Owners == Own:
		return "", terse.Invalidf("owner", "owner is not known here")
	case owner == terse.KeepOwners && route.Pattern == importPath:
		return owner, nil
	case owner == terse.AllOwners && route.Owners == One:
		return "", terse.Invalidf("owner", "owner must be one identity here")
	case owner == terse.AllOwners:
		return owner, nil
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	return owner, s.manager.KnowsOwner(ctx, owner)
}

// askedOwner returns the first value of the parameter owner that is not empty. It fails if there
// may be one that can't be read: without it, the request would be about what the caller owns. Any
// other query is the route's affair.
func askedOwner(query string) (owner string, malformed error) {
	if query == "" {
		return "", nil
	}
	values, err := url.ParseQuery(query)
	if err != nil && strings.Contains(query, "owner") {
		return "", terse.Invalidf("", "malformed query string")
	}
	given := values["owner"]
	if i := slices.IndexFunc(given, func(text string) bool { return text != "" }); i >= 0 {
		return given[i], nil
	}
	return "", nil
}
