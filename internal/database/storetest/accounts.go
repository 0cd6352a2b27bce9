package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse"
)

// accountTests test users, their tokens and sessions.
var accountTests = storeTests{
	"a new store has the user of the settings":     firstUser,
	"a person is created at the first sign-in":     signInNew,
	"a person is known by issuer and subject":      signInAgain,
	"somebody else's identity is refused":          signInTaken,
	"an address that somebody else has is refused": signInAddress,
	"of concurrent first sign-ins one creates":     signInRace,
	"a service is created once":                    createService,
	"a user is changed":                            updateUser,
	"a disabled user has no sessions":              disableUser,
	"a user is deleted with tokens and sessions":   deleteUser,
	"a user with links is not deleted":             deleteOwner,
	"a user is deleted, or signs in":               deleteUserRace,
	"users are listed with their numbers":          listUsers,
	"a token is returned as it was created":        createToken,
	"names of tokens are unique for a user":        tokenNames,
	"a user has so many tokens at most":            manyTokens,
	"tokens are listed newest first":               listTokens,
	"a deleted token is gone with its sessions":    deleteToken,
	"a token is deleted, or opens a session":       deleteTokenRace,
	"a session proves what it was opened with":     sessionGrants,
	"a token or person has so many sessions":       manySessions,
	"sessions that have ended are deleted":         endedSessions,
	"sessions are deleted one by one and together": deleteSessions,
	"who was seen is noted to a minute":            seen,
	"what can be no name is not found":             oddNames,
}

// anna and bert are people as a provider describes them.
var (
	anna = terse.User{
		Identity: "anna@example.org", Role: terse.Editor, Issuer: "https://id.example",
		Subject: "1", Email: "anna@example.org", Name: "Anna Ä", Groups: []string{"a", "ß,\"b"},
	}
	bert = terse.User{
		Identity: "bert@example.org", Role: terse.Viewer, Issuer: "https://id.example",
		Subject: "2", Email: "bert@example.org",
	}
	admin = terse.Caller{Identity: terse.Identity, Role: terse.Admin, Via: terse.ViaAuthTokens}
)

var secrets atomic.Int64

// newHash returns the hash of a new secret.
func newHash() (hash terse.SecretHash) {
	_, _ = rand.Read(hash[:])
	return hash
}

// newSession returns a session for a week from now on.
func newSession() terse.Session {
	now := time.Now().UTC().Truncate(time.Microsecond)
	return terse.Session{Hash: newHash(), CreatedAt: now, ExpiresAt: now.Add(7 * 24 * time.Hour)}
}

// signIn signs in a person.
func signIn(t *testing.T, s Store, person terse.User) (terse.User, terse.Session) {
	t.Helper()
	session := newSession()
	user, err := s.SignIn(t.Context(), terse.Caller{Via: terse.ViaSession}, person, session)
	must(t, err)
	session.Identity = user.Identity
	return user, session
}

// newToken returns a token with a name.
func newToken(identity, name string) terse.AccessToken {
	return terse.AccessToken{
		ID: fmt.Sprint("token", secrets.Add(1)), Name: name, Identity: identity,
		Role: terse.Editor, Hint: "wxyz",
	}
}

func mustCreateToken(t *testing.T, s Store, token terse.AccessToken) (
	terse.AccessToken, terse.SecretHash,
) {
	t.Helper()
	hash := newHash()
	made, err := s.CreateToken(t.Context(), admin, token, hash)
	must(t, err)
	return made, hash
}

// openSession opens a session with a token.
func openSession(t *testing.T, s Store, token terse.AccessToken) terse.Session {
	t.Helper()
	session := newSession()
	session.Token = token.ID
	must(t, s.CreateSession(t.Context(), terse.Caller{Identity: token.Identity}, session))
	session.Identity = token.Identity
	return session
}

func mustCreateService(t *testing.T, s Store, identity string) {
	t.Helper()
	must(t, s.CreateService(t.Context(), admin, identity))
}

func userOf(t *testing.T, s Store, identity string) terse.User {
	t.Helper()
	user, err := s.User(t.Context(), identity)
	must(t, err)
	return user
}

// wantGrant checks what a session proves.
func wantGrant(t *testing.T, s Store, session terse.Session, user terse.User,
	token terse.AccessToken,
) {
	t.Helper()
	grant, err := s.SessionGrant(t.Context(), session.Hash)
	must(t, err)
	user.Links, user.Tokens = 0, 0
	wantEqual(t, "grant", grant, terse.Grant{User: user, Token: token, Session: session})
}

func wantNoSession(t *testing.T, s Store, what string, sessions ...terse.Session) {
	t.Helper()
	for _, session := range sessions {
		wantError(t, what, errOf(s.SessionGrant(t.Context(), session.Hash)),
			terse.ErrSessionNotFound)
	}
}

func wantNoToken(t *testing.T, s Store, what, id string, hash terse.SecretHash) {
	t.Helper()
	wantError(t, what, errOf(s.Token(t.Context(), id)), terse.ErrTokenNotFound)
	wantError(t, what, errOf(s.TokenGrant(t.Context(), hash)), terse.ErrTokenNotFound)
}

// wantNow checks a time that the store has set since began.
func wantNow(t *testing.T, what string, at, began time.Time) {
	t.Helper()
	if at.Before(began.Truncate(time.Microsecond)) || at.After(time.Now()) ||
		at.Location() != time.UTC || at.Nanosecond()%1000 != 0 {
		t.Errorf("%s at %v, want a time since %v", what, at, began)
	}
}

// wantSeen checks a time to a minute that the store has set since began.
func wantSeen(t *testing.T, what string, at, began time.Time) {
	t.Helper()
	if at.Before(began.Truncate(time.Minute)) || at.After(time.Now()) ||
		!at.Equal(at.Truncate(time.Minute)) || at.Location() != time.UTC {
		t.Errorf("%s at %v, want a minute since %v", what, at, began)
	}
}

func firstUser(t *testing.T, s Store) {
	users, err := s.Users(t.Context(), nil)
	must(t, err)
	if len(users) != 1 {
		t.Fatalf("there are %+v", users)
	}
	if at := users[0].CreatedAt; time.Since(at) > time.Hour || time.Until(at) > time.Minute {
		t.Errorf("it was created at %v", at)
	}
	users[0].CreatedAt = time.Time{}
	wantEqual(t, "user", users[0], terse.User{Identity: terse.Identity, Role: terse.Admin})
	role := terse.Viewer
	wantError(t, "update", errOf(s.UpdateUser(t.Context(), admin, terse.Identity,
		terse.UserChange{Role: &role})), terse.ErrUserStays)
	wantError(t, "delete", s.DeleteUser(t.Context(), admin, terse.Identity), terse.ErrUserStays)
	must(t, s.CreateService(t.Context(), admin, terse.Identity))
	token, hash := mustCreateToken(t, s, newToken(terse.Identity, "a"))
	grant, err := s.TokenGrant(t.Context(), hash)
	must(t, err)
	wantEqual(t, "token", grant.Token, token)
	wantEqual(t, "role", grant.User.Role, terse.Admin)
	wantEqual(t, "tokens", userOf(t, s, terse.Identity).Tokens, 1)
}

// WantFirstUsers checks the users of a database that was made before there were any, with links of
// the settings' user and one of ci.
func WantFirstUsers(t *testing.T, s Store) {
	t.Helper()
	users := usersOf(t, s)
	for i := range users {
		if at := users[i].CreatedAt; time.Since(at) > time.Hour || time.Until(at) > time.Minute {
			t.Errorf("%s was created at %v", users[i].Identity, at)
		}
		users[i].CreatedAt = time.Time{}
	}
	wantEqual(t, "users", users, []terse.User{
		{Identity: terse.Identity, Role: terse.Admin, Links: 2},
		{Identity: "ci", Role: terse.Admin, Links: 1},
	})
}

func signInNew(t *testing.T, s Store) {
	began := time.Now()
	user, session := signIn(t, s, anna)
	wantNow(t, "created", user.CreatedAt, began)
	wantSeen(t, "seen", user.LastSeenAt, began)
	want := anna
	want.CreatedAt, want.LastSeenAt = user.CreatedAt, user.LastSeenAt
	wantEqual(t, "signed in", user, want)
	wantEqual(t, "user", userOf(t, s, anna.Identity), want)
	wantGrant(t, s, session, want, terse.AccessToken{})
	other, _ := signIn(t, s, bert)
	if other.Groups != nil || other.Role != terse.Viewer {
		t.Errorf("signed in %+v", other)
	}
	wantError(t, "nobody", errOf(s.User(t.Context(), "carl@example.org")), terse.ErrUserNotFound)
	wantError(t, "case", errOf(s.User(t.Context(), "Anna@example.org")), terse.ErrUserNotFound)
}

// signInAgain: the provider's newest answers count, but the identity and role stay.
func signInAgain(t *testing.T, s Store) {
	first, session := signIn(t, s, anna)
	changed := anna
	changed.Identity, changed.Role = "anna@new.example", terse.Admin
	changed.Email, changed.Name, changed.Groups = "anna@new.example", "Anna B", nil
	user, second := signIn(t, s, changed)
	want := first
	want.Email, want.Name, want.Groups = changed.Email, changed.Name, nil
	want.LastSeenAt = user.LastSeenAt
	wantEqual(t, "signed in", user, want)
	wantEqual(t, "user", userOf(t, s, anna.Identity), want)
	wantGrant(t, s, session, want, terse.AccessToken{})
	wantGrant(t, s, second, want, terse.AccessToken{})
	wantError(t, "another", errOf(s.User(t.Context(), changed.Identity)), terse.ErrUserNotFound)

	// The same subject of another provider is another person.
	elsewhere := anna
	elsewhere.Issuer, elsewhere.Identity = "https://other.example", "other@example.org"
	user, _ = signIn(t, s, elsewhere)
	wantEqual(t, "identity", user.Identity, "other@example.org")
}

func signInTaken(t *testing.T, s Store) {
	mustCreateService(t, s, "ci")
	first, _ := signIn(t, s, anna)
	for what, identity := range map[string]string{
		"a person's": anna.Identity, "a service's": "ci", "the settings'": terse.Identity,
	} {
		other := bert
		other.Identity = identity
		session := newSession()
		wantError(t, what, errOf(s.SignIn(t.Context(), me, other, session)),
			terse.ErrIdentityTaken)
		wantNoSession(t, s, what, session)
	}
	wantEqual(t, "user", userOf(t, s, anna.Identity), first)
	if u := userOf(t, s, "ci"); u.IsPerson() {
		t.Errorf("the service became %+v", u)
	}
	wantEqual(t, "users", len(usersOf(t, s)), 3)
}

// An address that a person has got, as the last sign-in says, is not that of another account, too:
// what settings say of it would hold for both.
func signInAddress(t *testing.T, s Store) {
	signIn(t, s, anna)
	moved := anna
	moved.Identity, moved.Email = bert.Email, bert.Email
	first, _ := signIn(t, s, moved)
	session := newSession()
	wantError(t, "a new person", errOf(s.SignIn(t.Context(), me, bert, session)),
		terse.ErrIdentityTaken)
	wantNoSession(t, s, "a new person", session)
	known := bert
	known.Identity, known.Email = "bert@old.example", "bert@old.example"
	second, _ := signIn(t, s, known)
	wantError(t, "a known person", errOf(s.SignIn(t.Context(), me, bert, session)),
		terse.ErrIdentityTaken)
	wantNoSession(t, s, "a known person", session)
	wantEqual(t, "first", userOf(t, s, anna.Identity), first)
	wantEqual(t, "second", userOf(t, s, known.Identity), second)

	signIn(t, s, anna)
	user, _ := signIn(t, s, bert)
	wantEqual(t, "address that is free again", user.Email, bert.Email)
}

func usersOf(t *testing.T, s Store) []terse.User {
	t.Helper()
	users, err := s.Users(t.Context(), nil)
	must(t, err)
	return users
}

func signInRace(t *testing.T, s Store) {
	const callers = 8
	sessions := make([]terse.Session, callers)
	together(callers, func(i int) {
		sessions[i] = newSession()
		user, err := s.SignIn(t.Context(), me, anna, sessions[i])
		if err != nil || user.Identity != anna.Identity {
			t.Errorf("%+v, %v", user, err)
		}
	})
	wantEqual(t, "users", len(usersOf(t, s)), 2)
	for _, session := range sessions {
		must(t, errOf(s.SessionGrant(t.Context(), session.Hash)))
	}
}

func createService(t *testing.T, s Store) {
	began := time.Now()
	together(4, func(int) {
		if err := s.CreateService(t.Context(), admin, "ci"); err != nil {
			t.Error(err)
		}
	})
	user := userOf(t, s, "ci")
	wantNow(t, "created", user.CreatedAt, began)
	user.CreatedAt = time.Time{}
	wantEqual(t, "user", user, terse.User{Identity: "ci", Role: terse.Admin})
	person, _ := signIn(t, s, anna)
	mustCreateService(t, s, anna.Identity)
	wantEqual(t, "a person", userOf(t, s, anna.Identity), person)
}

// userChange returns a change of a user.
func userChange(role terse.Role, disabled bool) terse.UserChange {
	return terse.UserChange{Role: &role, Disabled: &disabled}
}

func updateUser(t *testing.T, s Store) {
	user, session := signIn(t, s, anna)
	other, _ := signIn(t, s, bert)
	token, hash := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	for _, change := range []terse.UserChange{
		userChange(terse.Auditor, false), userChange(terse.Admin, false), {},
	} {
		got, err := s.UpdateUser(t.Context(), admin, anna.Identity, change)
		must(t, err)
		user = change.Of(user)
		user.Tokens = 1
		wantEqual(t, "updated", got, user)
		wantEqual(t, "user", userOf(t, s, anna.Identity), user)
		wantGrant(t, s, session, user, terse.AccessToken{})
		grant, err := s.TokenGrant(t.Context(), hash)
		must(t, err)
		user.Tokens = 0
		wantEqual(t, "grant", grant, terse.Grant{User: user, Token: token})
	}
	wantEqual(t, "another", userOf(t, s, bert.Identity), other)
	wantError(t, "nobody", errOf(s.UpdateUser(t.Context(), admin, "carl@example.org",
		userChange(terse.Admin, true))), terse.ErrUserNotFound)
}

func disableUser(t *testing.T, s Store) {
	_, session := signIn(t, s, anna)
	_, others := signIn(t, s, bert)
	token, hash := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	with := openSession(t, s, token)
	user, err := s.UpdateUser(t.Context(), admin, anna.Identity, userChange(terse.Editor, true))
	must(t, err)
	if !user.Disabled {
		t.Errorf("updated %+v", user)
	}
	wantNoSession(t, s, "disabled", session, with)
	must(t, errOf(s.SessionGrant(t.Context(), others.Hash)))
	grant, err := s.TokenGrant(t.Context(), hash)
	must(t, err)
	wantEqual(t, "disabled", grant.User.Disabled, true)
	refused := newSession()
	wantError(t, "sign in", errOf(s.SignIn(t.Context(), me, anna, refused)), terse.ErrUserDisabled)
	opened := newSession()
	opened.Token = token.ID
	wantError(t, "with a token", s.CreateSession(t.Context(), me, opened), terse.ErrUserDisabled)
	wantNoSession(t, s, "refused", refused, opened)

	_, err = s.UpdateUser(t.Context(), admin, anna.Identity, userChange(terse.Editor, false))
	must(t, err)
	wantNoSession(t, s, "enabled again", session, with, refused, opened)
	must(t, errOf(s.TokenGrant(t.Context(), hash)))
	_, session = signIn(t, s, anna)
	must(t, errOf(s.SessionGrant(t.Context(), session.Hash)))
}

func deleteUser(t *testing.T, s Store) {
	first, session := signIn(t, s, anna)
	_, others := signIn(t, s, bert)
	token, hash := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	otherToken, otherHash := mustCreateToken(t, s, newToken(bert.Identity, "a"))
	with := openSession(t, s, token)
	must(t, s.DeleteUser(t.Context(), admin, anna.Identity))
	gone := func(what string) {
		t.Helper()
		wantNoSession(t, s, what, session, with)
		wantNoToken(t, s, what, token.ID, hash)
	}
	gone("deleted")
	wantError(t, "deleted", errOf(s.User(t.Context(), anna.Identity)), terse.ErrUserNotFound)
	wantError(t, "again", s.DeleteUser(t.Context(), admin, anna.Identity), terse.ErrUserNotFound)
	must(t, errOf(s.SessionGrant(t.Context(), others.Hash)))
	must(t, errOf(s.TokenGrant(t.Context(), otherHash)))
	must(t, errOf(s.Token(t.Context(), otherToken.ID)))
	must(t, s.Seen(t.Context(), anna.Identity, token.ID, time.Now()))
	wantError(t, "tokens", errOf(s.CreateToken(t.Context(), admin, newToken(anna.Identity, "b"),
		newHash())), terse.ErrUserNotFound)
	wantError(t, "sessions", s.DeleteSessions(t.Context(), admin, anna.Identity),
		terse.ErrUserNotFound)

	// Whoever comes next with the identity inherits nothing.
	second := anna
	second.Subject = "new"
	user, _ := signIn(t, s, second)
	if !user.CreatedAt.After(first.CreatedAt) {
		t.Errorf("created at %v, as before", user.CreatedAt)
	}
	gone("created again")
	wantEqual(t, "tokens", userOf(t, s, anna.Identity).Tokens, 0)
}

func deleteOwner(t *testing.T, s Store) {
	mustCreateService(t, s, "ci")
	session := openSession(t, s, tokenOf(t, s, "ci"))
	var links []terse.Link
	for i := range 2 {
		l := newLink(t, fmt.Sprint("link", i))
		l.CreatedBy = "ci"
		links = append(links, mustCreate(t, s, l))
	}
	for n := len(links); n > 0; n-- {
		err := s.DeleteUser(t.Context(), admin, "ci")
		if err == nil || err.Error() != terse.StillOwns(int64(n)).Error() {
			t.Errorf("with %d links: %v", n, err)
		}
		wantEqual(t, "links", userOf(t, s, "ci").Links, int64(n))
		must(t, errOf(s.SessionGrant(t.Context(), session.Hash)))
		if n == 2 { // one is given to somebody else, the other deleted
			c := changeTo(links[1])
			c.After.CreatedBy = terse.Identity
			must(t, errOf(s.Update(t.Context(), me, c)))
		} else {
			must(t, s.Delete(t.Context(), me, links[0]))
		}
	}
	must(t, s.DeleteUser(t.Context(), admin, "ci"))
	wantNoSession(t, s, "deleted", session)
}

func tokenOf(t *testing.T, s Store, identity string) terse.AccessToken {
	t.Helper()
	token, _ := mustCreateToken(t, s, newToken(identity, fmt.Sprint("name", secrets.Add(1))))
	return token
}

// deleteUserRace: a person who is deleted while signing in is gone, or was created again.
func deleteUserRace(t *testing.T, s Store) {
	for range 10 {
		before, _ := signIn(t, s, anna)
		token := newToken(anna.Identity, "a")
		session, hash, opened := newSession(), newHash(), newSession()
		opened.Token = token.ID
		together(3, func(i int) {
			var err error
			switch i {
			case 0:
				err = s.DeleteUser(t.Context(), admin, anna.Identity)
			case 1:
				_, err = s.SignIn(t.Context(), me, anna, session)
			case 2:
				if _, err = s.CreateToken(t.Context(), admin, token, hash); err == nil {
					err = s.CreateSession(t.Context(), me, opened)
				}
				if errors.Is(err, terse.ErrUserNotFound) || errors.Is(err, terse.ErrTokenNotFound) {
					err = nil
				}
			}
			if err != nil {
				t.Error(i, err)
			}
		})
		user, err := s.User(t.Context(), anna.Identity)
		if errors.Is(err, terse.ErrUserNotFound) {
			wantNoSession(t, s, "deleted", session, opened)
			wantNoToken(t, s, "deleted", token.ID, hash)
			continue
		}
		must(t, err)
		if user.CreatedAt.Equal(before.CreatedAt) {
			t.Error("the user was not deleted")
		}
		must(t, errOf(s.SessionGrant(t.Context(), session.Hash)))
		must(t, s.DeleteUser(t.Context(), admin, anna.Identity))
	}
}

func listUsers(t *testing.T, s Store) {
	mustCreateService(t, s, "b")
	mustCreateService(t, s, "Z") // before letters in lower case
	signIn(t, s, anna)
	for i := range 3 {
		l := newLink(t, fmt.Sprint("link", i))
		l.CreatedBy = anna.Identity
		mustCreate(t, s, l)
	}
	create(t, s, "own")
	tokenOf(t, s, "b")
	tokenOf(t, s, "b")
	want := []terse.User{
		userOf(t, s, "Z"), userOf(t, s, anna.Identity), userOf(t, s, terse.Identity),
		userOf(t, s, "b"),
	}
	var whole []terse.User
	must(t, errOf(s.Users(t.Context(), func(u *terse.User) {
		whole = append(whole, *u)
		u.Name = "another"
	})))
	wantEqual(t, "users with their groups", whole, want)
	want[1].Groups = nil
	wantEqual(t, "users", usersOf(t, s), want)
	for i, numbers := range [][2]int64{{0, 0}, {3, 0}, {1, 0}, {0, 2}} {
		wantEqual(t, want[i].Identity, [2]int64{want[i].Links, want[i].Tokens}, numbers)
	}
}

func createToken(t *testing.T, s Store) {
	began := time.Now()
	signIn(t, s, anna)
	limited := newToken(anna.Identity, "ends")
	limited.Role = terse.Auditor
	limited.ExpiresAt = time.Now().Add(time.Hour).UTC()
	limited.CreatedBy, limited.LastUsedAt = "nobody", time.Now()
	for _, token := range []terse.AccessToken{
		newToken(anna.Identity, strings.Repeat("ä", terse.MaxTokenName)), limited,
	} {
		hash := newHash()
		made, err := s.CreateToken(t.Context(), admin, token, hash)
		must(t, err)
		wantNow(t, "created", made.CreatedAt, began)
		want := token
		want.CreatedAt, want.CreatedBy = made.CreatedAt, terse.Identity
		want.LastUsedAt = time.Time{}
		want.ExpiresAt = token.ExpiresAt.Truncate(time.Microsecond)
		wantEqual(t, "made", made, want)
		got, err := s.Token(t.Context(), token.ID)
		must(t, err)
		wantEqual(t, "token", got, want)
		grant, err := s.TokenGrant(t.Context(), hash)
		must(t, err)
		wantEqual(t, "grant", grant, terse.Grant{
			User: without(userOf(t, s, anna.Identity)), Token: want,
		})
	}
	wantNoToken(t, s, "unknown", "none", newHash())
	wantError(t, "nobody's", errOf(s.CreateToken(t.Context(), admin, newToken("nobody", "a"),
		newHash())), terse.ErrUserNotFound)
}

// without returns a user without its numbers.
func without(u terse.User) terse.User {
	u.Links, u.Tokens = 0, 0
	return u
}

func tokenNames(t *testing.T, s Store) {
	signIn(t, s, anna)
	signIn(t, s, bert)
	mustCreateToken(t, s, newToken(bert.Identity, "name"))
	var taken atomic.Int64
	together(8, func(i int) {
		_, err := s.CreateToken(t.Context(), admin, newToken(anna.Identity, "name"), newHash())
		if errors.Is(err, terse.ErrTokenNameTaken) {
			taken.Add(1)
		} else if err != nil {
			t.Error(err)
		}
	})
	wantEqual(t, "refused", taken.Load(), 7)
	mustCreateToken(t, s, newToken(anna.Identity, "Name"))
	tokens, err := s.Tokens(t.Context(), anna.Identity)
	must(t, err)
	wantEqual(t, "tokens", len(tokens), 2)
	must(t, s.DeleteToken(t.Context(), admin, tokens[1].ID))
	mustCreateToken(t, s, newToken(anna.Identity, "name"))
}

// manyTokens: of several that would be the last one, one is created.
func manyTokens(t *testing.T, s Store) {
	signIn(t, s, anna)
	signIn(t, s, bert)
	for i := range terse.MaxTokens - 1 {
		token := newToken(anna.Identity, fmt.Sprint(i))
		token.ExpiresAt = spring // it counts all the same
		mustCreateToken(t, s, token)
	}
	var refused atomic.Int64
	together(4, func(i int) {
		_, err := s.CreateToken(t.Context(), admin,
			newToken(anna.Identity, fmt.Sprint("last", i)), newHash())
		if errors.Is(err, terse.ErrTooManyTokens) {
			refused.Add(1)
		} else if err != nil {
			t.Error(err)
		}
	})
	wantEqual(t, "refused", refused.Load(), 3)
	wantEqual(t, "tokens", userOf(t, s, anna.Identity).Tokens, terse.MaxTokens)
	mustCreateToken(t, s, newToken(bert.Identity, "a"))
	tokens, err := s.Tokens(t.Context(), anna.Identity)
	must(t, err)
	must(t, s.DeleteToken(t.Context(), admin, tokens[len(tokens)-1].ID))
	mustCreateToken(t, s, newToken(anna.Identity, "after"))
}

func listTokens(t *testing.T, s Store) {
	signIn(t, s, anna)
	signIn(t, s, bert)
	var annas, all []terse.AccessToken
	for i := range 6 {
		identity := []string{anna.Identity, bert.Identity, terse.Identity}[i%3]
		token, _ := mustCreateToken(t, s, newToken(identity, fmt.Sprint(i)))
		all = slices.Insert(all, 0, token)
		if identity == anna.Identity {
			annas = slices.Insert(annas, 0, token)
		}
	}
	byTime := func(tokens []terse.AccessToken) []terse.AccessToken {
		slices.SortStableFunc(tokens, func(a, b terse.AccessToken) int {
			if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
				return c
			}
			return strings.Compare(b.ID, a.ID)
		})
		return tokens
	}
	for identity, want := range map[string][]terse.AccessToken{
		anna.Identity: annas, terse.AllOwners: all, "nobody": nil,
	} {
		got, err := s.Tokens(t.Context(), identity)
		must(t, err)
		wantEqual(t, identity, got, byTime(want))
	}
}

func deleteToken(t *testing.T, s Store) {
	user, own := signIn(t, s, anna)
	token, hash := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	other, otherHash := mustCreateToken(t, s, newToken(anna.Identity, "b"))
	first, second := openSession(t, s, token), openSession(t, s, token)
	kept := openSession(t, s, other)
	must(t, s.DeleteToken(t.Context(), admin, token.ID))
	wantNoToken(t, s, "deleted", token.ID, hash)
	wantNoSession(t, s, "deleted", first, second)
	wantError(t, "again", s.DeleteToken(t.Context(), admin, token.ID), terse.ErrTokenNotFound)
	late := newSession()
	late.Token = token.ID
	wantError(t, "late", s.CreateSession(t.Context(), me, late), terse.ErrTokenNotFound)
	wantNoSession(t, s, "late", late)
	wantGrant(t, s, own, user, terse.AccessToken{})
	wantGrant(t, s, kept, user, other)
	must(t, errOf(s.TokenGrant(t.Context(), otherHash)))
}

// deleteTokenRace: a token that is deleted while sessions are opened with it leaves none.
func deleteTokenRace(t *testing.T, s Store) {
	mustCreateService(t, s, "ci")
	for range 20 {
		token := tokenOf(t, s, "ci")
		opened := make([]terse.Session, 3)
		together(1+len(opened), func(i int) {
			if i == len(opened) {
				if err := s.DeleteToken(t.Context(), admin, token.ID); err != nil {
					t.Error(err)
				}
				return
			}
			opened[i] = newSession()
			opened[i].Token = token.ID
			err := s.CreateSession(t.Context(), me, opened[i])
			if err != nil && !errors.Is(err, terse.ErrTokenNotFound) {
				t.Error(err)
			}
		})
		wantNoSession(t, s, "of a deleted token", opened...)
	}
}

func sessionGrants(t *testing.T, s Store) {
	user, own := signIn(t, s, anna)
	token, _ := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	opened := openSession(t, s, token)
	wantGrant(t, s, own, user, terse.AccessToken{})
	wantGrant(t, s, opened, user, token)
	wantNoSession(t, s, "unknown", newSession())
	none := newSession()
	wantError(t, "without a token", s.CreateSession(t.Context(), me, none), terse.ErrTokenNotFound)
	wantNoSession(t, s, "without a token", none)
	ended := newSession()
	ended.Token, ended.ExpiresAt = token.ID, spring
	must(t, s.CreateSession(t.Context(), me, ended))
	ended.Identity = anna.Identity
	wantGrant(t, s, ended, user, token)
}

func manySessions(t *testing.T, s Store) {
	// The oldest of all is the person's: the holder of a token can't end it by opening others.
	now := time.Now().UTC().Truncate(time.Microsecond)
	own := newSession()
	own.CreatedAt = now.Add(-time.Hour)
	must(t, errOf(s.SignIn(t.Context(), me, anna, own)))
	token := tokenOf(t, s, anna.Identity)
	sessions := make([]terse.Session, terse.MaxSessions+20)
	for i := range sessions { // the oldest come last
		sessions[i] = terse.Session{
			Hash: newHash(), Token: token.ID, CreatedAt: now.Add(-time.Duration(i) * time.Second),
			ExpiresAt: now.Add(time.Hour),
		}
	}
	for _, session := range sessions[:terse.MaxSessions-1] {
		must(t, s.CreateSession(t.Context(), me, session))
	}
	together(4, func(i int) {
		err := s.CreateSession(t.Context(), me, sessions[terse.MaxSessions-1+i])
		if err != nil {
			t.Error(err)
		}
	})
	count := func() (n int) {
		for _, session := range sessions {
			_, err := s.SessionGrant(t.Context(), session.Hash)
			if err == nil {
				n++
			} else if !errors.Is(err, terse.ErrSessionNotFound) {
				t.Error(err)
			}
		}
		return n
	}
	wantEqual(t, "sessions", count(), terse.MaxSessions)
	// A new one stays even if it seems to be the oldest.
	last := sessions[len(sessions)-1]
	must(t, s.CreateSession(t.Context(), me, last))
	must(t, errOf(s.SessionGrant(t.Context(), last.Hash)))
	must(t, errOf(s.SessionGrant(t.Context(), sessions[0].Hash)))
	wantEqual(t, "sessions", count(), terse.MaxSessions)
	must(t, errOf(s.SessionGrant(t.Context(), own.Hash)))
	// The same the other way round.
	for range terse.MaxSessions + 1 {
		signIn(t, s, anna)
	}
	wantEqual(t, "sessions", count(), terse.MaxSessions)
	wantNoSession(t, s, "the person's oldest", own)
}

// endedSessions are deleted at some time, while others stay.
func endedSessions(t *testing.T, s Store) {
	_, own := signIn(t, s, anna)
	token := tokenOf(t, s, anna.Identity)
	var old []terse.Session
	for range 30 {
		session := newSession()
		session.Token, session.ExpiresAt = token.ID, session.CreatedAt.Add(-time.Hour)
		must(t, s.CreateSession(t.Context(), me, session))
		old = append(old, session)
	}
	for range 5 {
		signIn(t, s, bert)
	}
	wantNoSession(t, s, "ended", old...)
	must(t, errOf(s.SessionGrant(t.Context(), own.Hash)))
}

func deleteSessions(t *testing.T, s Store) {
	_, first := signIn(t, s, anna)
	user, second := signIn(t, s, anna)
	_, others := signIn(t, s, bert)
	token, hash := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	opened := openSession(t, s, token)
	for range 2 {
		must(t, s.DeleteSession(t.Context(), me, first.Hash))
	}
	wantNoSession(t, s, "deleted", first)
	wantGrant(t, s, second, user, terse.AccessToken{})
	for range 2 {
		must(t, s.DeleteSessions(t.Context(), admin, anna.Identity))
	}
	wantNoSession(t, s, "all deleted", first, second, opened)
	must(t, errOf(s.TokenGrant(t.Context(), hash)))
	must(t, errOf(s.SessionGrant(t.Context(), others.Hash)))
	wantError(t, "nobody", s.DeleteSessions(t.Context(), admin, "nobody"), terse.ErrUserNotFound)
}

// oddNames come from the paths of requests.
func oddNames(t *testing.T, s Store) {
	ctx := t.Context()
	for _, name := range []string{"", "\x00", "a\x00", "\xff", "*", strings.Repeat("a", 10_000)} {
		wantError(t, "User", errOf(s.User(ctx, name)), terse.ErrUserNotFound)
		wantError(t, "UpdateUser", errOf(s.UpdateUser(ctx, me, name, terse.UserChange{})),
			terse.ErrUserNotFound)
		wantError(t, "DeleteUser", s.DeleteUser(ctx, me, name), terse.ErrUserNotFound)
		wantError(t, "DeleteSessions", s.DeleteSessions(ctx, me, name), terse.ErrUserNotFound)
		wantError(t, "Token", errOf(s.Token(ctx, name)), terse.ErrTokenNotFound)
		wantError(t, "DeleteToken", s.DeleteToken(ctx, me, name), terse.ErrTokenNotFound)
		wantError(t, "CreateToken", errOf(s.CreateToken(ctx, me, newToken(name, "a"), newHash())),
			terse.ErrUserNotFound)
		session := newSession()
		session.Token = name
		wantError(t, "CreateSession", s.CreateSession(ctx, me, session), terse.ErrTokenNotFound)
		must(t, s.Seen(ctx, name, name, time.Now()))
		tokens, err := s.Tokens(ctx, name)
		must(t, err)
		wantEqual(t, "tokens", len(tokens), 0)
	}
}

func seen(t *testing.T, s Store) {
	mustCreateService(t, s, "ci")
	token, hash := mustCreateToken(t, s, newToken("ci", "a"))
	other := tokenOf(t, s, "ci")
	at := time.Date(2030, 5, 6, 7, 8, 59, 999, time.FixedZone("", 3600))
	want := time.Date(2030, 5, 6, 6, 8, 0, 0, time.UTC)
	check := func(user, used time.Time) {
		t.Helper()
		grant, err := s.TokenGrant(t.Context(), hash)
		must(t, err)
		wantEqual(t, "seen", grant.User.LastSeenAt, user)
		wantEqual(t, "used", grant.Token.LastUsedAt, used)
		unused, err := s.Token(t.Context(), other.ID)
		must(t, err)
		wantEqual(t, "another", unused, other)
	}
	check(time.Time{}, time.Time{})
	must(t, s.Seen(t.Context(), "ci", "", at))
	check(want, time.Time{})
	must(t, s.Seen(t.Context(), "ci", token.ID, at.Add(-time.Minute)))
	check(want, want.Add(-time.Minute))
	must(t, s.Seen(t.Context(), "ci", token.ID, at.Add(time.Minute)))
	must(t, s.Seen(t.Context(), "ci", token.ID, at))
	check(want.Add(time.Minute), want.Add(time.Minute))
	must(t, s.Seen(t.Context(), "nobody", "none", at))
	wantError(t, "nobody", errOf(s.User(t.Context(), "nobody")), terse.ErrUserNotFound)
}

// AccountEffects tests what changes of users, tokens and sessions note: each once, in its
// transaction, and nothing if nothing changes. The store has the rule Seen; seen returns the rows
// of its table.
func AccountEffects(t *testing.T, s Store, seen func() []string) {
	ctx := t.Context()
	by := terse.Caller{Identity: "root"}
	var all []string
	wantSeen := func(what string, texts ...string) {
		t.Helper()
		all = append(all, texts...)
		got := seen()
		slices.Sort(got)
		slices.Sort(all)
		wantEqual(t, what, got, all)
	}
	signIn(t, s, anna)
	signedIn := `session.create anna@example.org by "anna@example.org", cause 0`
	wantSeen("a new person", signedIn, `user.create anna@example.org {"email":"anna@example.org",`+
		`"issuer":"https://id.example","role":"editor"} by "anna@example.org", cause 0`)
	signIn(t, s, anna)
	wantSeen("a person as before", signedIn)
	changed := anna
	changed.Email, changed.Name, changed.Groups = "a@example.org", "B", []string{"c", "a"}
	signIn(t, s, changed)
	wantSeen("a person who has changed", signedIn, `user.update anna@example.org {`+
		`"email":{"new":"a@example.org","old":"anna@example.org"},`+
		`"groups":{"joined":["c"],"left":["ß,\"b"]},"name":{"new":"B","old":"Anna Ä"}} `+
		`by "anna@example.org", cause 0`)
	taken := bert
	taken.Identity = anna.Identity
	wantError(t, "taken", errOf(s.SignIn(ctx, by, taken, newSession())), terse.ErrIdentityTaken)
	wantSeen("a person who is refused")

	for range 2 {
		must(t, s.CreateService(ctx, by, "ci"))
	}
	wantSeen("a service", `user.create ci {"role":"admin"} by "root", cause 0`)
	token := newToken("ci", "a")
	token.ExpiresAt = time.Date(2100, 1, 2, 3, 4, 5, 6000, time.UTC)
	hash := newHash()
	must(t, errOf(s.CreateToken(ctx, by, token, hash)))
	details := fmt.Sprintf(`%s {"expires_at":"2100-01-02T03:04:05.000006Z","identity":"ci",`+
		`"name":"a","role":"editor"} by "root", cause 0`, token.ID)
	wantSeen("a token", "token.create "+details)
	wantError(t, "taken", errOf(s.CreateToken(ctx, by, newToken("ci", "a"), newHash())),
		terse.ErrTokenNameTaken)
	wantSeen("a token that is refused")
	first, second := openSession(t, s, token), openSession(t, s, token)
	opened := `session.create ci by "ci", cause 0`
	wantSeen("sessions", opened, opened)
	must(t, s.Seen(ctx, "ci", token.ID, time.Now()))
	wantSeen("a visit")
	ended := `session.delete ci by "root", cause 0`
	for range 2 {
		must(t, s.DeleteSession(ctx, by, first.Hash))
	}
	wantSeen("a session that ends", ended)
	for range 2 {
		must(t, s.DeleteSessions(ctx, by, "ci"))
	}
	wantSeen("the last session", ended)
	wantNoSession(t, s, "all sessions", first, second)
	openSession(t, s, token)
	openSession(t, s, token)
	must(t, s.DeleteSessions(ctx, by, "ci"))
	wantSeen("all sessions", opened, opened, `session.delete ci {"sessions":2} by "root", cause 0`)

	for range 2 {
		must(t, errOf(s.UpdateUser(ctx, by, "ci", userChange(terse.Viewer, true))))
	}
	must(t, errOf(s.UpdateUser(ctx, by, "ci", userChange(terse.Viewer, false))))
	wantSeen("a user who is disabled", `user.update ci {"disabled":{"new":true,"old":false},`+
		`"role":{"new":"viewer","old":"admin"}} by "root", cause 0`,
		`user.update ci {"disabled":{"new":false,"old":true}} by "root", cause 0`)
	must(t, s.DeleteToken(ctx, by, token.ID))
	wantError(t, "gone", s.DeleteToken(ctx, by, token.ID), terse.ErrTokenNotFound)
	wantSeen("a token that is deleted", fmt.Sprintf(`token.delete %s {"identity":"ci",`+
		`"name":"a","role":"editor"} by "root", cause 0`, token.ID))
	l := newLink(t, "link")
	l.CreatedBy = "ci"
	link := mustCreate(t, s, l)
	if err := s.DeleteUser(ctx, by, "ci"); err == nil {
		t.Error("a user with links is deleted")
	}
	must(t, s.Delete(ctx, me, link))
	wantSeen("a link", `create link by "me", cause 0`, `delete link by "me", cause 0`)
	must(t, s.DeleteUser(ctx, by, "ci"))
	wantError(t, "gone", s.DeleteUser(ctx, by, "ci"), terse.ErrUserNotFound)
	wantSeen("a user who is deleted", `user.delete ci {"role":"viewer"} by "root", cause 0`)
}

// LastUser tests that of several new users, through two nodes, one is created. The database has
// room for one.
func LastUser(t *testing.T, s, other Store) {
	var refused atomic.Int64
	together(6, func(i int) {
		node := []Store{s, other}[i/2%2]
		var err error
		if i%2 == 0 {
			err = node.CreateService(t.Context(), admin, fmt.Sprint("last", i))
		} else {
			person := anna
			person.Identity, person.Subject = fmt.Sprint("last", i), fmt.Sprint(i)
			_, err = node.SignIn(t.Context(), me, person, newSession())
		}
		if errors.Is(err, terse.ErrTooManyUsers) {
			refused.Add(1)
		} else if err != nil {
			t.Error(err)
		}
	})
	wantEqual(t, "refused", refused.Load(), 5)
	wantEqual(t, "listed", len(usersOf(t, s)), terse.MaxUsers)
	must(t, s.DeleteUser(t.Context(), admin, "u9"))
	signIn(t, other, bert)
	signIn(t, s, bert) // is known
	must(t, s.CreateService(t.Context(), admin, "u8"))
}

// AccountsByHand tests what an operator may do with rows of users, by statements that run runs.
func AccountsByHand(t *testing.T, s Store, run func(sql string)) {
	user, session := signIn(t, s, anna)
	token, hash := mustCreateToken(t, s, newToken(anna.Identity, "a"))
	opened := openSession(t, s, token)
	run("UPDATE users SET role = 'owner', groups = '[\"a' WHERE identity = 'anna@example.org'")
	run("UPDATE tokens SET role = ''")
	user.Role, user.Groups, token.Role = terse.NoRole, nil, terse.NoRole
	wantGrant(t, s, session, user, terse.AccessToken{})
	wantGrant(t, s, opened, user, token)
	grant, err := s.TokenGrant(t.Context(), hash)
	must(t, err)
	wantEqual(t, "role", grant.User.Role.And(grant.Token.Role), terse.NoRole)
	must(t, errOf(s.Users(t.Context(), nil)))
	_, err = s.UpdateUser(t.Context(), admin, anna.Identity, userChange(terse.Editor, false))
	must(t, err)
	wantEqual(t, "role", userOf(t, s, anna.Identity).Role, terse.Editor)

	run("DELETE FROM tokens")
	wantNoToken(t, s, "deleted", token.ID, hash)
	wantNoSession(t, s, "deleted", opened)
	must(t, errOf(s.SessionGrant(t.Context(), session.Hash)))
	token, hash = mustCreateToken(t, s, newToken(anna.Identity, "a"))
	opened = openSession(t, s, token)
	run("DELETE FROM users WHERE identity = 'anna@example.org'")
	wantNoToken(t, s, "deleted", token.ID, hash)
	wantNoSession(t, s, "deleted", session, opened)
	signIn(t, s, anna)
	wantNoToken(t, s, "created again", token.ID, hash)
	wantNoSession(t, s, "created again", session, opened)
}

// nodes are several stores of one database. Each call is one's.
type nodes struct {
	Store
	others []Store
}

// Nodes returns a store that passes calls about users, tokens and sessions to one of several nodes
// of a database.
func Nodes(first Store, others ...Store) Store {
	return &nodes{Store: first, others: append(others, first)}
}

func (n *nodes) one() Store { return n.others[mathrand.IntN(len(n.others))] }

func (n *nodes) User(ctx context.Context, identity string) (terse.User, error) {
	return n.one().User(ctx, identity)
}

func (n *nodes) SignIn(
	ctx context.Context, by terse.Caller, person terse.User, session terse.Session,
) (terse.User, error) {
	return n.one().SignIn(ctx, by, person, session)
}

func (n *nodes) CreateService(ctx context.Context, by terse.Caller, identity string) error {
	return n.one().CreateService(ctx, by, identity)
}

func (n *nodes) UpdateUser(
	ctx context.Context, by terse.Caller, identity string, change terse.UserChange,
) (terse.User, error) {
	return n.one().UpdateUser(ctx, by, identity, change)
}

func (n *nodes) DeleteUser(ctx context.Context, by terse.Caller, identity string) error {
	return n.one().DeleteUser(ctx, by, identity)
}

func (n *nodes) CreateToken(
	ctx context.Context, by terse.Caller, token terse.AccessToken, hash terse.SecretHash,
) (terse.AccessToken, error) {
	return n.one().CreateToken(ctx, by, token, hash)
}

func (n *nodes) DeleteToken(ctx context.Context, by terse.Caller, id string) error {
	return n.one().DeleteToken(ctx, by, id)
}

func (n *nodes) TokenGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error) {
	return n.one().TokenGrant(ctx, hash)
}

func (n *nodes) CreateSession(ctx context.Context, by terse.Caller, session terse.Session) error {
	return n.one().CreateSession(ctx, by, session)
}

func (n *nodes) SessionGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error) {
	return n.one().SessionGrant(ctx, hash)
}

func (n *nodes) DeleteSessions(ctx context.Context, by terse.Caller, identity string) error {
	return n.one().DeleteSessions(ctx, by, identity)
}
