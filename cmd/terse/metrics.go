package main

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"terse/internal/database/sqlite"
)

// nodeMetrics are the figures of a node. Each part adds its own when it starts, and counts them
// itself: a scrape calls the functions given here.
type nodeMetrics struct{ *prometheus.Registry }

// newMetrics returns the metrics of the process.
func newMetrics() nodeMetrics {
	m := nodeMetrics{prometheus.NewRegistry()}
	m.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "terse_build_info",
			Help:        "Always 1; the labels are the versions of terse and of the SQLite in it.",
			ConstLabels: prometheus.Labels{"version": version, "sqlite": sqlite.EngineVersion},
		}, func() float64 { return 1 }))
	return m
}

func (m nodeMetrics) counter(name, help string, value func() float64) {
	m.MustRegister(prometheus.NewCounterFunc(
		prometheus.CounterOpts{Name: name, Help: help}, value))
}

func (m nodeMetrics) gauge(name, help string, value func() float64) {
	m.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// flag is a gauge that is 1 while up returns true, else 0.
func (m nodeMetrics) flag(name, help string, up func() bool) {
	m.gauge(name, help, func() float64 {
		if up() {
			return 1
		}
		return 0
	})
}
