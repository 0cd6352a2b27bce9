package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"terse"
	"terse/internal/auth"
	"terse/internal/cli"
	"terse/internal/cli/console"
	"terse/internal/daykey"
	"terse/internal/geo"
	"terse/internal/httpapi"
	"terse/internal/ingest"
	"terse/internal/journal"
	"terse/internal/logging"
	"terse/internal/password"
	"terse/internal/postgres"
	"terse/internal/ratelimit"
	"terse/internal/redirect"
	"terse/internal/retention"
	"terse/internal/server"
	"terse/internal/sqlite"
	"terse/internal/unknown"
	"terse/internal/web"
)

// ingestTimeout is for one batch of clicks, which is far larger than what DB_TIMEOUT is
// for, and nobody waits for it.
const ingestTimeout = 30 * time.Second

// sessionFactor is how many times as many API requests as a script a browser with a session may
// send: a page asks more often.
const sessionFactor = 10

type serveCommand struct {
	rawSettings `embed:""`
}

func (c *serveCommand) Run(ctx context.Context, env cli.Env) error {
	if c.LogFormat == "" && console.IsTerminal(env.Out) {
		c.LogFormat = string(logging.Pretty)
	}
	s, err := c.parse()
	if err != nil {
		return err
	}
	unlock, err := lockDataDir(s.dataDir)
	if err != nil {
		return err
	}
	defer unlock()
	if s.databasePath != "" {
		unlock, err := lockDatabase(s.databasePath)
		if err != nil {
			return fmt.Errorf("DATABASE_URL: %w", err)
		}
		defer unlock()
	}

	fastLoops() // before anything is sized by the number of processors
	sink := logging.NewSink(env.Out)
	logger := logging.New(sink, s.logLevel, s.logFormat)
	logDone := background(sink.Run)
	defer logDone()

	node, err := open(ctx, s, logger)
	if err != nil {
		return err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return errors.Join(fmt.Errorf("listen: %w", err), node.close())
	}
	node.wire(s, ln.Addr(), sink, logger)
	node.greet(env.Err, s, ln.Addr())
	logger.Info("started", "version", version, "address", ln.Addr().String())
	return node.serve(ctx, ln)
}

// background runs f until the returned function is called, which waits for its end.
func background(run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		// The parts that run in the background end with their context only, and log what
		// they meet.
		_ = run(ctx)
	})
	return func() { cancel(); done.Wait() }
}

// store is all of a store.
type store interface {
	terse.Links
	terse.Clicks
	terse.Node
	redirect.LinkStore
}

// node is one running server and its parts.
type node struct {
	settings settings
	logger   *slog.Logger
	store    store
	shared   *postgres.Store // the store, when other nodes may use it, too
	journal  *journal.Journal
	ingester *ingest.Ingester
	unknown  *unknown.Counter
	visitors *daykey.Keeper
	geo      *geo.DB
	tokens   *auth.Tokens
	newToken string // made at this start
	baseURL  string
	limits   *ratelimit.Shared // rate limits of all nodes; nil when this one counts alone
	limiters []*ratelimit.Limiter
	redirect *redirect.Handler
	server   *server.Server
	stopping chan struct{} // closed when no new requests are taken
}

// open opens what holds data, oldest promise first.
func open(ctx context.Context, s settings, logger *slog.Logger) (_ *node, err error) {
	n := &node{settings: s, logger: logger, stopping: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, n.close())
		}
	}()
	if err := n.openTokens(); err != nil {
		return nil, err
	}
	if n.geo, err = geo.Open(s.geoDatabase, logger); err != nil {
		return nil, fmt.Errorf("GEOIP_DATABASE: %w", err)
	}
	journalDir := filepath.Join(s.dataDir, "journal")
	// on a full disk SQLite needs that room; what fails here fails in Open, too
	_ = journal.Trim(journalDir)
	if err := n.openStore(ctx); err != nil {
		return nil, fmt.Errorf("open the database: %w%s", err, fullDiskHint(s.dataDir))
	}
	n.journal, err = journal.Open(journal.Options{
		Dir: journalDir, Sync: s.clickSync,
		Logger: logger,
	},
		func(id string) (int64, error) { return n.store.JournalPosition(ctx, id) })
	if err != nil {
		return nil, fmt.Errorf("open the click journal: %w", err)
	}
	if n.shared != nil {
		if err := n.shared.Claim(ctx, n.journal.ID()); err != nil {
			return nil, err
		}
	}
	n.ingester = ingest.New(ingest.Options{
		Journal: n.journal, Store: n.store, Logger: logger,
		Timeout: ingestTimeout,
	})
	n.unknown = unknown.New(unknown.Options{
		Store: n.store, Node: n.journal.ID(), Timeout: s.dbTimeout, Logger: logger,
	})
	n.visitors = daykey.New(daykey.Options{
		Store: n.store, Journal: n.journal.ID(), Timeout: ingestTimeout, Logger: logger,
		Counted: n.ingester.Counted, Rotate: n.journal.Rotate,
	})
	n.visitors.Start(ctx)
	return n, nil
}

func (n *node) openStore(ctx context.Context) error {
	if n.settings.postgresURL == "" {
		store, err := sqlite.Open(ctx, sqlite.Options{
			Path: n.settings.databasePath, Timeout: n.settings.dbTimeout,
			Questions: questionsAtOnce(), Logger: n.logger,
		})
		if err == nil {
			n.store = store
		}
		return err
	}
	shared, err := postgres.Open(ctx, postgres.Options{
		URL: n.settings.postgresURL, Timeout: n.settings.dbTimeout,
		StartTimeout: n.settings.startTimeout, Logger: n.logger,
	})
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	n.store, n.shared = shared, shared
	return nil
}

func (n *node) openTokens() (err error) {
	tokens := n.settings.tokens
	if len(tokens) == 0 {
		token, created, err := auth.LoadOrCreateToken(n.settings.dataDir)
		if err != nil {
			return err
		}
		if created {
			n.newToken = token
		}
		tokens = []string{token}
	}
	if n.tokens, err = auth.NewTokens(tokens); err != nil {
		return cli.UsageError{Err: fmt.Errorf("AUTH_TOKENS: %w", err)}
	}
	for i, token := range tokens {
		if len(token) < auth.ShortToken {
			n.logger.Warn("an access token is shorter than 16 characters, and may be guessed",
				"token", fmt.Sprintf("%d of %d", i+1, len(tokens)))
		}
	}
	return nil
}

// wire connects the parts that answer requests.
func (n *node) wire(s settings, addr net.Addr, sink *logging.Sink, logger *slog.Logger) {
	if n.baseURL = s.baseURL; n.baseURL == "" {
		n.baseURL = localURL(addr)
	}
	if s.redis != nil {
		n.limits = ratelimit.NewShared(*s.redis, logger)
	}
	redirects, api, failures := n.limiter("redirect", s.redirectLimit),
		n.limiter("api", s.apiLimit), n.limiter("failures", s.apiLimit)
	sessions := n.limiter("sessions", sessionFactor*s.apiLimit)
	var commit func() error
	if s.clickSync == 0 {
		commit = n.journal.Commit
	}
	var hold func(string, int, time.Duration) (func(), time.Duration)
	if n.limits != nil {
		hold = n.limits.Hold
	}
	n.redirect = redirect.New(redirect.Options{
		Links: n.store, LinkTimeout: s.dbTimeout, Place: n.place, CountryHeader: s.geoHeader,
		Tracking: s.tracking,
		Record:   func(click terse.Click) error { return n.journal.Append(&click) },
		Commit:   commit,
		Limit:    redirects.Take, CacheBytes: s.cacheBytes,
		Take: n.store.Take, BaseURL: n.baseURL, Unknown: n.unknown.Add, Rehash: n.rehash,
		Visitor: n.visitors.Visitor, Hold: hold,
	})
	registry := n.newRegistry(sink)
	dashboard := web.New(n.baseURL, s.baseURL == "")
	n.server = server.New(server.Options{
		Redirect: n.redirect,
		Control: httpapi.New(httpapi.Options{
			Store: n.store, StoreTimeout: s.dbTimeout, Questions: n.questionsAtOnce(),
			Stopping: n.stopping, Tokens: n.tokens, BaseURL: n.baseURL,
			Dashboard: dashboard, SharePage: dashboard.ServeShare, RootRedirect: s.rootRedirect,
			Limit: api, LimitSessions: sessions, LimitFailures: failures.Take,
			Changed: n.redirect.Invalidate, HashPassword: password.Hash,
			Metrics: promhttp.HandlerFor(registry,
				promhttp.HandlerOpts{DisableCompression: true}),
			MetricsAuth:    s.metricsAuth,
			AllowedOrigins: s.allowedOrigins, Warnings: n.warnings, Logger: logger,
		}),
		BodyLimit: httpapi.BodyLimit, LogPath: httpapi.LoggedPath,
		Reserved: httpapi.Reserved(), Loops: fastLoops(), RemoteLinks: n.shared != nil,
		Synced: s.clickSync == 0, TrustedProxies: s.trustedProxies,
		MaxConnsPerClient: s.maxConns,
		Access:            logging.NewAccess(sink, s.logLevel, s.logFormat), Logger: logger,
		StackTraces: s.stackTraces, Metrics: registry,
	})
}

// place returns where an address is.
func (n *node) place(addr netip.Addr) (country terse.Country, region, city string) {
	p := n.geo.Place(addr)
	return p.Country, p.Region, p.City
}

// limiter returns the limiter of one kind of requests.
func (n *node) limiter(kind string, limit int) *ratelimit.Limiter {
	var l *ratelimit.Limiter
	if n.limits == nil {
		l = ratelimit.New(limit)
	} else {
		l = n.limits.Limiter(kind, limit)
	}
	n.limiters = append(n.limiters, l)
	return l
}

// forgetClients drops the addresses that no limit needs any more.
func (n *node) forgetClients(ctx context.Context) error {
	tick := time.NewTicker(ratelimit.Window)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			for _, l := range n.limiters {
				l.Forget()
			}
			n.redirect.Forget()
		}
	}
}

// When the readiness detail warns of clicks that are not counted: not of a moment, such as the
// restart of a database, and well before somebody misses them.
const (
	warnFailing = 10 * time.Second
	warnLag     = time.Minute
)

// warnings are what operators should know though redirects and API work.
func (n *node) warnings() (warnings []string) {
	clicks := n.journal.Stats()
	if clicks.Full {
		warnings = append(warnings,
			"click journal: no room on the disk; redirects go on, their clicks are lost")
	}
	if warning := notCounted(n.ingester.Stats(), clicks.Backlog, time.Now()); warning != "" {
		warnings = append(warnings, warning)
	}
	if n.shared != nil {
		warnings = append(warnings, n.shared.Warnings()...)
	}
	return warnings
}

// notCounted says that clicks wait in the journal for longer than they should.
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

// greet tells who started the server by hand what to do next. A token is shown once, when
// it was made.
func (n *node) greet(w io.Writer, s settings, addr net.Addr) {
	local := localURL(addr)
	token, file := "<token>", filepath.Join(s.dataDir, "token")
	var text strings.Builder // written at once: the log may go to the same terminal
	fmt.Fprintf(&text, "terse %s listens on %s; short URLs start with %s\n", version, addr,
		n.baseURL)
	fmt.Fprintf(&text, "  dashboard  %s/ui/\n", local)
	if n.newToken != "" {
		fmt.Fprintf(&text, "  token      %s (kept in %s, shown this once)\n", n.newToken, file)
	}
	if len(s.tokens) == 0 {
		token = "$(cat '" + file + "')"
	}
	fmt.Fprintf(&text,
		"  try it     curl -H \"Authorization: Bearer %s\" -d "+
			"'{\"original_url\":\"https://example.com/\"}' %s/api/urls\n", token, local)
	_, _ = io.WriteString(w, text.String())
}

// localURL is how this machine reaches a listener.
func localURL(addr net.Addr) string {
	_, port, _ := net.SplitHostPort(addr.String()) // a TCP address has a port
	return "http://localhost:" + port
}

// serve answers requests until ctx ends, then stops in order: no new requests, the ones
// under way finish, their clicks go from the journal into the store, everything closes.
// What does not get done in time stays in the journal for the next start.
func (n *node) serve(ctx context.Context, ln net.Listener) error {
	stopJournal := background(n.journal.Run)
	stopIngest := background(n.ingester.Run)
	stopUnknown := background(n.unknown.Run)
	stopVisitors := background(n.visitors.Run)
	stopGeo := background(n.geo.Run)
	stopWatch := background(n.watch)
	stopMemory := background((&memory{}).run)
	stopRetention := background(n.dropClicks)
	stopForgetting := background(n.forgetClients)
	stopLimits := func() {}
	if n.limits != nil {
		stopLimits = background(n.limits.Run)
	}
	failed := make(chan error, 1)
	go func() { failed <- n.server.Serve(ln) }()

	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	n.logger.Info("stopping")
	close(n.stopping)
	ctx, cancel := context.WithTimeout(context.Background(), n.settings.shutdownTimeout)
	defer cancel()
	// Clients that keep a request open get half of the time, so that the clicks get the rest.
	requests, cancelRequests := context.WithTimeout(ctx, n.settings.shutdownTimeout/2)
	defer cancelRequests()
	if stopErr := n.server.Shutdown(requests); stopErr != nil {
		n.logger.Warn("requests were still under way at the end", "error", stopErr)
	}
	stopLimits()
	stopIngest()
	if drainErr := n.ingester.Drain(ctx); drainErr != nil {
		n.logger.Warn("clicks stay in the journal for the next start", "error", drainErr)
	}
	stopUnknown()
	if flushErr := n.unknown.Flush(ctx); flushErr != nil {
		n.logger.Warn("some unknown codes were not counted", "error", flushErr)
	}
	stopJournal()
	stopGeo()
	stopWatch()
	stopMemory()
	stopRetention()
	stopForgetting()
	stopVisitors()
	err = errors.Join(err, n.close())
	n.logger.Info("stopped")
	return err
}

// questionsAtOnce returns how many questions about clicks are answered at a time: no more than the
// store reads at a time, for the time of a question runs while it waits there.
func (n *node) questionsAtOnce() int {
	if n.shared != nil {
		return min(questionsAtOnce(), n.shared.Questions())
	}
	return questionsAtOnce()
}

// dropClicks drops single clicks that are old enough, if any are.
func (n *node) dropClicks(ctx context.Context) error {
	if n.settings.retention == 0 {
		return nil
	}
	return retention.Run(ctx, n.store, n.settings.retention, n.logger)
}

// watch lets go of cached links that other nodes and programs change.
func (n *node) watch(ctx context.Context) error {
	return n.store.Watch(ctx, n.redirect.Invalidate, n.redirect.InvalidateAll)
}

// close closes what open opened.
func (n *node) close() error {
	var errs []error
	if n.journal != nil {
		errs = append(errs, n.journal.Close())
	}
	if n.store != nil {
		errs = append(errs, n.store.Close())
	}
	if n.geo != nil {
		errs = append(errs, n.geo.Close())
	}
	return errors.Join(errs...)
}
