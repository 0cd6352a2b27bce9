package rows_test

import (
	"path/filepath"
	"testing"

	sqlitedb "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite"
	"terse/internal/database/sqlite/query"
	"terse/internal/database/sqlite/rows"
	"terse/internal/database/storetest/rowstest"
)

// linksDatabase is a store's database, and a connection besides.
type linksDatabase struct {
	t     testing.TB
	store *sqlite.Store
	conn  *sqlitedb.Conn
}

func openLinks(t testing.TB) *linksDatabase {
	t.Helper()
	path := filepath.Join(t.TempDir(), "links.db")
	store, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	conn, err := sqlitedb.OpenConn(path)
	must(t, err)
	t.Cleanup(func() { must(t, conn.Close()) })
	return &linksDatabase{t, store, conn}
}

func (d *linksDatabase) Make(owner string) terse.LinkRef {
	d.t.Helper()
	link, err := d.store.Create(d.t.Context(), terse.Caller{}, terse.NewLink{
		Code: terse.NewCode(false), URL: "https://example.org/", CreatedBy: owner,
	})
	must(d.t, err)
	return link.Ref()
}

func (d *linksDatabase) Delete(link terse.LinkRef) {
	d.t.Helper()
	must(d.t, d.store.Delete(d.t.Context(), terse.Caller{},
		terse.Link{ID: link.ID, Code: link.Code}))
}

func (d *linksDatabase) run(sql string, args ...any) {
	d.t.Helper()
	must(d.t, query.Run(d.conn, sql, args...))
}

func (d *linksDatabase) Rename(link terse.LinkRef, to terse.Code) {
	d.run("UPDATE links SET code = ? WHERE id = ?", to.String(), link.ID)
}

func (d *linksDatabase) Move(link terse.LinkRef, owner string) {
	d.run("UPDATE links SET created_by = ? WHERE id = ?", owner, link.ID)
}

func (d *linksDatabase) Links(f func(clickstore.Links) error) (err error) {
	end, err := sqlitex.ImmediateTransaction(d.conn)
	must(d.t, err)
	defer end(&err)
	return f(rows.NewLinks(d.conn))
}

func (d *linksDatabase) Restore() {
	d.run("UPDATE tombstones SET random = random + 1 " +
		"WHERE number = (SELECT max(number) FROM tombstones)")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	rowstest.RunLinks(t, func(t testing.TB) rowstest.LinksDatabase { return openLinks(t) })
}

// A code that no version writes is skipped.
func TestLookupOfNoCode(t *testing.T) {
	t.Parallel()
	d := openLinks(t)
	link := d.Make("ann")
	d.run("UPDATE links SET code = 'no code' WHERE id = ?", link.ID)
	known := 0
	must(t, d.Links(func(links clickstore.Links) error {
		return clickstore.Lookup(links, []terse.LinkID{link.ID}, func(k clickstore.Fact) {
			known++
			if k.Code != link.Code {
				t.Errorf("%v is known", k)
			}
		})
	}))
	if known != 0 { // its former code is that of no link that is known
		t.Errorf("%d codes are known", known)
	}
}
