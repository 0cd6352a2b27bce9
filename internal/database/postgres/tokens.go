package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres/links"
	"terse/internal/link/follow"
)

// tokenColumns are the columns that tokenRow reads.
const tokenColumns = "t.id, t.name, t.identity, t.role, t.hint, t.created_at, t.created_by, " +
	"t.expires_at, t.last_used_at"

// tokenRow is a token as columns have it.
type tokenRow struct {
	terse.AccessToken
	role                  string
	created, expires, use int64
}

// columns returns where to scan tokenColumns.
func (r *tokenRow) columns() []any {
	return []any{
		&r.ID, &r.Name, &r.Identity, &r.role, &r.Hint, &r.created, &r.CreatedBy, &r.expires, &r.use,
	}
}

// token returns the token of a row that was scanned. A role that can't be read allows nothing.
func (r *tokenRow) token() terse.AccessToken {
	t := r.AccessToken
	t.Role, _ = terse.ParseRole(r.role)
	t.CreatedAt, t.ExpiresAt = links.TimeAt(r.created), links.TimeAt(r.expires)
	t.LastUsedAt = links.TimeAt(r.use)
	return t
}

// CreateToken stores a token. If an earlier try, whose answer was lost, has stored it, all is done.
func (s *Store) CreateToken(
	ctx context.Context, by terse.Caller, token terse.AccessToken, hash terse.SecretHash,
) (terse.AccessToken, error) {
	token.CreatedAt, token.CreatedBy = links.TimeAt(time.Now().UnixMicro()), by.Identity
	token.ExpiresAt, token.LastUsedAt = links.TimeAt(links.MicrosAt(token.ExpiresAt)), time.Time{}
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		u, err := lockUser(ctx, tx, byIdentity, nameOf(token.Identity))
		if err != nil {
			return err
		}
		var all, same, made int
		err = tx.QueryRow(ctx, "SELECT count(*), count(*) FILTER (WHERE name = $2), "+
			"count(*) FILTER (WHERE id = $3 AND hash = $4) FROM tokens WHERE identity = $1",
			u.Identity, token.Name, token.ID, hash[:]).Scan(&all, &same, &made)
		switch {
		case err != nil:
			return err
		case made > 0:
			return nil
		case same > 0:
			return terse.ErrTokenNameTaken
		case all >= terse.MaxTokens:
			return terse.ErrTooManyTokens
		}
		_, err = tx.Exec(ctx, `INSERT INTO tokens
			(id, hash, identity, name, role, hint, created_at, created_by, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, token.ID, hash[:], token.Identity,
			token.Name, token.Role.String(), token.Hint, links.MicrosAt(token.CreatedAt),
			token.CreatedBy, links.MicrosAt(token.ExpiresAt))
		if err != nil {
			return err
		}
		return c.Note(by, follow.TokenCreated(token))
	})
	if err != nil {
		token = terse.AccessToken{}
	}
	return token, wrap(err, "create a token")
}

// Tokens returns the tokens of an identity, or of all.
func (s *Store) Tokens(ctx context.Context, identity string) (
	tokens []terse.AccessToken, err error,
) {
	const from, order = "SELECT " + tokenColumns + " FROM tokens AS t ",
		"ORDER BY t.created_at DESC, t.id DESC LIMIT "
	sql, args := from+"WHERE t.identity = $2 "+order+"$1",
		[]any{terse.MaxTokens, nameOf(identity)}
	read := s.snapshot
	if identity == terse.AllOwners {
		sql, args, read = from+order+"$1", []any{terse.MaxListedTokens}, s.ask
	}
	err = read(ctx, func(tx pgx.Tx) error {
		tokens = nil
		rows, _ := tx.Query(ctx, sql, args...)
		var r tokenRow
		_, err := pgx.ForEachRow(rows, r.columns(), func() error {
			tokens = append(tokens, r.token())
			return nil
		})
		return err
	})
	return tokens, wrap(err, "list tokens of %q", identity)
}

// Token returns a token.
func (s *Store) Token(ctx context.Context, id string) (terse.AccessToken, error) {
	token, err := read(ctx, func() (terse.AccessToken, error) {
		return tokenOf(ctx, s.pool, id, "")
	})
	return token, wrap(err, "read token %q", id)
}

// tokenOf returns a token, or terse.ErrTokenNotFound. lock may lock its row.
func tokenOf(ctx context.Context, q links.Querier, id, lock string) (terse.AccessToken, error) {
	var r tokenRow
	return one(ctx, q, terse.ErrTokenNotFound, r.columns(), r.token,
		"SELECT "+tokenColumns+" FROM tokens AS t WHERE t.id = $1"+lock, nameOf(id))
}

// DeleteToken deletes a token. If the outcome of a try that deletes the token is unknown, and the
// next try finds none, the first try has deleted it.
func (s *Store) DeleteToken(ctx context.Context, by terse.Caller, id string) error {
	tried := false // a try has deleted the token
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		token, err := tokenOf(ctx, tx, id, " FOR UPDATE")
		if tried && errors.Is(err, terse.ErrTokenNotFound) {
			return nil
		}
		if err == nil {
			_, err = tx.Exec(ctx, "DELETE FROM tokens WHERE id = $1", token.ID)
		}
		if err != nil {
			return err
		}
		tried = true
		return c.Note(by, follow.TokenDeleted(token))
	})
	return wrap(err, "delete token %q", id)
}

// TokenGrant returns what a token proves.
func (s *Store) TokenGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error) {
	grant, err := read(ctx, func() (terse.Grant, error) {
		var u userRow
		var t tokenRow
		return one(ctx, s.pool, terse.ErrTokenNotFound, append(u.columns(), t.columns()...),
			func() terse.Grant { return terse.Grant{User: u.user(), Token: t.token()} },
			"SELECT "+userColumns+", "+tokenColumns+" FROM tokens AS t "+
				"JOIN users AS u ON u.identity = t.identity WHERE t.hash = $1", hash[:])
	})
	return grant, wrap(err, "look up a token")
}
