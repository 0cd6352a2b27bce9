package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"strings"
	"time"

	"terse/internal/certs"
	"terse/internal/httpapi"
	"terse/internal/link/weburl"
	"terse/internal/visit/server"
)

// openCertificates makes the server ready for encrypted connections, if it has certificates.
func (n *node) openCertificates(ctx context.Context) (work, error) {
	s := n.settings.tls
	if !s.on {
		return work{}, nil
	}
	n.tls = &server.TLS{
		Listener: n.tlsListener, Config: &tls.Config{MinVersion: tls.VersionTLS12},
		Hosts: n.hosts(), Port: portOf(n.baseURL), HSTS: s.hsts,
		Plain: httpapi.Unencrypted(n.settings.metricsAuth),
	}
	if len(s.acme.domains) > 0 {
		return n.openACME(ctx)
	}
	return n.openCertificateFiles()
}

func (n *node) openCertificateFiles() (work, error) {
	s := n.settings.tls
	files, err := certs.OpenFiles(s.cert, s.key, n.logger)
	if err != nil {
		return work{}, fmt.Errorf("certificate: %w", err)
	}
	n.tls.Config.GetCertificate = files.Certificate
	n.metrics.certificates(n.hosts(), func(host string) *x509.Certificate {
		if !files.Covers(host) {
			return nil
		}
		return files.Leaf()
	})
	for _, host := range n.hosts() {
		if !files.Covers(host) {
			n.logger.Warn("no certificate for a host, so clients can't open it", "host", host,
				"path", s.cert)
		}
	}
	return work{run: files.Run, warning: func() string {
		if !files.Late(time.Now()) {
			return ""
		}
		return fmt.Sprintf("the certificate in %s ends on %s and was not renewed", s.cert,
			files.NotAfter().UTC().Format(time.DateOnly))
	}}, nil
}

// hosts returns the hosts at which the server is reached, that of BASE_URL first, as certificates
// name them: in lower case and punycode, IPv6 addresses without brackets.
func (n *node) hosts() []string {
	host, _ := weburl.Host(hostIn(n.baseURL)) // browsers can open BASE_URL
	return append([]string{strings.Trim(host, "[]")}, n.settings.domains...)
}

// hostIn returns the host in a URL of the settings, IPv6 addresses in brackets.
func hostIn(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "" // can't happen: the settings are parsed
	}
	return strings.TrimSuffix(u.Host, ":"+u.Port())
}

// portOf returns the port in an https URL of the settings, "" for 443.
func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Port() == "443" {
		return ""
	}
	return u.Port()
}
