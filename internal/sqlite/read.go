package sqlite

import (
	"context"
	"errors"

	"zombiezen.com/go/sqlite"
)

// read runs f with a reading connection, which is interrupted when the context ends.
func (s *Store) read(ctx context.Context, f func(*sqlite.Conn) error) error {
	return s.lookUp(ctx, func(conn *sqlite.Conn) error {
		conn.SetInterrupt(ctx.Done())
		defer conn.SetInterrupt(nil)
		return f(conn)
	})
}

// lookUp is read for what takes microseconds: to be able to interrupt it would take longer, by a goroutine.
func (s *Store) lookUp(ctx context.Context, f func(*sqlite.Conn) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := s.broken.Load(); err != nil {
		return *err
	}
	select {
	case conn := <-s.readers:
		err := f(conn)
		s.readers <- conn
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return errClosed
	}
}

// snapshot is read for several statements that see the same state of the database.
func (s *Store) snapshot(ctx context.Context, f func(*sqlite.Conn) error) error {
	return s.read(ctx, func(conn *sqlite.Conn) error {
		if err := step(conn, "BEGIN"); err != nil {
			return err
		}
		err := f(conn)
		conn.SetInterrupt(nil) // or the end would be interrupted, too
		return errors.Join(err, step(conn, "ROLLBACK"))
	})
}

func step(conn *sqlite.Conn, sql string) error {
	stmt, err := conn.Prepare(sql)
	if err != nil {
		return err
	}
	_, err = stmt.Step()
	return err
}

// eachRow calls f for every row, and resets the statement whatever happens: a row that is being read
// holds the snapshot.
func eachRow(stmt *sqlite.Stmt, f func() error) error {
	for {
		found, err := stmt.Step()
		if err != nil || !found {
			return err
		}
		if err := f(); err != nil {
			return errors.Join(err, stmt.Reset())
		}
	}
}

// column returns a blob, in the buffer when it is large enough.
func column(stmt *sqlite.Stmt, i int, buf []byte) []byte {
	n := stmt.ColumnLen(i)
	if cap(buf) < n {
		buf = make([]byte, n, n+n/2)
	}
	buf = buf[:n]
	stmt.ColumnBytes(i, buf)
	return buf
}
