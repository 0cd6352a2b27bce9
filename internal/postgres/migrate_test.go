package postgres_test

import (
	"os"
	"testing"

	"terse"
	"terse/internal/pgtest"
	"terse/internal/postgres"
)

// TestUpgrade opens a database of the first version that has links, one with options that nobody
// can read: all that links may have works for them.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	fillFirst(t, url)
	checkFirst(t, open(t, url))
}

// fillFirst makes a database of the first version.
func fillFirst(t *testing.T, url string) {
	first, err := os.ReadFile("schema/0001_links_and_clicks.sql")
	must(t, err)
	pgtest.Exec(t, url, string(first))
	for _, sql := range []string{
		"CREATE TABLE schema_migrations (version integer PRIMARY KEY, at bigint NOT NULL)",
		"INSERT INTO schema_migrations VALUES (1, 1)",
		`INSERT INTO links (code, id, url, created_by, created_at, options) VALUES
			('old', nextval('link_ids'), 'https://example.org/', 'authenticated-user', 1, ''),
			('odd', nextval('link_ids'), 'https://example.org/', 'authenticated-user', 1, '{"x')`,
		"INSERT INTO link_clicks (code, link_id, clicks) SELECT code, id, 7 FROM links",
		"INSERT INTO owners VALUES ('authenticated-user', 1, 2)",
	} {
		pgtest.Exec(t, url, sql)
	}
}

// checkFirst wants the links of a database that fillFirst made to have all that links may have.
func checkFirst(t *testing.T, s *postgres.Store) {
	for _, name := range []string{"old", "odd"} {
		link, err := s.Link(t.Context(), code(t, name))
		must(t, err)
		must(t, s.Take(t.Context(), link.Ref()))
		link = change(t, s, link, terse.LinkOptions{MaxClicks: 1, Tags: []string{name}})
		must(t, s.Take(t.Context(), link.Ref()))
		wantTags(t, s, terse.Tag{Name: name, Links: 1})
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: terse.Identity, Limit: 1, Filter: terse.LinkFilter{Status: terse.UsedUp},
		})
		must(t, err)
		if len(page.Links) != 1 || page.Links[0].Clicks != 7 || page.Total != 1 {
			t.Errorf("%s: listed %+v", name, page)
		}
		must(t, s.Delete(t.Context(), link))
	}
}
