package httpapi

import (
	"cmp"
	"errors"
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
	ctx, cancel := s.storeContext(r)
	defer cancel()
	now := time.Now()
	session, err := s.Gate.SignIn(ctx, requestOf(r), req.Token)
	if failed, ok := errors.AsType[auth.Error](err); ok {
		s.noteStranger(r, terse.ActionFailSignIn, "",
			strings.TrimPrefix(failed.Error(), "Unauthorized: "))
	}
	if err != nil {
		return err
	}
	s.keepSession(w, r, session, now)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// requestOf returns a caller of whom only the request is known.
func requestOf(r *http.Request) terse.Caller {
	return terse.Caller{Address: clientAddr(r), RequestID: r.Header.Get("X-Request-ID")}
}

// readSession serves GET /ui/session.
func (s *service) readSession(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return auth.ErrSession // no token was tried
	}
	_, expires, err := s.Gate.Session(cookie.Value)
	if err != nil {
		return s.failed(r, err)
	}
	return respond(w, r, http.StatusOK, api.Session{ExpiresAt: expires})
}

// signOut serves DELETE /ui/session. If a session can't be ended for good, the browser keeps it to
// try again.
func (s *service) signOut(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	if s.crossOrigin.Check(r) != nil {
		return errCrossOrigin
	}
	if cookie, none := r.Cookie(sessionCookie); none == nil {
		ctx, cancel := s.storeContext(r)
		defer cancel()
		err := s.failed(r, s.Gate.SignOut(ctx, requestOf(r), cookie.Value))
		if _, ended := errors.AsType[auth.Error](err); err != nil && !ended {
			return err
		}
	}
	s.setSession(w, r, "", -1)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// keepSession makes the browser keep a session until it ends.
func (s *service) keepSession(w http.ResponseWriter, r *http.Request, session auth.Session,
	now time.Time,
) {
	rest := min(session.Expires.Sub(now), auth.SessionLifetime)
	s.setSession(w, r, session.Value, int((rest+time.Second-1)/time.Second))
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

// root serves GET /.
func (s *service) root(w http.ResponseWriter, _ *http.Request, _ terse.Caller) error {
	to := s.RootRedirect
	if to != "" && s.manager.Blocked(terse.URL(to)) {
		to = ""
	}
	if to == "" && s.Root != nil {
		to = s.Root()
	}
	w.Header().Set("Location", cmp.Or(to, s.basePath+dashboard+"/"))
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusFound)
	return nil
}
