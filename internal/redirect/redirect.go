// Package redirect is the data plane: it answers GET /{shortCode} from a cache, after it
// has put the click into the journal.
//
// A redirect of a cached link does no I/O but the journal's memory copy, takes no lock that
// all requests share and does not allocate for what a plain link does not use. The package
// may not know of SQL, templates, JSON encoders or log records: what goes wrong is
// returned to the server around it.
package redirect

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"

	"terse"
)

// Finder is what the redirect needs of the store.
type Finder interface {
	// Link returns the link of a code, or terse.ErrNotFound.
	Link(ctx context.Context, code terse.Code) (terse.Link, error)
}

// Options are a Handler's parts; all are needed but CountryHeader.
type Options struct {
	Links       Finder
	LinkTimeout time.Duration // how long a look-up in the store may take
	// Record puts a click into the journal. When it returns nil the click survives the
	// process.
	Record        func(terse.Click) error
	Country       func(netip.Addr) terse.Country
	CountryHeader string // names a header with the country, believed from trusted peers only, for example "CF-IPCountry"
	// Limit takes one request off a client's budget: 0, or how long to wait.
	Limit      func(netip.Addr) time.Duration
	CacheBytes uint64
}

// Handler answers the redirects.
type Handler struct {
	opts  Options
	cache *cache
	page  notFoundPage

	// Counters for the metrics.
	CacheHits, CacheMisses, UnknownCodes, Limited, ClicksLost atomic.Int64
}

// New returns a Handler.
func New(opts Options) *Handler {
	return &Handler{opts: opts, cache: newCache(opts.CacheBytes), page: newNotFoundPage()}
}

// Changed forgets what is cached of a code: its link was made, changed or deleted.
func (h *Handler) Changed(code terse.Code) { h.cache.drop(code) }

// CacheBytes returns about how much memory the cached links take.
func (h *Handler) CacheBytes() uint64 { return h.cache.links.WeightedSize() }

// Visitor is who asks: the client's address, and whether it came through a trusted proxy.
type Visitor struct {
	Addr    netip.Addr
	Trusted bool
}

// Serve answers one request for a path such as "/launch", as it stands in the request line.
// The error, if any, is for the log: the visitor has been answered.
func (h *Handler) Serve(ctx *fasthttp.RequestCtx, path []byte, visitor Visitor) error {
	get := ctx.IsGet()
	if !get && !ctx.IsHead() {
		ctx.Response.Header.Set(fasthttp.HeaderAllow, "GET, HEAD")
		writeError(ctx, fasthttp.StatusMethodNotAllowed, `{"error":"method not allowed"}`)
		return nil
	}
	if wait := h.opts.Limit(visitor.Addr); wait > 0 {
		h.Limited.Add(1)
		ctx.Response.Header.Set(fasthttp.HeaderRetryAfter, strconv.FormatInt(int64((wait+time.Second-1)/time.Second), 10))
		writeError(ctx, fasthttp.StatusTooManyRequests, `{"error":"rate limit exceeded"}`)
		return nil
	}
	code, err := codeOf(path)
	if err != nil {
		h.UnknownCodes.Add(1)
		h.page.write(ctx)
		return nil
	}
	target, err := h.find(code)
	switch {
	case errors.Is(err, terse.ErrNotFound):
		h.UnknownCodes.Add(1)
		h.page.write(ctx)
		return nil
	case err != nil:
		writeError(ctx, fasthttp.StatusInternalServerError, `{"error":"internal server error"}`)
		return err
	}
	if get {
		err = h.record(ctx, code, target, visitor)
	}
	ctx.Response.Header.SetCanonical(headerLocation, target.location)
	ctx.Response.Header.SetCanonical(headerCacheControl, privateNoStore)
	ctx.SetStatusCode(fasthttp.StatusFound)
	return err
}

var (
	headerLocation     = []byte(fasthttp.HeaderLocation)
	headerCacheControl = []byte(fasthttp.HeaderCacheControl)
	privateNoStore     = []byte("private, no-store")
)

// find returns where a code leads, from the cache or the store, or terse.ErrNotFound.
func (h *Handler) find(code terse.Code) (target, error) {
	if t, ok := h.cache.get(code); ok {
		h.CacheHits.Add(1)
		return t, t.err()
	}
	h.CacheMisses.Add(1)
	version := h.cache.version()
	ctx, cancel := context.WithTimeout(context.Background(), h.opts.LinkTimeout)
	defer cancel()
	link, err := h.opts.Links.Link(ctx, code)
	var t target
	switch {
	case err == nil:
		t = target{id: link.ID, location: []byte(Location(link.URL))}
	case errors.Is(err, terse.ErrNotFound):
		t = unknown()
	default:
		return target{}, err
	}
	h.cache.put(code, t, version)
	return t, t.err()
}

// record puts the click into the journal. A click that finds no room there is counted as
// lost; its visitor is redirected all the same.
func (h *Handler) record(ctx *fasthttp.RequestCtx, code terse.Code, t target, visitor Visitor) error {
	country := terse.UnknownCountry
	if h.opts.CountryHeader != "" && visitor.Trusted {
		country = terse.ParseCountry(string(ctx.Request.Header.Peek(h.opts.CountryHeader)))
	}
	if country == terse.UnknownCountry {
		country = h.opts.Country(visitor.Addr)
	}
	err := h.opts.Record(terse.Click{
		Link: t.id, Code: code, Time: ctx.Time().UnixMicro(), Country: country,
		Referrer: terse.ParseReferrer(ctx.Request.Header.Referer()),
	})
	if err != nil {
		h.ClicksLost.Add(1)
	}
	return err
}

// codeOf returns the short code of a path. Percent-encoded characters mean the same as
// plain ones (RFC 3986, 6.2.2.2).
func codeOf(path []byte) (terse.Code, error) {
	if len(path) == 0 || path[0] != '/' {
		return terse.Code{}, terse.ErrBadCode
	}
	if bytes.IndexByte(path, '%') < 0 {
		return terse.ParseCode(path[1:])
	}
	plain, err := url.PathUnescape(string(path[1:]))
	if err != nil {
		return terse.Code{}, terse.ErrBadCode
	}
	return terse.ParseCode(plain)
}

func writeError(ctx *fasthttp.RequestCtx, status int, body string) {
	ctx.SetStatusCode(status)
	ctx.SetContentType("application/json")
	ctx.Response.Header.Set(fasthttp.HeaderCacheControl, "no-store")
	ctx.SetBodyString(body)
}
