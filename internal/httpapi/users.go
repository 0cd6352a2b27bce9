package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
	"terse/internal/text/jsonbody"
)

// Users whom nobody may change.
var (
	errYourself = &terse.Error{
		Kind: terse.Conflict, Message: "you cannot change yourself", Field: "identity",
	}
	errAdminEmail = &terse.Error{
		Kind:    terse.Conflict,
		Message: "this address is in OIDC_ADMIN_EMAILS: take it out there first",
		Field:   "identity",
	}
	errTokenEnds = &terse.Error{
		Kind: terse.Forbidden, Message: "a token cannot end sessions",
	}
)

// users serves GET /api/users.
func (s *service) users(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	found, err := s.Store.Users(r.Context(), func(u *terse.User) {
		u.Role = s.Gate.Admission.Role(*u) // while it has its groups
	})
	if err != nil {
		return fmt.Errorf("list users: %w", err)
	}
	list := api.Users{Users: make([]api.User, len(found))}
	for i, user := range found {
		list.Users[i] = s.userRecord(user)
	}
	return respond(w, r, http.StatusOK, list)
}

// updateUser serves PATCH /api/users/{identity}.
func (s *service) updateUser(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	change, err := parseUserChange(body)
	if err != nil {
		return err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	user, err := s.changeable(ctx, by, r.PathValue("identity"))
	if err != nil {
		return err
	}
	defer s.Gate.Drop() // even after an error nobody knows what was changed
	changed, err := s.Store.UpdateUser(ctx, by, user.Identity, change)
	if err != nil {
		return fmt.Errorf("change user %s: %w", user.Identity, err)
	}
	return respond(w, r, http.StatusOK, s.userRecord(changed))
}

func parseUserChange(body []byte) (change terse.UserChange, err error) {
	fields, err := jsonbody.Object(body, jsonbody.Known("role", "disabled"))
	if err != nil {
		return change, err
	}
	name, err := fields.TakeString("role")
	if err != nil {
		return change, err
	}
	if name != nil {
		role, err := terse.ParseRole(*name)
		if err != nil {
			return change, err
		}
		change.Role = &role
	}
	if value, given := fields["disabled"]; given && value.Kind() != jsontext.KindNull {
		disabled, err := fields.TakeBool("disabled")
		if err != nil {
			return change, err
		}
		change.Disabled = &disabled
	}
	return change, nil
}

// removeUser serves DELETE /api/users/{identity}. With move_to it takes many transactions: it goes
// on as long as its client waits.
func (s *service) removeUser(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	user, to, err := s.removable(r, by)
	if err != nil {
		return err
	}
	defer s.Gate.Drop()
	if to == "" {
		err = s.deleteUser(context.WithoutCancel(r.Context()), by, user)
	} else {
		err = s.deleteGiving(r.Context(), by, user, to)
	}
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// removable returns the user whom a request is to delete, and who is to get its links, if anybody.
func (s *service) removable(r *http.Request, by terse.Caller) (user, to string, err error) {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	found, err := s.changeable(ctx, by, r.PathValue("identity"))
	if err != nil {
		return "", "", err
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return "", "", terse.Invalidf("", "malformed query string")
	}
	to = query.Get("move_to")
	switch {
	case to == found.Identity:
		return "", "", terse.Invalidf("move_to", "move_to must be somebody else")
	case to != "":
		err = s.manager.KnowsOwner(ctx, to)
	}
	if errors.Is(err, terse.ErrUnknownOwner) {
		err = terse.Invalidf("move_to", "%v", err)
	}
	return found.Identity, to, err
}

// changeable returns the user with an identity, whom the caller may change or delete.
func (s *service) changeable(ctx context.Context, by terse.Caller, identity string) (
	user terse.User, err error,
) {
	if user, err = s.user(ctx, identity); err != nil {
		return user, err
	}
	switch {
	case identity == terse.Identity:
		return user, terse.ErrUserStays
	case identity == by.Identity:
		return user, errYourself
	case s.Gate.Admission.IsAdminEmail(cmp.Or(user.Email, identity)):
		return user, errAdminEmail
	}
	return user, nil
}

// endSessions serves DELETE /api/users/{identity}/sessions. Everyone may end their own.
func (s *service) endSessions(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	identity := r.PathValue("identity")
	switch {
	case identity != by.Identity && by.Role != terse.Admin:
		return terse.NeedsRole(terse.Admin)
	case isBareToken(by):
		return errTokenEnds
	}
	defer s.Gate.Drop()
	if err := s.Store.DeleteSessions(r.Context(), by, identity); err != nil {
		return fmt.Errorf("end the sessions of %s: %w", identity, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// user returns the user with an identity.
func (s *service) user(ctx context.Context, identity string) (terse.User, error) {
	user, err := s.Store.User(ctx, identity)
	if err != nil {
		return user, fmt.Errorf("read user %s: %w", identity, err)
	}
	return user, nil
}

func (s *service) userRecord(u terse.User) api.User {
	record := api.User{
		Identity: u.Identity, Role: s.Gate.Admission.Role(u).String(), Disabled: u.Disabled,
		CreatedAt: u.CreatedAt.UTC(), LastSeenAt: timeOrNull(u.LastSeenAt), Links: u.Links,
		Tokens: u.Tokens,
	}
	if u.IsPerson() {
		record.Email, record.Name = &u.Email, &u.Name
	}
	return record
}
