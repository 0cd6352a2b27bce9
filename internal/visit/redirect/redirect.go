package redirect

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"go4.org/netipx"

	"terse"
	"terse/internal/link/address"
	"terse/internal/link/blocked"
	"terse/internal/link/hosts"
	"terse/internal/visit/redirect/urls"
	"terse/internal/visit/useragent"
)

// LinkStore is the part of the store that redirects need.
type LinkStore interface {
	// Find returns the links at up to terse.MaxFind addresses, by their keys. It leaves out
	// addresses without a link.
	Find(ctx context.Context, keys []string) (map[string]terse.Link, error)
}

// Options are a Handler's parts. All are required except CountryHeader, Visitor, Tracking,
// Uncounted, Keep, Robots, Blocked, Unknown, Hold, Rehash, IgnoreCase and Reserved.
type Options struct {
	Links       LinkStore
	LinkTimeout time.Duration // how long a look-up in the store may take
	// Record writes a click to the journal. Once it returns nil, the click survives the process.
	Record func(terse.Click) error
	// Commit waits until recorded clicks survive a crash of the machine. nil: answers need not wait
	// for that.
	Commit func() error
	// Place returns the location of an address, as far as it is known.
	Place func(netip.Addr) (country terse.Country, region, city string)
	// Visitor returns the hash of a visitor of a link, at a time in microseconds, or 0 if there is
	// none yet. nil: no hashes.
	Visitor  func(micros int64, addr netip.Addr, agent []byte, link terse.LinkID) uint64
	Tracking Tracking
	// Uncounted are the addresses of clients who are redirected without a click.
	Uncounted netipx.IPSet
	// header with the country, believed only from trusted proxies, for example "CF-IPCountry"
	CountryHeader string
	// takes one request from a client's budget, and returns 0 or how long to wait
	Limit      func(netip.Addr) time.Duration
	CacheBytes int // at least MinCacheBytes
	// Keep is for how long browsers may keep a redirect of a link that nothing but a change leads
	// elsewhere, in whole seconds. They count no visit meanwhile. 0: not at all.
	Keep time.Duration
	// Robots, if set, is the X-Robots-Tag of redirects, pages and pictures.
	Robots string
	// Take uses up one of a link's MaxClicks, or returns terse.ErrUsedUp.
	Take func(context.Context, terse.LinkRef) error
	// Domains returns the domains as they are now, at each of which a request may arrive.
	Domains func() *hosts.Table
	// Blocked, if set, returns where no link may lead. After a change of it InvalidateAll is to be
	// called.
	Blocked func() *blocked.List
	// Unknown, if set, is called for each GET of a code without a link, as one of the default
	// domain, whatever the domain was. It must not block.
	Unknown func(code terse.Code, at time.Time)
	// UnknownAlias, if set, is called for each GET by a person of an address without a link that
	// only an alias could be, in NFC. It must not block.
	UnknownAlias func(alias string, at time.Time)
	// Hold takes one of the places that all nodes share under a key, for a window. It returns a
	// function that gives it back, or how long to wait for one, and may take a second. nil: this
	// node counts attempts at passwords alone.
	Hold func(key string, places int, window time.Duration) (giveBack func(), wait time.Duration)
	// Rehash, if set, stores a stronger hash of a link's password.
	Rehash func(link terse.LinkRef, old, better string)
	// IgnoreCase compares addresses by terse.FoldAddress. Links must do so, too.
	IgnoreCase bool
	// Reserved are the first segments of paths that are not for redirects, as terse.FoldAddress
	// returns them. With IgnoreCase no address begins with one in any case.
	Reserved []string
}

// Handler answers redirects.
type Handler struct {
	opts       Options
	cache      *cache
	compiled   compiledOptions
	reserved   map[string]bool // nil unless case is ignored
	agents     *useragent.Parser
	locks      *locks
	translated translated
	replies    replies
	more       []Field // of redirects, pages and pictures
	headers    HeaderNames
	domains    atomic.Pointer[domains] // of the last table that was asked for

	began time.Time
	// retryAt is 0 while the store answers. After a failed look-up it is the time, since began, at
	// which a stale link may be looked up again.
	retryAt    atomic.Int64
	complained atomic.Int64 // when damaged options were last logged, in nanoseconds since 1970

	// Counters for the metrics.
	CacheHits, CacheMisses, UnknownCodes, Limited, ClicksLost atomic.Int64
}

// New returns a Handler.
func New(opts Options) *Handler {
	var more []Field
	if opts.Robots != "" {
		more = []Field{{"X-Robots-Tag", opts.Robots}}
	}
	h := &Handler{
		opts: opts, replies: newReplies(opts.Keep, more), more: more,
		cache:    newCache(opts.CacheBytes, opts.IgnoreCase),
		compiled: newCompiledOptions(), agents: useragent.New(), locks: newLocks(opts.Hold),
		translated: newTranslated(opts.IgnoreCase, more), headers: headerNames(opts.CountryHeader),
		began: time.Now(),
	}
	if opts.IgnoreCase {
		h.reserved = map[string]bool{}
		for _, word := range opts.Reserved {
			h.reserved[word] = true
		}
	}
	return h
}

// Invalidate drops an address from the cache, by its key: it leads to another link than before, or
// its link was changed.
func (h *Handler) Invalidate(key string) { h.cache.drop(key) }

// InvalidateAll reports that any link may have changed, or where no link may lead. From now on each
// cached link is looked up before it is served again; while the store does not answer, it is served
// from memory.
func (h *Handler) InvalidateAll() { h.cache.invalidateAll() }

// CacheBytes returns the memory of cached links in bytes.
func (h *Handler) CacheBytes() uint64 { return h.cache.links.Bytes() }

// Answer is the answer to a request. Err, if any, is for the log; the visitor gets the answer
// anyway.
type Answer struct {
	// Reply is nil if there is no answer yet: see Attempt.Wait.
	*Reply
	// Apart means that there is no answer because getting it takes more than a look-up: call Answer
	// again in a goroutine of its own.
	Apart bool
	// Name and Value are another header field, whose value varies.
	Name  string
	Value []byte
	Err   error
}

// Answer decides on one GET, HEAD or POST request, and writes its click to the journal. A visit
// that it did not answer because of Attempt.Wait may be retried without Wait, as Admitted. The
// answer may be sent after Commit.
func (h *Handler) Answer(v *Visit, a Attempt) Answer {
	if !a.Admitted {
		if wait := h.opts.Limit(v.Addr); wait > 0 {
			return h.tooMany(wait)
		}
	}
	switch {
	case v.Nothing:
		return Answer{Reply: h.pages(v).notFound}
	case len(v.Path) == 1 && v.Path[0] == '/':
		return h.root(v)
	}
	p, err := h.find(v.Domain, v.Path, a)
	switch {
	case err == nil && len(p.encoded)+len(p.rest)+len(p.page) == 0 && !v.Post && !p.blocked:
		o := Outcome{
			Kind: Redirect, Status: defaultStatus, Location: p.location, Click: !v.Head,
			Keep: h.opts.Keep > 0,
		}
		return h.redirect(&o, v, a, &p.target)
	case err == nil:
		return h.follow(v, a, &p)
	case errors.Is(err, errMustWait):
		return Answer{}
	case errors.Is(err, terse.ErrNotFound):
		return h.unknown(v, a)
	default:
		return Answer{Reply: Failed, Err: err}
	}
}

// follow answers a visit that is not a plain redirect. Another node may have changed the link's
// code a moment ago: then it finds the link once more.
func (h *Handler) follow(v *Visit, a Attempt, p *place) Answer {
	for again := false; ; again = true {
		answer, err := h.answerAt(v, a, p)
		if err == nil {
			return answer
		}
		if errors.Is(err, terse.ErrNotFound) && !again {
			h.cache.drop(p.code.String())
			if *p, err = h.find(v.Domain, v.Path, a); err == nil {
				continue
			}
		}
		if errors.Is(err, terse.ErrNotFound) {
			return h.unknown(v, a)
		}
		return Answer{Reply: Failed, Err: err}
	}
}

// answerAt answers a visit of a link. terse.ErrNotFound if the store does not have it any more.
func (h *Handler) answerAt(v *Visit, a Attempt, p *place) (Answer, error) {
	if p.page != "" {
		return h.page(v, a, p)
	}
	f := facts{rest: p.rest, blocked: h.blocked(), keep: h.opts.Keep}
	if len(p.encoded) > 0 {
		p.options = h.compiled.of(p.encoded)
		if p.options.damaged != nil {
			return h.closed(p.code, p.options.damaged, v.Time), nil
		}
		h.learn(p.options, v, &f)
	}
	return h.resolve(v, a, &p.target, &f)
}

// carryOut carries out a decision.
func (h *Handler) carryOut(o *Outcome, v *Visit, a Attempt, link *target, f *facts) Answer {
	switch o.Kind {
	case Redirect:
		return h.redirect(o, v, a, link)
	case Over:
		return h.elsewhere(h.domain(v.Domain).ended, h.pages(v).over)
	case Blocked:
		return Answer{Reply: h.pages(v).over}
	case Preview:
		if h.mayLeadToBlocked(&f.link, link.options) {
			return Answer{Reply: h.pages(v).over}
		}
		at := addressOf(v.Path[:len(v.Path)-len(f.rest)])
		return Answer{Reply: h.previewPage(v, &f.link, link.options, at, visitForm)}
	case NotNow:
		return Answer{Reply: notNow}
	case NotAllowed:
		return Answer{Reply: notAllowed}
	case NotForm:
		return Answer{Reply: notForm}
	default:
		return h.nowhere(v)
	}
}

// blocked returns where no link may lead.
func (h *Handler) blocked() *blocked.List {
	if h.opts.Blocked == nil {
		return nil
	}
	return h.opts.Blocked()
}

// mayLeadToBlocked reports whether a link leads some visitor at some time where no link may lead.
func (h *Handler) mayLeadToBlocked(link *terse.Link, c *options) bool {
	list := h.blocked()
	return list.BlocksURL(string(link.URL)) || len(c.expired) > 0 && list.Blocks(c.endsAt) ||
		slices.ContainsFunc(c.rules, func(r rule) bool { return list.Blocks(r.host) })
}

func (h *Handler) redirect(o *Outcome, v *Visit, a Attempt, link *target) Answer {
	var err error
	if o.Click && !h.opts.Uncounted.Contains(v.Addr) {
		agent, known := h.agent(v, a)
		if !known {
			return Answer{Apart: true}
		}
		err = h.record(v, &agent, link, o.Rule)
	}
	return Answer{
		Reply: h.replies.of(o), Name: "Location", Value: o.Location, Err: err,
	}
}

// unknown answers a visit to an address without a link.
func (h *Handler) unknown(v *Visit, a Attempt) Answer {
	if v.Post {
		return Answer{Reply: notAllowed}
	}
	if !v.Head && !h.opts.Uncounted.Contains(v.Addr) && !h.reportUnknown(v, a) {
		return Answer{Apart: true}
	}
	return h.nowhere(v)
}

// reportUnknown reports a visit to an address without a link: a code, or an address that only an
// alias could be if a person requests it, because programs request anything. It does not report
// pages about an address. done is false in a loop, which has no time to tell people from programs.
func (h *Handler) reportUnknown(v *Visit, a Attempt) (done bool) {
	var r addresses
	if r.read(v.Path); !h.couldLead(&r) {
		return true
	}
	text := r.at(r.n - 1)
	if h.opts.IgnoreCase {
		text = appendFolded(nil, text)
	}
	if code, err := terse.ParseCode(text); err == nil {
		if h.opts.Unknown != nil {
			h.opts.Unknown(code, v.Time)
		}
		return true
	}
	if h.opts.UnknownAlias == nil || address.First(string(text)) == address.WellKnown {
		return true
	}
	agent, known := h.agent(v, a)
	if known && visitorOf(v, &agent) == terse.Person {
		h.opts.UnknownAlias(string(text), v.Time)
	}
	return known
}

func (h *Handler) tooMany(wait time.Duration) Answer {
	h.Limited.Add(1)
	return retryAfter(tooMany, wait)
}

// Commit waits until the clicks of earlier answers are as safe as Options demand, before those
// answers are sent. Its error is for the log.
func (h *Handler) Commit() error {
	if h.opts.Commit == nil {
		return nil
	}
	return h.opts.Commit()
}

// Serve answers one request of any method. What is known of the visit is its path as it was sent,
// where it arrived and who the visitor is.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, v Visit) error {
	a := Answer{Reply: notAllowed}
	switch {
	case v.Nothing, r.Method == http.MethodGet, r.Method == http.MethodHead,
		r.Method == http.MethodPost:
		h.read(r, &v)
		a = h.Answer(&v, Attempt{})
	}
	err := errors.Join(a.Err, h.Commit())
	a.write(w)
	return err
}

// read completes a visit with what its request says.
func (h *Handler) read(r *http.Request, v *Visit) {
	v.Query, v.Time = queryOf([]byte(r.RequestURI)), time.Now()
	v.Head, v.Post = r.Method == http.MethodHead, r.Method == http.MethodPost
	for i, name := range h.headers {
		if name != "" {
			v.Header[i] = []byte(r.Header.Get(name))
		}
	}
	if v.Post {
		v.form, v.foreign = formOf(r)
	}
}

// formOf returns the password in the body of a POST, nil if there is none, and whether the body is
// something other than a form. An empty body without a type counts as a form. Other fields are
// skipped without listing them, which would take fifty times the bytes sent before the sender is
// known.
func formOf(r *http.Request) (password []byte, foreign bool) {
	body, _ := io.ReadAll(r.Body) // from memory
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	kind = strings.TrimSpace(kind)
	if !strings.EqualFold(kind, "application/x-www-form-urlencoded") {
		return nil, len(kind)+len(body) > 0
	}
	for pair := range strings.SplitSeq(string(body), "&") {
		if name, value, _ := strings.Cut(pair, "="); unescape(name) == "password" {
			return append([]byte{}, unescape(value)...), false
		}
	}
	return nil, false
}

// unescape decodes a part of a form. A part with a bad escape stands for itself.
func unescape(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return part
}

// queryOf returns the part of a request target behind the "?" (RFC 9112, 3.2).
func queryOf(uri []byte) []byte {
	uri, _ = urls.CutBefore(uri, '#')
	if _, query := urls.CutBefore(uri, '?'); len(query) > 0 {
		return query[1:]
	}
	return nil
}

// HeaderNames returns the names of the header fields that a Visit needs.
func (h *Handler) HeaderNames() HeaderNames { return h.headers }
