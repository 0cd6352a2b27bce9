package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"terse/internal/certs/acmecert"
	"terse/internal/cli"
)

// openACME serves certificates that the server orders itself. Its run orders and renews them: the
// server starts without, so that an authority finds it.
func (n *node) openACME(ctx context.Context) (work, error) {
	s := n.settings.tls.acme
	roots, err := s.roots()
	if err != nil {
		return work{}, cli.SettingsError{Err: err}
	}
	var storage acmecert.Storage = certificatesIn(n.settings.dataDir)
	if n.shared != nil {
		storage = n.shared.Certificates()
	}
	keeper, err := acmecert.New(ctx, acmecert.Options{
		Hosts: s.domains, Directory: s.directory, Roots: roots, Email: s.email,
		EABKeyID: s.eabKeyID, EABKey: s.eabKey, Profile: s.profile,
		UserAgent: "terse/" + version, Storage: storage, Logger: n.logger,
	})
	if err != nil {
		return work{}, err
	}
	for _, host := range n.hosts() {
		if !slices.Contains(s.domains, host) {
			n.logger.Warn("no certificate for a host, so clients can't open it; it is not in "+
				"TLS_DOMAINS", "host", host)
		}
	}
	for _, host := range s.domains {
		if !slices.Contains(n.tls.Hosts, host) {
			n.tls.Hosts = append(n.tls.Hosts, host)
		}
	}
	n.tls.Config.GetCertificate = keeper.GetCertificate
	n.tls.Config.NextProtos = []string{acmecert.ALPNProtocol}
	n.tls.Challenge = keeper.ServeChallenge
	n.metrics.certificates(s.domains, keeper.Leaf)
	n.metrics.MustRegister(&renewalFailures{keeper})
	u, err := url.Parse(s.directory)
	if err != nil {
		return work{}, err // can't happen: the settings are parsed
	}
	n.logger.Info("certificates are ordered by ACME", "authority", u.Host, "hosts", len(s.domains))
	return work{
		run: keeper.Run, warning: func() string { return keeper.Warning(time.Now()) },
	}, nil
}

// certificatesIn is where a server without PostgreSQL keeps certificates.
func certificatesIn(dataDir string) acmecert.Folder {
	return acmecert.Folder(filepath.Join(dataDir, "certificates"))
}

// roots returns what verifies the authority's own certificate, nil for what the machine trusts.
func (s *acmeSettings) roots() (*x509.CertPool, error) {
	if s.caFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.caFile)
	if err != nil {
		return nil, fmt.Errorf("ACME_CA_FILE: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, errors.New("ACME_CA_FILE: " + s.caFile + " has no certificate in PEM")
	}
	return pool, nil
}

// renewalFailures is the metric of tries that failed, by host.
type renewalFailures struct{ keeper *acmecert.Keeper }

var renewalFailuresDesc = prometheus.NewDesc("terse_tls_renewal_failures_total",
	"Tries of this process to get a certificate for a host that failed.", []string{"domain"}, nil)

// Describe implements prometheus.Collector.
func (*renewalFailures) Describe(descs chan<- *prometheus.Desc) { descs <- renewalFailuresDesc }

// Collect implements prometheus.Collector.
func (c *renewalFailures) Collect(metrics chan<- prometheus.Metric) {
	c.keeper.Failures(func(host string, failures int) {
		metrics <- prometheus.MustNewConstMetric(renewalFailuresDesc, prometheus.CounterValue,
			float64(failures), host)
	})
}
