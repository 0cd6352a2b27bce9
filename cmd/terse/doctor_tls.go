package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"terse/internal/certs/acmecert"
	"terse/internal/cli/console"
	"terse/internal/database/postgres"
)

// checkPorts looks whether the server could listen, if it does not run.
func (d *doctor) checkPorts(ctx context.Context) {
	const check = "ports"
	if !d.settings.tls.on || d.running {
		return
	}
	free := 0
	for _, listen := range []string{d.settings.listen, d.settings.tls.listen} {
		_, port, _ := net.SplitHostPort(listen)
		ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", listen)
		switch {
		case errors.Is(err, syscall.EADDRINUSE):
			d.fail(check, "Stop it; ss -ltnp 'sport = :"+port+"' names it, as root. Or have it "+
				"pass requests on, and see the documents about proxies.",
				"another program listens on port %s", port)
		case errors.Is(err, syscall.EACCES):
			d.fail(check, "Give the program the right: as root, setcap cap_net_bind_service=+ep "+
				"and its path. Or set SERVER_PORT and TLS_PORT to ports from 1024, to which 80 "+
				"and 443 lead.", "%s may not listen on port %s", whoami(), port)
		case err != nil:
			d.fail(check, "Correct LISTEN_HOST.", "the server can't listen on %s: %v", listen, err)
		default:
			free++
			_ = ln.Close() // nobody connected
		}
	}
	if free == 2 {
		d.ok(check, "the server can listen on both")
	}
}

// secureAddress returns the https URL of the server, and where it listens for that on this machine.
// ok is false if it does not.
func (d *doctor) secureAddress() (address, listens string, ok bool) {
	s := d.settings
	if !s.tls.on || s.baseURL == "" {
		return "", "", false
	}
	u, err := url.Parse(s.baseURL)
	if err != nil {
		return "", "", false // can't happen: the settings are parsed
	}
	host, port, _ := net.SplitHostPort(s.tls.listen)
	return "https://" + u.Host, net.JoinHostPort(reachable(host), port), port != "0"
}

// checkACME looks at what certificates by ACME need: the names, the authority, and what is stored.
func (d *doctor) checkACME(ctx context.Context) {
	if len(d.settings.tls.acme.domains) == 0 {
		return
	}
	d.checkNames(ctx)
	d.checkAuthority(ctx)
	d.checkStored(ctx)
}

// Bounds of the questions for names. Each may take askTimeout.
const (
	namesAtOnce  = 10
	maxAddresses = 4 // of a name
)

// checkNames looks where names lead, and whether that is to this server.
func (d *doctor) checkNames(ctx context.Context) {
	const check = "names"
	domains := d.settings.tls.acme.domains
	wrong := make([]string, len(domains))
	var all sync.WaitGroup
	turns := make(chan struct{}, namesAtOnce)
	for i, name := range domains {
		all.Go(func() {
			turns <- struct{}{}
			wrong[i] = d.checkName(ctx, name)
			<-turns
		})
	}
	all.Wait()
	good := 0
	for _, text := range wrong {
		if text == "" {
			good++
			continue
		}
		d.fail(check, "Have its records in DNS, A and AAAA, lead to this server and to nothing "+
			"else, with the ports 80 and 443. The authority connects there.", "%s", text)
	}
	switch {
	case good == 0:
	case d.running:
		d.ok(check, "%s to a terse server", leads(good))
	default:
		d.ok(check, "%s somewhere; where to can be seen when the server runs", leads(good))
	}
}

func leads(n int) string {
	if n == 1 {
		return "1 name leads"
	}
	return fmt.Sprintf("%d names lead", n)
}

// checkName returns what is wrong with a name, or "".
func (d *doctor) checkName(ctx context.Context, name string) string {
	ctx, cancel := context.WithTimeout(ctx, 2*askTimeout)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", name)
	if err != nil {
		return fmt.Sprintf("%s leads nowhere: %v", name, err)
	}
	if !d.running {
		return ""
	}
	for _, addr := range addrs[:min(len(addrs), maxAddresses)] {
		addr = addr.Unmap()
		_, err := askOnce(ctx, "http://"+name, "", net.JoinHostPort(addr.String(), d.publicPort()))
		if err == nil {
			continue
		}
		where := "which is no address of this machine"
		if addr.IsLoopback() || ofThisMachine(addr) {
			where = "an address of this machine"
		}
		return fmt.Sprintf("%s leads to %s, %s, where no terse server answers on port %s: %v", name,
			addr, where, d.publicPort(), err)
	}
	return ""
}

// publicPort is where authorities connect for HTTP-01. Tests have another one.
func (d *doctor) publicPort() string {
	if d.httpPort == "" {
		return "80"
	}
	return d.httpPort
}

// directory is what an authority says of itself (RFC 8555, 7.1.1).
type directory struct {
	NewOrder string `json:"newOrder"`
	Meta     struct {
		Profiles map[string]string `json:"profiles"`
		External bool              `json:"externalAccountRequired"`
	} `json:"meta"`
}

// checkAuthority asks the authority what it says of itself, and what time it is there.
func (d *doctor) checkAuthority(ctx context.Context) {
	const check = "authority"
	s := d.settings.tls.acme
	u, err := url.Parse(s.directory)
	if err != nil {
		return // can't happen: the settings are parsed
	}
	roots, err := s.roots()
	if err != nil {
		d.fail(check, "Correct it: the server does not start.", "%v", err)
		return
	}
	dir, err := d.askAuthority(ctx, &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12})
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok &&
		invalid.Reason == x509.Expired {
		// It may be our clock. Nothing of the answer but the time is used.
		_, _ = d.askAuthority(ctx, &tls.Config{
			InsecureSkipVerify: true, //nolint:gosec // as said above
		})
	}
	profiles := strings.Join(slices.Sorted(maps.Keys(dir.Meta.Profiles)), ", ")
	_, known := dir.Meta.Profiles[s.profile]
	switch {
	case err != nil:
		d.fail(check, acmecert.Advice("", err), "%s can't be asked: %v", u.Host, err)
	case dir.NewOrder == "":
		d.fail(check, "Set ACME_DIRECTORY to the address of the directory, as the authority "+
			"documents it.", "%s is no directory of ACME", s.directory)
	case dir.Meta.External && s.eabKeyID == "":
		d.fail(check, "Set ACME_EAB_KEY_ID and ACME_EAB_HMAC_KEY to what it gave you.",
			"%s wants to know its customers", u.Host)
	case s.profile != "" && !known:
		d.fail(check, "Set ACME_PROFILE to one of them, or leave it out.",
			"%s has no profile %s; it has: %s", u.Host, s.profile, console.Printable(profiles))
	default:
		d.ok(check, "%s answers", u.Host)
	}
}

func (d *doctor) askAuthority(ctx context.Context, config *tls.Config) (dir directory, err error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.settings.tls.acme.directory,
		http.NoBody)
	if err != nil {
		return dir, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:errcheck // it is one
	transport.TLSClientConfig, transport.DisableKeepAlives = config, true
	began := time.Now()
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the address, which is named anyway
	}
	if err != nil {
		return dir, err
	}
	defer func() { _ = resp.Body.Close() }() // reading only
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		d.authority = &clockOf{resp.Request.URL.Host, ahead(date, began)}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAskBytes))
	if err != nil {
		return dir, err
	}
	if resp.StatusCode != http.StatusOK {
		return dir, fmt.Errorf("it answers %s", resp.Status)
	}
	_ = json.Unmarshal(body, &dir) // without newOrder it is no directory
	return dir, nil
}

// clockOf is how far a clock is ahead of ours.
type clockOf struct {
	host  string
	ahead time.Duration
}

// ahead returns how far the clock of what answers is ahead of ours. A Date has whole seconds.
func ahead(date, began time.Time) time.Duration {
	return date.Add(time.Second / 2).Sub(began.Add(time.Since(began) / 2))
}

// checkStored looks at the certificates of the server, and why they are missing.
func (d *doctor) checkStored(ctx context.Context) {
	const check = "tls"
	s := d.settings
	if d.database != nil && d.database.Version < d.database.Known {
		return // the table may be missing
	}
	var read acmecert.Reader = certificatesIn(s.dataDir)
	if s.postgresURL != "" {
		ctx, cancel := context.WithTimeout(ctx, s.dbTimeout)
		defer cancel()
		values, err := postgres.ReadCertificates(ctx, s.postgresURL,
			acmecert.Names(s.tls.acme.domains))
		if err != nil {
			d.fail(check, "See the check of the database.", "they can't be read: %v", err)
			return
		}
		read = acmecert.Values(values)
	}
	good := 0
	for _, name := range s.tls.acme.domains {
		leaf, failure, err := acmecert.Stored(ctx, read, name)
		about, advice := "", "Start the server; it orders one within a minute."
		if failure != nil {
			about = fmt.Sprintf(": at %s the authority or the way to it failed: %s",
				failure.Time.UTC().Format(time.RFC3339), console.Printable(failure.Error))
			advice = failure.Advice + " It is tried again at " +
				failure.Next.UTC().Format(time.RFC3339) + ", and when the server starts."
		}
		switch {
		case err != nil:
			d.fail(check, "The server orders another one.", "%v", err)
		case leaf == nil && failure == nil:
			d.warn(check, advice, "there is none for %s yet", name)
		case leaf == nil:
			d.fail(check, advice, "there is none for %s%s", name, about)
		case time.Now().After(leaf.NotAfter):
			d.fail(check, advice, "that for %s is over%s", name, about)
		case late(leaf):
			d.warn(check, advice, "that for %s ends at %s, and was not renewed%s", name,
				leaf.NotAfter.UTC().Format(time.RFC3339), about)
		default:
			good++
		}
	}
	if good > 0 {
		d.ok(check, "%d of %d are there, and are renewed in time", good,
			len(s.tls.acme.domains))
	}
}

// late reports whether a certificate should have been renewed.
func late(leaf *x509.Certificate) bool {
	lifetime := leaf.NotAfter.Sub(leaf.NotBefore)
	return time.Until(leaf.NotAfter) < min(renewalTime, lifetime/renewalPart)
}
