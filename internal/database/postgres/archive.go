package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres/links"
	"terse/internal/database/postgres/rows"
)

const (
	// maxExports bounds the exports that are read at a time.
	maxExports = 1
	// exportedAtOnce bounds the links of an export that are looked up together, and
	// maxExportedBytes those that are in memory, but for one.
	exportedAtOnce   = 1024
	maxExportedBytes = 4 << 20
	// maxExportTime bounds how long an export keeps PostgreSQL from cleaning up, also one whose
	// node hangs. Within it an export may send no statement for longer than maxIdle: its reader may
	// take megabytes from memory as slowly as the API allows.
	maxExportTime = time.Hour
)

var errExportTime = errors.New("the export was cut off: it has kept PostgreSQL from cleaning up " +
	"for an hour")

// Export reads links in one snapshot. It is cut off after maxExportTime.
func (s *Store) Export(ctx context.Context, q terse.ExportQuery,
	begin func(links, clicks int64) error,
	each func(terse.Exported) error, share func(terse.Shared, terse.URL) error,
) error {
	select {
	case s.exports <- struct{}{}:
		defer func() { <-s.exports }()
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.exportTime, errExportTime)
	defer cancel()
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{
		IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly,
	}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT set_config('idle_in_transaction_session_timeout', $1, true)",
			millis(s.exportTime))
		if err != nil {
			return err
		}
		err = export(ctx, tx, q, begin, each)
		if err != nil || share == nil {
			return err
		}
		return links.EveryShare(ctx, tx, q, share)
	})
	if cause := context.Cause(ctx); errors.Is(cause, errExportTime) {
		err = cause
	}
	return wrap(err, "export links of %s", q.Owner)
}

func export(ctx context.Context, tx pgx.Tx, q terse.ExportQuery,
	begin func(links, clicks int64) error,
	each func(terse.Exported) error,
) error {
	ids, err := links.ExportedIDs(ctx, tx, q)
	if err != nil {
		return err
	}
	clicks, err := clickstore.ClicksOf(rows.NewReader(ctx, tx), ids)
	if err != nil {
		return err
	}
	if err := begin(ids.Count(), clicks); err != nil {
		return err
	}
	e := exporting{
		ctx: ctx, tx: tx, each: each,
		rows: rows.NewSnapshot(ctx, tx), past: clickstore.NewPastReader(),
	}
	if q.Domain != nil {
		return e.domain(*q.Domain, q.Owner)
	}
	all, err := domains(ctx, tx)
	if err != nil {
		return err
	}
	for _, domain := range all {
		if err := e.domain(domain.Domain, q.Owner); err != nil {
			return err
		}
	}
	return nil
}

// exporting is an export under way.
type exporting struct {
	ctx  context.Context
	tx   pgx.Tx
	each func(terse.Exported) error
	rows *rows.Rows
	past *clickstore.PastReader
}

// domain reads the links of an owner, or of all, on a domain.
func (e *exporting) domain(on terse.Domain, owner string) error {
	for after, to := on.KeyRange(); ; {
		found, err := links.Between(e.ctx, e.tx, owner, after, to, exportedAtOnce)
		if err != nil || len(found) == 0 {
			return err
		}
		for rest := found; len(rest) > 0; {
			var codes []string
			for bytes := 0; len(rest) > 0 && (bytes == 0 ||
				bytes+rest[0].Bytes <= maxExportedBytes); rest = rest[1:] {
				codes, bytes = append(codes, rest[0].Code), bytes+rest[0].Bytes
			}
			if err := e.export(codes); err != nil {
				return err
			}
		}
		after = found[len(found)-1].Code
	}
}

// export reads the links of codes.
func (e *exporting) export(codes []string) error {
	all, err := links.WholeOf(e.ctx, e.tx, codes)
	if err != nil {
		return err
	}
	ids := make([]terse.LinkID, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	totals, err := clickstore.TotalsOf(rows.NewReader(e.ctx, e.tx), ids)
	if err != nil {
		return err
	}
	var clicked []terse.LinkID
	for i, total := range totals {
		if all[i].Clicks = total.Clicks; total.Clicks > 0 {
			all[i].LastClick = total.Of(all[i].Ref()).Last
			clicked = append(clicked, all[i].ID)
		}
	}
	fetched := 0 // of those that are left of clicked
	for _, link := range all {
		if err := e.each(terse.Exported{
			Link: link.Link, Share: link.Share, History: link.History,
			Past: func(day func(terse.PastDay) error, click func(terse.PastClick) error) error {
				if link.Clicks == 0 {
					return nil
				}
				if fetched == 0 {
					n, err := clickstore.FetchPast(e.rows, clicked)
					if err != nil {
						return err
					}
					fetched = n
				}
				return e.past.Read(e.rows, link.ID, day, click)
			},
		}); err != nil {
			return err
		}
		if link.Clicks > 0 {
			clicked, fetched = clicked[1:], max(fetched-1, 0)
		}
	}
	return nil
}
