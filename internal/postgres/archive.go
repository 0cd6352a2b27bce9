package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickstore"
	"terse/internal/postgres/links"
	"terse/internal/postgres/rows"
)

const (
	// maxExports bounds the exports that are read at a time.
	maxExports = 1
	// exportedAtOnce bounds the links of an export that are in memory.
	exportedAtOnce = 256
	// maxExportTime bounds how long an export keeps PostgreSQL from cleaning up.
	maxExportTime = time.Hour
)

var errExportTime = errors.New("the export was cut off: it has kept PostgreSQL from cleaning up " +
	"for an hour")

// Export reads all links of an owner in one snapshot. It is cut off after maxExportTime.
func (s *Store) Export(ctx context.Context, owner string, begin func(links, clicks int64) error,
	each func(terse.Exported) error,
) error {
	select {
	case s.exports <- struct{}{}:
		defer func() { <-s.exports }()
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxExportTime, errExportTime)
	defer cancel()
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{
		IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly,
	}, func(tx pgx.Tx) error { return export(ctx, tx, owner, begin, each) })
	if cause := context.Cause(ctx); errors.Is(cause, errExportTime) {
		err = cause
	}
	return wrap(err, "export links of %s", owner)
}

func export(ctx context.Context, tx pgx.Tx, owner string, begin func(links, clicks int64) error,
	each func(terse.Exported) error,
) error {
	ids, err := links.IDs(ctx, tx, owner)
	if err != nil {
		return err
	}
	clicks, err := clickstore.ClicksOf(rows.NewReader(ctx, tx), ids)
	if err != nil {
		return err
	}
	if err := begin(int64(len(ids)), clicks); err != nil {
		return err
	}
	reader, past := rows.NewSnapshot(ctx, tx), clickstore.NewPastReader()
	for after := ""; ; {
		page, err := links.Page(ctx, tx, owner, after, exportedAtOnce)
		if err != nil || len(page) == 0 {
			return err
		}
		shares, histories, err := links.Belongings(ctx, tx, page)
		if err != nil {
			return err
		}
		ids = ids[:0]
		for _, link := range page {
			ids = append(ids, link.ID)
		}
		if err := clickstore.PrefetchPast(reader, ids); err != nil {
			return err
		}
		for _, link := range page {
			total, err := clickstore.TotalOf(reader, link.ID)
			if err != nil {
				return err
			}
			link.Clicks, link.LastClick = total.Clicks, total.Of(link.Ref()).Last
			if err := each(terse.Exported{
				Link: link, Share: shares[link.ID], History: histories[link.ID],
				Past: func(day func(terse.PastDay) error,
					click func(terse.PastClick) error,
				) error {
					return past.Read(reader, link.ID, day, click)
				},
			}); err != nil {
				return err
			}
		}
		after = page[len(page)-1].Code.String()
	}
}
