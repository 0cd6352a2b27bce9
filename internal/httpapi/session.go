package httpapi

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"terse"
	"terse/api"
	"terse/internal/auth"
	"terse/internal/link/weburl"
	"terse/internal/text/jsonbody"
)

// sessionCookie holds the session of a signed-in browser.
const sessionCookie = "terse_session"

// errCrossOrigin means that a page of another site tried to use a session.
var errCrossOrigin = &terse.Error{Kind: terse.Forbidden, Message: "cross-origin request refused"}

// newCrossOrigin protects what a browser's session can do. Pages below the base URL are trusted,
// even behind a proxy that changes the Host header.
func newCrossOrigin(baseURL string) *http.CrossOriginProtection {
	protection := http.NewCrossOriginProtection()
	// Fails without a host, and then there are no such pages.
	_ = protection.AddTrustedOrigin(origin(baseURL))
	return protection
}

// origin returns a URL's origin as browsers write it.
func origin(baseURL string) string {
	u, _ := weburl.Split(baseURL)
	host, _ := weburl.Host(u.Host)
	if u.Port != "" && u.Port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host += ":" + u.Port
	}
	return u.Scheme + "://" + host
}

// signIn serves POST /ui/session.
func (s *service) signIn(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	if s.crossOrigin.Check(r) != nil {
		return errCrossOrigin
	}
	// Every try counts as a failure, before the body is read, so that a guesser learns nothing
	// beyond the budget. API requests differ, so that a bad caller can't lock out a good one.
	if err := s.limitFailure(r, nil); err != nil {
		return err
	}
	var req api.SignIn
	body, err := readBody(w, r)
	if err == nil {
		err = jsonbody.Unmarshal(body, &req)
	}
	if err != nil {
		return err
	}
	session, err := s.Tokens.SignIn(req.Token, time.Now())
	if err != nil {
		return err
	}
	s.setSession(w, r, session.Value, int(auth.SessionLifetime/time.Second))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// readSession serves GET /ui/session.
func (s *service) readSession(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return auth.ErrSession // no token was tried
	}
	session, err := s.Tokens.Session(cookie.Value, time.Now())
	if err != nil {
		return s.limitFailure(r, err)
	}
	return respond(w, r, http.StatusOK, api.Session{ExpiresAt: session.Expires})
}

// signOut serves DELETE /ui/session.
func (s *service) signOut(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	if s.crossOrigin.Check(r) != nil {
		return errCrossOrigin
	}
	s.setSession(w, r, "", -1)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// setSession makes the browser keep a value for maxAge seconds, or with a negative maxAge forget
// it.
func (s *service) setSession(w http.ResponseWriter, r *http.Request, value string, maxAge int) {
	// Without HTTPS a browser would not send a Secure cookie.
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // see above
		Name: sessionCookie, Value: value, Path: s.basePath + "/", MaxAge: maxAge,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: s.secure || forwardedHTTPS(r),
	})
}

// forwardedHTTPS reports whether a trusted proxy says that the request came over HTTPS. The server
// has removed the header from other peers.
func forwardedHTTPS(r *http.Request) bool {
	first, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	return strings.EqualFold(strings.TrimSpace(first), "https")
}

// authenticate returns the identity that a request proves by its token or, without one, by its
// session. bySession says which.
func (s *service) authenticate(r *http.Request) (identity string, bySession bool, err error) {
	identity, err = s.Tokens.Authenticate(r.Header["Authorization"])
	if err != auth.ErrMissing { //nolint:errorlint // a constant, and not wrapped
		return identity, false, err
	}
	cookie, none := r.Cookie(sessionCookie)
	if none != nil {
		return "", false, err
	}
	if _, err := s.Tokens.Session(cookie.Value, time.Now()); err != nil {
		return "", true, err
	}
	return terse.Identity, true, nil
}

// root serves GET /.
func (s *service) root(w http.ResponseWriter, _ *http.Request, _ terse.Caller) error {
	w.Header().Set("Location", cmp.Or(s.RootRedirect, s.basePath+dashboard+"/"))
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusFound)
	return nil
}
