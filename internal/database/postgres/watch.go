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

	"terse/internal/database/postgres/links"
)

// pace is how often Watch checks the connection and the notifications. Tests are quicker.
type pace struct {
	tick  time.Duration // between checks of the connection, and bound of a check
	probe time.Duration // between notifications to itself
	late  time.Duration // after which a probe counts as lost
	poll  time.Duration // between calls of all while no notifications arrive
}

var usualPace = pace{
	tick: 2 * time.Second, probe: 10 * time.Second, late: 5 * time.Second, poll: 10 * time.Second,
}

// Watch calls changed soon after any node has changed the link at an address. It calls all when it
// does not know which links changed: after each connect, and every ten seconds while the database
// answers but sends no notifications, or has no free connection for them. It relies on
// notifications only while its own probes arrive, because some poolers pass on notifications by
// chance. While the database does not answer, it calls neither. It returns nil when the context
// ends.
func (s *Store) Watch(ctx context.Context, changed func(address string), all func()) error {
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

// watch is the state of a running Watch.
type watch struct {
	*Store
	changed      func(address string)
	all          func()
	connected    bool      // since the connection was last lost
	lost         bool      // the connection is lost, and the loss was logged
	pooled       bool      // the connection lost its session, and no probe has arrived since
	notifyBroken bool      // a probe did not arrive in time, and this was logged
	claimed      *pgx.Conn // the connection that holds the claim
	triedAt      time.Time // when the connection was last checked
	allAt        time.Time // when all was last called
	awaited      string    // the probe that has not arrived yet; empty: none
	probedAt     time.Time // when it was sent
	probing      sync.WaitGroup
}

// disconnected records and logs why the connection ended.
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

// subscribe listens on a connection. It invalidates all links, because any may have changed before.
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
	if strings.HasPrefix(payload, "?") {
		return // another node's probe
	}
	for address := range strings.SplitSeq(payload, "\n") {
		w.changed(address)
	}
}

// probeArrived records that notifications arrive.
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

// checkProbe sends a probe when one is due, and polls while one is late.
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

// probe sends a notification to this connection over another one. It is no address. Errors need no
// handling: the probe just does not arrive.
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

// pollDisconnected invalidates all links from time to time while there is no connection for
// notifications, but the pool has connections. It does no harm if the server answers once more
// before it dies: cached links are served until a server can be asked about them.
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

// reclaim claims the journal again on a new connection. While another node has it, clicks are not
// counted.
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
