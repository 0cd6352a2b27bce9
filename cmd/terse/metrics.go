package main

import (
	"crypto/x509"

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

// certificateTimes are the metrics of the times for which the certificates of hosts hold.
type certificateTimes struct {
	hosts []string
	leaf  func(host string) *x509.Certificate
}

var (
	notBeforeDesc = prometheus.NewDesc("terse_tls_not_before_timestamp_seconds",
		"When the certificate of a host begins, in seconds since 1970.", []string{"domain"}, nil)
	notAfterDesc = prometheus.NewDesc("terse_tls_not_after_timestamp_seconds",
		"When the certificate of a host ends, in seconds since 1970.", []string{"domain"}, nil)
)

// certificates adds the metrics. leaf returns the certificate of a host, nil if it has none.
func (m nodeMetrics) certificates(hosts []string, leaf func(host string) *x509.Certificate) {
	m.MustRegister(&certificateTimes{hosts: hosts, leaf: leaf})
}

func (c *certificateTimes) Describe(descs chan<- *prometheus.Desc) {
	descs <- notBeforeDesc
	descs <- notAfterDesc
}

func (c *certificateTimes) Collect(metrics chan<- prometheus.Metric) {
	for _, host := range c.hosts {
		leaf := c.leaf(host)
		if leaf == nil {
			continue
		}
		metrics <- prometheus.MustNewConstMetric(notBeforeDesc, prometheus.GaugeValue,
			float64(leaf.NotBefore.Unix()), host)
		metrics <- prometheus.MustNewConstMetric(notAfterDesc, prometheus.GaugeValue,
			float64(leaf.NotAfter.Unix()), host)
	}
}
