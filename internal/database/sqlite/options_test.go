package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	driver "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/database/sqlite"
)

// createTagged makes links, each with the tag all, every second with the tag half, every third
// disabled, every fourth for 3 clicks.
func createTagged(t testing.TB, s *sqlite.Store, n int) (links []terse.Link) {
	t.Helper()
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		for i := range n {
			o := terse.LinkOptions{Tags: []string{"all"}, Disabled: i%3 == 0}
			if i%2 == 0 {
				o.Tags = append(o.Tags, "half")
			}
			if i%4 == 0 {
				o.MaxClicks = 3
			}
			text, err := o.Encode()
			must(t, err)
			link, err := tx.Create(t.Context(), me, terse.NewLink{
				Code: code(t, fmt.Sprint("code", i)), URL: "https://example.org/",
				CreatedBy: terse.Identity, Options: text,
			})
			must(t, err)
			links = append(links, link)
		}
		return nil
	}))
	return links
}

// What lists know of options follows links that an operator deletes or gives away.
func TestOptionsByHand(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"deleted":   "DELETE FROM links WHERE id % 5 < 2",
		"all gone":  "DELETE FROM links",
		"given":     "UPDATE links SET created_by = 'other' WHERE id % 5 = 1",
		"all given": "UPDATE links SET created_by = 'other'",
		"recoded":   "UPDATE links SET code = 'x' || code",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "terse.db")
			s := openAt(t, path)
			defer func() { must(t, s.Close()) }()
			createTagged(t, s, 300)
			byHand(t, path, sql)
			for _, owner := range []string{terse.Identity, "other"} {
				wantOptions(t, s, owner)
			}
			gone := "SELECT count(*) FROM link_states WHERE link_id NOT IN (SELECT id FROM links)"
			if n := queryByHand(t, path, gone); n > 0 {
				t.Errorf("%d states of links that are gone", n)
			}
			empty := "SELECT (SELECT count(*) FROM link_sets WHERE links = 0) + " +
				"(SELECT count(*) FROM tags WHERE links = 0)"
			if n := queryByHand(t, path, empty); n > 0 {
				t.Errorf("%d empty sets and tags", n)
			}
		})
	}
}

// Nobody may give a link another ID: what belongs to the link is kept under it.
func TestIDStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer func() { must(t, s.Close()) }()
	link := create(t, s, "link")
	conn, err := driver.OpenConn(path, driver.OpenReadWrite)
	must(t, err)
	err = sqlitex.ExecuteTransient(conn, "UPDATE links SET id = 7", nil)
	if err == nil || !strings.Contains(err.Error(), "the ID of a link must not change") {
		t.Errorf("another ID: %v", err)
	}
	must(t, sqlitex.ExecuteTransient(conn, "UPDATE links SET id = id, code = 'other'", nil))
	must(t, conn.Close())
	found, err := s.Link(t.Context(), code(t, "other"))
	if err != nil || found.ID != link.ID {
		t.Errorf("found %+v, %v", found, err)
	}
}

// wantOptions compares what filters find with what links have.
func wantOptions(t *testing.T, s *sqlite.Store, owner string) {
	t.Helper()
	all, err := s.Links(t.Context(), terse.LinkQuery{Owner: owner, Limit: 1000})
	must(t, err)
	want := map[string]int64{}
	for _, link := range all.Links {
		o, err := link.Options.Decode()
		must(t, err)
		for _, tag := range o.Tags {
			want[tag]++
		}
		want[string(o.Status(time.Now(), link.Used))]++
	}
	got := map[string]int64{}
	tags, err := s.Tags(t.Context(), owner)
	must(t, err)
	for _, tag := range tags {
		got[tag.Name] = tag.Links
	}
	for _, filter := range []terse.LinkFilter{
		{Tags: []string{"all"}},
		{Tags: []string{"half"}},
		{Status: terse.Active},
		{Status: terse.Disabled},
	} {
		filter.Now = time.Now()
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: owner, Filter: filter, Limit: 1000,
		})
		must(t, err)
		name := string(filter.Status)
		if name == "" {
			name = filter.Tags[0]
		}
		if page.Total != want[name] || len(page.Links) != int(want[name]) ||
			filter.Tags != nil && got[name] != want[name] {
			t.Errorf("%s: %d links of %s, the total is %d, of the tag %d, want %d", owner,
				len(page.Links), name, page.Total, got[name], want[name])
		}
	}
}

// Links whose time has come move to the set of their status, and lists are the same before and
// after.
func TestMoveDue(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer func() { must(t, s.Close()) }()
	const n = 1800
	soon := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	text, err := (&terse.LinkOptions{ExpiresAt: soon}).Encode()
	must(t, err)
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		for i := range n {
			_, err := tx.Create(t.Context(), me, terse.NewLink{
				Code: code(t, fmt.Sprint("code", i)), URL: "https://example.org/",
				CreatedBy: terse.Identity, Options: text,
			})
			must(t, err)
		}
		return nil
	}))
	count := func(status terse.Status, now time.Time) int64 {
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: terse.Identity, Limit: 1,
			Filter: terse.LinkFilter{Status: status, Now: now},
		})
		must(t, err)
		return page.Total
	}
	active, expired := count(terse.Active, soon.Add(-1)), count(terse.Expired, soon)
	if active != n || expired != n {
		t.Errorf("%d active before, %d expired after", active, expired)
	}
	// As if the hour had passed.
	byHand(t, path, "UPDATE link_states SET until = 7, expires_at = 7")
	byHand(t, path, `UPDATE links SET options = '{"expires_at":"1970-01-01T00:00:00.000007Z"}'`)
	if expired := count(terse.Expired, time.Now()); expired != n {
		t.Errorf("%d have expired before they are moved", expired)
	}
	moveDue(t, s)
	if left := queryByHand(t, path,
		"SELECT count(*) FROM link_states WHERE status = 'active'"); left > 0 {
		t.Errorf("%d are not moved", left)
	}
	expired, active = count(terse.Expired, time.Now()), count(terse.Active, time.Now())
	if expired != n || active != 0 {
		t.Errorf("%d have expired, %d are active", expired, active)
	}
	if before := count(terse.Active, time.UnixMicro(6)); before != n {
		t.Errorf("%d were active before", before)
	}
}

// moveDue moves all links whose status time has changed.
func moveDue(t *testing.T, s *sqlite.Store) {
	t.Helper()
	for moved := 1; moved > 0; {
		var err error
		moved, err = s.MoveDue(t.Context())
		must(t, err)
	}
}

// Answers are kept for a day. Old ones go, some with each new one.
func TestOldAnswers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "terse.db")
	s := openAt(t, path)
	defer func() { must(t, s.Close()) }()
	keep := func(key terse.AnswerKey) {
		must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
			return tx.KeepAnswer(t.Context(), key, terse.Answer{Status: 200})
		}))
	}
	ask := func(key terse.AnswerKey) error {
		return s.Transact(t.Context(), func(tx terse.Tx) error {
			_, err := tx.Answer(t.Context(), key)
			return err
		})
	}
	for i := range 40 {
		keep(terse.AnswerKey{byte(i)})
	}
	must(t, ask(terse.AnswerKey{7}))
	old := time.Now().Add(-terse.AnswerLifetime).UnixMicro()
	byHand(t, path, fmt.Sprintf("UPDATE answers SET kept_at = %d", old))
	if err := ask(terse.AnswerKey{7}); !errors.Is(err, terse.ErrNotFound) {
		t.Errorf("an old answer: %v", err)
	}
	for i := range 3 {
		keep(terse.AnswerKey{31: byte(1 + i)})
	}
	if n := queryByHand(t, path, "SELECT count(*) FROM answers"); n != 3 {
		t.Errorf("%d answers are kept", n)
	}
}

// A transaction that is left by a panic is taken back, and the store goes on.
func TestTransactPanics(t *testing.T) {
	t.Parallel()
	s := openAt(t, filepath.Join(t.TempDir(), "terse.db"))
	defer func() { must(t, s.Close()) }()
	func() {
		defer func() { _ = recover() }()
		_ = s.Transact(t.Context(), func(tx terse.Tx) error {
			_, err := tx.Create(t.Context(), me, newLink(t, "link"))
			must(t, err)
			panic("left")
		})
	}()
	create(t, s, "link")
}
