package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"terse/internal/cli"
)

type healthcheckCommand struct {
	ServerPort string `help:"The server's port. Default 8080, or $$PORT, or 80 with TLS."`
	Port       string `hidden:"" help:"The server's port when SERVER_PORT is not set."`
	ListenHost string `help:"The server's address; default 127.0.0.1."`
	// the default port depends on it
	TLSCertFile string        `hidden:"" name:"tls-cert-file"`
	TLSDomains  string        `hidden:"" name:"tls-domains"`
	Timeout     time.Duration `help:"Longest wait for the answer." default:"3s" variable:""`
}

func (c *healthcheckCommand) Run(ctx context.Context) error {
	p := &problems{}
	listen := p.listen(&rawSettings{
		ServerPort: c.ServerPort, Port: c.Port,
		ListenHost: c.ListenHost, rawTLS: rawTLS{
			TLSCertFile: c.TLSCertFile, rawACME: rawACME{TLSDomains: c.TLSDomains},
		},
	})
	if len(p.errs) > 0 {
		return cli.SettingsError{Err: errors.Join(p.errs...)}
	}
	host, port, _ := net.SplitHostPort(listen)
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	return ready(ctx, "http://"+net.JoinHostPort(reachable(host), port)+"/ready")
}

// reachable returns the host at which a server that listens on a host can be reached from here.
func reachable(host string) string {
	if addr, err := netip.ParseAddr(host); host == "" || err == nil && addr.IsUnspecified() {
		// Not a name: an image that has only the binary cannot resolve names.
		return "127.0.0.1"
	}
	return host
}

func ready(ctx context.Context, target string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if unreachable, ok := errors.AsType[*url.Error](err); ok {
		return cli.Unreachable(target, unreachable, "")
	}
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // reading only
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s answered %s", target, resp.Status)
	}
	return nil
}
