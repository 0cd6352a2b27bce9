package webhooks

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"go4.org/netipx"

	"terse"
	"terse/internal/link/weburl"
)

// Guard decides which addresses deliveries may be sent to. Its methods may be called concurrently.
type Guard struct {
	// allowed are networks that may be connected to wherever they are, also without TLS.
	allowed  netipx.IPSet
	resolver *net.Resolver // of names; tests have their own
}

// NewGuard returns a guard that permits addresses of the internet, and those of some networks.
func NewGuard(allowed netipx.IPSet) *Guard {
	return &Guard{allowed: allowed, resolver: net.DefaultResolver}
}

// Errors of Check.
var (
	errURL = terse.Invalidf("url",
		"url must be an https URL without user and password")
	errAddress = terse.Invalidf("url", "webhook address is not allowed")
)

// lookupTimeout bounds how long somebody who makes a webhook waits for a name server.
const lookupTimeout = 5 * time.Second

// Check returns an error for the one who makes a webhook, if its URL can't be one, or if its host
// has no address or one that is not allowed. Deliveries check again whenever they connect, because
// names may lead elsewhere by then.
func (g *Guard) Check(ctx context.Context, text string) error {
	u, err := target(text)
	if err != nil {
		return err
	}
	addresses, err := g.addresses(ctx, u.Hostname())
	if err != nil || len(addresses) == 0 {
		return errAddress
	}
	for _, addr := range addresses {
		switch {
		case !g.permits(addr, true):
			return errAddress
		case u.Scheme == "http" && !g.permits(addr, false):
			return errURL
		}
	}
	return nil
}

// target returns a webhook's URL with its host as browsers read it: a name in punycode, or an
// address in its usual form. That is what is checked, and what is connected to.
func target(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return nil, errURL
	}
	host, port := u.Hostname(), u.Port()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	host, ok := weburl.Host(host)
	if !ok {
		return nil, errURL
	}
	if u.Host = host; port != "" {
		u.Host += ":" + port
	}
	return u, nil
}

// addresses returns all addresses of a host.
func (g *Guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	return g.resolver.LookupNetIP(ctx, "ip", host)
}

// permits reports whether an address may be connected to.
func (g *Guard) permits(addr netip.Addr, encrypted bool) bool {
	addr = weburl.Inside(addr)
	return g.allowed.Contains(addr) || encrypted && global(addr)
}

// errRefused is the error of a connection that the guard does not permit.
var errRefused = errors.New("webhook address is not allowed")

// control returns what a dialer asks about each address before it connects.
func (g *Guard) control(encrypted bool) func(
	context.Context, string, string, syscall.RawConn,
) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !g.permits(to.Addr(), encrypted) {
			return errRefused
		}
		return nil
	}
}
