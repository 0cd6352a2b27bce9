package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/database/sqlite/record"
	"terse/internal/link/follow"
	"terse/internal/link/list"
)

// Options configure a Store.
type Options struct {
	Path    string        // of the database file; Open creates a missing one, with mode 0600
	Timeout time.Duration // longest wait for another process's lock; 0 means 5 seconds
	// Questions bounds the questions about clicks, and costly lists, that are read at a time;
	// others wait. 0 means 1. They have connections of their own, beside those for look-ups.
	Questions int
	// IgnoreCase makes addresses that differ in case only the same. Open fails if different links
	// have such addresses.
	IgnoreCase bool
	// NoAudit turns the audit off.
	NoAudit bool
	Logger  *slog.Logger // nil: no logs

	migrations fs.FS       // nil: those of this version; tests add more
	rule       follow.Rule // nil: that of the audit; tests add to it
}

// Store implements the interfaces of a store in an SQLite database file.
type Store struct {
	*clickstore.Store // counts clicks, and answers from them

	path       string
	timeout    time.Duration
	naming     record.Naming
	rule       follow.Rule // what follows from changes of links
	noAudit    bool
	clock      *list.Clock
	log        *slog.Logger
	migrations fs.FS

	readers readers
	// questions holds an element for each question that is being read.
	questions chan struct{}
	exports   chan struct{} // the same for exports
	// maxExportLog is the constant, less in tests.
	maxExportLog int64
	writer       chan *writer // holds the writer while it is idle
	writes       chan *write  // short writes, to be committed together
	closing      chan struct{}
	closed       chan struct{} // the connections are closed
	close        sync.Once
	writing      atomic.Bool // a transaction holds the write lock now
	files        atomic.Pointer[files]
	// The reason why no connection is open, nil if they are.
	broken   atomic.Pointer[error]
	closeErr error // of the writer, when closed

	answering answering // requests with a key

	lost atomic.Int64 // deliveries, see LostDeliveries

	foreign        chan struct{}  // signals to Watch that others changed the database
	background     sync.WaitGroup // watch and clock
	stopBackground context.CancelFunc
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

// numReaders is the number of reading connections beside those for questions and exports. A read
// takes microseconds of CPU time, so more connections than cores would only add page caches.
const numReaders = 4

// maxExports bounds the exports that are read at a time. They have connections of their own.
const maxExports = 1

// Bounds of the writer's queue. A group is committed in a few milliseconds, so a full queue is less
// than a second of work. Callers that wait longer have deadlines.
const (
	maxWaiting = 4096
	maxGroup   = 512
)

var errClosed = errors.New("sqlite: store is closed")

// Open opens the database, creates a missing one, and brings its schema up to date. It refuses a
// file that is not an SQLite database, belongs to another program, or was written by a later
// version or one before the first release.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{
		path: o.Path, timeout: o.Timeout, log: o.Logger, migrations: o.migrations,
		naming:    record.Naming{Naming: terse.Naming{IgnoreCase: o.IgnoreCase}},
		rule:      o.rule,
		noAudit:   o.NoAudit,
		clock:     list.NewClock(),
		questions: make(chan struct{}, max(1, o.Questions)),
		exports:   make(chan struct{}, maxExports),
		writer:    make(chan *writer, 1),
		writes:    make(chan *write, maxWaiting),
		closing:   make(chan struct{}),
		closed:    make(chan struct{}),
		foreign:   make(chan struct{}, 1),

		maxExportLog: maxExportLog,
	}
	s.Store = clickstore.NewStore(clicks{s})
	s.readers.count = make(chan struct{}, numReaders+cap(s.questions)+maxExports)
	s.answering.most = terse.MaxAnswerBytes
	s.answering.unmeasured.Store(measureAfter) // so that the first caller measures
	if s.timeout == 0 {
		s.timeout = 5 * time.Second
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.rule == nil {
		s.rule = follow.RuleOf(!o.NoAudit)
	}
	if s.migrations == nil {
		s.migrations = migrations
	}
	if err := createFile(s.path); err != nil {
		return nil, fmt.Errorf("make database: %w", err)
	}
	// SQLite keeps the write-ahead log beside the file that a symbolic link points to.
	path, err := filepath.EvalSymlinks(s.path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	s.path = path
	w := &writer{Store: s}
	w.rule = w.hears(s.rule)
	if err := w.open(ctx, false); err != nil {
		return nil, fmt.Errorf("open database %s: %w", s.path, err)
	}
	w.untake(ctx)
	ctx, s.stopBackground = context.WithCancel(context.WithoutCancel(ctx))
	s.background.Go(func() { s.watch(ctx) })
	s.background.Go(func() { s.clock.Run(ctx, s.log, s.moveDue) })
	s.writer <- w
	go s.runGroups()
	return s, nil
}

// Close finishes the waiting writes, moves the write-ahead log into the database file, and closes
// it.
func (s *Store) Close() error {
	s.close.Do(func() {
		s.stopBackground()
		close(s.closing)
	})
	<-s.closed
	s.background.Wait()
	if s.closeErr != nil {
		return fmt.Errorf("close database %s: %w", s.path, s.closeErr)
	}
	return nil
}
