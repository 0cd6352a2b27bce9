package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse/api"
	"terse/internal/cli/console"
)

// Bounds of a request that another program may answer.
const (
	askTimeout  = 5 * time.Second
	maxAskBytes = 64 << 10
)

// forgedAddress is sent in X-Forwarded-For. Nobody has it (RFC 5737). A proxy replaces it, or adds
// the address of its client.
const forgedAddress = "192.0.2.1"

// front is what answers at an address.
type front struct {
	api.Status

	header http.Header
	date   time.Time     // its clock; zero without a Date
	ahead  time.Duration // how far that is ahead of ours
	direct bool          // nothing stands between us and the server

	withheld    bool // it was not asked with the token
	uncertified bool // the same, because it does not encrypt yet
}

var errNotTerse = errors.New("it does not answer like a terse server")

// redirected is the error of an address that leads to another.
type redirected string

func (r redirected) Error() string { return "it redirects to " + string(r) }

// ask sends GET /ready?verbose to an address. It sends a token only after the server has answered
// like terse without one, and only if nobody on the way can read it.
func ask(ctx context.Context, address, token string) (a *front, err error) {
	if a, err = askOnce(ctx, address, "", ""); err == nil && token != "" {
		if !private(address) {
			a.withheld = true
			return a, nil
		}
		a, err = askOnce(ctx, address, token, "")
	}
	return a, err
}

// private reports whether requests to an address are encrypted for the host that it names, or stay
// on this machine.
func private(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || strings.EqualFold(u.Hostname(), "localhost") ||
		err == nil && (host.IsLoopback() || ofThisMachine(host))
}

func ofThisMachine(host netip.Addr) bool {
	all, _ := net.InterfaceAddrs() // after an error, no address is ours
	return slices.ContainsFunc(all, func(a net.Addr) bool {
		prefix, err := netip.ParsePrefix(a.String())
		return err == nil && prefix.Addr() == host.Unmap()
	})
}

// askOnce sends the request to where listens says, if that is set, which has to be on this machine
// if there is a token: its certificate may be any.
func askOnce(ctx context.Context, address, token, listens string) (*front, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	target := address + "/ready?verbose"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return nil, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Header.Set("X-Forwarded-For", forgedAddress)
	transport := &http.Transport{DisableKeepAlives: true} // and without an outgoing proxy
	if listens != "" {
		transport.TLSClientConfig = &tls.Config{
			InsecureSkipVerify: true, //nolint:gosec // on this machine
		}
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", listens)
		}
	}
	client := &http.Client{
		Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	began := time.Now()
	resp, err := client.Do(req)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the address, which is named anyway
	}
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	defer func() { _ = resp.Body.Close() }() // reading only
	if to, err := resp.Location(); err == nil {
		return nil, redirected(strings.TrimSuffix(to.String(), "/ready?verbose"))
	}
	a := &front{header: resp.Header}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAskBytes))
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(body, &a.Status) != nil || a.Status.Status != "ready" &&
		a.Status.Status != "unavailable" {
		return nil, fmt.Errorf("%w (%s)", errNotTerse, resp.Status)
	}
	if a.date, err = http.ParseTime(resp.Header.Get("Date")); err == nil {
		// A Date has whole seconds.
		a.ahead = a.date.Add(time.Second / 2).Sub(began.Add(took / 2))
	}
	return a, nil
}

// checkFront asks the server at its own public address.
func (d *doctor) checkFront(ctx context.Context) {
	const check = "address"
	base := d.settings.baseURL
	if base == "" {
		d.warn(check, "Set BASE_URL to the address at which people reach the server.",
			"BASE_URL is not set: short URLs begin with http://localhost")
		return
	}
	d.checkCertificate(ctx, base)
	a, err := ask(ctx, base, d.token)
	advice := "Set BASE_URL to the address at which people reach the server, or have DNS and the " +
		"proxy lead from there to it."
	elsewhere, leads := errors.AsType[redirected](err)
	switch {
	case leads && strings.Replace(base, "http://", "https://", 1) == string(elsewhere):
		d.warn(check, "Set BASE_URL="+string(elsewhere), "BASE_URL %s: %v", base, err)
	case err != nil && !d.running && !leads && !isLookup(err):
		d.warn(check, "Start the server, and run terse doctor again.",
			"BASE_URL %s could not be asked: %v", base, err)
	case err != nil:
		d.fail(check, advice, "BASE_URL %s: %v", base, err)
	case a.withheld:
		d.warn(check, "Set BASE_URL to an address with https, or run terse doctor with one "+
			"on this machine.", "a terse server answers at BASE_URL %s. The access token was "+
			"not sent to it, because others could read it on the way: so it is not known "+
			"whether it is this server, and what stands in front of it", base)
	case a.ClientAddress == "" && d.token != "":
		d.fail(check, advice,
			"BASE_URL %s leads to a terse server that does not accept the access token", base)
	default:
		d.ok(check, "BASE_URL %s leads to the server", base)
		d.front = a
		d.checkProxy(base)
	}
}

// isLookup reports whether a name could not be looked up. Starting the server does not help then.
func isLookup(err error) bool {
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}

// checkProxy finds out whether the server knows the addresses of its visitors.
func (d *doctor) checkProxy(base string) {
	const check = "proxy"
	u, err := url.Parse(base)
	if err != nil {
		return // can't happen: the settings are parsed
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	listen := d.settings.listen
	if d.settings.tls.on {
		listen = d.settings.tls.listen
	}
	_, ours, _ := net.SplitHostPort(listen)
	name := console.Printable(cmp.Or(d.front.header.Get("Via"), d.front.header.Get("Server")))
	seen, forwarded := d.front.ClientAddress, d.front.Forwarded
	if name != "" {
		name = " (" + name + ")"
	}
	believed := forwarded == forgedAddress && seen == forgedAddress
	if forwarded == forgedAddress {
		forwarded = "" // ours, which no proxy replaced
	}
	const unset = "Have it set X-Forwarded-For, and set TRUSTED_PROXIES to its address. Until " +
		"then all visitors share one address, its limits and its country."
	switch {
	case seen == "":
		return // without a token it does not say
	case believed:
		d.fail(check, "Have the proxy set X-Forwarded-For, and leave in TRUSTED_PROXIES only "+
			"addresses from which nobody but the proxy sends requests.", "the server believes the "+
			"X-Forwarded-For that a client sends%s: clients can choose their address, and with "+
			"it whose limits they use", name)
	case forwarded != "" && !d.trusts(seen, forwarded):
		d.fail(check, "Set TRUSTED_PROXIES="+seen+", or to the smallest block that proxies have "+
			"addresses of.", "the proxy at %s%s is not trusted: its X-Forwarded-For (%s) is "+
			"ignored", seen, name, forwarded)
	case forwarded != "":
		d.ok(check, "the proxy%s is trusted; this machine is seen as %s", name, seen)
	case u.Scheme == "https" && !d.settings.tls.on || name != "":
		d.fail(check, unset, "the proxy%s sends no X-Forwarded-For: visitors are seen as %s", name,
			seen)
	case port != ours:
		d.warn(check, "If that is a proxy: "+unset,
			"something passes port %s on to %s, without X-Forwarded-For", port, ours)
	default:
		d.front.direct = true
		d.ok(check, "there is none")
	}
}

// trusts reports whether the server took the client's address from X-Forwarded-For. A client on the
// proxy's own machine has the proxy's address: then only the settings say so.
func (d *doctor) trusts(seen, forwarded string) bool {
	client, err := netip.ParseAddr(seen)
	if err != nil || len(d.settings.trustedProxies) == 0 {
		return false
	}
	if slices.ContainsFunc(d.settings.trustedProxies,
		func(p netip.Prefix) bool { return p.Contains(client) }) {
		return true
	}
	return !client.IsLoopback() && slices.ContainsFunc(strings.Split(forwarded, ","),
		func(hop string) bool {
			addr, err := netip.ParseAddr(strings.TrimSpace(hop))
			return err == nil && addr.Unmap() == client
		})
}

// A certificate is usually renewed while more than this time, and more than this part of its
// lifetime, is left.
const (
	renewalTime = 14 * 24 * time.Hour
	renewalPart = 4
)

// maxNames bounds how many names of a certificate are shown.
const maxNames = 5

// checkCertificate looks at the certificate at an https address.
func (d *doctor) checkCertificate(ctx context.Context, base string) {
	const check = "certificate"
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	address := net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "443"))
	conn, err := (&tls.Dialer{Config: &tls.Config{
		// Bad certificates are checked, too. Nothing is sent.
		ServerName: u.Hostname(), InsecureSkipVerify: true, //nolint:gosec // verified below
	}}).DialContext(ctx, "tcp", address)
	if err != nil {
		if _, network := errors.AsType[*net.OpError](err); !network {
			d.fail(check, "Have "+d.serving()+" serve HTTPS at this address.",
				"%s: %v", address, err)
		}
		return // the check of the address says more
	}
	defer func() { _ = conn.Close() }() // nothing was sent
	tlsConn, ok := conn.(*tls.Conn)
	if !ok {
		return // the dialer returns no other
	}
	chain := tlsConn.ConnectionState().PeerCertificates
	leaf, others := chain[0], x509.NewCertPool()
	for _, c := range chain[1:] {
		others.AddCert(c)
	}
	now := time.Now()
	left := leaf.NotAfter.Sub(now)
	about := fmt.Sprintf("the certificate for %s, until %s", names(leaf),
		leaf.NotAfter.UTC().Format(time.DateOnly))
	_, err = leaf.Verify(x509.VerifyOptions{
		DNSName: u.Hostname(), Intermediates: others, CurrentTime: now,
	})
	days := int(left / (24 * time.Hour))
	switch {
	case left < 0:
		d.fail(check, "Renew it.", "%s, is over", about)
	case err != nil:
		d.fail(check, "Have "+d.serving()+" serve a certificate for "+u.Hostname()+" with its "+
			"whole chain, from an authority that this machine knows.", "%s: %v", about, err)
	case left < min(renewalTime, leaf.NotAfter.Sub(leaf.NotBefore)/renewalPart):
		d.warn(check, "Find out why it was not renewed.", "%s, ends in %d days", about, days)
	default:
		d.ok(check, "%s, has %d days left", about, days)
	}
}

// serving names what serves HTTPS.
func (d *doctor) serving() string {
	if d.settings.tls.on {
		return "the server"
	}
	return "the proxy"
}

// names returns the names that a certificate is for.
func names(c *x509.Certificate) string {
	all := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	if len(all) > maxNames {
		all = append(all[:maxNames], fmt.Sprintf("%d others", len(all)-maxNames))
	}
	return strings.Join(all, ", ")
}
