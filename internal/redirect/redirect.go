package redirect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"go4.org/netipx"

	"terse"
	"terse/internal/redirect/urls"
	"terse/internal/useragent"
)

// LinkStore is the part of the store that redirects need.
type LinkStore interface {
	// Link returns the link with a code, or terse.ErrNotFound.
	Link(ctx context.Context, code terse.Code) (terse.Link, error)
}

// Options are a Handler's parts. All are required except CountryHeader, Visitor, Tracking,
// Uncounted, Unknown, Hold and Rehash.
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
	Visitor  func(micros int64, addr netip.Addr, agent []byte, link terse.LinkRef) uint64
	Tracking Tracking
	// Uncounted are the addresses of clients whose visits are redirected and are no clicks.
	Uncounted netipx.IPSet
	// header with the country, believed only from trusted proxies, for example "CF-IPCountry"
	CountryHeader string
	// takes one request from a client's budget, and returns 0 or how long to wait
	Limit      func(netip.Addr) time.Duration
	CacheBytes int // at least MinCacheBytes
	// Take uses up one of a link's MaxClicks, or returns terse.ErrUsedUp.
	Take    func(context.Context, terse.LinkRef) error
	BaseURL string // prefix of short URLs, without a trailing slash
	// Unknown, if set, is called for each GET of a code without a link. It must not block.
	Unknown func(code terse.Code, at time.Time)
	// Hold takes one of the places that all nodes share under a key, for a window. It returns a
	// function that gives it back, or how long to wait for one, and may take a second. nil: this
	// node counts attempts at passwords alone.
	Hold func(key string, places int, window time.Duration) (giveBack func(), wait time.Duration)
	// Rehash, if set, stores a stronger hash of a link's password.
	Rehash func(link terse.LinkRef, old, better string)
}

// Handler answers redirects.
type Handler struct {
	opts     Options
	cache    *cache
	compiled compiledOptions
	agents   *useragent.Parser
	locks    *locks
	pages    pages
	headers  HeaderNames

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
	return &Handler{
		opts: opts, cache: newCache(opts.CacheBytes), compiled: newCompiledOptions(),
		agents: useragent.New(), locks: newLocks(opts.Hold), pages: newPages(),
		headers: headerNames(opts.CountryHeader), began: time.Now(),
	}
}

// Invalidate drops an address from the cache: the link there was created, changed or deleted.
func (h *Handler) Invalidate(address string) {
	if code, err := terse.ParseCode(address); err == nil {
		h.cache.drop(code)
	}
}

// InvalidateAll reports that any link may have changed. From now on each cached link is looked up
// before it is served again; while the store does not answer, it is served from memory.
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
	var t target
	code, rest, err := codeOf(v.Path)
	if err == nil {
		t, err = h.find(code, a)
	}
	link := &t
	switch {
	case err == nil && len(t.encoded)+len(rest) == 0 && !v.Post:
		o := Outcome{
			Kind: Redirect, Status: defaultStatus, Location: t.location, Click: !v.Head,
		}
		return h.redirect(&o, v, a, code, t.id)
	case err == nil:
	case errors.Is(err, errMustWait):
		return Answer{}
	case errors.Is(err, terse.ErrNotFound), errors.Is(err, terse.ErrBadCode):
		if !v.Post {
			return h.unknown(v, code, rest)
		}
		link = nil
	default:
		return Answer{Reply: Failed, Err: err}
	}
	return h.follow(v, a, link, code, rest)
}

// carryOut carries out a decision.
func (h *Handler) carryOut(o *Outcome, v *Visit, a Attempt, link *target, f *facts) Answer {
	switch o.Kind {
	case Redirect:
		return h.redirect(o, v, a, f.code, link.id)
	case Over:
		return Answer{Reply: h.pages.over}
	case Preview:
		return Answer{Reply: h.previewPage(&f.link, link.options, visitForm)}
	case NotNow:
		return Answer{Reply: notNow}
	case NotAllowed:
		return Answer{Reply: notAllowed}
	case NotForm:
		return Answer{Reply: notForm}
	default:
		if link == nil {
			return h.unknown(v, f.code, f.rest)
		}
		return h.notFound()
	}
}

func (h *Handler) redirect(o *Outcome, v *Visit, a Attempt, code terse.Code, id terse.LinkID,
) Answer {
	var err error
	if o.Click && !h.opts.Uncounted.Contains(v.Addr) {
		agent, known := h.agent(v, a)
		if !known {
			return Answer{Apart: true}
		}
		err = h.record(v, &agent, terse.LinkRef{ID: id, Code: code}, o.Rule)
	}
	return Answer{
		Reply: redirectReply(o.Status), Name: "Location", Value: o.Location, Err: err,
	}
}

// unknown answers a visit to a code without a link; the zero code stands for an invalid one. A path
// behind a code is not reported, because no link could fix it.
func (h *Handler) unknown(v *Visit, code terse.Code, rest []byte) Answer {
	if h.opts.Unknown != nil && !v.Head && code != (terse.Code{}) && len(rest) == 0 {
		h.opts.Unknown(code, v.Time)
	}
	return h.notFound()
}

func (h *Handler) notFound() Answer {
	h.UnknownCodes.Add(1)
	return Answer{Reply: h.pages.notFound}
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

// Serve answers one request of any method. The path is the request's as it was sent.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request, path []byte, visitor Visitor,
) error {
	var a Answer
	code, suffix := cutSuffix(path)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost,
		r.Method == http.MethodPost && suffix != "":
		a = Answer{Reply: notAllowed}
	default:
		v := h.visit(r, path, visitor)
		if suffix == "" {
			a = h.Answer(&v, Attempt{})
		} else {
			a = h.answerElsewhere(&v, code, suffix)
		}
	}
	err := errors.Join(a.Err, h.Commit())
	a.write(w)
	return err
}

// visit reads a request.
func (h *Handler) visit(r *http.Request, path []byte, visitor Visitor) Visit {
	v := Visit{
		Path: path, Query: queryOf([]byte(r.RequestURI)), Head: r.Method == http.MethodHead,
		Post: r.Method == http.MethodPost, Time: time.Now(), Visitor: visitor,
	}
	for i, name := range h.headers {
		if name != "" {
			v.Header[i] = []byte(r.Header.Get(name))
		}
	}
	if v.Post {
		v.form, v.foreign = formOf(r)
	}
	return v
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

// errMustWait means that only the store has the answer, and takes longer than Attempt.Wait.
var errMustWait = errors.New("not known so soon")

// find returns a code's target from the cache or the store, or terse.ErrNotFound.
func (h *Handler) find(code terse.Code, a Attempt) (target, error) {
	t, cached := h.cache.get(code, a.Scratch)
	if cached && !t.stale {
		h.CacheHits.Add(1)
		return t, nil
	}
	if cached {
		return h.revalidate(code, t, a)
	}
	if h.cache.isUnknown(code) {
		h.CacheHits.Add(1)
		return target{}, terse.ErrNotFound
	}
	return h.lookUp(code, a, h.opts.LinkTimeout)
}

const (
	// revalidateTimeout bounds a look-up for which a stale target is cached.
	revalidateTimeout = time.Second
	// retryInterval is how long stale links are served without a look-up after one has failed.
	retryInterval = time.Second
)

// revalidate looks up a stale target. If the store fails, it returns the target as it is, and for a
// while none is looked up; then one request tries again.
func (h *Handler) revalidate(code terse.Code, stale target, a Attempt) (target, error) {
	timeout := min(revalidateTimeout, h.opts.LinkTimeout)
	if !h.mayRetry(a, timeout) {
		h.CacheHits.Add(1)
		return stale, nil
	}
	t, err := h.lookUp(code, a, timeout)
	switch {
	case errors.Is(err, errMustWait):
		return target{}, err
	case errors.Is(err, terse.ErrNotFound):
		h.cache.links.Drop(code) // but keep it in the cache of unknown codes
	case err != nil:
		h.retryAt.Store(int64(time.Since(h.began) + retryInterval))
		// Check the cache again, because a delete may have been acknowledged meanwhile.
		if t, cached := h.cache.get(code, a.Scratch); cached {
			return t, nil
		}
		return target{}, err
	}
	h.retryAt.Store(0)
	return t, err
}

// mayRetry reports whether a stale target may be looked up now. While the store fails, it lets
// through one request at a time, and only one without Attempt.Wait.
func (h *Handler) mayRetry(a Attempt, timeout time.Duration) bool {
	at, now := h.retryAt.Load(), int64(time.Since(h.began))
	if at == 0 || a.Wait != 0 {
		return now >= at
	}
	return now >= at && h.retryAt.CompareAndSwap(at, now+int64(timeout+retryInterval))
}

// lookUp asks the store, and caches the answer.
func (h *Handler) lookUp(code terse.Code, a Attempt, timeout time.Duration) (target, error) {
	if a.Wait < 0 {
		return target{}, errMustWait
	}
	versions := h.cache.versions(code)
	link, err := h.link(code, cmp.Or(a.Wait, timeout))
	if a.Wait > 0 && errors.Is(err, context.DeadlineExceeded) {
		return target{}, errMustWait
	}
	h.CacheMisses.Add(1)
	if errors.Is(err, terse.ErrNotFound) {
		h.cache.putUnknown(code, versions)
	}
	if err != nil {
		return target{}, err
	}
	t := target{
		id: link.ID, location: append(a.Scratch[:0], urls.Location(link.URL)...),
		encoded: []byte(link.Options),
	}
	h.cache.put(code, t, versions)
	return t, nil
}

// link asks the store, for at most timeout.
func (h *Handler) link(code terse.Code, timeout time.Duration) (terse.Link, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return h.opts.Links.Link(ctx, code)
}

// codeOf returns the short code in a path, and the path behind it. It ignores a single trailing
// slash, which people and programs that find links in texts add. Percent-encoded characters are
// equivalent to plain ones (RFC 3986, 6.2.2.2).
func codeOf(path []byte) (code terse.Code, rest []byte, err error) {
	if len(path) == 0 || path[0] != '/' {
		return code, nil, terse.ErrBadCode
	}
	first, rest := urls.CutBefore(path[1:], '/')
	if len(rest) == 1 {
		rest = nil
	}
	if bytes.IndexByte(first, '%') < 0 {
		code, err = terse.ParseCode(first)
		return code, rest, err
	}
	plain, err := url.PathUnescape(string(first))
	if err != nil {
		return code, nil, terse.ErrBadCode
	}
	code, err = terse.ParseCode(plain)
	return code, rest, err
}
