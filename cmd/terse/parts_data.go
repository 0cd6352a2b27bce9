package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"terse"
	"terse/internal/auth"
	"terse/internal/cli"
	"terse/internal/click/daykey"
	"terse/internal/click/ingest"
	"terse/internal/click/journal"
	"terse/internal/click/retention"
	"terse/internal/database/postgres"
	"terse/internal/database/sqlite"
	"terse/internal/link/blocked"
	"terse/internal/link/hosts"
	"terse/internal/logging"
	"terse/internal/move/backup"
	"terse/internal/visit/geo"
	"terse/internal/visit/unknown"
)

// ingestTimeout bounds one batch of clicks. It is longer than DB_TIMEOUT because a batch is large
// and nobody waits for it.
const ingestTimeout = 30 * time.Second

func (n *node) lockData(context.Context) (work, error) {
	return locked(lockDataDir(n.settings.dataDir))
}

func (n *node) lockDatabase(context.Context) (work, error) {
	if n.settings.databasePath == "" {
		return work{}, nil
	}
	w, err := locked(lockDatabase(n.settings.databasePath))
	if err != nil {
		err = fmt.Errorf("DATABASE_URL: %w", err)
	}
	return w, err
}

func (n *node) lockBackups(context.Context) (work, error) {
	if n.settings.backupDir == "" {
		return work{}, nil
	}
	return locked(lockBackupDir(n.settings.backupDir))
}

// locked is a part that holds a lock.
func locked(unlock func(), err error) (work, error) {
	return work{close: func() error { unlock(); return nil }}, err
}

// openLog writes the log from now on, so that it has what the starts and ends of the other parts
// say.
func (n *node) openLog(context.Context) (work, error) {
	n.sink = logging.NewSink(n.out)
	n.logger = logging.New(n.sink, n.settings.logLevel, n.settings.logFormat)
	n.metrics.counter("terse_log_lines_dropped_total",
		"Log lines dropped because their destination was too slow.",
		func() float64 { return float64(n.sink.Dropped()) })
	ctx, cancel := context.WithCancel(context.Background())
	written := make(chan error, 1)
	go func() { written <- n.sink.Run(ctx) }()
	return work{
		finish: func(context.Context) { n.logger.Info("stopped") },
		close:  func() error { cancel(); return <-written },
	}, nil
}

func (n *node) openTokens(context.Context) (_ work, err error) {
	tokens := n.settings.tokens
	if len(tokens) == 0 {
		token, created, err := auth.LoadOrCreateToken(n.settings.dataDir)
		if err != nil {
			return work{}, err
		}
		if created {
			n.newToken = token
		}
		tokens = []string{token}
	}
	if n.tokens, err = auth.NewTokens(tokens); err != nil {
		return work{}, cli.SettingsError{Err: fmt.Errorf("AUTH_TOKENS: %w", err)}
	}
	for i, token := range tokens {
		if len(token) < auth.ShortToken {
			n.logger.Warn("an access token is shorter than 16 characters, and may be guessed",
				"token", fmt.Sprintf("%d of %d", i+1, len(tokens)))
		}
		if quoted(token) {
			n.logger.Warn("an access token begins or ends with a quotation mark, "+
				"which belongs to it", "token", fmt.Sprintf("%d of %d", i+1, len(tokens)))
		}
	}
	return work{}, nil
}

// openGate tells who requests come from. Its run notes who was seen.
func (n *node) openGate(context.Context) (work, error) {
	n.gate = auth.NewGate(auth.Options{
		Tokens: n.tokens, Store: n.store, Admission: n.settings.signIn.admission,
		Timeout: n.settings.dbTimeout, Logger: n.logger,
	})
	return work{run: n.gate.Run}, nil
}

// quoted reports whether a token may have quotation marks around it that nobody meant: Docker takes
// them for a part of a value in a file of variables, and shells do not.
func quoted(token string) bool {
	const marks = "\"'"
	return strings.ContainsAny(token[:1], marks) || strings.ContainsAny(token[len(token)-1:], marks)
}

func (n *node) openPlaces(context.Context) (_ work, err error) {
	if n.geo, err = geo.Open(n.settings.geoDatabase, n.logger); err != nil {
		return work{}, cli.SettingsError{Err: fmt.Errorf("GEOIP_DATABASE: %w", err)}
	}
	return work{run: n.geo.Run, close: n.geo.Close}, nil
}

// openBlocked reads where no link may lead.
func (n *node) openBlocked(context.Context) (_ work, err error) {
	path := n.settings.blockedTargets
	if path == "" {
		return work{}, nil
	}
	// It runs when there is the part that answers redirects.
	changed := func() { n.redirect.InvalidateAll() }
	if n.blocked, err = blocked.Open(path, changed, n.logger); err != nil {
		return work{}, cli.SettingsError{Err: fmt.Errorf("BLOCKED_TARGETS: %w", err)}
	}
	return work{run: n.blocked.Run, warning: func() string {
		if !n.blocked.Late() {
			return ""
		}
		return "the blocked targets in " + path + " could not be reread; the old ones are blocked"
	}}, nil
}

// blockedTargets returns where no link may lead.
func (n *node) blockedTargets() *blocked.List {
	if n.blocked == nil {
		return nil
	}
	return n.blocked.List()
}

func (n *node) isBlocked(u terse.URL) bool { return n.blockedTargets().BlocksURL(string(u)) }

// finishRestore completes a restore that was interrupted.
func (n *node) finishRestore(context.Context) (work, error) {
	if n.settings.databasePath == "" {
		return work{}, nil
	}
	done, moved, err := backup.Finish(backup.Place{
		Database: n.settings.databasePath, Journal: journalIn(n.settings.dataDir),
	})
	if err != nil {
		return work{}, fmt.Errorf("complete an interrupted restore: %w", err)
	}
	if done {
		n.logger.Info("an interrupted restore was completed", "moved_to", moved)
	}
	return work{}, nil
}

// trimJournal frees what an earlier process allocated: on a full disk SQLite needs that space.
func (n *node) trimJournal(context.Context) (work, error) {
	_ = journal.Trim(journalIn(n.settings.dataDir)) // openJournal returns the same errors
	return work{}, nil
}

func (n *node) openStore(ctx context.Context) (w work, err error) {
	if n.settings.postgresURL == "" {
		err = n.openSQLite(ctx)
	} else {
		err = n.openPostgres(ctx)
	}
	if err != nil {
		return work{}, fmt.Errorf("open the database: %w%s", err, fullDiskHint(n.settings.dataDir))
	}
	if n.shared != nil {
		w.warning = func() string { return strings.Join(n.shared.Warnings(), "; ") }
	}
	ready := readiness{ask: func() bool { return n.isReady(context.WithoutCancel(ctx)) }}
	n.metrics.flag("terse_ready",
		"1 if the database can be read and written, else 0. Scrapes ask it, at most once a second.",
		ready.isReady)
	w.close = n.store.Close
	return w, nil
}

// readyTimeout is less than what Prometheus waits for all metrics.
const readyTimeout = 2 * time.Second

// readiness remembers for a second whether the database is ready: scrapes wait for each other, and
// while the database hangs each question takes readyTimeout.
type readiness struct {
	ask func() bool

	mu    sync.Mutex // guards what follows
	ready bool
	asked time.Time
}

func (r *readiness) isReady() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.asked) >= time.Second {
		r.ready, r.asked = r.ask(), time.Now()
	}
	return r.ready
}

// isReady reports whether the database can be read and written.
func (n *node) isReady(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, min(n.settings.dbTimeout, readyTimeout))
	defer cancel()
	return n.store.Check(ctx) == nil
}

func (n *node) openSQLite(ctx context.Context) error {
	store, err := sqlite.Open(ctx, sqlite.Options{
		Path: n.settings.databasePath, Timeout: n.settings.dbTimeout,
		Questions: questionsAtOnce(), IgnoreCase: n.settings.ignoreCase,
		NoAudit: n.settings.auditRetention == 0, Logger: n.logger,
	})
	if err == nil {
		n.store = store
	}
	return err
}

func (n *node) openPostgres(ctx context.Context) error {
	shared, err := postgres.Open(ctx, postgres.Options{
		URL: n.settings.postgresURL, Timeout: n.settings.dbTimeout,
		StartTimeout: n.settings.startTimeout, IgnoreCase: n.settings.ignoreCase,
		NoAudit: n.settings.auditRetention == 0, Logger: n.logger,
	})
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	n.store, n.shared = shared, shared
	return nil
}

func (n *node) openJournal(ctx context.Context) (work, error) {
	database, err := n.databaseName(ctx)
	if err != nil {
		return work{}, fmt.Errorf("open the database: %w", err)
	}
	j, err := journal.Open(journal.Options{
		Dir: journalIn(n.settings.dataDir), Database: database, Sync: n.settings.clickSync,
		Logger: n.logger,
	},
		func(id string) (int64, error) { return n.store.JournalPosition(ctx, id) })
	if err != nil {
		return work{}, fmt.Errorf("open the click journal: %w",
			explainOther(n.settings.dataDir, err))
	}
	n.journal = j
	n.metrics.counter("terse_clicks_recorded_total",
		"Clicks put into the journal by this process.",
		func() float64 { return float64(j.Stats().Appended) })
	n.metrics.gauge("terse_journal_backlog_bytes", "Journal not yet counted in the store.",
		func() float64 { return float64(j.Stats().Backlog) })
	n.metrics.counter("terse_journal_sync_errors_total",
		"Failed attempts to bring the journal to disk.",
		func() float64 { return float64(j.Stats().SyncErrors) })
	return work{run: j.Run, close: j.Close, warning: func() string {
		if j.Stats().Full {
			return "click journal: no room on the disk; redirects go on, their clicks are lost"
		}
		return ""
	}}, nil
}

// databaseName names the database for the journal, which may have clicks of another one.
func (n *node) databaseName(ctx context.Context) (string, error) {
	if n.shared != nil {
		return n.shared.Name(ctx)
	}
	return nameSQLite(n.settings.dataDir, n.settings.databasePath)
}

// openWatch claims the journal where other nodes could have it, too. Its run keeps that claim, and
// drops links from the cache when other nodes or programs change them.
func (n *node) openWatch(ctx context.Context) (work, error) {
	if n.shared != nil {
		if err := n.shared.Claim(ctx, n.journal.ID()); err != nil {
			return work{}, err
		}
	}
	return work{run: func(ctx context.Context) error {
		return n.store.Watch(ctx, n.changed, func() {
			n.redirect.InvalidateAll()
			n.domains.Changed()
		})
	}}, nil
}

// changed hears which address others have changed.
func (n *node) changed(address string) {
	if address == terse.DomainsKey {
		n.domains.Changed()
		return
	}
	n.redirect.Invalidate(address)
}

func (n *node) openDomains(ctx context.Context) (work, error) {
	n.domains = hosts.New(hosts.Options{
		Store: n.store, Timeout: n.settings.dbTimeout, BaseURL: n.baseURL,
		Others: n.settings.domains, Logger: n.logger,
	})
	ctx, cancel := context.WithTimeout(ctx, n.settings.dbTimeout)
	defer cancel()
	return work{run: n.domains.Run}, n.domains.Start(ctx)
}

func (n *node) openUnknown(context.Context) (work, error) {
	n.unknown = unknown.New(unknown.Options{
		Store: n.store, Node: n.journal.ID(), Timeout: n.settings.dbTimeout, Logger: n.logger,
	})
	return work{run: n.unknown.Run, finish: func(ctx context.Context) {
		if err := n.unknown.Flush(ctx); err != nil {
			n.logger.Warn("some unknown codes were not counted", "error", err)
		}
	}}, nil
}

func (n *node) openIngest(context.Context) (work, error) {
	n.ingester = ingest.New(ingest.Options{
		Journal: n.journal, Store: n.store, Logger: n.logger, Timeout: ingestTimeout,
	})
	stats := n.ingester.Stats
	n.metrics.counter("terse_clicks_ingested_total",
		"Clicks counted in the store by this process.",
		func() float64 { return float64(stats().Clicks) })
	n.metrics.counter("terse_ingest_batches_total",
		"Batches counted in the store by this process.",
		func() float64 { return float64(stats().Batches) })
	n.metrics.flag("terse_ingest_failing",
		"1 while clicks can't be counted in the store, which is tried again, else 0.",
		func() bool { return !stats().Failing.IsZero() })
	n.metrics.counter("terse_ingest_failures_total", "Failed tries to count a batch in the store.",
		func() float64 { return float64(stats().Failures) })
	n.metrics.gauge("terse_ingest_lag_seconds",
		"Age of the last batch's oldest click when it was counted.",
		func() float64 { return stats().Lag.Seconds() })
	return work{
		run: n.ingester.Run,
		finish: func(ctx context.Context) {
			if err := n.ingester.Drain(ctx); err != nil {
				n.logger.Warn("clicks stay in the journal for the next start", "error", err)
			}
		},
		warning: func() string {
			return notCounted(stats(), n.journal.Stats().Backlog, time.Now())
		},
	}, nil
}

// When GET /ready warns that clicks are not being counted: not for a moment, such as the restart of
// a database, but well before somebody misses them.
const (
	warnFailing = 10 * time.Second
	warnLag     = time.Minute
)

// notCounted returns a warning if clicks wait in the journal for too long.
func notCounted(s ingest.Stats, backlog int64, now time.Time) string {
	switch failing := now.Sub(s.Failing); {
	case !s.Failing.IsZero() && failing >= warnFailing:
		return fmt.Sprintf("no click was counted for %s, they are kept in the journal: %v",
			failing.Truncate(time.Second), s.Err)
	case backlog > 0 && s.Lag >= warnLag:
		return fmt.Sprintf("clicks are counted %s late", s.Lag.Truncate(time.Second))
	}
	return ""
}

func (n *node) openVisitors(ctx context.Context) (work, error) {
	n.visitors = daykey.New(daykey.Options{
		Store: n.store, Journal: n.journal.ID(), Timeout: ingestTimeout, Logger: n.logger,
		Counted: n.ingester.Counted, Rotate: n.journal.Rotate,
	})
	n.visitors.Start(ctx)
	return work{run: n.visitors.Run}, nil
}

// openRetention drops single clicks that are older than the retention, if that is set.
func (n *node) openRetention(context.Context) (work, error) {
	if n.settings.retention == 0 {
		return work{}, nil
	}
	return work{run: func(ctx context.Context) error {
		return retention.Run(ctx, retention.Options{
			Drop: n.store.DropClicks, What: "clicks that are older than CLICK_RETENTION",
			Age: n.settings.retention, Logger: n.logger,
		})
	}}, nil
}

// openAudit deletes old entries of the audit, all if it is turned off.
func (n *node) openAudit(context.Context) (work, error) {
	return work{run: func(ctx context.Context) error {
		return retention.Run(ctx, retention.Options{
			Drop: n.store.DropAudit, What: "entries of the audit older than AUDIT_RETENTION",
			Age: n.settings.auditRetention, Logger: n.logger,
		})
	}}, nil
}

func (n *node) openBackups(context.Context) (work, error) {
	if n.settings.backupDir == "" {
		return work{}, nil
	}
	keeper, err := backup.New(backup.Options{
		Dir: n.settings.backupDir, Database: n.settings.databasePath,
		Interval: n.settings.backupInterval, Keep: n.settings.backupKeep, Logger: n.logger,
	})
	if err != nil {
		return work{}, fmt.Errorf("BACKUP_DIR: %w", err)
	}
	n.metrics.gauge("terse_backup_last_success_timestamp_seconds",
		"When the newest backup was begun, in seconds since 1970; 0 if there is none.",
		func() float64 {
			if last := keeper.Stats().Last; !last.IsZero() {
				return float64(last.Unix())
			}
			return 0
		})
	n.metrics.gauge("terse_backup_interval_seconds", "BACKUP_INTERVAL.",
		func() float64 { return n.settings.backupInterval.Seconds() })
	n.metrics.gauge("terse_backup_last_size_bytes", "Size of the newest backup.",
		func() float64 { return float64(keeper.Stats().Bytes) })
	n.metrics.gauge("terse_backup_last_duration_seconds",
		"Time that the last backup of this process took, its verification included.",
		func() float64 { return keeper.Stats().Took.Seconds() })
	n.metrics.counter("terse_backup_failures_total", "Failed tries to make a backup.",
		func() float64 { return float64(keeper.Stats().Failures) })
	return work{
		run: keeper.Run, warning: func() string { return keeper.Warning(time.Now()) },
	}, nil
}
