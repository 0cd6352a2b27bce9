// Package foreign fills a database with what others have: services and people, their tokens and
// sessions, and 1,000 links that look like those of tests, with clicks. Nothing of it may show to a
// client that knows only the contract: TERSE_TEST_FOREIGN=1 runs the tests of the interface against
// such databases.
package foreign

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"testing"
	"time"

	"terse"
)

// Wanted reports whether tests are to fill their databases.
func Wanted() bool { return os.Getenv("TERSE_TEST_FOREIGN") == "1" }

// Skip skips a test that is about a database as a whole, such as its size, and says so.
func Skip(t testing.TB, why string) {
	t.Helper()
	if Wanted() {
		t.Skip("others have links in the database: " + why)
	}
}

// Store is the part of a store that is filled.
type Store interface {
	terse.People
	terse.Tokens
	Transact(ctx context.Context, do func(terse.Tx) error) error
	AddClicks(ctx context.Context, batch terse.ClickBatch) error
}

// links is how many links others have.
const links = 1000

// owners are those others. None is named by a test.
var owners = []string{"foreign-ci", "foreign.bot", "ann@foreign.example", "bob@foreign.example"}

var admin = terse.Caller{Identity: terse.Identity, Role: terse.Admin, Via: terse.ViaAuthTokens}

// Fill fills a new database.
func Fill(ctx context.Context, store Store) error {
	for i, owner := range owners {
		if err := addUser(ctx, store, i, owner); err != nil {
			return fmt.Errorf("add %s: %w", owner, err)
		}
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	var all []terse.Link
	err := store.Transact(ctx, func(tx terse.Tx) (err error) {
		var fresh []terse.RestoredLink
		for i := range links {
			link, err := linkOf(i, now)
			if err != nil {
				return err
			}
			fresh = append(fresh, terse.RestoredLink{Link: link})
		}
		var refused []error
		all, refused, err = tx.CreateAll(ctx, admin, fresh)
		for _, why := range refused {
			if why != nil {
				return why
			}
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("create links: %w", err)
	}
	var clicks []terse.Click
	for i, link := range all {
		for n := range i % 4 {
			clicks = append(clicks, terse.Click{
				Link: link.ID, Code: link.Code,
				Time: now.Add(-time.Duration(n*7+i%5) * time.Hour).UnixMicro(),
				Values: terse.Values{
					terse.ByCountry: "DE", terse.ByReferrer: "https://example.com/",
					terse.ByBrowser: "Chrome",
				},
			})
		}
	}
	return store.AddClicks(ctx, terse.ClickBatch{
		Journal: "foreign", To: 1, Clicks: terse.ClicksOf(clicks...),
	})
}

// addUser adds a person or a service with a token.
func addUser(ctx context.Context, store Store, i int, name string) (err error) {
	if email, ok := terse.ParseEmail(name); ok {
		_, err = store.SignIn(ctx, terse.Caller{Via: terse.ViaSession}, terse.User{
			Identity: email, Role: terse.Editor, Issuer: "https://id.foreign.example",
			Subject: email, Email: email, Name: "Foreign",
		}, terse.Session{
			Hash: sha256.Sum256([]byte("session of " + name)), CreatedAt: time.Now(),
			ExpiresAt: time.Now().Add(time.Hour),
		})
	} else {
		err = store.CreateService(ctx, admin, name)
	}
	if err != nil {
		return err
	}
	_, err = store.CreateToken(ctx, admin, terse.AccessToken{
		ID: fmt.Sprint("foreign-", i), Name: "deploy", Identity: name, Role: terse.Editor,
		Hint: "abcd",
	}, sha256.Sum256([]byte("token of "+name)))
	return err
}

// linkOf returns a link whose URL, tags and title are such as tests have, too, with the tags in
// another spelling.
func linkOf(i int, now time.Time) (link terse.NewLink, err error) {
	link = terse.NewLink{
		URL:       terse.URL([]string{"https://example.com/", "https://example.com/a"}[i%2]),
		CreatedBy: owners[i%len(owners)], CreatedAt: now.Add(-time.Duration(i) * time.Hour),
	}
	if link.Code, err = terse.ParseCode(fmt.Sprintf("foreign-%d", i)); err != nil {
		return link, err
	}
	o := terse.LinkOptions{Title: "Spring"}
	switch i % 5 {
	case 1:
		o.Tags = []string{"NEWS", "sHOP"}
	case 2:
		o.Disabled, o.Archived = true, true
	case 3:
		o.ExpiresAt = now.Add(-time.Hour)
	case 4:
		o.Aliases = []string{fmt.Sprintf("foreign/%d", i)}
	}
	link.Options, err = o.Encode()
	return link, err
}
