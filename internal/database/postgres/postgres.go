package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/postgres/links"
	"terse/internal/database/postgres/rows"
	"terse/internal/link/follow"
	"terse/internal/link/list"
)

// Options configure a Store.
type Options struct {
	URL     string        // as CheckURL accepts it
	Timeout time.Duration // longest wait for the database without a caller's; 0 means 5 seconds
	// Longest wait of Open for a database that does not answer yet, and for other nodes that
	// migrate it; 0 means 30 seconds.
	StartTimeout time.Duration
	// IgnoreCase makes addresses that differ in case only the same. All nodes must have the same
	// setting. Open fails if different links have such addresses.
	IgnoreCase bool
	// NoAudit turns the audit off.
	NoAudit bool
	Logger  *slog.Logger // nil: no logs

	migrations fs.FS           // nil: those of this version; tests add more
	rule       follow.Rule     // nil: that of the audit; tests add to it
	tracer     pgx.QueryTracer // nil: none; tests count statements
	// Tests lower these bounds; 0 means maxIdle and maxExportTime.
	idle, exportTime time.Duration
}

// Store implements the interfaces of a store in a PostgreSQL database.
type Store struct {
	*clickstore.Store // counts clicks, and answers from them

	pool    *pgxpool.Pool
	timeout time.Duration
	naming  links.Naming
	log     *slog.Logger
	// migrations are those of this version; tests add more.
	migrations fs.FS
	slot       int32 // of the owners' ranges: random, so that nodes rarely share one

	creates *batcher[*newLink, terse.Link]
	deletes *batcher[links.Unwanted, struct{}]
	takes   *batcher[terse.LinkRef, struct{}]
	lookUps *batcher[[]string, map[string]terse.Link]
	counter chan *clickstore.Counter // holds the only one while it is idle
	writer  *rows.Writer             // of the transactions that count
	session session
	rule    follow.Rule   // what follows from changes of links
	heard   atomic.Uint32 // a follow.Events: what webhooks report, as far as this node knows
	lost    atomic.Int64  // deliveries, see LostDeliveries
	noAudit bool
	clock   *list.Clock
	// stopMoving ends clock.
	stopMoving context.CancelFunc
	// transacts holds an element for each Transact under way, and questions for each question about
	// clicks, or costly list, that is being read.
	transacts, questions chan struct{}
	exports              chan struct{} // the same for exports
	// Bounds of transactions: see maxIdle and maxExportTime.
	idle, exportTime time.Duration

	closing  chan struct{}
	workers  sync.WaitGroup // of the batchers, keepBeating and clock
	close    sync.Once
	enlisted sync.Once // among the nodes
	citus    bool      // tables are distributed
	pace     pace      // of Watch
	kept     kept      // answers
	// uncounted is the reason why this node must not count clicks; nil: it may.
	uncounted atomic.Pointer[error]
}

var (
	_ terse.Links   = (*Store)(nil)
	_ terse.Clicks  = (*Store)(nil)
	_ terse.Archive = (*Store)(nil)
	_ terse.Node    = (*Store)(nil)

	_ terse.People   = (*Store)(nil)
	_ terse.Tokens   = (*Store)(nil)
	_ terse.Sessions = (*Store)(nil)
	_ terse.Audit    = (*Store)(nil)
	_ terse.Webhooks = (*Store)(nil)
)

// ownerSlots bounds the rows of an owner's range: more than there are nodes.
const ownerSlots = 64

// Bounds of the batchers. A batch of writes is committed in a few milliseconds, so a full queue is
// less than a second of work. Callers that wait longer have deadlines. A few batches of look-ups
// are read at a time, so that one slow answer does not delay all.
const (
	maxWaiting   = 4096
	maxCreated   = 512
	maxDeleted   = 64
	maxTaken     = 512
	maxLookedUp  = 256
	lookUpsAtOne = 4
)

var errClosed = errors.New("postgres: store is closed")

// Open connects to the database, and brings its schema up to date. It waits for a database that is
// starting, and refuses one that was written by a later version or by one before the first release.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{
		timeout: o.Timeout, log: o.Logger, pace: usualPace, slot: rand.Int32N(ownerSlots),
		counter: make(chan *clickstore.Counter, 1), closing: make(chan struct{}),
		migrations: o.migrations, rule: o.rule, noAudit: o.NoAudit, clock: list.NewClock(),
		idle: cmp.Or(o.idle, maxIdle), exportTime: cmp.Or(o.exportTime, maxExportTime),
		naming: links.Naming{Naming: terse.Naming{IgnoreCase: o.IgnoreCase}},
	}
	s.Store = clickstore.NewStore(clicks{s})
	if s.rule == nil {
		s.rule = follow.RuleOf(!o.NoAudit)
	}
	s.rule = s.hears(s.rule)
	if s.migrations == nil {
		s.migrations = migrations
	}
	if s.timeout == 0 {
		s.timeout = 5 * time.Second
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.kept.most = terse.MaxAnswerBytes
	s.kept.unmeasured.Store(measureAfter) // so that the first caller measures
	config, err := s.config(o.URL)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.Tracer = o.tracer
	if s.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	s.session.config, s.session.prepare = config.ConnConfig, config.AfterConnect
	starting, cancel := context.WithTimeout(ctx, cmp.Or(o.StartTimeout, 30*time.Second))
	defer cancel()
	waiting := false
	if err := again(starting, func() error {
		err := s.refusePooler(starting)
		if err == nil {
			err = s.migrate(starting)
		}
		if err == nil && s.naming.IgnoreCase {
			err = s.refuseClashes(starting)
		}
		if err == nil {
			err = s.learnHeard(starting)
		}
		if err != nil && transient(err) && !waiting {
			waiting = true
			s.log.Warn("the database does not answer yet", "error", err)
		}
		return err
	}); err != nil {
		s.pool.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	// Look-ups, checks and takes need connections, too, more urgently than these.
	s.transacts = make(chan struct{}, max(1, config.MaxConns/2))
	s.questions = make(chan struct{}, max(1, config.MaxConns/4))
	s.exports = make(chan struct{}, maxExports)
	s.counter <- clickstore.NewCounter()
	s.writer = rows.NewWriter(rows.Options{
		Pool: s.pool, Citus: s.citus, Timeout: s.timeout, Logger: s.log,
	})
	s.creates = newBatcher(s, maxCreated, 1, s.createAll)
	s.deletes = newBatcher(s, maxDeleted, 1, s.deleteAll)
	s.takes = newBatcher(s, maxTaken, 1, s.takeAll)
	s.lookUps = newBatcher(s, maxLookedUp, lookUpsAtOne, s.findAll)
	ctx, s.stopMoving = context.WithCancel(context.WithoutCancel(ctx))
	s.workers.Go(func() { s.clock.Run(ctx, s.log, s.moveDue) })
	return s, nil
}

// refuseClashes returns an error if links have addresses that differ in case only.
func (s *Store) refuseClashes(ctx context.Context) error {
	clashes, err := links.Clashes(ctx, s.pool, terse.MaxClashes)
	return cmp.Or(err, terse.ClashError(clashes))
}

// Questions returns how many questions about clicks are answered at a time: they get a quarter of
// the pool's connections.
func (s *Store) Questions() int { return cap(s.questions) }

// Close finishes the waiting calls, gives up the claimed journal, and closes the connections.
func (s *Store) Close() error {
	s.close.Do(func() {
		close(s.closing)
		s.stopMoving()
		s.creates.close()
		s.deletes.close()
		s.takes.close()
		s.lookUps.close()
	})
	s.workers.Wait()
	s.session.end()
	s.pool.Close()
	return nil
}
