package redirect

import (
	"cmp"
	"context"
	"errors"
	"time"

	"terse"
)

// place is where a path leads.
type place struct {
	target
	rest []byte // the path behind the link's address, with its slash
	page string // the suffix of a page about the link, "" for a redirect
}

// errMustWait means that only the store has the answer, and takes longer than Attempt.Wait.
var errMustWait = errors.New("not known so soon")

// find returns where a path of a domain leads, by the cache or the store, or terse.ErrNotFound.
func (h *Handler) find(d terse.Domain, path []byte, a Attempt) (place, error) {
	if len(path) > 1 && path[0] == '/' {
		// Nearly every path is a code that is cached.
		if code, err := terse.ParseCode(path[1:]); err == nil {
			code = code.On(d)
			if t, cached := h.cache.link(code, a.Scratch); cached && !t.stale {
				h.CacheHits.Add(1)
				if t.code != code {
					t.alias = h.aliasOf(path[1:], t.code)
				}
				return place{target: t}, nil
			}
		}
	}
	return h.findAny(d, path, a)
}

const (
	// revalidateTimeout bounds a look-up for which there is an answer in memory.
	revalidateTimeout = time.Second
	// retryInterval is how long such answers are given without a look-up after one has failed.
	retryInterval = time.Second
)

// findAny is find for any path. If the store fails, it returns what is in memory, and for a while
// the store is not asked about such paths; then one request tries again.
func (h *Handler) findAny(d terse.Domain, path []byte, a Attempt) (place, error) {
	r := addresses{domain: d}
	r.read(path)
	m := h.remember(&r, path, a.Scratch)
	timeout := h.opts.LinkTimeout
	if m.found && !m.sure {
		timeout = min(revalidateTimeout, timeout)
		m.sure = !h.mayRetry(a, timeout)
	}
	if m.sure {
		if m.known {
			h.CacheHits.Add(1)
		}
		if !m.found {
			return place{}, terse.ErrNotFound
		}
		return m.place, nil
	}
	p, err := h.lookUp(&r, path, a, timeout)
	switch {
	case !m.found || errors.Is(err, errMustWait):
		return p, err
	case err == nil, errors.Is(err, terse.ErrNotFound):
		h.retryAt.Store(0)
		return p, err
	}
	h.retryAt.Store(int64(time.Since(h.began) + retryInterval))
	// Check the cache again, because a delete may have been acknowledged meanwhile.
	if m = h.remember(&r, path, a.Scratch); m.found {
		return m.place, nil
	}
	return place{}, err
}

// memory is where a path leads according to the cache.
type memory struct {
	place
	found bool
	sure  bool // the store can't know better
	known bool // the cache knows something of it
}

// remember returns where a path leads according to the cache.
func (h *Handler) remember(r *addresses, path, scratch []byte) memory {
	m := memory{sure: true}
	for i := r.n - 1; i >= 0; i-- {
		t, is := h.cache.get(r.domain, r.at(i), scratch)
		if is == notKnown {
			m.sure = m.sure && !h.possible(r.at(i))
			continue
		}
		m.known = true
		if is == hasLink {
			if t.stale { // and perhaps served all the same
				m.sure, t.blocked = false, h.blocked().BlocksURL(string(t.location))
			}
			if m.place, m.found = h.lead(r, i, path, &t); m.found {
				break
			}
		}
	}
	return m
}

// lead returns where a path leads by the link at one of its addresses, unless that link does not
// forward what is behind the address.
func (h *Handler) lead(r *addresses, i int, path []byte, t *target) (place, bool) {
	t.alias = h.aliasOf(r.at(i), t.code)
	if r.whole && i == r.n-1 {
		return place{target: *t, page: r.page}, true
	}
	if len(t.encoded) == 0 {
		return place{}, false
	}
	c := h.compiled.of(t.encoded)
	return place{target: *t, rest: path[r.ends[i].rest:]}, c.ForwardPath || c.damaged != nil
}

// aliasOf returns the alias that an address of a link is, with a slash before it, or "" if the
// address is the link's code. Where case is ignored, it has the form by which addresses are
// compared.
func (h *Handler) aliasOf(address []byte, code terse.Code) string {
	if sent, err := terse.ParseCode(address); err == nil && sent.On(code.Domain()) == code {
		return ""
	}
	if !h.opts.IgnoreCase {
		return "/" + string(address)
	}
	alias := terse.FoldAddress(string(address))
	if alias == terse.FoldAddress(code.Text()) {
		return ""
	}
	return "/" + alias
}

// mayRetry reports whether the store may be asked now, although there is an answer in memory. While
// the store fails, it lets through one request at a time, and only one without Attempt.Wait.
func (h *Handler) mayRetry(a Attempt, timeout time.Duration) bool {
	at, now := h.retryAt.Load(), int64(time.Since(h.began))
	if at == 0 || a.Wait != 0 {
		return now >= at
	}
	return now >= at && h.retryAt.CompareAndSwap(at, now+int64(timeout+retryInterval))
}

// lookUp asks the store where a path leads, and caches the answer. It asks for all possible
// addresses at once, also for those that are cached, so that the answer is from one moment.
func (h *Handler) lookUp(r *addresses, path []byte, a Attempt, timeout time.Duration,
) (place, error) {
	if a.Wait < 0 {
		return place{}, errMustWait
	}
	var possible []string
	for i := range r.n {
		if h.possible(r.at(i)) {
			possible = append(possible, r.key(i))
		}
	}
	versions := h.cache.versions()
	links, err := h.ask(possible, cmp.Or(a.Wait, timeout))
	if a.Wait > 0 && errors.Is(err, context.DeadlineExceeded) {
		return place{}, errMustWait
	}
	h.CacheMisses.Add(1)
	if err != nil {
		return place{}, err
	}
	p, err := place{}, terse.ErrNotFound
	for i := r.n - 1; i >= 0; i-- {
		link, exists := links[r.key(i)]
		if !exists {
			h.cache.putUnknown(r.domain, r.at(i), &versions)
			continue
		}
		t := newTarget(&link)
		t.blocked = h.blocked().BlocksURL(string(t.location))
		h.cache.put(r.at(i), &t, &versions)
		if err != nil {
			var found bool
			if p, found = h.lead(r, i, path, &t); found {
				err = nil
			}
		}
	}
	return p, err
}

// ask asks the store for links by keys of their addresses, for at most timeout.
func (h *Handler) ask(keys []string, timeout time.Duration) (map[string]terse.Link, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return h.opts.Links.Find(ctx, keys)
}

// link returns a target's link as it is in the store. ErrNotFound if its code does not lead to it
// any more.
func (h *Handler) link(t *target) (terse.Link, error) {
	code := t.code.String()
	links, err := h.ask([]string{code}, h.opts.LinkTimeout)
	if err != nil {
		return terse.Link{}, err
	}
	link, exists := links[code]
	if !exists || link.ID != t.id {
		return terse.Link{}, terse.ErrNotFound
	}
	return link, nil
}
