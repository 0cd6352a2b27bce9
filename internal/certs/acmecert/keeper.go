package acmecert

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// MaxHosts bounds the hosts of a server. Each is an order of its own.
const MaxHosts = 100

// Options configure a Keeper.
type Options struct {
	Hosts     []string       // in lower case, 1 to MaxHosts; the first is ordered first
	Directory string         // URL of the authority's directory
	Roots     *x509.CertPool // of the authority's own certificate; nil: the system's
	Email     string         // where the authority may write to; may be empty
	EABKeyID  string         // key by which the authority knows its customer; may be empty
	EABKey    string         // its secret, in base64url
	Profile   string         // of certificates; empty: the authority's default
	UserAgent string         // of requests to the authority
	Storage   Storage
	Logger    *slog.Logger
}

// Storage keeps what outlives a process. Names are file names.
type Storage interface {
	// Load returns a value, nil if there is none.
	Load(ctx context.Context, name string) ([]byte, error)
	// Store replaces a value as a whole, durably.
	Store(ctx context.Context, name string, value []byte) error
	// Delete removes a value, if there is one.
	Delete(ctx context.Context, name string) error
	// Versions returns all names, each with a text that changes when its value does.
	Versions(ctx context.Context) (map[string]string, error)
	// Lead calls run unless another node runs it, and reports whether it did. The context of run
	// ends when another node could begin.
	Lead(ctx context.Context, run func(context.Context)) (led bool, err error)
}

// directoryLine begins the first line of a stored certificate. Its end is where it was ordered.
const directoryLine = "# ordered at "

// Names of values, behind the name of a host.
const (
	certificateName = ".pem"       // directoryLine, key and chain
	challengeName   = ".challenge" // under way
	failureName     = ".failure"   // the last, if no success followed
)

// Times.
const (
	// followInterval is how soon a node notices what the one that orders has stored, or that none
	// orders.
	followInterval = 5 * time.Second
	// storageTimeout bounds one question to the storage.
	storageTimeout = 5 * time.Second
	// patience is how long a host may be without a certificate before a warning says so.
	patience = time.Minute
)

// Keeper keeps certificates.
type Keeper struct {
	o       Options
	hosts   []*host // in the order of the options
	byName  map[string]*host
	answers answers
	started time.Time
	seen    map[string]string // versions of what was loaded; only Run's goroutine uses it
}

// host is what is known of one host.
type host struct {
	name string

	mu       sync.Mutex // guards the fields below
	cert     *tls.Certificate
	from     string    // directory of the authority of cert
	due      time.Time // when cert is renewed; as this node knows
	failure  *Failure  // the last, nil after a success
	failures int       // of this process
}

// Failure is why a host has no newer certificate.
type Failure struct {
	Time   time.Time `json:"time"`
	Error  string    `json:"error"`
	Advice string    `json:"advice"`
	Next   time.Time `json:"next"` // when it is tried again
}

// New returns a Keeper that serves what is stored. Run does the rest.
func New(ctx context.Context, o Options) (*Keeper, error) {
	k := &Keeper{
		o: o, byName: map[string]*host{}, started: time.Now(), seen: map[string]string{},
		answers: newAnswers(o.Storage),
	}
	for _, name := range o.Hosts {
		h := &host{name: name}
		k.hosts = append(k.hosts, h)
		k.byName[name] = h
	}
	if err := k.reload(ctx); err != nil {
		return nil, fmt.Errorf("read certificates: %w", err)
	}
	return k, nil
}

// Run orders and renews certificates until ctx ends, or follows the node that does.
func (k *Keeper) Run(ctx context.Context) error {
	for {
		led, err := k.o.Storage.Lead(ctx, k.lead)
		if !led && err == nil {
			err = k.reload(ctx)
		}
		if err != nil && ctx.Err() == nil {
			k.o.Logger.Warn("certificates can't be read or renewed for now; it is tried again",
				"error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followInterval):
		}
	}
}

// reload loads what has changed in the storage. What can't be understood is logged, and ordered
// again.
func (k *Keeper) reload(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	versions, err := k.o.Storage.Versions(ctx)
	if err != nil {
		return err
	}
	for _, h := range k.hosts {
		name := h.name + certificateName
		if version := versions[name]; version != k.seen[name] {
			value, err := k.o.Storage.Load(ctx, name)
			if err != nil {
				return err
			}
			if cert, directory, err := parse(value, h.name); err == nil {
				h.set(cert, directory)
			} else if value != nil {
				k.o.Logger.Error("a stored certificate can't be used; another one is ordered",
					"name", name, "error", err)
			}
		}
		failed := h.name + failureName
		if version := versions[failed]; version != k.seen[failed] {
			failure, err := loadFailure(ctx, k.o.Storage, h.name)
			if err != nil {
				return err
			}
			h.mu.Lock()
			h.failure = failure
			h.mu.Unlock()
		}
	}
	k.seen = versions
	return nil
}

// parse returns a stored certificate, if it is one for a host, and where it was ordered.
func parse(value []byte, name string) (cert *tls.Certificate, directory string, err error) {
	if value == nil {
		return nil, "", errors.New("there is none")
	}
	pair, err := tls.X509KeyPair(value, value)
	if err != nil {
		return nil, "", err
	}
	if err := pair.Leaf.VerifyHostname(name); err != nil {
		return nil, "", err
	}
	line, _, _ := strings.Cut(string(value), "\n")
	directory, _ = strings.CutPrefix(line, directoryLine)
	return &pair, directory, nil
}

func (h *host) issuedBy() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.from
}

func (h *host) set(cert *tls.Certificate, directory string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cert, h.from = cert, directory
	h.due = afterTwoThirds(cert.Leaf)
}

func (h *host) certificate() *tls.Certificate {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cert
}

// GetCertificate is for a tls.Config, whose NextProtos need ALPNProtocol for TLS-ALPN-01. A client
// that names no host gets the first certificate, one that names another host none.
func (k *Keeper) GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := strings.ToLower(hello.ServerName)
	if slices.Equal(hello.SupportedProtos, []string{ALPNProtocol}) { // as RFC 8737 has it
		if k.byName[name] == nil {
			return nil, nil //nolint:nilnil // the client gets the alert unrecognized_name
		}
		return k.answers.certificate(hello.Context(), name)
	}
	if name == "" {
		for _, h := range k.hosts {
			if cert := h.certificate(); cert != nil {
				return cert, nil
			}
		}
		return nil, errNoCertificate
	}
	h := k.byName[name]
	if h == nil {
		return nil, nil //nolint:nilnil // as above
	}
	if cert := h.certificate(); cert != nil {
		return cert, nil
	}
	return nil, errNoCertificate
}

var errNoCertificate = errors.New("the certificate for this name has not been issued yet")

// Leaf returns the certificate of a host without its chain, nil if it has none.
func (k *Keeper) Leaf(name string) *x509.Certificate {
	h := k.byName[name]
	if h == nil {
		return nil
	}
	cert := h.certificate()
	if cert == nil {
		return nil
	}
	return cert.Leaf
}

// Failures calls yield with each host, and how many tries of this process have failed for it.
func (k *Keeper) Failures(yield func(host string, failures int)) {
	for _, h := range k.hosts {
		h.mu.Lock()
		failures := h.failures
		h.mu.Unlock()
		yield(h.name, failures)
	}
}

// maxNamed bounds the hosts that Warning names.
const maxNamed = 3

// Warning names hosts whose certificate is missing, or overdue by a tenth of its lifetime. It
// returns "" if there is none.
func (k *Keeper) Warning(now time.Time) string {
	var lines []string
	for _, h := range k.hosts {
		if line := h.warning(now, k.started); line != "" {
			lines = append(lines, line)
		}
	}
	if more := len(lines) - maxNamed; more > 0 {
		lines = append(lines[:maxNamed], fmt.Sprintf("and %d other hosts", more))
	}
	return strings.Join(lines, "; ")
}

func (h *host) warning(now, started time.Time) (line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.cert == nil && (h.failure != nil || now.Sub(started) > patience):
		line = "there is no certificate for " + h.name
	case h.cert != nil && now.After(h.due.Add(lifetime(h.cert.Leaf)/10)):
		line = fmt.Sprintf("the certificate for %s ends at %s, and should have been renewed at %s",
			h.name, h.cert.Leaf.NotAfter.UTC().Format(time.RFC3339),
			h.due.UTC().Format(time.RFC3339))
	default:
		return ""
	}
	if h.failure != nil {
		line += ": " + h.failure.Error
	}
	return line
}

// Reader is what Stored needs of a Storage.
type Reader interface {
	Load(ctx context.Context, name string) ([]byte, error)
}

// Values is a Reader of values in memory, by their names.
type Values map[string][]byte

// Load implements Reader.
func (v Values) Load(_ context.Context, name string) ([]byte, error) { return v[name], nil }

// Names returns the names of the values that Stored reads for hosts.
func Names(hosts []string) (names []string) {
	for _, name := range hosts {
		names = append(names, name+certificateName, name+failureName)
	}
	return names
}

// Stored returns a host's stored certificate, and its last failure; both may be nil. It is for who
// looks at a storage from outside of the server.
func Stored(ctx context.Context, r Reader, name string) (*x509.Certificate, *Failure, error) {
	value, err := r.Load(ctx, name+certificateName)
	if err != nil {
		return nil, nil, err
	}
	failure, err := loadFailure(ctx, r, name)
	if err != nil || value == nil {
		return nil, failure, err
	}
	cert, _, err := parse(value, name)
	if err != nil {
		return nil, failure, fmt.Errorf("the stored certificate for %s: %w", name, err)
	}
	return cert.Leaf, failure, nil
}

func lifetime(leaf *x509.Certificate) time.Duration { return leaf.NotAfter.Sub(leaf.NotBefore) }

func afterTwoThirds(leaf *x509.Certificate) time.Time {
	return leaf.NotAfter.Add(-lifetime(leaf) / 3)
}
