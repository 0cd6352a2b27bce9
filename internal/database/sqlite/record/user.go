package record

import (
	"errors"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// userColumns are the columns that scanUser reads.
const userColumns = "u.identity, u.role, u.disabled, u.issuer, u.subject, u.email, u.name, " +
	"u.created_at, u.last_seen_at, u.groups"

// numbered adds the numbers of a user's links and tokens.
const numbered = ", (SELECT sum(links) FROM link_ranges WHERE created_by = u.identity), " +
	"(SELECT count(*) FROM tokens WHERE identity = u.identity)"

// numUserColumns is the number of userColumns.
const numUserColumns = 10

// scanUser returns the user of a row whose first columns are userColumns. A role that can't be read
// allows nothing.
func scanUser(row *sqlite.Stmt) terse.User {
	role, _ := terse.ParseRole(row.ColumnText(1))
	return terse.User{
		Identity: row.ColumnText(0), Role: role, Disabled: row.ColumnBool(2),
		Issuer: row.ColumnText(3), Subject: row.ColumnText(4),
		Email: row.ColumnText(5), Name: row.ColumnText(6),
		CreatedAt: timeAt(row.ColumnInt64(7)), LastSeenAt: timeAt(row.ColumnInt64(8)),
		Groups: terse.DecodeGroups(row.ColumnText(9)),
	}
}

// scanNumbered is scanUser for a row that also has what numbered adds.
func scanNumbered(row *sqlite.Stmt) terse.User {
	u := scanUser(row)
	u.Links, u.Tokens = row.ColumnInt64(numUserColumns), row.ColumnInt64(numUserColumns+1)
	return u
}

// timeAt returns a time that a row has, whose zero stands for none.
func timeAt(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// Users returns all users with their numbers, but with their groups only to each.
func Users(conn *sqlite.Conn, each func(*terse.User)) (users []terse.User, err error) {
	err = query.Each(conn, "SELECT "+userColumns+numbered+" FROM users AS u ORDER BY u.identity",
		func(row *sqlite.Stmt) error {
			u := scanNumbered(row)
			if each != nil {
				each(&u)
			}
			u.Groups = nil
			users = append(users, u)
			return nil
		})
	return users, err
}

// User returns a user with its numbers, or terse.ErrUserNotFound.
func User(conn *sqlite.Conn, identity string) (terse.User, error) {
	return one(conn, terse.ErrUserNotFound, "SELECT "+userColumns+numbered+" FROM users AS u "+
		"WHERE "+byIdentity, scanNumbered, identity)
}

// user returns a user without numbers, or terse.ErrUserNotFound.
func user(conn *sqlite.Conn, where string, args ...any) (terse.User, error) {
	return one(conn, terse.ErrUserNotFound, "SELECT "+userColumns+" FROM users AS u WHERE "+where,
		scanUser, args...)
}

// one returns what a query finds in the row of a unique key, or an error if there is none.
func one[T any](conn *sqlite.Conn, none error, sql string, scan func(*sqlite.Stmt) T,
	args ...any,
) (found T, err error) {
	failed := query.Each(conn, sql, func(row *sqlite.Stmt) error {
		found, none = scan(row), nil
		return nil
	}, args...)
	if failed != nil {
		none = failed
	}
	return found, none
}

const byIdentity = "u.identity = ?"

// SignIn opens a session for a person, who may be new.
func (c *Changes) SignIn(by terse.Caller, person terse.User, session terse.Session) (
	terse.User, error,
) {
	before, err := user(c.Conn, "u.issuer = ? AND u.subject = ? AND u.subject <> ''",
		person.Issuer, person.Subject)
	known := &before
	if errors.Is(err, terse.ErrUserNotFound) {
		known, err = nil, c.checkNew(person.Identity)
	}
	if err == nil && person.Email != before.Email {
		err = c.checkAddress(person.Email)
	}
	if err != nil {
		return terse.User{}, err
	}
	after, err := follow.SignIn(known, person, c.Now)
	if err != nil {
		return terse.User{}, err
	}
	by.Identity, session.Identity, session.Token = after.Identity, after.Identity, ""
	if known != nil {
		err = c.updateUser(by, before, after)
	} else {
		err = c.insertUser(by, after)
	}
	if err != nil {
		return terse.User{}, err
	}
	return after, c.addSession(by, session)
}

// checkAddress returns an error if a person has an address. What settings say of it would hold for
// another one, too.
func (c *Changes) checkAddress(email string) error {
	people, err := query.Int(c.Conn, "SELECT count(*) FROM users WHERE email = ? AND email <> ''",
		email)
	if err == nil && people > 0 {
		err = terse.ErrIdentityTaken
	}
	return err
}

// checkNew returns an error unless a user can be created.
func (c *Changes) checkNew(identity string) error {
	if _, err := user(c.Conn, byIdentity, identity); !errors.Is(err, terse.ErrUserNotFound) {
		if err == nil {
			err = terse.ErrIdentityTaken
		}
		return err
	}
	users, err := query.Int(c.Conn, "SELECT count(*) FROM users")
	if err == nil && users >= terse.MaxUsers {
		err = terse.ErrTooManyUsers
	}
	return err
}

func (c *Changes) insertUser(by terse.Caller, u terse.User) error {
	groups, err := terse.EncodeGroups(u.Groups)
	if err != nil {
		return err
	}
	err = query.Run(c.Conn, `INSERT INTO users (identity, role, disabled, issuer, subject, email,
		name, groups, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		u.Identity, u.Role.String(), u.Disabled, u.Issuer, u.Subject, u.Email, u.Name, groups,
		at(u.CreatedAt, 0), at(u.LastSeenAt, 0))
	if err != nil {
		return err
	}
	return c.Note(by, follow.UserCreated(u))
}

func (c *Changes) updateUser(by terse.Caller, before, after terse.User) error {
	groups, err := terse.EncodeGroups(after.Groups)
	if err != nil {
		return err
	}
	err = query.Run(c.Conn, `UPDATE users SET role = ?, disabled = ?, email = ?, name = ?,
		groups = ?, last_seen_at = ? WHERE identity = ?`, after.Role.String(), after.Disabled,
		after.Email, after.Name, groups, at(after.LastSeenAt, 0), after.Identity)
	if err != nil {
		return err
	}
	if what, changed := follow.UserUpdated(before, after); changed {
		return c.Note(by, what)
	}
	return nil
}

// CreateService creates a service unless there is a user with the identity.
func (c *Changes) CreateService(by terse.Caller, identity string) error {
	err := c.checkNew(identity)
	if errors.Is(err, terse.ErrIdentityTaken) {
		return nil
	}
	if err != nil {
		return err
	}
	return c.insertUser(by, terse.User{
		Identity: identity, Role: terse.Admin, CreatedAt: c.Now,
	})
}

// UpdateUser changes a user.
func (c *Changes) UpdateUser(by terse.Caller, identity string, change terse.UserChange) (
	terse.User, error,
) {
	if identity == terse.Identity {
		return terse.User{}, terse.ErrUserStays
	}
	before, err := User(c.Conn, identity)
	if err != nil {
		return terse.User{}, err
	}
	c.Users = true
	after := change.Of(before)
	if err := c.updateUser(by, before, after); err != nil {
		return terse.User{}, err
	}
	if after.Disabled {
		err = query.Run(c.Conn, "DELETE FROM sessions WHERE identity = ?", identity)
	}
	return after, err
}

// DeleteUser deletes a user without links. Triggers delete its tokens and sessions.
func (c *Changes) DeleteUser(by terse.Caller, identity string) error {
	if identity == terse.Identity {
		return terse.ErrUserStays
	}
	u, err := User(c.Conn, identity)
	if err != nil {
		return err
	}
	if u.Links > 0 {
		return terse.StillOwns(u.Links)
	}
	c.Users = true
	if err := query.Run(c.Conn, "DELETE FROM users WHERE identity = ?", identity); err != nil {
		return err
	}
	return c.Note(by, follow.UserDeleted(u))
}
