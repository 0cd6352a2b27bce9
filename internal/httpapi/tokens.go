package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"terse"
	"terse/api"
	"terse/internal/auth"
	"terse/internal/text/jsonbody"
)

const tokensPath = "/api/tokens"

var (
	errTokenManages = &terse.Error{
		Kind: terse.Forbidden, Message: "a token cannot manage tokens",
	}
	errSecretKey = terse.Invalidf("Idempotency-Key",
		"Idempotency-Key can not be used here, because the answer with its secret is not kept")
	errTwoOwners = terse.Invalidf("identity", "identity and owner must not differ")
)

// me serves GET /api/me.
func (s *service) me(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	me := api.Me{Identity: by.Identity, Role: by.Role.String(), Via: string(by.Via)}
	if by.Token != "" {
		token, err := s.Store.Token(r.Context(), by.Token)
		if errors.Is(err, terse.ErrTokenNotFound) { // deleted meanwhile
			return auth.ErrUnknown
		}
		if err != nil {
			return fmt.Errorf("read token %s: %w", by.Token, err)
		}
		shown := tokenRecord(token)
		me.Token = &shown
	}
	return respond(w, r, http.StatusOK, me)
}

// isBareToken reports whether a caller, by a token or by a session that was opened with one, can
// only read and delete that token: one that leaked must not make others.
func isBareToken(by terse.Caller) bool { return by.Token != "" && by.Role != terse.Admin }

// createToken serves POST /api/tokens.
func (s *service) createToken(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	if isBareToken(by) {
		return errTokenManages
	}
	if len(r.Header["Idempotency-Key"]) > 0 {
		return errSecretKey
	}
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	token, err := parseToken(body, by)
	if err != nil {
		return err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	if token.Identity != by.Identity {
		if err := s.needUser(ctx, by, token.Identity); err != nil {
			return err
		}
	}
	text := auth.NewNamedToken()
	token.ID, token.Hint = auth.NewTokenID(), text[len(text)-auth.HintLength:]
	token, err = s.Store.CreateToken(ctx, by, token, auth.HashOf(text))
	if err != nil {
		return fmt.Errorf("create a token: %w", err)
	}
	answer := tokenRecord(token)
	answer.Text = text
	return respond(w, r, http.StatusCreated, answer)
}

// parseToken returns the token that a caller asks for.
func parseToken(body []byte, by terse.Caller) (terse.AccessToken, error) {
	fields, err := jsonbody.Object(body, jsonbody.Known("name", "role", "identity", "expires_at"))
	if err != nil {
		return terse.AccessToken{}, err
	}
	var texts [4]string
	for i, name := range []string{"name", "role", "identity", "expires_at"} {
		text, err := fields.TakeString(name)
		if err != nil {
			return terse.AccessToken{}, err
		}
		if text != nil {
			texts[i] = *text
		}
	}
	token := terse.AccessToken{Identity: by.Asks()}
	if token.Name, err = parseTokenName(texts[0]); err != nil {
		return token, err
	}
	if token.Role, err = roleOfToken(texts[1], by); err != nil {
		return token, err
	}
	if identity := texts[2]; identity != "" {
		if token.Identity != by.Identity && token.Identity != identity {
			return token, errTwoOwners
		}
		token.Identity = identity
	}
	if token.Identity != by.Identity && by.Role != terse.Admin {
		return token, terse.NeedsRole(terse.Admin)
	}
	if texts[3] != "" {
		token.ExpiresAt, err = parseExpiry(texts[3])
	}
	return token, err
}

func parseTokenName(name string) (string, error) {
	switch length := utf8.RuneCountInString(name); {
	case name == "":
		return "", terse.Invalidf("name", "name is required")
	case length > terse.MaxTokenName || strings.TrimSpace(name) != name ||
		strings.ContainsFunc(name, unicode.IsControl):
		return "", terse.Invalidf("name", "name must be 1 to %d characters, without control "+
			"characters and without spaces around them", terse.MaxTokenName)
	}
	return name, nil
}

// roleOfToken returns the role of a new token. Unless the caller asks for one, it is an editor, or
// what the caller is if that may not do as much.
func roleOfToken(asked string, by terse.Caller) (terse.Role, error) {
	if asked == "" {
		if by.Role.Allows(terse.Editor) {
			return terse.Editor, nil
		}
		return by.Role, nil
	}
	role, err := terse.ParseRole(asked)
	if err == nil && !by.Role.Allows(role) {
		err = terse.NeedsRole(role)
	}
	return role, err
}

func parseExpiry(text string) (time.Time, error) {
	at, err := terse.ParseTime("expires_at", text)
	switch {
	case err != nil:
	case !at.After(time.Now()):
		err = terse.Invalidf("expires_at", "expires_at must be in the future")
	case at.Year() > 9999: // can't be shown
		err = terse.Invalidf("expires_at", "expires_at must be before the year 10000, in UTC")
	}
	return at, err
}

// needUser makes sure that there is a user with an identity. It creates a service if there is none.
func (s *service) needUser(ctx context.Context, by terse.Caller, identity string) error {
	err := s.manager.KnowsOwner(ctx, identity)
	if !errors.Is(err, terse.ErrUnknownOwner) {
		return err
	}
	name, err := terse.ParseService(identity)
	if err != nil {
		return err
	}
	if err := s.Store.CreateService(ctx, by, name); err != nil {
		return fmt.Errorf("create service %s: %w", name, err)
	}
	return nil
}

// tokens serves GET /api/tokens.
func (s *service) tokens(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	if isBareToken(by) {
		return errTokenManages
	}
	found, err := s.Store.Tokens(r.Context(), by.Asks())
	if err != nil {
		return fmt.Errorf("tokens of %s: %w", by.Asks(), err)
	}
	list := api.Tokens{Tokens: make([]api.Token, len(found))}
	for i, token := range found {
		list.Tokens[i] = tokenRecord(token)
	}
	return respond(w, r, http.StatusOK, list)
}

// readToken serves GET /api/tokens/{id}.
func (s *service) readToken(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	token, err := s.token(r, by)
	if err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, tokenRecord(token))
}

// removeToken serves DELETE /api/tokens/{id}.
func (s *service) removeToken(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	token, err := s.token(r, by)
	if err != nil {
		return err
	}
	defer s.Gate.Drop() // even after an error nobody knows what was deleted
	if err := s.Store.DeleteToken(r.Context(), by, token.ID); err != nil {
		return fmt.Errorf("delete token %s: %w", token.ID, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// token returns the token that the path names. Who can't reach it learns nothing about it.
func (s *service) token(r *http.Request, by terse.Caller) (terse.AccessToken, error) {
	id := r.PathValue("id")
	if isBareToken(by) && id != by.Token {
		return terse.AccessToken{}, errTokenManages
	}
	token, err := s.Store.Token(r.Context(), id)
	if err != nil {
		return token, fmt.Errorf("read token %s: %w", id, err)
	}
	if !by.Reaches(token.Identity) {
		return token, terse.ErrTokenNotFound
	}
	return token, nil
}

func tokenRecord(t terse.AccessToken) api.Token {
	return api.Token{
		ID: t.ID, Name: t.Name, Identity: t.Identity, Role: t.Role.String(),
		CreatedAt: t.CreatedAt.UTC(), CreatedBy: t.CreatedBy, ExpiresAt: timeOrNull(t.ExpiresAt),
		LastUsedAt: timeOrNull(t.LastUsedAt), Hint: t.Hint,
	}
}

// timeOrNull returns a time in UTC, or nil for the zero time.
func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
