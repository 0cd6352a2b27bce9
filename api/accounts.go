package api

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Me is the answer to GET /api/me.
type Me struct {
	Identity string `json:"identity"` // created_by of the caller's links
	Role     string `json:"role"`     // "viewer", "editor", "auditor" or "admin"
	Via      string `json:"via"`      // "auth_tokens", "token" or "session"
	// Token is the named token that was sent, or that the session was opened with; nil: none.
	Token *Token `json:"token,omitzero"`
}

// Token is a named token.
type Token struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	Identity   string     `json:"identity"` // for whom it acts
	Role       string     `json:"role"`     // what it may do at most
	CreatedAt  time.Time  `json:"created_at"`
	CreatedBy  string     `json:"created_by"`
	ExpiresAt  *time.Time `json:"expires_at"`   // nil: never
	LastUsedAt *time.Time `json:"last_used_at"` // to a minute; nil: never
	Hint       string     `json:"hint"`         // the last characters of Text
	// Text is what its holder sends. Only the answer to POST /api/tokens has it.
	Text string `json:"token,omitzero"`
}

// Tokens is the answer to GET /api/tokens.
type Tokens struct {
	Tokens []Token `json:"tokens"`
}

// TokenRequest is the body of POST /api/tokens.
type TokenRequest struct {
	Name      string    `json:"name"`
	Role      string    `json:"role,omitzero"`       // "": "editor", or all that the caller may
	Identity  string    `json:"identity,omitzero"`   // "": the caller's
	ExpiresAt time.Time `json:"expires_at,omitzero"` // zero: never
}

// User is somebody who may own links: a service, or a person, who signs in.
type User struct {
	Identity   string     `json:"identity"`
	Email      *string    `json:"email"` // of a person's last sign-in; nil for a service
	Name       *string    `json:"name"`
	Role       string     `json:"role"`
	Disabled   bool       `json:"disabled"`
	CreatedAt  time.Time  `json:"created_at"`
	LastSeenAt *time.Time `json:"last_seen_at"` // to a minute; nil: never
	Links      int64      `json:"links"`
	Tokens     int64      `json:"tokens"`
}

// Users is the answer to GET /api/users.
type Users struct {
	Users []User `json:"users"`
}

// UserChanges is the body of PATCH /api/users/{identity}. Fields that are nil stay as they are.
type UserChanges struct {
	Role     *string `json:"role,omitzero"`
	Disabled *bool   `json:"disabled,omitzero"`
}

// Me returns who the caller is, and what it may do.
func (c *Client) Me(ctx context.Context) (Me, error) { return get[Me](ctx, c, "/api/me", nil) }

// CreateToken creates a named token. Its Text is never shown again.
func (c *Client) CreateToken(ctx context.Context, req TokenRequest) (Token, error) {
	return call[Token](ctx, c, http.MethodPost, tokensPath, req)
}

const tokensPath = "/api/tokens"

// Tokens returns named tokens, newest first: the caller's, or with Of those of others.
func (c *Client) Tokens(ctx context.Context) ([]Token, error) {
	out, err := get[Tokens](ctx, c, tokensPath, nil)
	return out.Tokens, err
}

// Token returns a named token, see Tokens.
func (c *Client) Token(ctx context.Context, id string) (Token, error) {
	return get[Token](ctx, c, tokensPath+"/"+url.PathEscape(id), nil)
}

// DeleteToken deletes a named token, see Tokens, and ends the sessions that were opened with it.
func (c *Client) DeleteToken(ctx context.Context, id string) error {
	return c.remove(ctx, tokensPath+"/"+url.PathEscape(id))
}

// Users returns all users, ordered by identity. The caller must be an auditor or an admin.
func (c *Client) Users(ctx context.Context) ([]User, error) {
	out, err := get[Users](ctx, c, "/api/users", nil)
	return out.Users, err
}

func userPath(identity string) string { return "/api/users/" + url.PathEscape(identity) }

// UpdateUser changes what a user may do. The caller must be an admin.
func (c *Client) UpdateUser(ctx context.Context, identity string, changes UserChanges) (
	User, error,
) {
	return call[User](ctx, c, http.MethodPatch, userPath(identity), changes)
}

// DeleteUser deletes a user without links, and its tokens and sessions. The caller must be an
// admin.
func (c *Client) DeleteUser(ctx context.Context, identity string) error {
	return c.remove(ctx, userPath(identity))
}

// DeleteUserMovingTo is DeleteUser for a user whose links another identity gets. If it fails, some
// may have moved: call it again.
func (c *Client) DeleteUserMovingTo(ctx context.Context, identity, to string) error {
	return c.remove(ctx, withQuery(userPath(identity), url.Values{"move_to": {to}}))
}

// EndSessions ends all sessions of a person or a service in browsers. Those of others are for
// admins.
func (c *Client) EndSessions(ctx context.Context, identity string) error {
	return c.remove(ctx, userPath(identity)+"/sessions")
}
