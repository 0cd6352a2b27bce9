package main

import (
	"time"

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

// certificateEnds is the metric of when the certificates of hosts end.
type certificateEnds struct {
	desc  *prometheus.Desc
	hosts []string
	until func(host string) (end time.Time, has bool)
}

// certificates adds the metric. until returns when a host's certificate ends, if it has one.
func (m nodeMetrics) certificates(hosts []string, until func(host string) (time.Time, bool)) {
	m.MustRegister(&certificateEnds{
		desc: prometheus.NewDesc("terse_tls_not_after_timestamp_seconds",
			"When the certificate of a host ends, in seconds since 1970.", []string{"domain"}, nil),
		hosts: hosts, until: until,
	})
}

func (c *certificateEnds) Describe(descs chan<- *prometheus.Desc) { descs <- c.desc }

func (c *certificateEnds) Collect(metrics chan<- prometheus.Metric) {
	for _, host := range c.hosts {
		if end, ok := c.until(host); ok {
			metrics <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue,
				float64(end.Unix()), host)
		}
	}
}
