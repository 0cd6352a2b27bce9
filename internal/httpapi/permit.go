package httpapi

import (
	"net/http"

	"terse"
)

// permit decides whether a caller may use a route, and whose links the request is about. It comes
// right after authentication, before anything else in the request is looked at.
func (s *service) permit(r *http.Request, route Route, by terse.Caller) (owner string, err error) {
	owner, malformed := askedFor("owner", r.URL.RawQuery)
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
