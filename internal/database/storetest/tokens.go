package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"terse"
)

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
