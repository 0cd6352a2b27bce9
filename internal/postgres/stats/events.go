package stats

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
	"terse/internal/linkset"
	"terse/internal/postgres/counter"
	"terse/internal/postgres/dialect"
	"terse/internal/postgres/ranges"
)

// Events returns a page of the clicks of a link, or of terse.AllLinks. The transaction must see one
// state of the database.
func Events(
	ctx context.Context, tx pgx.Tx, d *dialect.Dialect, link terse.LinkRef, q terse.EventQuery,
) (page terse.EventPage, err error) {
	s, err := newShelf(ctx, tx, d, link, q.Owner, q.Tags)
	if err != nil {
		return page, err
	}
	all := link == terse.AllLinks
	if all {
		slices.Sort(s.codes)
	} else if err := s.wantRow(); err != nil {
		return page, err
	}
	return clickread.Events(s, clickread.EventsOf{All: all, Journals: s.codes}, q)
}

// shelf is a clickread.Shelf. The batches that count clicks of a link lock its row, so these have
// one order. Each journal has its own.
type shelf struct {
	ctx     context.Context
	tx      pgx.Tx
	dialect *dialect.Dialect
	codes   []string // of a link, or the journals; those of events are sorted
	id      int64
	owner   string // of the links that are asked for
	byTag   bool   // they are those in tagged
	tagged  linkset.Set
}

// newShelf returns the clicks of a link, or of the links of an owner that have some tags.
func newShelf(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, link terse.LinkRef, owner string,
	tags []string,
) (s *shelf, err error) {
	s = &shelf{
		ctx: ctx, tx: tx, dialect: d, codes: []string{link.Code.String()}, id: int64(link.ID),
		owner: owner, byTag: len(tags) > 0,
	}
	for i, tag := range tags {
		links, err := ranges.Links(ctx, tx, owner, ranges.TagSet(terse.FoldTag(tag)))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			links = links.And(s.tagged)
		}
		s.tagged = links
	}
	if link != terse.AllLinks {
		return s, nil
	}
	rows, _ := tx.Query(ctx, "SELECT journal FROM journals")
	s.codes, err = pgx.CollectRows(rows, pgx.RowTo[string])
	for i, journal := range s.codes {
		s.codes[i] = counter.JournalCode(journal, owner)
	}
	return s, err
}

// wantRow fails where a link has no row of clicks.
func (s *shelf) wantRow() error {
	var found bool
	err := s.tx.QueryRow(s.ctx,
		"SELECT EXISTS (SELECT 1 FROM link_clicks WHERE code = $1 AND link_id = $2)",
		s.codes[0], s.id).Scan(&found)
	if err == nil && !found {
		err = terse.ErrNotFound
	}
	return err
}

func (s *shelf) source(code string) int {
	i, _ := slices.BinarySearch(s.codes, code)
	return i
}

// Loose reads pending blocks, and then what is in the links' rows.
func (s *shelf) Loose(first, last int64, f func(clickread.Piece) error) error {
	pieces, err := s.pieces(`SELECT code, id, clicks FROM click_blocks
		WHERE code = ANY($1) AND link_id = $2 AND day = $3 AND last >= $4 AND first <= $5
		ORDER BY id`, s.codes, s.id, int32(counter.PendingDay), first, last)
	if err != nil {
		return err
	}
	const recent = 1 << 62 // no block's ID
	rows, err := s.pieces(`SELECT code, 0::bigint, recent FROM link_clicks
		WHERE code = ANY($1) AND link_id = $2`, s.codes, s.id)
	if err != nil {
		return err
	}
	for _, row := range rows {
		row.Block = recent
		err := counter.EachBlock(row.Bytes, func(block []byte) error {
			row.Block++
			row.Bytes = block
			pieces = append(pieces, row)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return each(pieces, f)
}

// pieces returns the blocks of a query, which are few: their caller may ask for links before it
// goes on to the next one.
func (s *shelf) pieces(sql string, args ...any) ([]clickread.Piece, error) {
	rows, _ := s.tx.Query(s.ctx, sql, args...)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (clickread.Piece, error) {
		var code string
		p := clickread.Piece{Offset: -1}
		err := row.Scan(&code, &p.Block, &p.Bytes)
		p.Source = s.source(code)
		return p, err
	})
}

func each(pieces []clickread.Piece, f func(clickread.Piece) error) error {
	for _, p := range pieces {
		if err := f(p); err != nil {
			return err
		}
	}
	return nil
}

// Day returns the last day of any journal.
func (s *shelf) Day(upTo terse.Day, first, last int64) (
	day terse.Day, blocks []clickread.Stored, found bool, err error,
) {
	on, err := s.lastDay(max(terse.DayOf(first), counter.PendingDay+1), upTo)
	if err != nil || on == nil {
		return 0, nil, false, err
	}
	rows, _ := s.tx.Query(s.ctx, `SELECT code, id, first, last FROM click_blocks
		WHERE code = ANY($1) AND link_id = $2 AND day = $3 AND last >= $4 AND first <= $5`,
		s.codes, s.id, *on, first, last)
	var code string
	var b clickread.Stored
	_, err = pgx.ForEachRow(rows, []any{&code, &b.Block, &b.First, &b.Last}, func() error {
		b.Source = s.source(code)
		blocks = append(blocks, b)
		return nil
	})
	return terse.Day(*on), blocks, true, err
}

// lastDay returns the last day between two that has blocks, or nil. It asks for each code by
// itself, because the index has the days of one in their order.
func (s *shelf) lastDay(from, to terse.Day) (day *int32, err error) {
	batch := &pgx.Batch{}
	for _, code := range s.codes {
		batch.Queue(`SELECT max(day) FROM click_blocks
			WHERE code = $1 AND link_id = $2 AND day BETWEEN $3 AND $4`,
			code, s.id, int32(from), int32(to),
		).QueryRow(func(row pgx.Row) error {
			var last *int32
			err := row.Scan(&last)
			if last != nil && (day == nil || *last > *day) {
				day = last
			}
			return err
		})
	}
	err = s.tx.SendBatch(s.ctx, batch).Close()
	return day, err
}

func (s *shelf) Read(day terse.Day, blocks []clickread.Stored,
	f func(clickread.Piece) error,
) error {
	ids := make([]int64, len(blocks))
	for i, b := range blocks {
		ids[i] = b.Block
	}
	pieces, err := s.pieces(`SELECT code, id, clicks FROM click_blocks
		WHERE code = ANY($1) AND link_id = $2 AND day = $3 AND id = ANY($4)`,
		s.codes, s.id, int32(day), ids)
	if err != nil {
		return err
	}
	return each(pieces, f)
}

// Exist looks links up in their rows.
func (s *shelf) Exist(links []clickblock.Link) ([]terse.LinkRef, error) {
	exist := make([]terse.LinkRef, len(links))
	var codes []string
	var ids []int64
	var eras []int32
	var at []int
	for i, link := range links {
		if s.byTag && !s.tagged.Has(int64(link.ID)) {
			continue
		}
		codes, ids = append(codes, link.Code.String()), append(ids, int64(link.ID))
		eras, at = append(eras, int32(link.Era)), append(at, i)
	}
	rows, _ := s.tx.Query(s.ctx, `SELECT n.i FROM unnest($1::text[], $2::bigint[], $3::integer[])
			WITH ORDINALITY AS n(code, link_id, era, i)
		JOIN link_clicks AS c ON `+s.dialect.SameCode+` AND c.link_id = n.link_id
			AND c.era = n.era
		JOIN links AS l ON l.code = c.code AND l.id = c.link_id
		WHERE l.created_by = $4`, codes, ids, eras, s.owner)
	var i int64
	_, err := pgx.ForEachRow(rows, []any{&i}, func() error {
		exist[at[i-1]] = links[at[i-1]].LinkRef
		return nil
	})
	return exist, err
}
