package acmecert

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mholt/acmez/v3"
	"github.com/mholt/acmez/v3/acme"
)

// Times of orders.
const (
	// orderTimeout bounds one try, in which an authority may let us wait.
	orderTimeout = 5 * time.Minute
	// A failure is tried again after firstRetry, then after twice as long, up to lastRetry.
	firstRetry = time.Minute
	lastRetry  = time.Hour
	// maxLook is the longest time without a look at the clock, which may be set or have slept.
	maxLook = time.Hour
	// How often an authority is asked when to renew, if it says nothing; bounds of what it says.
	usualAsk = 6 * time.Hour
	minAsk   = time.Minute
	maxAsk   = 24 * time.Hour
)

// maxError bounds the text of an error, which may quote an authority.
const maxError = 300

// plan is what the node that orders has in mind for a host.
type plan struct {
	host    *host
	tries   int       // failed in a row
	next    time.Time // of the next look
	retry   time.Time // no try before
	unsaved []byte    // a certificate that could not be stored
	issued  time.Time // when this process got the last one

	leaf  *x509.Certificate // which the fields below are about
	renew time.Time         // as the authority wants it; zero: it did not say
	ask   time.Time         // when it is asked again
}

// lead orders and renews until ctx ends. One host comes after the other, the first first: a slow
// authority is as slow for all.
func (k *Keeper) lead(ctx context.Context) {
	// Another node may have led.
	if err := k.reload(ctx); err != nil && ctx.Err() == nil {
		k.o.Logger.Warn("certificates can't be read", "error", err)
		return
	}
	k.o.Logger.Info("this node orders certificates", "hosts", len(k.hosts))
	plans := make([]*plan, len(k.hosts))
	for i, h := range k.hosts {
		plans[i] = &plan{host: h}
	}
	var formerAt time.Time
	for {
		if !time.Now().Before(formerAt) {
			if err := k.deleteFormer(ctx); err != nil && ctx.Err() == nil {
				k.o.Logger.Warn("certificates of former hosts can't be deleted", "error", err)
			}
			formerAt = time.Now().Add(formerInterval)
		}
		wake := time.Now().Add(maxLook)
		for _, p := range plans {
			if !time.Now().Before(p.next) {
				p.next = k.look(ctx, p)
			}
			if ctx.Err() != nil {
				return
			}
			if p.next.Before(wake) {
				wake = p.next
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(wake)):
		}
	}
}

// look does what is to be done for a host, and returns when to look again.
func (k *Keeper) look(ctx context.Context, p *plan) time.Time {
	if p.unsaved != nil && !k.save(ctx, p) {
		return time.Now().Add(firstRetry)
	}
	cert := p.host.certificate()
	if cert != nil && p.host.issuedBy() != k.o.Directory {
		// It is served until there is another one, which does not replace it there.
		if p.tries == 0 {
			k.o.Logger.Info("a certificate is from another authority, so another one is ordered",
				"host", p.host.name)
		}
		cert = nil
	}
	if cert != nil {
		k.askWhen(ctx, p, cert.Leaf)
		due := p.due(cert.Leaf)
		p.host.mu.Lock()
		p.host.due = due
		p.host.mu.Unlock()
		if now := time.Now(); now.Before(due) {
			return p.lookBefore(due, now, cert.Leaf)
		}
	}
	if now := time.Now(); now.Before(p.retry) {
		return p.retry // the clock was set back, or a look came first
	}
	value, asked, err := k.order(ctx, p, cert)
	if ctx.Err() != nil {
		return time.Time{} // it ends, or another node goes on
	}
	if err != nil {
		k.failed(ctx, p, err, asked)
		return p.retry
	}
	return k.succeeded(ctx, p, value)
}

// due returns when a certificate is renewed. An authority can't postpone that until it is too late,
// and can't have a new certificate replaced again and again.
func (p *plan) due(leaf *x509.Certificate) time.Time {
	due, tenth := p.renew, lifetime(leaf)/10
	if due.IsZero() {
		due = afterTwoThirds(leaf)
	}
	if latest := leaf.NotAfter.Add(-tenth); due.After(latest) {
		due = latest
	}
	if earliest := p.issued.Add(min(tenth, maxLook)); due.Before(earliest) {
		due = earliest
	}
	return due
}

// lookBefore returns when to look again at a certificate that is due later.
func (p *plan) lookBefore(due, now time.Time, leaf *x509.Certificate) time.Time {
	next := now.Add(min(max(lifetime(leaf)/10, time.Second), maxLook))
	if due.Before(next) {
		next = due
	}
	if !p.ask.IsZero() && p.ask.Before(next) {
		next = p.ask
	}
	return next
}

// askWhen asks the authority when a certificate should be renewed, as often as it wants.
func (k *Keeper) askWhen(ctx context.Context, p *plan, leaf *x509.Certificate) {
	if p.leaf != leaf {
		p.leaf, p.renew, p.ask = leaf, time.Time{}, time.Time{}
	}
	now := time.Now()
	if now.Before(p.ask) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*answerTimeout)
	defer cancel()
	c, _ := k.client()
	info, err := c.GetRenewalInfo(ctx, leaf)
	if err != nil { // it has none, or does not answer; a window that is known stays
		k.o.Logger.Debug("the authority does not say when to renew", "host", p.host.name,
			"error", short(err))
		p.ask = now.Add(maxLook)
		return
	}
	p.ask = now.Add(usualAsk)
	if info.RetryAfter != nil {
		p.ask = *info.RetryAfter
	}
	if most := now.Add(maxAsk); p.ask.After(most) {
		p.ask = most
	}
	if least := now.Add(minAsk); p.ask.Before(least) {
		p.ask = least
	}
	// Each question gives another random time. The first within a window stays.
	if window := info.SuggestedWindow; p.renew.Before(window.Start) || p.renew.After(window.End) {
		p.renew = info.SelectedTime
		k.o.Logger.Info("the authority says when to renew a certificate", "host", p.host.name,
			"renewal", p.renew, "why", info.ExplanationURL)
	}
}

// order orders a certificate in place of another, nil without one. It returns key and chain, and
// for how long the authority wants no more requests.
func (k *Keeper) order(
	ctx context.Context, p *plan, old *tls.Certificate,
) (value []byte, asked time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	// Authorities count failed challenges. The first try may use both kinds, others use one.
	kinds := []string{acme.ChallengeTypeHTTP01, acme.ChallengeTypeTLSALPN01}
	if p.tries > 0 {
		kinds = kinds[p.tries%2:][:1]
	}
	c, t := k.client(kinds...)
	value, err = k.orderBy(ctx, c, p, old)
	return value, time.Duration(t.retryAfter.Load()), err
}

func (k *Keeper) orderBy(
	ctx context.Context, c *acmez.Client, p *plan, old *tls.Certificate,
) ([]byte, error) {
	with, err := k.account(ctx, c)
	if err != nil {
		return nil, err
	}
	der, err := newKey()
	if err != nil {
		return nil, err
	}
	key, err := parseKey(der)
	if err != nil {
		return nil, err
	}
	csr, err := acmez.NewCSR(key, []string{p.host.name})
	if err != nil {
		return nil, err
	}
	params, err := acmez.OrderParametersFromCSR(with, csr)
	if err != nil {
		return nil, err
	}
	params.Profile = k.o.Profile
	if old != nil && p.tries%2 == 0 { // it may be what the authority refuses
		params.Replaces = old.Leaf
	}
	chains, err := c.ObtainCertificate(ctx, params)
	if is(err, acme.ProblemTypeAccountDoesNotExist) {
		return nil, errors.Join(err, k.forgetAccount(ctx, with))
	}
	if err != nil {
		return nil, err
	}
	if len(chains) == 0 {
		return nil, errors.New("the authority sent no certificate")
	}
	value := []byte(directoryLine + k.o.Directory + "\n")
	value = append(value, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})...)
	value = append(value, bytes.TrimSpace(chains[0].ChainPEM)...)
	value = append(value, '\n')
	if _, _, err := parse(value, p.host.name); err != nil {
		return nil, fmt.Errorf("the authority sent a certificate that can't be used: %w", err)
	}
	return value, nil
}

// succeeded serves a certificate and stores it.
func (k *Keeper) succeeded(ctx context.Context, p *plan, value []byte) time.Time {
	cert, directory, err := parse(value, p.host.name)
	if err != nil {
		return time.Time{} // can't happen: order has parsed it
	}
	p.tries, p.retry, p.unsaved, p.issued = 0, time.Time{}, value, time.Now()
	p.host.set(cert, directory)
	k.o.Logger.Info("a certificate was issued", "host", p.host.name,
		"issuer", cert.Leaf.Issuer.String(), "until", cert.Leaf.NotAfter)
	if !k.save(ctx, p) {
		return time.Now().Add(firstRetry)
	}
	return time.Now() // to ask when to renew it
}

// save stores the new certificate of a host, and reports whether it could.
func (k *Keeper) save(ctx context.Context, p *plan) bool {
	name := p.host.name
	err := k.o.Storage.Store(ctx, name+certificateName, p.unsaved)
	if err == nil {
		err = k.o.Storage.Delete(ctx, name+failureName)
	}
	if err != nil {
		k.o.Logger.Error("a new certificate could not be stored; it is served, and tried again",
			"host", name, "error", err)
		return false
	}
	p.unsaved = nil
	p.host.mu.Lock()
	p.host.failure = nil
	p.host.mu.Unlock()
	return true
}

// failed notes a failed try.
func (k *Keeper) failed(ctx context.Context, p *plan, err error, asked time.Duration) {
	pause := max(min(firstRetry<<min(p.tries, 10), lastRetry), asked)
	p.tries++
	now := time.Now()
	p.retry = now.Add(pause)
	f := &Failure{
		Time: now, Error: short(err), Advice: Advice(p.host.name, err), Next: p.retry,
	}
	p.host.mu.Lock()
	p.host.failure = f
	p.host.failures++
	p.host.mu.Unlock()
	k.o.Logger.Warn("no certificate was issued", "host", p.host.name, "error", f.Error,
		"advice", f.Advice, "retry_in", pause.Round(time.Second).String())
	value, err := json.Marshal(f)
	if err == nil {
		err = k.o.Storage.Store(ctx, p.host.name+failureName, value)
	}
	if err != nil {
		k.o.Logger.Warn("the failure could not be stored", "host", p.host.name, "error", err)
	}
}

func loadFailure(ctx context.Context, r Reader, name string) (*Failure, error) {
	value, err := r.Load(ctx, name+failureName)
	if err != nil || value == nil {
		return nil, err
	}
	f := &Failure{}
	if err := json.Unmarshal(value, f); err != nil {
		return nil, fmt.Errorf("%s can't be understood: %w", name+failureName, err)
	}
	return f, nil
}

// short returns the text of an error, cut. What an authority says needs no names of steps.
func short(err error) string {
	text := err.Error()
	if p, ok := errors.AsType[acme.Problem](err); ok && p.Detail != "" {
		text = strings.TrimPrefix(p.Type, acme.ProblemTypeNamespace) + ": " + p.Detail
	}
	if len(text) <= maxError {
		return text
	}
	cut := maxError
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// is reports whether an authority's error is of a kind.
func is(err error, kind string) bool {
	problem, ok := errors.AsType[acme.Problem](err)
	return ok && problem.Type == kind
}
