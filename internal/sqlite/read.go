package sqlite

import (
	"context"
	"errors"
	"sync"

	"zombiezen.com/go/sqlite"
)

// readers are the connections that read. Whoever needs one gets the one that was given back last: the processor's
// cache has its pages.
//
// To begin and end a read transaction takes half of a look-up's time, so look-ups leave it open for the next one.
// It must neither hide a commit of ours nor hold back the checkpoint that may come with it: the writer ends those of
// idle readers before it commits, and a reader that is in use meanwhile ends its own when it is given back.
type readers struct {
	free chan struct{} // one for each of idle

	mu         sync.Mutex // guards what follows
	idle       []*reader
	committing bool   // read transactions may not be left open just now
	commits    uint64 // goes up with each, and with each refresh
}

// reader is a reading connection.
type reader struct {
	conn    *sqlite.Conn
	byCode  *sqlite.Stmt
	lasting bool     // it may have a transaction left open
	commits uint64   // readers.commits when it was taken, or when its open transaction began
	wal     walState // before its open transaction began
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
	r.lasting, r.commits = !rs.committing, rs.commits
	return r, nil
}

func (rs *readers) giveBack(r *reader) {
	rs.mu.Lock()
	if rs.committing || r.commits != rs.commits {
		r.end()
	}
	rs.idle = append(rs.idle, r)
	rs.mu.Unlock()
	rs.free <- struct{}{}
}

// beforeCommit ends the transactions that were left open. Until afterCommit none is.
func (rs *readers) beforeCommit() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.committing = true
	rs.endAll()
}

func (rs *readers) afterCommit() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.committing = false
	rs.commits++
}

// refresh lets all that is read from now on be of now.
func (rs *readers) refresh() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.endAll()
}

func (rs *readers) endAll() {
	rs.commits++ // for those in use
	for _, r := range rs.idle {
		r.end()
	}
}

// begin begins a transaction that may be left open, unless there is one since the last commit of anybody.
func (r *reader) begin(wal walState) error {
	if !r.conn.AutocommitEnabled() {
		if wal == r.wal {
			return nil
		}
		r.end()
	}
	if !r.lasting || wal == 0 {
		return nil
	}
	r.wal = wal
	return step(r.conn, "BEGIN")
}

// end ends the transaction that was left open.
func (r *reader) end() {
	if !r.conn.AutocommitEnabled() {
		_ = step(r.conn, "ROLLBACK") // gives up a snapshot, which can't fail
	}
}

// read runs f with a reading connection, which is interrupted when the context ends.
func (s *Store) read(ctx context.Context, f func(*sqlite.Conn) error) error {
	r, err := s.takeReader(ctx)
	if err != nil {
		return err
	}
	defer s.readers.giveBack(r)
	r.end()
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
