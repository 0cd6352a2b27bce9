package server

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Labels of requests that no route of the control plane took.
const (
	routeRedirect  = "/{shortCode}"
	routeUnmatched = "unmatched"
)

// metrics are the requests' counters. Labels are route patterns, known methods and
// statuses: their number is bounded whatever is sent.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec

	// What nearly all redirects count is looked up once: those by GET, by status.
	redirects        [600]prometheus.Counter
	redirectDuration prometheus.Observer
}

func newMetrics(registry prometheus.Registerer, conns *connTable) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "terse_http_requests_total",
			Help: "Requests answered, by route pattern, method and status.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "terse_http_request_duration_seconds",
			Help: "Time from a request's arrival to its answer, by route pattern.",
			Buckets: []float64{
				.00001, .000025, .00005, .0001, .00025, .0005, .001, .005, .025, .1,
				.5, 2.5,
			},
		}, []string{"route"}),
	}
	for _, status := range []int{302, 404, 429, 500} {
		m.redirects[status] = m.requests.WithLabelValues(routeRedirect, "GET", strconv.Itoa(status))
	}
	m.redirectDuration = m.duration.WithLabelValues(routeRedirect)
	registry.MustRegister(m.requests, m.duration,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "terse_http_connections", Help: "Open connections.",
		}, func() float64 { return float64(conns.len()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "terse_http_connections_refused_total",
			Help: "Connections refused because their address had too many.",
		}, func() float64 { return float64(conns.refused.Load()) }),
	)
	return m
}

func (m *metrics) observe(route string, method []byte, status int, d time.Duration) {
	if route == routeRedirect && string(method) == "GET" && m.redirects[status] != nil {
		m.redirects[status].Inc()
		m.redirectDuration.Observe(d.Seconds())
		return
	}
	if route == "" {
		route = routeUnmatched
	}
	m.requests.WithLabelValues(route, knownMethod(string(method)), strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(route).Observe(d.Seconds())
}

// knownMethod bounds the values of the method label.
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE":
		return method
	}
	return "other"
}
