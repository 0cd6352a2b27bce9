package sqlite

import (
	"context"
	"errors"
	"sync"

	"zombiezen.com/go/sqlite"
)

// readers are the connections that read. Whoever needs one gets the one that was given back last:
// the processor's cache has its pages. An idle one has no transaction: its snapshot would keep a
// checkpoint waiting, another program's above all, which holds the write lock meanwhile.
type readers struct {
	free chan struct{} // one for each of idle

	mu   sync.Mutex // guards what follows
	idle []*reader
}

// reader is a reading connection.
type reader struct {
	conn         *sqlite.Conn
	byID, byCode *sqlite.Stmt
}

// take returns an idle reader.
func (rs *readers) take(ctx context.Context, closing <-chan struct{}) (*reader, error) {
	select {
	case <-rs.free: // nearly always; to ask for all three takes longer
	default:
		select {
		case <-rs.free:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-closing:
			return nil, errClosed
		}
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	last := len(rs.idle) - 1
	r := rs.idle[last]
	rs.idle = rs.idle[:last]
	return r, nil
}

func (rs *readers) giveBack(r *reader) {
	rs.mu.Lock()
	rs.idle = append(rs.idle, r)
	rs.mu.Unlock()
	rs.free <- struct{}{}
}

// read runs f with a reading connection, which is interrupted when the context ends.
func (s *Store) read(ctx context.Context, f func(*sqlite.Conn) error) error {
	r, err := s.takeReader(ctx)
	if err != nil {
		return err
	}
	defer s.readers.giveBack(r)
	r.conn.SetInterrupt(ctx.Done())
	defer r.conn.SetInterrupt(nil)
	return f(r.conn)
}

// takeReader returns a reader that is to be given back.
func (s *Store) takeReader(ctx context.Context) (*reader, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := s.broken.Load(); err != nil {
		return nil, *err
	}
	return s.readers.take(ctx, s.closing)
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

// eachRow calls f for every row, and resets the statement whatever happens: a row that is being
// read holds the snapshot.
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
