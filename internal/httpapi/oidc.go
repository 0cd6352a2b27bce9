package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"terse"
	"terse/internal/auth"
	"terse/internal/auth/oidc"
)

const (
	oidcPath = dashboard + "/oidc"
	// attemptCookie holds an attempt to sign in while the browser is at the provider. It comes back
	// from another site, so it is Lax.
	attemptCookie = "terse_oidc"
	// maxNext bounds the address to return to, in bytes, so that the cookie fits into the 4096 that
	// browsers keep.
	maxNext = 1024
	// providerTime is for all requests to the provider together: the connection of the browser
	// waits 30 s for its answer.
	providerTime = 20 * time.Second
)

// toProvider serves GET /ui/oidc/login.
func (s *service) toProvider(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	if s.OIDC == nil {
		s.Dashboard.ServeHTTP(w, r)
		return nil
	}
	location, attempt, err := s.OIDC.Begin(r.Context(), s.next(r.URL.Query().Get("next")))
	if err != nil {
		s.signInFailed(w, r, err)
		return nil
	}
	s.setAttempt(w, r, attempt.String(), int(oidc.AttemptLifetime/time.Second))
	sendTo(w, http.StatusFound, location)
	return nil
}

// fromProvider serves GET /ui/oidc/callback. Every try counts as a failure, as for POST
// /ui/session, before the provider is asked whether it is one.
func (s *service) fromProvider(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	if s.OIDC == nil {
		s.Dashboard.ServeHTTP(w, r)
		return nil
	}
	if err := s.limitFailure(r, nil); err != nil {
		return err
	}
	s.setAttempt(w, r, "", -1)
	attempt, err := attemptOf(r)
	if err != nil {
		s.signInFailed(w, r, err)
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), providerTime)
	defer cancel()
	person, err := s.OIDC.Finish(ctx, attempt, r.URL.Query())
	if err != nil {
		s.signInFailed(w, r, err)
		return nil
	}
	session, now, err := s.openSession(r, person)
	if refused, ok := errors.AsType[*refusal](err); ok {
		s.signInRefused(w, r, person, refused)
		return nil
	}
	if err != nil {
		return err
	}
	s.keepSession(w, r, session, now)
	// The cookie may have been changed.
	sendTo(w, http.StatusSeeOther, s.basePath+s.next(attempt.Next))
	return nil
}

func attemptOf(r *http.Request) (oidc.Attempt, error) {
	cookie, err := r.Cookie(attemptCookie)
	if err != nil {
		return oidc.Attempt{}, errors.New("the browser sent no cookie " + attemptCookie +
			": the sign-in began at another address than BASE_URL, in another browser, or more " +
			"than 10 minutes ago")
	}
	attempt, ok := oidc.ParseAttempt(cookie.Value)
	if !ok {
		return oidc.Attempt{}, errors.New("the cookie " + attemptCookie + " can't be read")
	}
	return attempt, nil
}

// next returns where to go after signing in: a path of the dashboard, as requests come with it.
func (s *service) next(given string) string {
	const home = dashboard + "/"
	u, err := url.Parse(strings.TrimPrefix(given, s.basePath))
	if err != nil || len(given) > maxNext || u.Scheme != "" || u.Host != "" || u.User != nil ||
		!strings.HasPrefix(u.Path, home) || strings.HasPrefix(u.Path+"/", oidcPath+"/") {
		return home
	}
	// Browsers resolve dots, and take a backslash for a slash.
	if clean := path.Clean(u.Path); u.Path != clean && u.Path != clean+"/" ||
		strings.ContainsFunc(given, func(c rune) bool { return c <= ' ' || c > '~' || c == '\\' }) {
		return home
	}
	return u.String()
}

// setAttempt makes the browser keep an attempt for maxAge seconds, or forget it.
func (s *service) setAttempt(w http.ResponseWriter, r *http.Request, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // as in setSession
		Name: attemptCookie, Value: value, Path: s.basePath + oidcPath, MaxAge: maxAge,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secure || forwardedHTTPS(r),
	})
}

// sendTo redirects a browser. What comes next must not learn the address, which has a code.
func sendTo(w http.ResponseWriter, status int, location string) {
	w.Header().Set("Location", location)
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(status)
}

// refusal is why somebody who could prove who they are may not come in.
type refusal struct {
	reason string // for the log and the audit: a setting, or some words
	says   string // to the person
}

func (r *refusal) Error() string { return r.reason }

// openSession opens a session for a person who has signed in. It fails with a *refusal if the
// person may not come in.
func (s *service) openSession(r *http.Request, person oidc.Person) (
	session auth.Session, now time.Time, err error,
) {
	identity, err := s.admitPerson(person)
	if err != nil {
		return session, now, err
	}
	now = time.Now()
	session, stored := auth.NewSession(now)
	by := requestOf(r)
	by.Via, by.Identity = terse.ViaSession, identity
	ctx, cancel := s.storeContext(r)
	defer cancel()
	_, err = s.Store.SignIn(ctx, by, terse.User{
		Identity: identity, Role: s.Gate.Admission.DefaultRole, Issuer: person.Issuer,
		Subject: person.Subject, Email: identity, Name: person.Name, Groups: person.Groups,
	}, stored)
	switch {
	case errors.Is(err, terse.ErrIdentityTaken):
		return session, now, &refusal{
			"the address belongs to another account",
			identity + " has signed in before with another account of the provider. " +
				"An admin can delete the person of before.",
		}
	case errors.Is(err, terse.ErrUserDisabled):
		return session, now, &refusal{
			"the person is disabled",
			"The account of " + identity + " is disabled. An admin can enable it again.",
		}
	case errors.Is(err, terse.ErrTooManyUsers):
		return session, now, &refusal{
			err.Error(), fmt.Sprintf("There are %d users, and no room for %s.", terse.MaxUsers,
				identity),
		}
	case err != nil:
		return session, now, fmt.Errorf("sign in: %w", err)
	}
	s.Gate.Drop() // the person's groups may have changed
	return session, now, nil
}

// admitPerson returns the identity that a person gets at the first sign-in, or a *refusal.
func (s *service) admitPerson(person oidc.Person) (identity string, err error) {
	const required = "OIDC_REQUIRE_VERIFIED_EMAIL"
	email := person.Email
	if email == "" {
		return "", &refusal{
			"OIDC_SCOPES: no address", "The provider did not send an email address. The setting " +
				"OIDC_SCOPES has to ask for it (email), and the provider to send the claim email.",
		}
	}
	identity, ok := terse.ParseEmail(email)
	if !ok {
		return "", &refusal{
			"no plain address", fmt.Sprintf("The provider sent %q, which is no plain email "+
				"address, such as ann@example.com.", shown(email)),
		}
	}
	if s.OIDC.RequireVerified && person.Verified != oidc.IsVerified {
		says := "The provider says that the address " + email + " is not verified"
		if person.Verified == oidc.Unsaid {
			says = "The provider does not say whether the address " + email + " is verified"
		}
		return "", &refusal{
			required, says + " (email_verified). If only trusted people can choose addresses " +
				"there, an operator can set " + required + "=false.",
		}
	}
	if !s.Gate.Admission.Allowed(terse.User{
		Issuer: person.Issuer, Subject: person.Subject, Email: email, Groups: person.Groups,
	}) {
		return "", s.notAllowed(person)
	}
	return identity, nil
}

// notAllowed says which settings would have to name a person.
func (s *service) notAllowed(person oidc.Person) *refusal {
	settings := "OIDC_ALLOWED_EMAILS does not name this address"
	reason := "OIDC_ALLOWED_EMAILS"
	if len(s.Gate.Admission.Groups) > 0 {
		reason, settings = "OIDC_ALLOWED_EMAILS, OIDC_ALLOWED_GROUPS", settings+
			", and OIDC_ALLOWED_GROUPS none of the groups"
		if !person.HasGroups {
			settings += "; the provider sent no groups (the claim " + s.OIDC.GroupsClaim +
				", OIDC_GROUPS_CLAIM and OIDC_SCOPES)"
		}
	}
	return &refusal{
		reason, person.Email + " may not sign in: the setting " + settings + ".",
	}
}

// signInRefused answers somebody who may not come in.
func (s *service) signInRefused(
	w http.ResponseWriter, r *http.Request, person oidc.Person, refused *refusal,
) {
	said := []slog.Attr{
		slog.String("request_id", r.Header.Get("X-Request-ID")),
		slog.String("email", shown(person.Email)), slog.String("reason", refused.reason),
		slog.String("message", refused.says),
	}
	if len(person.Groups) > 0 { // they must be spelled in the settings as they are here
		said = append(said, slog.Any("groups", shownGroups(person.Groups)))
	}
	s.Logger.LogAttrs(r.Context(), slog.LevelWarn, "sign-in refused", said...)
	target := shown(person.Email)
	if identity, ok := terse.ParseEmail(person.Email); ok {
		target = identity
	}
	s.noteStranger(r, terse.ActionRefuseUser, target, refused.reason)
	s.SignInPage(w, r, http.StatusForbidden, "You may not sign in", refused.says,
		"Ask the person who runs this server.")
}

// shownGroups returns the first of somebody's groups, as the log has them.
func shownGroups(groups []string) (first []string) {
	const most = 20 // of the 1,000 that count
	for _, group := range groups[:min(len(groups), most)] {
		first = append(first, shown(group))
	}
	return first
}

// signInFailed answers somebody who could not prove who they are, or whose provider does not work.
// What was wrong is for the log only.
func (s *service) signInFailed(w http.ResponseWriter, r *http.Request, err error) {
	s.Logger.LogAttrs(r.Context(), slog.LevelWarn, "sign-in failed",
		slog.String("request_id", r.Header.Get("X-Request-ID")), slog.Any("error", err))
	if _, down := errors.AsType[*oidc.UnavailableError](err); down {
		s.SignInPage(w, r, http.StatusServiceUnavailable, "Sign-in does not work now",
			"The OpenID provider can't be reached, or is not set up as this server expects.",
			"Try again in a moment. Tokens still work. The server's log says what is wrong, and "+
				"so does terse doctor.")
		return
	}
	// The error is for the log: strangers could make it say anything.
	s.noteStranger(r, terse.ActionFailSignIn, "", "OpenID Connect")
	s.SignInPage(w, r, http.StatusBadRequest, "Sign-in failed",
		"You were not signed in. Try again; it may have taken too long, or been begun in another "+
			"tab.", "If it fails again: the server's log says why.")
}

// shown returns an address, or a group, as pages, the log and the audit have it. Addresses have a
// bound, but a provider may send anything.
func shown(email string) string {
	if len(email) > terse.MaxIdentity {
		return strings.ToValidUTF8(email[:terse.MaxIdentity], "") + "…"
	}
	return email
}
