package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/record"
)

// CreateToken stores a token.
func (s *Store) CreateToken(
	ctx context.Context, by terse.Caller, token terse.AccessToken, hash terse.SecretHash,
) (terse.AccessToken, error) {
	made, err := change(ctx, s, func(c *record.Changes) (terse.AccessToken, error) {
		return c.CreateToken(by, token, hash)
	})
	return made, translate(ctx, err, "create token of %q", token.Identity)
}

// Tokens returns the tokens of an identity, or of all.
func (s *Store) Tokens(ctx context.Context, identity string) (
	tokens []terse.AccessToken, err error,
) {
	read := s.read
	if identity == terse.AllOwners {
		read = s.ask
	}
	err = read(ctx, func(conn *sqlite.Conn) error {
		tokens, err = record.TokensOf(conn, identity)
		return err
	})
	return tokens, translate(ctx, err, "list tokens of %q", identity)
}

// Token returns a token.
func (s *Store) Token(ctx context.Context, id string) (token terse.AccessToken, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		token, err = record.Token(conn, id)
		return err
	})
	return token, translate(ctx, err, "read token %q", id)
}

// DeleteToken deletes a token.
func (s *Store) DeleteToken(ctx context.Context, by terse.Caller, id string) error {
	err := s.change(ctx, func(c *record.Changes) error { return c.DeleteToken(by, id) })
	return translate(ctx, err, "delete token %q", id)
}

// TokenGrant returns what a token proves.
func (s *Store) TokenGrant(ctx context.Context, hash terse.SecretHash) (
	grant terse.Grant, err error,
) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		grant, err = record.TokenGrant(conn, hash)
		return err
	})
	return grant, translate(ctx, err, "look up a token")
}
