package postgres_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/link/derive"
	"terse/internal/tests/pgtest"
)

// TestPlainSequences: whatever happens to links, the rows beside them follow.
func TestPlainSequences(t *testing.T) {
	t.Parallel()
	db, url := newDatabase(t, pgtest.URL(t))
	addFaults(t, db, url)
	storetest.RunSequences(t, db, 120)
}

// TestCitusSequences does without faults: Citus has no triggers.
func TestCitusSequences(t *testing.T) {
	t.Parallel()
	url, _ := pgtest.Citus(t, testShards)
	db, _ := newDatabase(t, url)
	storetest.RunSequences(t, db, 25)
}

// TestPlainPlanted: rows that do not follow from their links are named.
func TestPlainPlanted(t *testing.T) {
	t.Parallel()
	db, _ := newDatabase(t, pgtest.URL(t))
	storetest.RunPlanted(t, db, [][2]string{
		{
			"DELETE FROM link_ranges WHERE owner = '*'",
			"everybody but authenticated-user has 4 links with IDs from 0 to 1023, and 0 are " +
				"counted",
		},
		{
			"UPDATE links SET open_until = 5 WHERE code = 'plain'",
			"open_until of link 1 (plain) is 1970-01-01T00:00:00.000005Z, its options say never",
		},
		{
			"UPDATE links SET tags = 'sport' WHERE code = 'rich'",
			`the row of link 2 (rich) has the tags ["sport"], its options ["news" "rich"]`,
		},
		{
			"UPDATE links SET code = 'other' WHERE code = 'rich'",
			"there is a share of link 2 (other) with its former code rich",
		},
		{
			"UPDATE links SET created_by = 'bob' WHERE code = 'plain'",
			"bob has 1 links with IDs from 0 to 1023, and 0 are counted",
		},
		{
			"DELETE FROM links WHERE code = 'rich'",
			"the alias Rich/1 leads to link 2, which is gone",
		},
		{
			"INSERT INTO link_sets VALUES ('alice', '#none', 900, 0::bit(1024))",
			"the tag none of alice has an empty row",
		},
	})
}

// newDatabase returns the database at an address.
func newDatabase(t *testing.T, url string) (*storetest.Database, string) {
	t.Helper()
	s := open(t, url)
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	comparing, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = comparing.Close(t.Context()) })
	return &storetest.Database{
		Store: s, MoveDue: s.MoveDue,
		Texts: func(sql string) []string {
			t.Helper()
			rows, err := conn.Query(t.Context(), sql)
			must(t, err)
			texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
			must(t, err)
			return texts
		},
		ByHand: func(sql ...string) {
			t.Helper()
			must(t, pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
				for _, one := range sql {
					if _, err := tx.Exec(t.Context(), one); err != nil {
						return err
					}
				}
				return nil
			}))
		},
		Edited: func(sql string) (*derive.Found, error) {
			tx, err := conn.Begin(t.Context())
			must(t, err)
			defer func() { must(t, tx.Rollback(t.Context())) }()
			_, err = tx.Exec(t.Context(), sql)
			must(t, err)
			return postgres.CompareIn(t.Context(), tx)
		},
		Compare: func(o derive.Options) (*derive.Found, error) {
			return postgres.CompareOn(t.Context(), comparing, o)
		},
	}, url
}

// faults are how writes fail: for good, so that another try succeeds, with the connection, and at
// the commit.
var faults = []string{"23514", "40001", "lost", "commit"}

// addFaults makes writes fail on demand.
func addFaults(t *testing.T, db *storetest.Database, url string) {
	t.Helper()
	pgtest.Exec(t, url, "CREATE SEQUENCE faults")
	pgtest.Exec(t, url, "CREATE TABLE fault (nth bigint, way text)")
	pgtest.Exec(t, url, "INSERT INTO fault VALUES (0, '')")
	pgtest.Exec(t, url, `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$
	DECLARE wanted fault;
	BEGIN
		SELECT * INTO wanted FROM fault;
		IF (wanted.way = 'commit') = (TG_NAME = 'fault_commit') AND wanted.nth > 0
			AND nextval('faults') = wanted.nth
		THEN
			IF wanted.way = 'lost' THEN
				PERFORM pg_terminate_backend(pg_backend_pid());
			ELSIF wanted.way = 'commit' THEN
				RAISE EXCEPTION 'fault' USING ERRCODE = '40001';
			ELSE
				RAISE EXCEPTION 'fault' USING ERRCODE = wanted.way;
			END IF;
		END IF;
		RETURN NULL;
	END $$`)
	for _, table := range []string{
		"links", "former_codes", "link_changes", "shares", "link_ranges", "link_sets", "tags",
		"aliases", "tombstones",
	} {
		pgtest.Exec(t, url, "CREATE TRIGGER fault BEFORE INSERT OR UPDATE OR DELETE ON "+table+
			" FOR EACH STATEMENT EXECUTE FUNCTION fault()")
		pgtest.Exec(t, url, "CREATE CONSTRAINT TRIGGER fault_commit AFTER INSERT OR UPDATE OR "+
			"DELETE ON "+table+" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "+
			"EXECUTE FUNCTION fault()")
	}
	db.Ways = len(faults)
	db.Fail = func(nth, way int) {
		db.ByHand("SELECT setval('faults', 1, false)",
			fmt.Sprintf("UPDATE fault SET nth = %d, way = '%s'", nth, faults[way]))
	}
}
