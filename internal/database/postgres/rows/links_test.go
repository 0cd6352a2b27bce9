package rows_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres"
	"terse/internal/database/postgres/rows"
	"terse/internal/database/storetest/rowstest"
	"terse/internal/tests/pgtest"
)

// linksDatabase is a store's database with the tables of rows.
type linksDatabase struct {
	*database
	store *postgres.Store
}

func openLinks(t testing.TB, url string, citus bool) *linksDatabase {
	t.Helper()
	store, err := postgres.Open(t.Context(), postgres.Options{URL: url})
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	d := &linksDatabase{openAt(t, url, citus), store}
	return d
}

func (d *linksDatabase) Make(owner string) terse.LinkRef {
	d.t.Helper()
	link, err := d.store.Create(d.t.Context(), terse.Caller{}, terse.NewLink{
		Code: terse.NewCode(false), URL: "https://example.org/", CreatedBy: owner,
	})
	must(d.t, err)
	return link.Ref()
}

// remove begins to delete a link, as the store is to.
func (d *linksDatabase) remove(link terse.LinkRef) pgx.Tx {
	d.t.Helper()
	tx, err := d.pool.Begin(d.t.Context())
	must(d.t, err)
	batch := &pgx.Batch{}
	batch.Queue("DELETE FROM links WHERE code = $1 AND id = $2", link.Code.String(), link.ID)
	rows.Bury(batch, []terse.LinkRef{link})
	must(d.t, tx.SendBatch(d.t.Context(), batch).Close())
	return tx
}

func (d *linksDatabase) Delete(link terse.LinkRef) {
	d.t.Helper()
	must(d.t, d.remove(link).Commit(d.t.Context()))
}

func (d *linksDatabase) note(link terse.LinkRef) {
	d.exec("INSERT INTO tombstones (link_id, code, deleted, applied) VALUES ($1, $2, false, true)",
		link.ID, link.Code.String())
}

func (d *linksDatabase) exec(sql string, args ...any) {
	d.t.Helper()
	_, err := d.pool.Exec(d.t.Context(), sql, args...)
	must(d.t, err)
}

func (d *linksDatabase) Rename(link terse.LinkRef, to terse.Code) {
	d.t.Helper()
	// The column that Citus distributes by can't be changed.
	d.exec(`INSERT INTO links SELECT $1, id, url, created_by, created_at FROM links
		WHERE code = $2`, to.String(), link.Code.String())
	d.exec("DELETE FROM links WHERE code = $1", link.Code.String())
	d.exec("INSERT INTO former_codes VALUES ($1, $2)", link.ID, link.Code.String())
	d.note(link)
}

func (d *linksDatabase) Move(link terse.LinkRef, owner string) {
	d.t.Helper()
	d.exec("UPDATE links SET created_by = $1 WHERE code = $2", owner, link.Code.String())
	d.note(link)
}

func (d *linksDatabase) Links(f func(clickstore.Links) error) error {
	return d.writer.Do(d.t.Context(), func(ctx context.Context, tx pgx.Tx, _ *rows.Rows) error {
		return f(rows.NewLinks(ctx, tx))
	})
}

func (d *linksDatabase) Restore() {
	d.exec("UPDATE tombstones SET random = random - 1 " +
		"WHERE number = (SELECT max(number) FROM tombstones)")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	rowstest.RunLinks(t, func(t testing.TB) rowstest.LinksDatabase {
		return openLinks(t, pgtest.URL(t), false)
	})
}

func TestCitusLinks(t *testing.T) {
	t.Parallel()
	pgtest.Citus(t, 4) // skips all at once where there is none
	rowstest.RunLinks(t, func(t testing.TB) rowstest.LinksDatabase {
		url, _ := pgtest.Citus(t, 4)
		return openLinks(t, url, true)
	})
}

// TestDeleteCommitsLate commits a delete after Changed has reported a later one.
func TestDeleteCommitsLate(t *testing.T) {
	t.Parallel()
	d := openLinks(t, pgtest.URL(t), false)
	early, late := d.Make("ann"), d.Make("ann")
	mark := clickstore.Mark{}
	changed := func() (told, removed []terse.LinkID) {
		must(t, d.Links(func(links clickstore.Links) (err error) {
			mark, _, err = clickstore.Changed(links, mark, time.Now(),
				func(id terse.LinkID) { told = append(told, id) },
				func(id terse.LinkID) error {
					removed = append(removed, id)
					return nil
				})
			return err
		}))
		return told, removed
	}
	changed()
	slow := d.remove(early)
	d.Delete(late)
	for _, link := range []terse.LinkRef{late, early} {
		told, removed := changed()
		want := []terse.LinkID{link.ID}
		if !slices.Equal(told, want) || !slices.Equal(removed, want) {
			t.Errorf("told %v, removed %v, want %v", told, removed, want)
		}
		if link == late {
			must(t, slow.Commit(t.Context()))
		}
	}
}
