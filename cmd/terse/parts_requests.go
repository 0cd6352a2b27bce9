package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"terse"
	"terse/internal/auth/oidc"
	"terse/internal/httpapi"
	"terse/internal/link/manage"
	"terse/internal/link/weburl"
	"terse/internal/logging"
	"terse/internal/move/archive/importer"
	"terse/internal/visit/password"
	"terse/internal/visit/ratelimit"
	"terse/internal/visit/redirect"
	"terse/internal/visit/server"
	"terse/internal/visit/useragent"
	"terse/internal/web"
)

// sessionFactor multiplies the API rate limit for browsers with a session, because pages send more
// requests than scripts.
const sessionFactor = 10

func (n *node) listen(ctx context.Context) (_ work, err error) {
	n.listener, err = listen(ctx, n.settings.listen)
	if err == nil && n.settings.tls.on {
		n.tlsListener, err = listen(ctx, n.settings.tls.listen)
	}
	listeners := []net.Listener{n.listener, n.tlsListener}
	if err != nil {
		return work{}, errors.Join(err, closeAll(listeners))
	}
	if n.baseURL = n.settings.baseURL; n.baseURL == "" {
		n.baseURL = n.localURL()
	}
	return work{close: func() error { return closeAll(listeners) }}, nil
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	// Connections need no keep-alive of TCP, which takes four system calls: the server ends those
	// that are idle.
	l, err := (&net.ListenConfig{KeepAlive: -1}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return l, nil
}

// closeAll closes listeners, unless the server has done so.
func closeAll(listeners []net.Listener) error {
	var errs []error
	for _, l := range listeners {
		if l == nil {
			continue
		}
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// openLimits counts requests together with the other nodes, if they share a Redis server.
func (n *node) openLimits(context.Context) (work, error) {
	if n.settings.redis == nil {
		return work{}, nil
	}
	n.limits = ratelimit.NewShared(*n.settings.redis, n.logger)
	n.metrics.flag("terse_ratelimit_shared",
		"1 while requests are counted together with the other nodes, 0 while this node "+
			"counts alone.", n.limits.Up)
	n.metrics.counter("terse_ratelimit_shared_failures_total",
		"Times that Redis could not be asked.",
		func() float64 { return float64(n.limits.Failures()) })
	return work{run: n.limits.Run}, nil
}

// limiter returns a new limiter for one kind of requests.
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

func (n *node) openRedirects(context.Context) (work, error) {
	s := n.settings
	var commit func() error
	if s.clickSync == 0 {
		commit = n.journal.Commit
	}
	var hold func(string, int, time.Duration) (func(), time.Duration)
	if n.limits != nil {
		hold = n.limits.Hold
	}
	r := redirect.New(redirect.Options{
		Links: n.store, LinkTimeout: s.dbTimeout, Place: n.place, CountryHeader: s.geoHeader,
		Tracking: s.tracking, Uncounted: s.untracked,
		Record: func(click terse.Click) error { return n.journal.Append(&click) },
		Commit: commit,
		Limit:  n.limiter("redirect", s.redirectLimit).Take, CacheBytes: s.cacheBytes,
		IgnoreCase: s.ignoreCase, Reserved: httpapi.Reserved(),
		Take: n.store.Take, Domains: n.domains.Table, Unknown: n.unknown.Add,
		UnknownAlias: n.unknown.AddAlias, Rehash: n.rehash,
		Visitor: n.visitors.Visitor, Hold: hold, Blocked: n.blockedTargets,
		Keep: s.redirectCache, Robots: s.robots,
	})
	n.redirect = r
	n.metrics.counter("terse_cache_hits_total", "Redirects answered from the link cache.",
		func() float64 { return float64(r.CacheHits.Load()) })
	n.metrics.counter("terse_cache_misses_total", "Redirects that asked the store.",
		func() float64 { return float64(r.CacheMisses.Load()) })
	n.metrics.counter("terse_unknown_codes_total", "Redirects of codes that do not exist.",
		func() float64 { return float64(r.UnknownCodes.Load()) })
	n.metrics.counter("terse_redirects_limited_total", "Redirects refused by the rate limit.",
		func() float64 { return float64(r.Limited.Load()) })
	n.metrics.counter("terse_clicks_lost_total",
		"Clicks that found no room in the journal, or whose link never appeared in the store.",
		func() float64 { return float64(r.ClicksLost.Load() + n.ingester.Stats().Lost) })
	n.metrics.gauge("terse_cache_bytes", "Memory of the cached links, about.",
		func() float64 { return float64(r.CacheBytes()) })
	n.metrics.gauge("terse_user_agent_rules_timestamp_seconds",
		"When the rules that tell user agents apart were last changed, in seconds since 1970.",
		func() float64 { return float64(useragent.RulesTime.Unix()) })
	return work{}, nil
}

// place locates an address.
func (n *node) place(addr netip.Addr) (country terse.Country, region, city string) {
	p := n.geo.Place(addr)
	return p.Country, p.Region, p.City
}

// openForgetting drops clients that nothing needs any more, once per window.
func (n *node) openForgetting(context.Context) (work, error) {
	return work{run: func(ctx context.Context) error {
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
	}}, nil
}

// openServer answers requests. At the end, clients that keep a request open get half of the time,
// so that counting clicks gets the rest.
func (n *node) openServer(context.Context) (work, error) {
	stopping := make(chan struct{})
	srv := n.newServer(stopping)
	return work{
		run: func(ctx context.Context) error {
			ended := make(chan error, 1)
			go func() { ended <- srv.Serve(n.listener) }()
			select {
			case <-ctx.Done():
				return nil
			case err := <-ended:
				return err
			}
		},
		finish: func(ctx context.Context) {
			close(stopping)
			ctx, cancel := context.WithTimeout(ctx, n.settings.shutdownTimeout/2)
			defer cancel()
			if err := srv.Shutdown(ctx); err != nil {
				n.logger.Warn("requests were still under way at the end", "error", err)
			}
		},
	}, nil
}

// newServer returns the server of both planes. stopping is closed when it takes no more requests.
func (n *node) newServer(stopping <-chan struct{}) *server.Server {
	s := n.settings
	dashboard := web.New(web.Options{
		BaseURL: n.baseURL, Assumed: s.baseURL == "",
		Provider: s.signIn.name, Redirect: s.signIn.auto,
		Several: n.domains.Table().Several(),
	})
	return server.New(server.Options{
		Redirect: n.redirect,
		Control: httpapi.New(httpapi.Options{
			Store: n.store, StoreTimeout: s.dbTimeout, Questions: n.questionsAtOnce(),
			Stopping: stopping, Gate: n.gate, Hosts: n.domains,
			BaseURL:   n.baseURL,
			Generator: "terse " + version,
			Importer:  n.importer(s.dataDir, n.redirect.Invalidate),
			Dashboard: dashboard, SharePage: dashboard.ServeShare, RootRedirect: s.rootRedirect,
			Root: n.redirect.Root, TryPassword: n.redirect.TryPassword,
			OIDC: n.oidc(), SignInPage: dashboard.ServeSignIn,
			Limit:         n.limiter("api", s.apiLimit),
			LimitSessions: n.limiter("sessions", sessionFactor*s.apiLimit),
			LimitTokens:   n.limiter("tokens", s.apiLimit),
			LimitFailures: n.limiter("failures", s.apiLimit).Take,
			Changed:       n.changedHere, HashPassword: password.Hash,
			Blocked:      n.isBlocked,
			CheckWebhook: n.hookGuard.Check, DeliveryDue: n.webhooks.Nudge,
			IgnoreCase: s.ignoreCase,
			Metrics: promhttp.HandlerFor(n.metrics,
				promhttp.HandlerOpts{DisableCompression: true}),
			MetricsAuth:    s.metricsAuth,
			AllowedOrigins: s.allowedOrigins, Warnings: n.warnings, Logger: n.logger,
		}),
		BodyLimit: httpapi.BodyLimit, LogPath: httpapi.LoggedPath,
		Reserved: httpapi.Reserved(), Asked: n.asked, Everywhere: httpapi.Everywhere,
		Several:  func() bool { return n.domains.Table().Several() },
		BasePath: weburl.Path(n.baseURL),
		Loops:    fastLoops(), RemoteLinks: n.shared != nil, Synced: s.clickSync == 0,
		TrustedProxies: s.trustedProxies, MaxConnsPerClient: s.maxConns,
		Access: logging.NewAccess(n.sink, s.logLevel, s.logFormat), Logger: n.logger,
		TLS: n.tls, StackTraces: s.stackTraces, Metrics: n.metrics,
	})
}

// changedHere hears which address this node may have changed.
func (n *node) changedHere(address string) {
	n.redirect.Invalidate(address)
	n.webhooks.Nudge()
}

// asked returns at which domain a request arrived.
func (n *node) asked(host []byte) (d terse.Domain, closed bool) {
	return n.domains.Table().Asked(host)
}

// oidc returns the client of the provider with which people sign in, or nil.
func (n *node) oidc() *oidc.Client {
	opts := n.settings.signIn.Options
	if opts.Issuer == "" {
		return nil
	}
	opts.RedirectURL = callbackURL(n.baseURL)
	return oidc.New(opts)
}

// questionsAtOnce returns how many questions about clicks are answered at a time. It is no more
// than the store can read at a time, because a question's timeout runs while it waits for the
// store.
func (n *node) questionsAtOnce() int {
	if n.shared != nil {
		return min(questionsAtOnce(), n.shared.Questions())
	}
	return questionsAtOnce()
}

// importer returns what reads links and clicks into the store, with temporary files in a folder. It
// calls changed with addresses of links that may have changed.
func (n *node) importer(dir string, changed func(address string)) *importer.Importer {
	reserved := httpapi.Reserved()
	return importer.New(importer.Options{
		Store: n.store,
		Manager: manage.New(manage.Options{
			Hosts:        n.domains,
			Reserved:     func(segment string) bool { return slices.Contains(reserved, segment) },
			Naming:       terse.Naming{IgnoreCase: n.settings.ignoreCase},
			Blocked:      n.isBlocked,
			HashPassword: password.Hash,
			Users:        n.store,
		}),
		Dir: dir, Retention: n.settings.retention,
		CountsOnly: n.settings.tracking == redirect.TrackOff, Place: n.place,
		Changed: changed, Logger: n.logger,
	})
}
