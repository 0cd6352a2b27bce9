// Package hosts knows the domains of a node: which hosts it serves links at, and what the store has
// of each. It tells for a request at which domain it arrived, and for a name which domain it is.
//
// A domain is configured, if it is the host of BASE_URL or in DOMAINS, or else known only because
// links are left on it. Requests to hosts that are neither are those of the default domain.
package hosts

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"terse"
	"terse/internal/link/weburl"
)

// Hosts are the domains of a node. Its methods may be called concurrently.
type Hosts struct {
	opts       Options
	base       weburl.Parts // of BASE_URL
	host       string       // of BASE_URL
	configured []string
	changed    chan struct{} // holds one signal
	loading    sync.Mutex    // so that what was read first does not replace what was read later
	table      atomic.Pointer[Table]
}

// Options are a Hosts' parts. All but Others are required.
type Options struct {
	Store   terse.Domains
	Timeout time.Duration // of a question to the store
	BaseURL string        // prefix of short URLs on the default domain, without a trailing slash
	Others  []string      // the hosts beside that of BaseURL, as ParseNames returns them
	Logger  *slog.Logger
}

// New returns the domains of a node. Start has to be called first.
func New(opts Options) *Hosts {
	base, _ := weburl.Split(opts.BaseURL)
	host, _ := weburl.Host(base.Host)
	h := &Hosts{
		opts: opts, base: base, host: trimDot(host), changed: make(chan struct{}, 1),
	}
	for _, other := range opts.Others {
		if other != h.host && !slices.Contains(h.configured, other) {
			h.configured = append(h.configured, other)
		}
	}
	h.table.Store(&Table{host: h.host, rows: []Row{{
		DomainRow: terse.DomainRow{Host: h.host}, Configured: true, URL: opts.BaseURL,
	}}})
	return h
}

// ParseNames returns the names of hosts in a setting, separated by commas, each once, in lower case
// and punycode, without a dot at the end. bad are those that are no host names: an address is none,
// nor is what no authority gives a certificate to.
func ParseNames(list string) (names, bad []string) {
	for text := range strings.SplitSeq(list, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		name, ok := Parse(text)
		if !ok || !isName(name) || strings.Contains(text, "%") { // which browsers decode
			bad = append(bad, text)
		} else if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, bad
}

// isName reports whether a host, as Parse returns it, is a name of RFC 1123, section 2.1: browsers
// also open others.
func isName(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if label[0] == '-' || label[len(label)-1] == '-' || strings.Contains(label, "_") {
			return false
		}
	}
	_, err := netip.ParseAddr(host)
	return err != nil
}

// Parse returns the host that a parameter or a URL names, in lower case and punycode, without a dot
// at its end. ok is false if it is no host alone.
func Parse(text string) (host string, ok bool) {
	host, ok = weburl.Host(text)
	return trimDot(host), ok && !strings.ContainsAny(text, ":/*[] ") && trimDot(host) != ""
}

func trimDot(host string) string { return strings.TrimSuffix(host, ".") }

// Start gives the configured hosts their numbers, and loads. It fails if links of a domain would be
// out of reach, because it has the host of BASE_URL now.
func (h *Hosts) Start(ctx context.Context) error {
	if len(h.configured) > 0 {
		if err := h.opts.Store.AddDomains(ctx, h.configured); err != nil {
			return fmt.Errorf("DOMAINS: %w", err)
		}
	}
	if err := h.Load(ctx); err != nil {
		return err
	}
	for _, row := range h.Table().rows[1:] {
		if row.Host == h.host && row.Links > 0 {
			return fmt.Errorf("BASE_URL: %s was one of DOMAINS and has %d links of its own, which "+
				"could not be reached; use another host, or move them first", h.host, row.Links)
		}
		if !row.Configured && row.Links > 0 {
			h.opts.Logger.Warn("links on a host that is not in DOMAINS are not served",
				"host", row.Host, "links", row.Links)
		}
	}
	return nil
}

// Load reads the domains again. Until it returns, Table is as before.
func (h *Hosts) Load(ctx context.Context) error {
	h.loading.Lock()
	defer h.loading.Unlock()
	rows, err := h.opts.Store.Domains(ctx)
	if err != nil {
		return fmt.Errorf("load domains: %w", err)
	}
	t := &Table{host: h.host, byHost: make(map[string]terse.Domain, len(rows))}
	for _, of := range rows {
		row := Row{DomainRow: of, Configured: slices.Contains(h.configured, of.Host)}
		if of.Domain == terse.DefaultDomain {
			row.Host, row.Configured, row.URL = h.host, true, h.opts.BaseURL
		} else {
			row.URL = h.urlOf(of.Host)
		}
		t.rows = append(t.rows, row)
		if row.exists() && row.Host != h.host {
			t.byHost[row.Host] = of.Domain
		}
	}
	if t.Several() {
		t.asSent = map[string]terse.Domain{}
		for _, row := range t.Rows() {
			_, sent, _ := strings.Cut(h.urlOf(row.Host), "://")
			t.asSent[sent], t.asSent[row.Host] = row.Domain, row.Domain
		}
	}
	h.table.Store(t)
	return nil
}

// urlOf returns the prefix of short URLs at a host: BASE_URL's scheme and port.
func (h *Hosts) urlOf(host string) string {
	if h.base.Port != "" {
		host = net.JoinHostPort(host, h.base.Port)
	}
	return strings.ToLower(h.base.Scheme) + "://" + host
}

// Changed makes Run load the domains again.
func (h *Hosts) Changed() {
	select {
	case h.changed <- struct{}{}:
	default: // it is to load already
	}
}

const (
	// retryInterval is how long Run waits after it failed.
	retryInterval = time.Second
	// recountInterval is how often Run loads the domains while there are hosts that this node is
	// not configured with. Nobody calls Changed when their first link is created, by a node that
	// has the host already, or their last one deleted.
	recountInterval = 10 * time.Second
)

// Run loads the domains after each call of Changed, until ctx ends. While the store fails, they
// stay as they were.
func (h *Hosts) Run(ctx context.Context) error {
	recount := time.NewTicker(recountInterval)
	defer recount.Stop()
	for {
		select {
		case <-h.changed:
		case <-recount.C:
			if len(h.Table().rows) == len(h.configured)+1 {
				continue
			}
		case <-ctx.Done():
			return nil
		}
		for {
			trying, cancel := context.WithTimeout(ctx, h.opts.Timeout)
			err := h.Load(trying)
			cancel()
			if err == nil || ctx.Err() != nil {
				break
			}
			h.opts.Logger.Warn("domains may have changed", "error", err)
			select {
			case <-time.After(retryInterval):
			case <-ctx.Done():
			}
		}
	}
}

// Table returns the domains as they are now.
func (h *Hosts) Table() *Table { return h.table.Load() }

// Row is a domain.
type Row struct {
	terse.DomainRow        // Host is never empty
	Configured      bool   // links can be created
	URL             string // prefix of its short URLs, without a trailing slash
}

// exists reports whether the domain is one: its host is configured, or links are left on it.
func (r *Row) exists() bool { return r.Configured || r.Links > 0 }

// Table is the domains at a moment. It never changes.
type Table struct {
	host   string                  // of the default
	rows   []Row                   // by number
	byHost map[string]terse.Domain // all but the default
	asSent map[string]terse.Domain // all, as most requests spell their hosts; nil for one
}

// Rows returns the domains that exist, the default first.
func (t *Table) Rows() (rows []Row) {
	for _, row := range t.rows {
		if row.exists() && (row.Domain == terse.DefaultDomain || row.Host != t.host) {
			rows = append(rows, row)
		}
	}
	return rows
}

// Of returns the row of a domain, also of one that does not exist any more. A domain that another
// node has added a moment ago has no host yet.
func (t *Table) Of(d terse.Domain) Row {
	if int(d) >= len(t.rows) {
		return Row{DomainRow: terse.DomainRow{Domain: d}}
	}
	return t.rows[d]
}

// Several reports whether there is a domain but the default. If not, the hosts of requests do not
// matter.
func (t *Table) Several() bool { return len(t.byHost) > 0 }

// Named returns the domain with a host in any spelling. It may be one that is not configured.
func (t *Table) Named(text string) (row Row, ok bool) {
	host, ok := Parse(text)
	if !ok {
		return row, false
	}
	if host == t.host {
		return t.rows[terse.DefaultDomain], true
	}
	d, ok := t.byHost[host]
	if !ok {
		return row, false
	}
	return t.Of(d), true
}

// At returns the domain with a host as weburl.Host returns it, without a dot at its end, if there
// are several.
func (t *Table) At(host string) (d terse.Domain, ok bool) {
	d, ok = t.byHost[host]
	return d, ok
}

// DomainOf is Named for a request: an error says that there is no such domain.
func (t *Table) DomainOf(text string) (terse.Domain, error) {
	row, ok := t.Named(text)
	if !ok {
		return row.Domain, unknown(text)
	}
	return row.Domain, nil
}

// DomainForNew is DomainOf for a link that is to be created: its host must be configured.
func (t *Table) DomainForNew(text string) (terse.Domain, error) {
	row, ok := t.Named(text)
	if !ok || !row.Configured {
		return terse.DefaultDomain, unknown(text)
	}
	return row.Domain, nil
}

// unknown returns the error for a name that is no domain's. What is no host is quoted, and cut.
func unknown(text string) error {
	if _, ok := Parse(text); !ok || len(text) > maxHost {
		text = fmt.Sprintf("%.100q", text)
	}
	return terse.Invalidf("domain", "unknown domain: %s", text)
}

// ParseCode returns the code that a text names: that of launch on the default domain, or of
// go.example/launch.
func (t *Table) ParseCode(text string) (terse.Code, error) {
	host, address, named := strings.Cut(text, "/")
	if !named {
		return terse.ParseCode(text)
	}
	d, err := t.DomainOf(host)
	if err != nil {
		return terse.Code{}, err
	}
	code, err := terse.ParseCode(address)
	if err != nil {
		return code, err
	}
	return code.On(d), nil
}

// Shown returns the host that answers show for a domain: "" for the default one. What stands for
// one that has no host yet can't be taken for any.
func (t *Table) Shown(d terse.Domain) string {
	switch host := t.Of(d).Host; {
	case d == terse.DefaultDomain:
		return ""
	case host == "":
		return strings.TrimSuffix(d.Key(""), "/")
	default:
		return host
	}
}

// maxHost is the length of the longest host that is looked for.
const maxHost = 253

// Asked returns at which domain a request with a Host header arrived, which may have a port, a dot
// at its end, and letters in any case. closed means that nothing is served there: its host is not
// configured any more. It does not allocate.
func (t *Table) Asked(host []byte) (d terse.Domain, closed bool) {
	if !t.Several() {
		return terse.DefaultDomain, false
	}
	d, ok := t.asSent[string(host)]
	if !ok {
		var room [maxHost]byte
		plain := plainHost(room[:0], host)
		if d, ok = t.byHost[string(plain)]; !ok {
			return terse.DefaultDomain, false
		}
	}
	return d, !t.rows[d].Configured
}

// plainHost appends a Host header in lower case, without port and trailing dot. It appends nothing
// if that is too long.
func plainHost(to, host []byte) []byte {
	if colon := bytes.LastIndexByte(host, ':'); colon >= 0 {
		host = host[:colon] // of an IPv6 address, too: that is no domain
	}
	host = bytes.TrimSuffix(host, []byte{'.'})
	if len(host) > maxHost {
		return to
	}
	for _, c := range host {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}
