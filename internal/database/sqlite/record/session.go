package record

import (
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// SessionGrant returns what a session proves, or terse.ErrSessionNotFound. A session whose token is
// gone proves nothing.
func SessionGrant(conn *sqlite.Conn, hash terse.SecretHash) (terse.Grant, error) {
	return one(conn, terse.ErrSessionNotFound, "SELECT "+userColumns+", "+tokenColumns+
		", s.token, s.created_at, s.expires_at FROM sessions AS s "+
		"JOIN users AS u ON u.identity = s.identity LEFT JOIN tokens AS t ON t.id = s.token "+
		"WHERE s.hash = ? AND (s.token = '' OR t.identity = s.identity)",
		func(row *sqlite.Stmt) terse.Grant {
			const rest = numUserColumns + numTokenColumns
			grant := terse.Grant{User: scanUser(row)}
			grant.Session = terse.Session{
				Hash: hash, Identity: grant.User.Identity, Token: row.ColumnText(rest),
				CreatedAt: timeAt(row.ColumnInt64(rest + 1)),
				ExpiresAt: timeAt(row.ColumnInt64(rest + 2)),
			}
			if grant.Session.Token != "" {
				grant.Token = scanToken(row, numUserColumns)
			}
			return grant
		}, hash[:])
}

// CreateSession stores a session of a named token.
func (c *Changes) CreateSession(by terse.Caller, session terse.Session) error {
	token, err := Token(c.Conn, session.Token)
	if err != nil {
		return err
	}
	u, err := user(c.Conn, byIdentity, token.Identity)
	if err != nil {
		return err
	}
	if u.Disabled {
		return terse.ErrUserDisabled
	}
	session.Identity = u.Identity
	return c.addSession(by, session)
}

// maxForgottenSessions bounds the old sessions that are deleted with a new one. More are deleted
// than added, so that none stays for long.
const maxForgottenSessions = 16

// addSession stores a session. It also deletes some that have ended, and the oldest of the user's
// with the same token, or without one, that are too many.
func (c *Changes) addSession(by terse.Caller, s terse.Session) error {
	err := query.Run(c.Conn, "DELETE FROM sessions WHERE rowid IN "+
		"(SELECT rowid FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
		c.Now.UnixMicro(), maxForgottenSessions)
	if err != nil {
		return err
	}
	err = query.Run(c.Conn, "DELETE FROM sessions WHERE rowid IN (SELECT rowid FROM sessions "+
		"WHERE identity = ? AND token = ? ORDER BY created_at DESC LIMIT -1 OFFSET ?)",
		s.Identity, s.Token, terse.MaxSessions-1)
	if err != nil {
		return err
	}
	err = query.Run(c.Conn, "INSERT INTO sessions (hash, identity, token, created_at, expires_at) "+
		"VALUES (?, ?, ?, ?, ?)", s.Hash[:], s.Identity, s.Token, at(s.CreatedAt, 0),
		at(s.ExpiresAt, 0))
	if err != nil {
		return err
	}
	return c.Note(by, follow.SessionCreated(s.Identity))
}

// DeleteSession ends a session, if there is one.
func (c *Changes) DeleteSession(by terse.Caller, hash terse.SecretHash) error {
	var identity string
	err := query.Each(c.Conn, "SELECT identity FROM sessions WHERE hash = ?",
		func(row *sqlite.Stmt) error {
			identity = row.ColumnText(0)
			return nil
		}, hash[:])
	if err != nil || identity == "" {
		return err
	}
	if err := query.Run(c.Conn, "DELETE FROM sessions WHERE hash = ?", hash[:]); err != nil {
		return err
	}
	return c.Note(by, follow.SessionsDeleted(identity, 1))
}

// DeleteSessions ends all sessions of a user.
func (c *Changes) DeleteSessions(by terse.Caller, identity string) error {
	if _, err := user(c.Conn, byIdentity, identity); err != nil {
		return err
	}
	err := query.Run(c.Conn, "DELETE FROM sessions WHERE identity = ?", identity)
	if err != nil {
		return err
	}
	if ended := c.Conn.Changes(); ended > 0 {
		return c.Note(by, follow.SessionsDeleted(identity, ended))
	}
	return nil
}

// Seen notes that a user was seen, and its token used. Times are to a minute, and don't go back.
func (c *Changes) Seen(identity, token string, when time.Time) error {
	minute := when.Truncate(time.Minute).UnixMicro()
	err := query.Run(c.Conn, "UPDATE users SET last_seen_at = ?1 "+
		"WHERE identity = ?2 AND last_seen_at < ?1", minute, identity)
	if err == nil && token != "" {
		err = query.Run(c.Conn, "UPDATE tokens SET last_used_at = ?1 "+
			"WHERE id = ?2 AND last_used_at < ?1", minute, token)
	}
	return err
}
