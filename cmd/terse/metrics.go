package main

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"terse/internal/logging"
	"terse/internal/sqlite"
	"terse/internal/useragent"
)

// newRegistry returns all metrics but those of requests, which the server adds. Each scrape reads
// them from the parts that count them.
func (n *node) newRegistry(sink *logging.Sink) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	counter := func(name, help string, value func() float64) {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: name,
			Help: help,
		}, value))
	}
	gauge := func(name, help string, value func() float64) {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			value))
	}
	flag := func(name, help string, up func() bool) {
		gauge(name, help, func() float64 {
			if up() {
				return 1
			}
			return 0
		})
	}
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "terse_build_info",
			Help:        "Always 1; the labels are the versions of terse and of the SQLite in it.",
			ConstLabels: prometheus.Labels{"version": version, "sqlite": sqlite.EngineVersion},
		}, func() float64 { return 1 }))

	r := n.redirect
	counter("terse_cache_hits_total", "Redirects answered from the link cache.",
		func() float64 { return float64(r.CacheHits.Load()) })
	counter("terse_cache_misses_total", "Redirects that asked the store.",
		func() float64 { return float64(r.CacheMisses.Load()) })
	counter("terse_unknown_codes_total", "Redirects of codes that do not exist.",
		func() float64 { return float64(r.UnknownCodes.Load()) })
	counter("terse_redirects_limited_total", "Redirects refused by the rate limit.",
		func() float64 { return float64(r.Limited.Load()) })
	counter("terse_clicks_lost_total",
		"Clicks that found no room in the journal, or whose link never appeared in the store.",
		func() float64 { return float64(r.ClicksLost.Load() + n.ingester.Stats().Lost) })
	gauge("terse_cache_bytes", "Memory of the cached links, about.",
		func() float64 { return float64(r.CacheBytes()) })

	counter("terse_clicks_recorded_total", "Clicks put into the journal by this process.",
		func() float64 { return float64(n.journal.Stats().Appended) })
	gauge("terse_journal_backlog_bytes", "Journal not yet counted in the store.",
		func() float64 { return float64(n.journal.Stats().Backlog) })
	counter("terse_journal_sync_errors_total", "Failed attempts to bring the journal to disk.",
		func() float64 { return float64(n.journal.Stats().SyncErrors) })
	counter("terse_clicks_ingested_total", "Clicks counted in the store by this process.",
		func() float64 { return float64(n.ingester.Stats().Clicks) })
	counter("terse_ingest_batches_total", "Batches counted in the store by this process.",
		func() float64 { return float64(n.ingester.Stats().Batches) })
	flag("terse_ingest_failing",
		"1 while clicks can't be counted in the store, which is tried again, else 0.",
		func() bool { return !n.ingester.Stats().Failing.IsZero() })
	counter("terse_ingest_failures_total", "Failed tries to count a batch in the store.",
		func() float64 { return float64(n.ingester.Stats().Failures) })
	gauge("terse_ingest_lag_seconds", "Age of the last batch's oldest click when it was counted.",
		func() float64 { return n.ingester.Stats().Lag.Seconds() })
	gauge("terse_user_agent_rules_timestamp_seconds",
		"When the rules that tell user agents apart were last changed, in seconds since 1970.",
		func() float64 { return float64(useragent.RulesTime.Unix()) })
	if b := n.backups; b != nil {
		gauge("terse_backup_last_success_timestamp_seconds",
			"When the newest backup was begun, in seconds since 1970; 0 if there is none.",
			func() float64 {
				if last := b.Stats().Last; !last.IsZero() {
					return float64(last.Unix())
				}
				return 0
			})
		gauge("terse_backup_last_size_bytes", "Size of the newest backup.",
			func() float64 { return float64(b.Stats().Bytes) })
		gauge("terse_backup_last_duration_seconds",
			"Time that the last backup of this process took, its verification included.",
			func() float64 { return b.Stats().Took.Seconds() })
		counter("terse_backup_failures_total", "Failed tries to make a backup.",
			func() float64 { return float64(b.Stats().Failures) })
	}
	if n.limits != nil {
		flag("terse_ratelimit_shared",
			"1 while requests are counted together with the other nodes, 0 while this node "+
				"counts alone.", n.limits.Up)
		counter("terse_ratelimit_shared_failures_total", "Times that Redis could not be asked.",
			func() float64 { return float64(n.limits.Failures()) })
	}
	counter("terse_log_lines_dropped_total",
		"Log lines dropped because their destination was too slow.",
		func() float64 { return float64(sink.Dropped()) })
	return registry
}
