package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"terse"
)

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
