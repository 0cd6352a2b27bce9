package storetest

import (
	"crypto/rand"
	"errors"
	"fmt"
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
