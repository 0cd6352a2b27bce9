package sqlite

import (
	"context"
	"errors"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/codeindex"
	"terse/internal/sqlite/query"
	"terse/internal/yield"
)

// Absent reports, without waiting, that no link has the code. False is inconclusive: call Link.
// What other programs add may be missed for watchInterval.
func (s *Store) Absent(code terse.Code) bool {
	_, maybe := s.index.Find(code)
	return !maybe
}

// minBuildPause is the least time between two builds of the index.
const minBuildPause = 10 * time.Millisecond

// keepIndex builds the index whenever it wants that, until the context ends. It pauses for four
// times as long as that took: a database that others write to all the time gets no index, rather
// than a core for it.
func (s *Store) keepIndex(ctx context.Context) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for wait(ctx, pause.C) && wait(ctx, s.index.Wanted()) {
		began := time.Now()
		err := s.buildIndex(ctx)
		pause.Reset(max(4*time.Since(began), minBuildPause))
		if err != nil && ctx.Err() == nil {
			s.log.Warn("read links", "path", s.path, "error", err)
			s.index.Want()
			pause.Reset(s.timeout)
		}
	}
}

// wait reports whether something came before the context ended.
func wait[T any](ctx context.Context, c <-chan T) bool {
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}

// buildIndex reads all codes. Each transaction begins with a look at what others wrote, so that the
// build is invalid at its end if they wrote meanwhile.
func (s *Store) buildIndex(ctx context.Context) error {
	var build *codeindex.Build
	err := s.write(ctx, func(w *writer) error {
		links, err := query.Int(w.conn, "SELECT coalesce(sum(links), 0) FROM link_ranges")
		if err != nil {
			return err
		}
		var ok bool
		if build, ok = s.index.Begin(links); !ok {
			s.log.Info("too many links to keep their codes in memory", "links", links)
		}
		return w.checkWrite()
	})
	after, turn := "", yield.Yielder{}
	for more := true; more; turn.Yield() {
		if err != nil || build == nil || build.Invalid() {
			return err
		}
		after, more, err = s.addCodes(ctx, build, after)
	}
	return errors.Join(err, s.write(ctx, func(w *writer) error {
		build.End()
		return w.checkWrite()
	}))
}

// addCodes adds 1,024 codes behind one. That takes less than a millisecond: closing the store
// waits for it, and a longer snapshot would hold back the write-ahead log.
func (s *Store) addCodes(ctx context.Context, build *codeindex.Build, after string) (
	last string, more bool, err error,
) {
	n := 0
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		return query.Each(conn,
			"SELECT code, id FROM links WHERE code > ? ORDER BY code LIMIT 1024",
			func(row *sqlite.Stmt) error {
				n++
				last = row.ColumnText(0)
				// A code that another program wrote may be invalid; then nobody asks for it.
				if code, err := terse.ParseCode(last); err == nil {
					build.Add(code, terse.LinkID(row.ColumnInt64(1)))
				}
				return nil
			}, after)
	})
	return last, n == 1024, err
}
