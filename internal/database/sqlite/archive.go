package sqlite

import (
	"context"
	"errors"
	"os"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/record"
	"terse/internal/database/sqlite/rows"
)

// maxExportLog bounds the write-ahead log, which can't be emptied while an export reads.
const maxExportLog = 4 << 30

var errExportLog = errors.New("the export was cut off: SQLite's write-ahead log is longer than " +
	"4 GiB, because the database can't empty it meanwhile")

// Export reads links in one snapshot. It is cut off when the write-ahead log exceeds maxExportLog.
func (s *Store) Export(ctx context.Context, q terse.ExportQuery,
	begin func(links, clicks int64) error,
	each func(terse.Exported) error, share func(terse.Shared, terse.URL) error,
) error {
	ctx, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	go s.watchLog(ctx, cut)
	err := s.oneOf(ctx, s.exports, func(conn *sqlite.Conn) error {
		reader, past := rows.New(conn), clickstore.NewPastReader()
		ids, err := record.ExportedIDs(conn, q)
		if err != nil {
			return err
		}
		clicks, err := clickstore.ClicksOf(reader, ids)
		if err != nil {
			return err
		}
		if err := begin(ids.Count(), clicks); err != nil {
			return err
		}
		err = record.Every(conn, q, func(link terse.Link) error {
			exported, err := export(conn, reader, past, link)
			if err == nil {
				err = each(exported)
			}
			return err
		})
		if err != nil || share == nil {
			return err
		}
		return record.EveryShare(conn, q, share)
	})
	if cause := context.Cause(ctx); errors.Is(cause, errExportLog) {
		err = cause
	}
	return translate(ctx, err, "export links of %s", q.Owner)
}

// export reads what belongs to a link.
func export(conn *sqlite.Conn, reader clickstore.Reader, past *clickstore.PastReader,
	link terse.Link,
) (e terse.Exported, err error) {
	total, err := clickstore.TotalOf(reader, link.ID)
	if err != nil {
		return e, err
	}
	e.Link, e.Link.Clicks = link, total.Clicks
	e.Link.LastClick = total.Of(link.Ref()).Last
	switch s, err := record.Share(conn, terse.ShareOf(link.Ref())); {
	case err == nil && s.IsPlain():
		e.Share = s.Share
	case err != nil && !errors.Is(err, terse.ErrShareNotFound):
		return e, err
	}
	if e.History, err = record.History(conn, link.ID); err != nil {
		return e, err
	}
	e.Past = func(day func(terse.PastDay) error, click func(terse.PastClick) error) error {
		return past.Read(reader, link.ID, day, click)
	}
	return e, nil
}

// watchLog ends a context when the write-ahead log becomes too long.
func (s *Store) watchLog(ctx context.Context, cut context.CancelCauseFunc) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if log, err := os.Stat(s.path + "-wal"); err == nil && log.Size() > s.maxExportLog {
				cut(errExportLog)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
