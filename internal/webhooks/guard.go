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

var errURL = terse.Invalidf("url", "url must be an https URL without user and password")

// refused is why nothing may be sent to a host. It has no address: who makes a webhook is not told
// where names of the server's network lead.
type refused string

const (
	errOutside = refused("an address of its host is neither public nor in WEBHOOK_ALLOWED_NETWORKS")
	errPlain   = refused("http is permitted in WEBHOOK_ALLOWED_NETWORKS only")
	errNowhere = refused("its host has no address")
	errUnknown = refused("its host could not be looked up")
)

func (r refused) Error() string { return "webhook address is not allowed: " + string(r) }

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
	for _, addr := range addresses {
		if err == nil {
			err = g.permit(addr, u.Scheme == "https")
		}
	}
	if err != nil {
		return terse.Invalidf("url", "%v", err)
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

// addresses returns all addresses of a host, or why there are none.
func (g *Guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	all, err := g.resolver.LookupNetIP(ctx, "ip", host)
	missing, known := errors.AsType[*net.DNSError](err)
	switch {
	case known && missing.IsNotFound, err == nil && len(all) == 0:
		return nil, errNowhere
	case err != nil:
		return nil, errUnknown
	}
	return all, nil
}

// permit returns nil if an address may be connected to, and otherwise why not.
func (g *Guard) permit(addr netip.Addr, encrypted bool) error {
	addr = weburl.Inside(addr)
	switch {
	case g.allowed.Contains(addr):
		return nil
	case !global(addr):
		return errOutside
	case !encrypted:
		return errPlain
	}
	return nil
}

// control returns what a dialer asks about each address before it connects.
func (g *Guard) control(encrypted bool) func(
	context.Context, string, string, syscall.RawConn,
) error {
	return func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return g.permit(to.Addr(), encrypted)
	}
}
