package main

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// rawTLS are the settings of encrypted connections as given.
type rawTLS struct {
	TLSCertFile string `name:"tls-cert-file" help:"A PEM file with a certificate and its chain, with which the server serves HTTPS itself. It is reread when it changes; default HTTP only." complete:"files"`
	TLSKeyFile  string `name:"tls-key-file" help:"The PEM file with the private key of TLS_CERT_FILE." complete:"files"`
	TLSPort     string `name:"tls-port" help:"Port for HTTPS, 0 takes a free one. SERVER_PORT then leads there." default:"443"`

	rawACME `embed:""`

	HSTSMaxAge string `name:"hsts-max-age" help:"How long browsers must use only HTTPS for this host: seconds, whole days such as 365d, or a time; 0: they are not told." default:"0"`
}

// on reports whether the server encrypts connections itself.
func (raw *rawTLS) tlsOn() bool {
	return raw.TLSCertFile != "" || raw.TLSKeyFile != "" || raw.TLSDomains != ""
}

// tlsSettings are the settings of encrypted connections, parsed.
type tlsSettings struct {
	on        bool
	cert, key string // paths
	listen    string // host:port
	acme      acmeSettings
	hsts      time.Duration
}

// maxHSTS is ten years, in days. Nobody means more.
const maxHSTS = 3652

// tls parses them; plain is where the server listens for HTTP.
func (p *problems) tls(raw *rawSettings, plain string) tlsSettings {
	s := tlsSettings{
		on: raw.tlsOn(), cert: raw.TLSCertFile, key: raw.TLSKeyFile,
		listen: p.listenOn(raw.ListenHost, "TLS_PORT", raw.TLSPort),
		hsts:   p.maxAge("HSTS_MAX_AGE", raw.HSTSMaxAge, maxHSTS),
		acme:   p.acme(&raw.rawACME),
	}
	switch {
	case !s.on:
		if s.hsts > 0 {
			p.errs = append(p.errs, errors.New("HSTS_MAX_AGE is set, but neither TLS_DOMAINS "+
				"nor TLS_CERT_FILE is: what serves HTTPS in front of the server tells browsers so"))
		}
		return s
	case raw.TLSDomains != "" && (s.cert != "" || s.key != ""):
		p.errs = append(p.errs, errors.New("TLS_DOMAINS and TLS_CERT_FILE are both set; "+
			"certificates are either ordered, or read from files"))
	case raw.TLSDomains != "":
	case s.cert == "" || s.key == "":
		p.errs = append(p.errs, errors.New(
			"TLS_CERT_FILE and TLS_KEY_FILE belong together; one of them is not set"))
	}
	if strings.HasPrefix(strings.ToLower(raw.BaseURL), "http:") {
		p.add("BASE_URL", raw.BaseURL, "an https URL, because the server has certificates itself")
	}
	if _, port, _ := net.SplitHostPort(s.listen); port != "0" && plain == s.listen {
		p.errs = append(p.errs, fmt.Errorf("SERVER_PORT and TLS_PORT are both %s", port))
	}
	return s
}
