package record

import (
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// tokenColumns are the columns that scanToken reads.
const tokenColumns = "t.id, t.name, t.identity, t.role, t.hint, t.created_at, t.created_by, " +
	"t.expires_at, t.last_used_at"

const numTokenColumns = 9

// scanToken returns the token of a row whose columns from one on are tokenColumns. A role that
// can't be read allows nothing.
func scanToken(row *sqlite.Stmt, from int) terse.AccessToken {
	role, _ := terse.ParseRole(row.ColumnText(from + 3))
	return terse.AccessToken{
		ID: row.ColumnText(from), Name: row.ColumnText(from + 1),
		Identity: row.ColumnText(from + 2), Role: role, Hint: row.ColumnText(from + 4),
		CreatedAt: timeAt(row.ColumnInt64(from + 5)), CreatedBy: row.ColumnText(from + 6),
		ExpiresAt:  timeAt(row.ColumnInt64(from + 7)),
		LastUsedAt: timeAt(row.ColumnInt64(from + 8)),
	}
}

// TokensOf returns the tokens of an identity, or the newest of terse.AllOwners.
func TokensOf(conn *sqlite.Conn, identity string) (tokens []terse.AccessToken, err error) {
	add := func(row *sqlite.Stmt) error {
		tokens = append(tokens, scanToken(row, 0))
		return nil
	}
	const from, order = "SELECT " + tokenColumns + " FROM tokens AS t ",
		"ORDER BY t.created_at DESC, t.id DESC LIMIT ?"
	if identity == terse.AllOwners {
		err = query.Each(conn, from+order, add, terse.MaxListedTokens)
	} else {
		err = query.Each(conn, from+"WHERE t.identity = ? "+order, add, identity, terse.MaxTokens)
	}
	return tokens, err
}

// Token returns a token, or terse.ErrTokenNotFound.
func Token(conn *sqlite.Conn, id string) (terse.AccessToken, error) {
	return one(conn, terse.ErrTokenNotFound,
		"SELECT "+tokenColumns+" FROM tokens AS t WHERE t.id = ?",
		func(row *sqlite.Stmt) terse.AccessToken { return scanToken(row, 0) }, id)
}

// TokenGrant returns what a token proves, or terse.ErrTokenNotFound.
func TokenGrant(conn *sqlite.Conn, hash terse.SecretHash) (terse.Grant, error) {
	return one(conn, terse.ErrTokenNotFound, "SELECT "+userColumns+", "+tokenColumns+
		" FROM tokens AS t JOIN users AS u ON u.identity = t.identity WHERE t.hash = ?",
		func(row *sqlite.Stmt) terse.Grant {
			return terse.Grant{User: scanUser(row), Token: scanToken(row, numUserColumns)}
		}, hash[:])
}

// CreateToken stores a token.
func (c *Changes) CreateToken(by terse.Caller, t terse.AccessToken, hash terse.SecretHash) (
	terse.AccessToken, error,
) {
	var none terse.AccessToken
	if _, err := user(c.Conn, byIdentity, t.Identity); err != nil {
		return none, err
	}
	same, err := query.Int(c.Conn, "SELECT count(*) FROM tokens WHERE identity = ? AND name = ?",
		t.Identity, t.Name)
	if err != nil {
		return none, err
	}
	if same > 0 {
		return none, terse.ErrTokenNameTaken
	}
	all, err := query.Int(c.Conn, "SELECT count(*) FROM tokens WHERE identity = ?", t.Identity)
	if err != nil {
		return none, err
	}
	if all >= terse.MaxTokens {
		return none, terse.ErrTooManyTokens
	}
	t.CreatedAt, t.CreatedBy = time.UnixMicro(c.Now.UnixMicro()).UTC(), by.Identity
	t.ExpiresAt, t.LastUsedAt = timeAt(at(t.ExpiresAt, 0)), time.Time{}
	err = query.Run(c.Conn, `INSERT INTO tokens
		(id, hash, identity, name, role, hint, created_at, created_by, expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, t.ID, hash[:], t.Identity, t.Name, t.Role.String(),
		t.Hint, at(t.CreatedAt, 0), t.CreatedBy, at(t.ExpiresAt, 0))
	if err != nil {
		return none, err
	}
	return t, c.Note(by, follow.TokenCreated(t))
}

// DeleteToken deletes a token. A trigger deletes its sessions.
func (c *Changes) DeleteToken(by terse.Caller, id string) error {
	token, err := Token(c.Conn, id)
	if err != nil {
		return err
	}
	if err := query.Run(c.Conn, "DELETE FROM tokens WHERE id = ?", id); err != nil {
		return err
	}
	return c.Note(by, follow.TokenDeleted(token))
}
