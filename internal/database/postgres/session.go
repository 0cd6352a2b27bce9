package postgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// claimTimeout is how long Claim tries: a killed node leaves its claim behind for a moment.
const claimTimeout = 5 * time.Second

// session is the store's own connection, outside of the pool. It listens for changes and holds the
// claim of the journal. Both need their own server session.
type session struct {
	config  *pgx.ConnConfig
	prepare func(context.Context, *pgx.Conn) error

	mu      sync.Mutex  // guards the fields below
	conn    *pgx.Conn   // nil: not connected
	mark    sessionMark // of conn
	journal string      // claimed; empty: none
}

// dial opens a connection and marks its server session.
func (s *session) dial(ctx context.Context) (*pgx.Conn, sessionMark, error) {
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return nil, "", err
	}
	m, err := setMark(ctx, conn.PgConn())
	if err != nil {
		return nil, "", errors.Join(err, conn.Close(ctx))
	}
	return conn, m, nil
}

// use returns the connection. It opens one if necessary.
func (s *session) use(ctx context.Context) (*pgx.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil && !s.conn.IsClosed() {
		return s.conn, nil
	}
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	conn, m, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, conn); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	s.conn, s.mark = conn, m
	return conn, nil
}

// verify returns errPooled if the connection no longer has the server session that it had at its
// start.
func (s *session) verify(ctx context.Context, conn *pgx.Conn) error {
	s.mu.Lock()
	m := s.mark
	s.mu.Unlock()
	return m.verify(ctx, conn.PgConn())
}

// end closes the connection, which ends the claim.
func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = s.conn.Close(ctx) // the server notices either way
		s.conn = nil
	}
}

// Claim reserves a journal for this node, until Close or for as long as Watch keeps the connection.
// If two nodes counted the same journal, because one has a copy of the other's files, clicks would
// be lost.
func (s *Store) Claim(ctx context.Context, journal string) error {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	for foreign := false; ; {
		conn, err := s.session.use(ctx)
		if err == nil {
			err = claim(ctx, conn, journal)
		}
		if err != nil && foreign && ctx.Err() != nil {
			err = errForeign // more helpful than the time-out of this try
		}
		foreign = errors.Is(err, errForeign)
		switch {
		case err == nil:
			s.session.mu.Lock()
			s.session.journal = journal
			s.session.mu.Unlock()
			return s.enlist(ctx, journal)
		case !errors.Is(err, errForeign) && !transient(err), !sleep(ctx, 100*time.Millisecond):
			return wrap(err, "claim journal %s", journal)
		}
	}
}

var errForeign = errors.New("another node counts the clicks of this node's journal: " +
	"each node needs a data folder of its own, and no copy of another's")

func claim(ctx context.Context, conn *pgx.Conn, journal string) error {
	sum := sha256.Sum256([]byte("terse journal " + journal))
	key := int64(binary.BigEndian.Uint64(sum[:]))
	var got bool
	err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", key).Scan(&got)
	if err == nil && !got {
		err = errForeign
	}
	return err
}

// errPooled means that connections share server sessions.
var errPooled = errors.New("it is reached through a connection pooler in transaction or " +
	"statement mode, in which connections share the server's sessions; " +
	"set the pooler to session mode, or connect without it")

// sessionMark is a setting by which a server session is recognised. It is set and read by the
// simple protocol, which every pooler passes on.
type sessionMark string

// setMark marks the session of a connection.
func setMark(ctx context.Context, conn *pgconn.PgConn) (sessionMark, error) {
	m := sessionMark(rand.Text())
	_, err := conn.Exec(ctx, "SELECT set_config('terse.session', '"+string(m)+"', false)").ReadAll()
	return m, err
}

// verify returns errPooled if the connection's session is not the marked one.
func (m sessionMark) verify(ctx context.Context, conn *pgconn.PgConn) error {
	results, err := conn.Exec(ctx, "SELECT current_setting('terse.session', true)").ReadAll()
	if err != nil {
		return err
	}
	if len(results) != 1 || len(results[0].Rows) != 1 {
		return errors.New("no answer to a question for a setting")
	}
	if string(results[0].Rows[0][0]) != string(m) {
		return errPooled
	}
	return nil
}

// Connections that are open at the same time have a server session each, unless a pooler lends them
// sessions for a transaction only. Fewer sessions than connections cannot hold all marks. With as
// many or more, a connection still gets other sessions because of other clients, or because the
// pooler hands out sessions in turn. So each connection is checked several times, in random order.
const (
	triedConns = 4
	triedTimes = 4
	// tryTimeout bounds the wait for one more connection: a pooler may have none left.
	tryTimeout = 2 * time.Second
)

// refusePooler returns errPooled if connections share server sessions.
func (s *Store) refusePooler(ctx context.Context) error {
	var conns []*pgx.Conn
	var marks []sessionMark
	defer func() {
		for _, conn := range conns {
			_ = conn.Close(ctx) // the server notices either way
		}
	}()
	for range triedConns {
		trying, cancel := context.WithTimeout(ctx, tryTimeout)
		conn, m, err := s.session.dial(trying)
		cancel()
		if err != nil && len(conns) == 0 {
			return err
		}
		if err != nil {
			break // there may be no more connections
		}
		conns, marks = append(conns, conn), append(marks, m)
	}
	for range triedTimes {
		for _, i := range mathrand.Perm(len(conns)) {
			if err := marks[i].verify(ctx, conns[i].PgConn()); err != nil {
				return err
			}
		}
	}
	return nil
}
