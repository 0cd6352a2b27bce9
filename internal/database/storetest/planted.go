package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"terse"
	"terse/internal/link/derive"
)

// planted are edits that all stores understand, of the links that RunPlanted makes, with what is
// said to differ then.
var planted = [][2]string{
	{
		"DELETE FROM tags WHERE tag = 'news'",
		"the tag news of alice is not there, 2 links have it",
	},
	{
		"UPDATE tags SET links = 3 WHERE tag = 'news'",
		"the tag news of alice counts 3 links, 2 have it",
	},
	{
		"UPDATE tags SET name = 'Sport' WHERE tag = 'news'",
		`the tag news of alice is spelled "Sport"`,
	},
	{
		"INSERT INTO tags (owner, tag, name, links) VALUES ('alice', 'old', 'Old', 0)",
		"the tag old of alice counts 0 links, 0 have it",
	},
	{
		"DELETE FROM link_sets WHERE name = '#rich'",
		"link 2 (rich) has the tag rich of alice, whose set lacks it",
	},
	{
		"UPDATE link_sets SET name = 'scheduled' WHERE name = 'expired'",
		"link 3 (ended) has the status expired of alice, whose set lacks it",
	},
	{
		"UPDATE link_sets SET owner = 'bob' WHERE name = 'expired' AND owner = 'alice'",
		"the set for the status expired of bob has link 3 (ended), which does not have it",
	},
	{
		"DELETE FROM link_sets WHERE name = 'archived'",
		"link 5 (more) has the archive of alice, whose set lacks it",
	},
	{
		"UPDATE links SET archived = (1 = 0) WHERE code = 'more'",
		"the set for the archive of alice has link 5 (more), which does not have it",
	},
	{
		"UPDATE links SET archived = (1 = 1) WHERE code = 'plain'",
		"archived of link 1 (plain) is true, its options say false",
	},
	{
		"UPDATE link_ranges SET links = links + 1",
		"alice has 4 links with IDs from 0 to 1023, and 5 are counted",
	},
	{
		"DELETE FROM link_ranges",
		"alice has 4 links with IDs from 0 to 1023, and 0 are counted",
	},
	{
		"DELETE FROM link_sets WHERE owner = '*' AND name = '#news'",
		"link 2 (rich) has the tag news of everybody but authenticated-user, whose set lacks it",
	},
	{
		"UPDATE link_ranges SET last = first",
		"alice has links with IDs from 0 to 1023 made from 2026-03-28T21:00:00Z to " +
			"2026-03-28T22:00:00Z, and only 2026-03-28T21:00:00Z to 2026-03-28T21:00:00Z is noted",
	},
	{
		"DELETE FROM aliases WHERE address = 'Rich/1'",
		"link 2 (rich) is not found at its alias Rich/1",
	},
	{
		"INSERT INTO aliases (address, folded, link_id) VALUES ('more', 'more', 2)",
		"the alias more, folded as more, leads to link 2 (rich), which does not have it",
	},
	{
		"INSERT INTO former_codes (link_id, code) VALUES (77, 'old')",
		"there is a former code of link 77, which is gone",
	},
	{
		"INSERT INTO tombstones (link_id, code, deleted, applied) SELECT 2, 'rich', deleted, " +
			"applied FROM tombstones WHERE link_id = 4",
		"a tombstone buries link 2 (rich), which exists",
	},
	{
		`UPDATE links SET options = '{"tags":["rich"]}' WHERE code = 'ended'`,
		"link 3 (ended) has the tag rich of alice, whose set lacks it",
	},
}

// RunPlanted makes links, edits their rows, and expects the differences in words. more are edits of
// a store, as in planted.
func RunPlanted(t *testing.T, db *Database, more [][2]string) {
	makePlanted(t, db)
	found, err := db.Compare(derive.Options{})
	must(t, err)
	wantEqual(t, "links", found.Links, 4)
	if lines := found.Lines(); len(lines) > 0 {
		t.Fatalf("good rows differ: %q", lines)
	}
	for _, edit := range slices.Concat(planted, more) {
		sql, want := edit[0], edit[1]
		found, err := db.Edited(sql)
		must(t, err)
		if lines := found.Lines(); !slices.Contains(lines, want) {
			t.Errorf("after %s, %q is not found in %q", sql, want, lines)
		}
	}
}

// makePlanted makes the links that are edited.
func makePlanted(t *testing.T, db *Database) {
	t.Helper()
	var links []terse.Link
	for i, l := range []struct {
		code    string
		options terse.LinkOptions
	}{
		{"plain", terse.LinkOptions{}},
		{"rich", terse.LinkOptions{
			Tags: []string{"News", "Rich"}, Aliases: []string{"Rich/1"}, MaxClicks: 2,
		}},
		{"ended", terse.LinkOptions{Tags: []string{"News"}, ExpiresAt: spring}},
		{"gone", terse.LinkOptions{}},
		{"more", terse.LinkOptions{Disabled: true, Archived: true}},
	} {
		links = append(links, mustCreate(t, db, terse.NewLink{
			Code: code(t, l.code), URL: "https://example.org/", CreatedBy: "alice",
			CreatedAt: spring.Add(time.Duration(i/4) * time.Hour), Options: encoded(t, l.options),
		}))
	}
	share := terse.NewShare()
	wantShare(t, db, links[1], share, share)
	must(t, db.Delete(t.Context(), me, links[3]))
}

// CreateOfOwners creates links of terse.Identity and of four others in turn, with tags and states.
func CreateOfOwners(t *testing.T, s Store, n int) {
	t.Helper()
	owners := []string{terse.Identity, "alice", "bob", "carol", "dave"}
	for i := range n {
		o := terse.LinkOptions{Tags: []string{fmt.Sprint("tag", i%7), "many"}}
		o.Disabled, o.Archived = i%3 == 0, i%4 == 0
		mustCreate(t, s, terse.NewLink{
			Code: code(t, fmt.Sprint("owned", i)), URL: "https://example.org/",
			CreatedBy: owners[i%len(owners)], Options: encoded(t, o),
		})
	}
}
