package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/postgres/links"
	"terse/internal/link/follow"
)

// CreateSession stores a session of a named token. If an earlier try, whose answer was lost, has
// stored it, all is done. The row of the user is locked before that of the token.
func (s *Store) CreateSession(ctx context.Context, by terse.Caller, session terse.Session) error {
	now := time.Now()
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		token, err := tokenOf(ctx, tx, session.Token, "")
		if err != nil {
			return err
		}
		u, err := lockUser(ctx, tx, byIdentity, token.Identity)
		if err != nil {
			return err
		}
		if u.Disabled {
			return terse.ErrUserDisabled
		}
		if _, err := tokenOf(ctx, tx, session.Token, " FOR KEY SHARE"); err != nil {
			return err // it was deleted meanwhile
		}
		session.Identity = u.Identity
		return addSession(ctx, tx, c, by, session, now)
	})
	return wrap(err, "create a session")
}

// maxForgottenSessions bounds the old sessions that are deleted with a new one. More are deleted
// than added, so that none stays for long.
const maxForgottenSessions = 16

// addSession stores a session, unless it is stored, of a user whose row is locked. It also deletes
// some that have ended, and the oldest of the user's with the same token, or without one, that are
// too many.
func addSession(
	ctx context.Context, tx pgx.Tx, c *links.Changes, by terse.Caller, s terse.Session,
	now time.Time,
) error {
	var made bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM sessions WHERE hash = $1)", s.Hash[:]).
		Scan(&made)
	if err != nil || made {
		return err
	}
	var token *string
	if s.Token != "" {
		token = &s.Token
	}
	batch := &pgx.Batch{}
	batch.Queue(`DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions
		WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
		now.UnixMicro(), maxForgottenSessions)
	batch.Queue(`DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions
		WHERE identity = $1 AND coalesce(token, '') = $3 ORDER BY created_at DESC OFFSET $2)`,
		s.Identity, terse.MaxSessions-1, s.Token)
	batch.Queue("INSERT INTO sessions (hash, identity, token, created_at, expires_at) "+
		"VALUES ($1, $2, $3, $4, $5)", s.Hash[:], s.Identity, token, links.MicrosAt(s.CreatedAt),
		links.MicrosAt(s.ExpiresAt))
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	return c.Note(by, follow.SessionCreated(s.Identity))
}

// SessionGrant returns what a session proves.
func (s *Store) SessionGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error) {
	grant, err := read(ctx, func() (terse.Grant, error) { return s.sessionGrant(ctx, hash) })
	return grant, wrap(err, "look up a session")
}

func (s *Store) sessionGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error) {
	var u userRow
	var id, name, identity, role, hint, createdBy *string // of the token, if there is one
	var created, expires, use *int64
	var begin, end int64
	columns := append(u.columns(), &id, &name, &identity, &role, &hint, &created, &createdBy,
		&expires, &use, &begin, &end)
	return one(ctx, s.pool, terse.ErrSessionNotFound, columns, func() terse.Grant {
		grant := terse.Grant{User: u.user(), Session: terse.Session{
			Hash: hash, Identity: u.Identity, CreatedAt: links.TimeAt(begin),
			ExpiresAt: links.TimeAt(end),
		}}
		if id != nil {
			t := tokenRow{role: *role, created: *created, expires: *expires, use: *use}
			t.ID, t.Name, t.Identity, t.Hint, t.CreatedBy = *id, *name, *identity, *hint, *createdBy
			grant.Token, grant.Session.Token = t.token(), *id
		}
		return grant
	}, "SELECT "+userColumns+", "+tokenColumns+", s.created_at, s.expires_at FROM sessions AS s "+
		"JOIN users AS u ON u.identity = s.identity LEFT JOIN tokens AS t ON t.id = s.token "+
		"WHERE s.hash = $1", hash[:])
}

// DeleteSession ends a session.
func (s *Store) DeleteSession(ctx context.Context, by terse.Caller, hash terse.SecretHash) error {
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		rows, _ := tx.Query(ctx, "DELETE FROM sessions WHERE hash = $1 RETURNING identity", hash[:])
		return noteEnded(rows, c, by)
	})
	return wrap(err, "delete a session")
}

// noteEnded notes the sessions of a user that were deleted, by the identity of each.
func noteEnded(rows pgx.Rows, c *links.Changes, by terse.Caller) error {
	identities, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(identities) == 0 {
		return err
	}
	return c.Note(by, follow.SessionsDeleted(identities[0], len(identities)))
}

// DeleteSessions ends all sessions of a user.
func (s *Store) DeleteSessions(ctx context.Context, by terse.Caller, identity string) error {
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		u, err := lockUser(ctx, tx, byIdentity, nameOf(identity))
		if err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, "DELETE FROM sessions WHERE identity = $1 RETURNING identity",
			u.Identity)
		return noteEnded(rows, c, by)
	})
	return wrap(err, "delete the sessions of %q", identity)
}

// Seen notes that a user was seen, and its token used. Times are to a minute, and don't go back.
func (s *Store) Seen(ctx context.Context, identity, token string, at time.Time) error {
	minute := at.Truncate(time.Minute).UnixMicro()
	err := again(ctx, func() error {
		_, err := s.pool.Exec(ctx, "UPDATE users SET last_seen_at = $2 "+
			"WHERE identity = $1 AND last_seen_at < $2", nameOf(identity), minute)
		if err == nil && token != "" {
			_, err = s.pool.Exec(ctx, "UPDATE tokens SET last_used_at = $2 "+
				"WHERE id = $1 AND last_used_at < $2", nameOf(token), minute)
		}
		return err
	})
	return wrap(err, "note that %q was seen", identity)
}
