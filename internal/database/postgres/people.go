package postgres

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/database/hookstore"
	"terse/internal/database/postgres/links"
	"terse/internal/link/follow"
)

// usersLock is an advisory lock of transactions that create users, so that their number is bounded:
// "tersuser" in ASCII. Whoever changes what belongs to a user locks the user's row.
const usersLock int64 = 0x7465727375736572

// userColumns are the columns that userRow reads.
const userColumns = "u.identity, u.role, u.disabled, u.issuer, u.subject, u.email, u.name, " +
	"u.created_at, u.last_seen_at, u.groups"

// numbered adds the numbers of a user's links and tokens.
const numbered = ", coalesce((SELECT sum(links)::bigint FROM link_ranges " +
	"WHERE owner = u.identity), 0), (SELECT count(*) FROM tokens WHERE identity = u.identity)"

// userRow is a user as columns have it.
type userRow struct {
	terse.User
	role, groups    string
	created, seenAt int64
}

// columns returns where to scan userColumns.
func (r *userRow) columns() []any {
	return []any{
		&r.Identity, &r.role, &r.Disabled, &r.Issuer, &r.Subject, &r.Email, &r.Name,
		&r.created, &r.seenAt, &r.groups,
	}
}

// numbers returns where to scan what numbered adds.
func (r *userRow) numbers() []any { return []any{&r.Links, &r.Tokens} }

// user returns the user of a row that was scanned. A role that can't be read allows nothing.
func (r *userRow) user() terse.User {
	u := r.User
	u.Role, _ = terse.ParseRole(r.role)
	u.Groups = terse.DecodeGroups(r.groups)
	u.CreatedAt, u.LastSeenAt = links.TimeAt(r.created), links.TimeAt(r.seenAt)
	return u
}

// nameOf returns a text to look for. PostgreSQL refuses what is not UTF-8, and zeros; what stands
// for these here is in no name.
func nameOf(text string) string {
	const unknown = "\uFFFD"
	return strings.ReplaceAll(strings.ToValidUTF8(text, unknown), "\x00", unknown)
}

// selectUsers lists all users with what numbered adds. It adds up each table once: looking for each
// user's rows takes ten times as long where the ranges of many owners alternate.
const selectUsers = "SELECT " + userColumns + `, coalesce(l.links, 0), coalesce(t.tokens, 0)
	FROM users AS u
	LEFT JOIN (SELECT owner, sum(links)::bigint AS links FROM link_ranges GROUP BY owner) AS l
		ON l.owner = u.identity
	LEFT JOIN (SELECT identity, count(*) AS tokens FROM tokens GROUP BY identity) AS t
		ON t.identity = u.identity
	ORDER BY u.identity`

// Users returns all users. It reads the numbers of all links.
func (s *Store) Users(ctx context.Context, each func(*terse.User)) (
	users []terse.User, err error,
) {
	err = s.ask(ctx, func(tx pgx.Tx) error {
		users = nil
		rows, _ := tx.Query(ctx, selectUsers)
		var r userRow
		_, err := pgx.ForEachRow(rows, append(r.columns(), r.numbers()...), func() error {
			u := r.user()
			if each != nil {
				each(&u)
			}
			u.Groups = nil
			users = append(users, u)
			return nil
		})
		return err
	})
	return users, wrap(err, "list users")
}

// User returns a user.
func (s *Store) User(ctx context.Context, identity string) (terse.User, error) {
	user, err := read(ctx, func() (terse.User, error) {
		return numberedUser(ctx, s.pool, identity, "")
	})
	return user, wrap(err, "read user %q", identity)
}

// numberedUser returns a user with its numbers, or terse.ErrUserNotFound. lock may lock its row.
func numberedUser(ctx context.Context, q links.Querier, identity, lock string) (
	terse.User, error,
) {
	var r userRow
	return one(ctx, q, terse.ErrUserNotFound, append(r.columns(), r.numbers()...), r.user,
		"SELECT "+userColumns+numbered+" FROM users AS u WHERE u.identity = $1"+lock,
		nameOf(identity))
}

// lockUser returns a user without numbers, or terse.ErrUserNotFound, and locks its row until the
// transaction ends.
func lockUser(ctx context.Context, tx pgx.Tx, where string, args ...any) (terse.User, error) {
	var r userRow
	return one(ctx, tx, terse.ErrUserNotFound, r.columns(), r.user,
		"SELECT "+userColumns+" FROM users AS u WHERE "+where+" FOR UPDATE", args...)
}

const byIdentity = "u.identity = $1"

// one returns what a query finds in the row of a unique key, or an error if there is none.
func one[T any](ctx context.Context, q links.Querier, none error, columns []any, scanned func() T,
	sql string, args ...any,
) (found T, err error) {
	rows, _ := q.Query(ctx, sql, args...)
	_, err = pgx.ForEachRow(rows, columns, func() error {
		found, none = scanned(), nil
		return nil
	})
	if err == nil {
		err = none
	}
	return found, err
}

// SignIn opens a session for a person, who may be new. If an earlier try, whose answer was lost,
// has opened the session, all is done.
func (s *Store) SignIn(
	ctx context.Context, by terse.Caller, person terse.User, session terse.Session,
) (user terse.User, err error) {
	now := time.Now()
	err = s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		user, err = signIn(ctx, tx, c, by, person, session, now)
		return err
	})
	if err != nil {
		user = terse.User{}
	}
	return user, wrap(err, "sign in %q", person.Identity)
}

// changeAgain changes something in a transaction, again if its outcome is unknown.
func (s *Store) changeAgain(ctx context.Context, f func(pgx.Tx, *links.Changes) error) error {
	return again(ctx, func() error {
		return s.change(ctx, func(c *links.Changes) error { return f(c.Tx(), c) })
	})
}

func signIn(
	ctx context.Context, tx pgx.Tx, c *links.Changes, by terse.Caller, person terse.User,
	session terse.Session, now time.Time,
) (terse.User, error) {
	before, err := lockPerson(ctx, tx, person)
	if errors.Is(err, terse.ErrUserNotFound) {
		if err := lockUsers(ctx, tx); err != nil {
			return terse.User{}, err
		}
		before, err = lockPerson(ctx, tx, person)
	}
	known := &before
	if errors.Is(err, terse.ErrUserNotFound) {
		known, err = nil, checkNew(ctx, tx, person.Identity)
	}
	if err == nil && person.Email != before.Email {
		err = checkAddress(ctx, tx, person.Email)
	}
	if err != nil {
		return terse.User{}, err
	}
	after, err := follow.SignIn(known, person, now)
	if err != nil {
		return terse.User{}, err
	}
	by.Identity, session.Identity, session.Token = after.Identity, after.Identity, ""
	if known != nil {
		err = writeUser(ctx, tx, c, by, before, after)
	} else {
		err = insertUser(ctx, tx, c, by, after)
	}
	if err != nil {
		return terse.User{}, err
	}
	return after, addSession(ctx, tx, c, by, session, now)
}

// lockPerson returns the user who is a person at a provider, and locks its row.
func lockPerson(ctx context.Context, tx pgx.Tx, person terse.User) (terse.User, error) {
	return lockUser(ctx, tx, "u.issuer = $1 AND u.subject = $2 AND u.subject <> ''",
		person.Issuer, person.Subject)
}

// lockUsers lets no other transaction create a user.
func lockUsers(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", usersLock)
	return err
}

// checkAddress returns an error if a person has an address. What settings say of it would hold for
// another one, too. It prevents no two sign-ins with one new address at the same moment.
func checkAddress(ctx context.Context, tx pgx.Tx, email string) error {
	var taken bool
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM users WHERE email = $1 AND email <> '')",
		email).Scan(&taken)
	if err == nil && taken {
		err = terse.ErrIdentityTaken
	}
	return err
}

// checkNew returns an error unless a user can be created, which only the caller does now.
func checkNew(ctx context.Context, tx pgx.Tx, identity string) error {
	var taken bool
	var users int
	err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM users WHERE identity = $1), "+
		"(SELECT count(*) FROM users)", identity).Scan(&taken, &users)
	switch {
	case err != nil:
		return err
	case taken:
		return terse.ErrIdentityTaken
	case users >= terse.MaxUsers:
		return terse.ErrTooManyUsers
	}
	return nil
}

func insertUser(ctx context.Context, tx pgx.Tx, c *links.Changes, by terse.Caller, u terse.User,
) error {
	groups, err := terse.EncodeGroups(u.Groups)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO users (identity, role, disabled, issuer, subject, email,
		name, groups, created_at, last_seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		u.Identity, u.Role.String(), u.Disabled, u.Issuer, u.Subject, u.Email, u.Name, groups,
		links.MicrosAt(u.CreatedAt), links.MicrosAt(u.LastSeenAt))
	if err != nil {
		return err
	}
	return c.Note(by, follow.UserCreated(u))
}

// writeUser writes a user whose row is locked.
func writeUser(
	ctx context.Context, tx pgx.Tx, c *links.Changes, by terse.Caller, before, after terse.User,
) error {
	groups, err := terse.EncodeGroups(after.Groups)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE users SET role = $2, disabled = $3, email = $4, name = $5,
		groups = $6, last_seen_at = $7 WHERE identity = $1`, after.Identity, after.Role.String(),
		after.Disabled, after.Email, after.Name, groups, links.MicrosAt(after.LastSeenAt))
	if err != nil {
		return err
	}
	if what, changed := follow.UserUpdated(before, after); changed {
		return c.Note(by, what)
	}
	return nil
}

// CreateService creates a service.
func (s *Store) CreateService(ctx context.Context, by terse.Caller, identity string) error {
	now := time.Now()
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		err := lockUsers(ctx, tx)
		if err == nil {
			err = checkNew(ctx, tx, identity)
		}
		if err != nil {
			return err
		}
		return insertUser(ctx, tx, c, by, terse.User{
			Identity: identity, Role: terse.Admin, CreatedAt: now,
		})
	})
	if errors.Is(err, terse.ErrIdentityTaken) {
		err = nil
	}
	return wrap(err, "create service %q", identity)
}

// UpdateUser changes a user.
func (s *Store) UpdateUser(
	ctx context.Context, by terse.Caller, identity string, change terse.UserChange,
) (user terse.User, err error) {
	if identity == terse.Identity {
		return terse.User{}, terse.ErrUserStays
	}
	err = s.changeHooks(ctx, func(t *hookTx, now time.Time) error {
		// Who changes a webhook may ask for the key of its user, and holds the webhook.
		before, err := numberedUser(ctx, t.tx, identity, " FOR NO KEY UPDATE OF u")
		if err != nil {
			return err
		}
		user = change.Of(before)
		err = writeUser(ctx, t.tx, t.changes, by, before, user)
		if err == nil && user.Disabled {
			_, err = t.tx.Exec(ctx, "DELETE FROM sessions WHERE identity = $1", user.Identity)
		}
		if err == nil {
			err = hookstore.UserChanged(t, user, now)
		}
		return err
	})
	if err != nil {
		user = terse.User{}
	}
	return user, wrap(err, "update user %q", identity)
}

// DeleteUser deletes a user. If the outcome of a try that deletes the user is unknown, and the next
// try finds none, the first try has deleted it.
func (s *Store) DeleteUser(ctx context.Context, by terse.Caller, identity string) error {
	if identity == terse.Identity {
		return terse.ErrUserStays
	}
	tried := false // a try has deleted the user
	err := s.changeAgain(ctx, func(tx pgx.Tx, c *links.Changes) error {
		u, err := numberedUser(ctx, tx, identity, " FOR UPDATE OF u")
		if tried && errors.Is(err, terse.ErrUserNotFound) {
			return nil
		}
		if err == nil && u.Links > 0 {
			err = terse.StillOwns(u.Links)
		}
		if err == nil {
			_, err = tx.Exec(ctx, "DELETE FROM users WHERE identity = $1", u.Identity)
		}
		if err != nil {
			return err
		}
		tried = true
		return c.Note(by, follow.UserDeleted(u))
	})
	return wrap(err, "delete user %q", identity)
}
