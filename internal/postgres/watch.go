package postgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
)

// channel is where nodes tell each other which codes changed: codes, separated by spaces.
const channel = "terse_changes"

const (
	// claimTimeout is how long Claim tries: a node that was killed leaves its claim behind for moments.
	claimTimeout = 5 * time.Second
	// idlePing is how often a connection on which nothing arrives is tried, and how long that may take.
	idlePing = 2 * time.Second
	// deafInterval is how often everything is taken for changed while changes are not told.
	deafInterval = 10 * time.Second
	// probeTime is how long a notification may take before they are taken not to work.
	probeTime = 5 * time.Second
)

// session is the store's own connection, apart from the pool: it listens for changes, and holds the claim of the journal.
type session struct {
	config *pgx.ConnConfig

	mu      sync.Mutex // guards what follows
	conn    *pgx.Conn  // nil: there is none
	journal string     // claimed; empty: none
}

func (s *session) connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return nil, err
	}
	if err := prepareConn(ctx, conn); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return conn, nil
}

// use returns the connection, and makes one when there is none.
func (s *session) use(ctx context.Context) (*pgx.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil && !s.conn.IsClosed() {
		return s.conn, nil
	}
	var err error
	s.conn, err = s.connect(ctx)
	return s.conn, err
}

// end closes the connection, with which the claim ends.
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

// Claim makes a journal this node's, until Close or for as long as Watch keeps the connection: two nodes that counted the clicks of
// one, because one has a copy of the other's files, would lose some.
func (s *Store) Claim(ctx context.Context, journal string) error {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	for foreign := false; ; {
		conn, err := s.session.use(ctx)
		if err == nil {
			err = claim(ctx, conn, journal)
		}
		if err != nil && foreign && ctx.Err() != nil {
			err = errForeign // which says more than that the time was up during this try
		}
		foreign = errors.Is(err, errForeign)
		switch {
		case err == nil:
			s.session.mu.Lock()
			s.session.journal = journal
			s.session.mu.Unlock()
			return nil
		case !errors.Is(err, errForeign) && !transient(err), !sleep(ctx, 100*time.Millisecond):
			return wrap(err, "claim journal %s", journal)
		}
	}
}

var errForeign = errors.New("another node counts the clicks of this node's journal: each node needs a data folder of its own, and no copy of another's")

func claim(ctx context.Context, conn *pgx.Conn, journal string) error {
	sum := sha256.Sum256([]byte("terse journal " + journal))
	var got bool
	err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(binary.BigEndian.Uint64(sum[:]))).Scan(&got)
	if err == nil && !got {
		err = errForeign
	}
	return err
}

// Watch calls changed for each code whose link any node changed, soon after, and all when it does not know what changed: each time that it
// is connected again, and every ten seconds while the database answers but does not tell of changes, as through some poolers or when it has no
// connection left for that. While there is no database it is quiet, so that what is cached serves on. It returns nil when the context ends.
func (s *Store) Watch(ctx context.Context, changed func(terse.Code), all func()) error {
	w := &watch{Store: s, changed: changed, all: all}
	for wait := minBackoff; ctx.Err() == nil; wait = min(2*wait, maxBackoff) {
		w.heard = false
		err := w.listen(ctx)
		if ctx.Err() != nil {
			break
		}
		if !w.lost {
			w.lost = true
			s.log.Warn("changes by other nodes are not seen for now", "error", err)
		}
		if w.connected {
			wait, w.connected = minBackoff, false
		}
		w.guessWithout(ctx)
		sleep(ctx, wait)
	}
	return nil
}

// watch is Watch at work.
type watch struct {
	*Store
	changed   func(terse.Code)
	all       func()
	connected bool      // since the last trouble
	lost      bool      // there is trouble, which was logged
	heard     bool      // a notification arrived on this connection
	deaf      bool      // none arrived in time, which was logged
	claimed   *pgx.Conn // which holds the claim
	since     time.Time
	allAt     time.Time
}

// listen waits for changes until the connection is lost.
func (w *watch) listen(ctx context.Context) error {
	defer func() {
		if ctx.Err() == nil {
			w.session.end()
		}
	}()
	conn, err := w.session.use(ctx)
	if err != nil {
		return err
	}
	if err := w.begin(ctx, conn); err != nil {
		return err
	}
	w.connected = true
	if w.lost {
		w.lost = false
		w.log.Info("changes by other nodes are seen again")
	}
	for {
		if err := w.next(ctx, conn); err != nil {
			return err
		}
	}
}

// begin has changes told on a connection. All that was missed before may have changed.
func (w *watch) begin(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, idlePing)
	defer cancel()
	if err := w.reclaim(ctx, conn); err != nil {
		return err
	}
	var refused *pgconn.PgError
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil && (transient(err) || !errors.As(err, &refused)) {
		return err
	}
	w.all()
	w.since, w.allAt = time.Now(), time.Now()
	// A pooler may take LISTEN and tell nothing: only a notification that arrives shows that they do. This one names no code.
	_, err := w.pool.Exec(ctx, "SELECT pg_notify($1, $2)", channel, "?"+rand.Text())
	if errors.As(err, &refused) && !transient(err) {
		return nil
	}
	return err
}

// next waits for a notification, or tries the connection when none comes.
func (w *watch) next(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, idlePing)
	notification, err := conn.WaitForNotification(waiting)
	cancel()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		w.hear(notification.Payload)
		return nil
	case !pgconn.Timeout(err):
		return err
	}
	trying, cancel := context.WithTimeout(ctx, idlePing)
	defer cancel()
	if err := conn.Ping(trying); err != nil {
		return err
	}
	w.guess()
	return w.reclaim(trying, conn)
}

func (w *watch) hear(payload string) {
	w.heard = true
	for text := range strings.SplitSeq(payload, " ") {
		if code, err := terse.ParseCode(text); err == nil {
			w.changed(code)
		}
	}
}

// guess takes all for changed from time to time while nothing is told.
func (w *watch) guess() {
	if w.heard || time.Since(w.since) < probeTime {
		return
	}
	if !w.deaf {
		w.deaf = true
		w.log.Warn("the database does not tell of changes by other nodes (no LISTEN, as through a pooler in transaction mode); they are seen within seconds only")
	}
	if time.Since(w.allAt) >= deafInterval-idlePing {
		w.allAt = time.Now()
		w.all()
	}
}

// guessWithout is guess while there is no connection for notifications, though others may get some.
func (w *watch) guessWithout(ctx context.Context) {
	if time.Since(w.allAt) < deafInterval {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, idlePing)
	defer cancel()
	if w.pool.Ping(ctx) == nil {
		w.allAt = time.Now()
		w.all()
	}
}

// reclaim claims the journal again, with a new connection. While another node has it, clicks are not counted.
func (w *watch) reclaim(ctx context.Context, conn *pgx.Conn) error {
	w.session.mu.Lock()
	journal := w.session.journal
	w.session.mu.Unlock()
	if journal == "" || w.claimed == conn {
		return nil
	}
	err := claim(ctx, conn, journal)
	switch {
	case errors.Is(err, errForeign):
		if w.foreign.Swap(&err) == nil {
			w.log.Error("clicks are not counted", "error", err)
		}
		return nil
	case err != nil:
		return fmt.Errorf("claim journal: %w", err)
	}
	w.claimed = conn
	w.foreign.Store(nil)
	return nil
}
