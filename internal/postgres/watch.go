package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"terse"
	"terse/internal/postgres/links"
)

// pace is how often Watch checks what it relies on. Tests are quicker.
type pace struct {
	tick  time.Duration // between checks of the connection, and how long one may take
	probe time.Duration // between notifications to itself
	late  time.Duration // how long one may take before notifications are taken not to arrive
	poll  time.Duration // between calls of all while they do not
}

var usualPace = pace{
	tick: 2 * time.Second, probe: 10 * time.Second, late: 5 * time.Second, poll: 10 * time.Second,
}

// Watch calls changed soon after any node has changed the link of a code. It calls all when it does
// not know which links changed: after each connect, and every ten seconds while the database
// answers but sends no notifications, or has no connection left for them. It relies on
// notifications only while its own probes arrive, because some poolers pass on one by chance. While
// the database does not answer it calls neither. It returns nil when the context ends.
func (s *Store) Watch(ctx context.Context, changed func(terse.Code), all func()) error {
	w := &watch{Store: s, changed: changed, all: all}
	defer w.probing.Wait()
	for wait := minBackoff; ctx.Err() == nil; wait = min(2*wait, maxBackoff) {
		err := w.listen(ctx)
		if ctx.Err() != nil {
			break
		}
		w.disconnected(err)
		if w.connected {
			wait, w.connected = minBackoff, false
		}
		w.pollDisconnected(ctx)
		sleep(ctx, wait)
	}
	return nil
}

// watch is Watch at work.
type watch struct {
	*Store
	changed      func(terse.Code)
	all          func()
	connected    bool      // since the last trouble
	lost         bool      // there is trouble, which was logged
	pooled       bool      // the connection lost its session, and no probe arrived since
	notifyBroken bool      // a probe did not arrive in time, which was logged
	claimed      *pgx.Conn // which holds the claim
	triedAt      time.Time // when the connection was tried
	allAt        time.Time // when all was called
	awaited      string    // the probe that has not arrived; empty: it has
	probedAt     time.Time // when it was sent
	probing      sync.WaitGroup
}

// disconnected notes and logs what ended the connection.
func (w *watch) disconnected(err error) {
	if errors.Is(err, errPooled) && !w.pooled {
		w.pooled = true
		w.uncounted.Store(&err)
		w.log.Error("clicks are not counted", "error", err)
	}
	if !w.lost {
		w.lost = true
		w.log.Warn("changes by other nodes are not seen for now", "error", err)
	}
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
	if err := w.subscribe(ctx, conn); err != nil {
		return err
	}
	w.connected = true
	if w.lost {
		w.lost = false
		w.log.Info("changes by other nodes are seen again")
	}
	for {
		if err := w.waitOnce(ctx, conn); err != nil {
			return err
		}
	}
}

// subscribe listens on a connection. Any link may have changed before.
func (w *watch) subscribe(ctx context.Context, conn *pgx.Conn) error {
	trying, cancel := context.WithTimeout(ctx, w.pace.tick)
	defer cancel()
	if err := w.reclaim(trying, conn); err != nil {
		return err
	}
	var refused *pgconn.PgError
	_, err := conn.Exec(trying, "LISTEN "+links.Channel)
	if err != nil && (transient(err) || !errors.As(err, &refused)) {
		return err
	}
	w.triedAt = time.Now()
	w.invalidateAll()
	w.probe(ctx)
	return nil
}

// waitOnce waits for a notification, and checks the connection every tick.
func (w *watch) waitOnce(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, w.pace.tick)
	notification, err := conn.WaitForNotification(waiting)
	cancel()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		w.receive(notification.Payload)
	case !pgconn.Timeout(err):
		return err
	}
	if time.Since(w.triedAt) < w.pace.tick {
		return nil
	}
	w.triedAt = time.Now()
	trying, cancel := context.WithTimeout(ctx, w.pace.tick)
	defer cancel()
	if err := w.session.verify(trying, conn); err != nil {
		return err
	}
	if err := w.checkProbe(ctx); err != nil {
		return err
	}
	return w.reclaim(trying, conn)
}

func (w *watch) receive(payload string) {
	if payload == w.awaited {
		w.probeArrived()
		return
	}
	for text := range strings.SplitSeq(payload, " ") {
		if code, err := terse.ParseCode(text); err == nil {
			w.changed(code)
		}
	}
}

// probeArrived notes that notifications arrive.
func (w *watch) probeArrived() {
	w.awaited = ""
	if w.notifyBroken {
		w.notifyBroken = false
		w.invalidateAll() // notifications before the probe were lost
		w.log.Info("the database tells of changes by other nodes again")
	}
	if w.pooled {
		w.pooled, w.claimed = false, nil // claim again
	}
}

// checkProbe sends a probe when it is time for one, and polls while one is late.
func (w *watch) checkProbe(ctx context.Context) error {
	since := time.Since(w.probedAt)
	if since >= w.pace.probe {
		defer w.probe(ctx)
	}
	if w.awaited == "" || since < w.pace.late {
		return nil
	}
	if w.notifyBroken {
		if time.Since(w.allAt) >= w.pace.poll-w.pace.tick {
			w.invalidateAll()
		}
		return nil
	}
	w.notifyBroken = true
	w.invalidateAll()
	w.log.Warn("the database does not tell of changes by other nodes; " +
		"they are seen in some seconds")
	if err := w.refusePooler(ctx); errors.Is(err, errPooled) {
		return err
	}
	return nil
}

// probe sends a notification to this connection by way of another one. It names no code. Errors
// need no handling: then the probe does not arrive.
func (w *watch) probe(ctx context.Context) {
	text := "?" + rand.Text()
	w.awaited, w.probedAt = text, time.Now()
	w.probing.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, w.pace.late)
		defer cancel()
		_, _ = w.pool.Exec(ctx, "SELECT pg_notify($1, $2)", links.Channel, text)
	})
}

// invalidateAll reports that any link may have changed.
func (w *watch) invalidateAll() {
	w.allAt = time.Now()
	w.all()
}

// pollDisconnected invalidates all from time to time while there is no connection for
// notifications, though the pool may get some. A server that answers once more before it dies does
// no harm: links in memory are served until one can be asked about them.
func (w *watch) pollDisconnected(ctx context.Context) {
	if time.Since(w.allAt) < w.pace.poll {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, w.pace.tick)
	defer cancel()
	if w.pool.Ping(ctx) == nil {
		w.invalidateAll()
	}
}

// reclaim claims the journal again, with a new connection. While another node has it, clicks are
// not counted.
func (w *watch) reclaim(ctx context.Context, conn *pgx.Conn) error {
	w.session.mu.Lock()
	journal := w.session.journal
	w.session.mu.Unlock()
	if journal == "" || w.pooled || w.claimed == conn {
		return nil
	}
	err := claim(ctx, conn, journal)
	switch {
	case errors.Is(err, errForeign):
		if w.uncounted.Swap(&err) == nil {
			w.log.Error("clicks are not counted", "error", err)
		}
		return nil
	case err != nil:
		return fmt.Errorf("claim journal: %w", err)
	}
	w.claimed = conn
	w.uncounted.Store(nil)
	return nil
}
