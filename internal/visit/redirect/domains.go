package redirect

import (
	"cmp"

	"terse"
	"terse/internal/link/blocked"
	"terse/internal/link/hosts"
	"terse/internal/link/weburl"
	"terse/internal/visit/redirect/urls"
)

// domains are the domains of a table, as answers need them.
type domains struct {
	table *hosts.Table
	list  *blocked.List
	all   [terse.MaxDomain + 1]domain
}

// domain is what answers need of a domain. Its locations are those of Location fields, nil for
// nowhere.
type domain struct {
	url                  string // prefix of short URLs, without a trailing slash
	root, unknown, ended []byte
}

// domain returns a domain. The first answer that needs one after a change of the table, or of what
// is blocked, renders all of them. A redirect needs none.
func (h *Handler) domain(d terse.Domain) *domain {
	table, list := h.opts.Domains(), h.blocked()
	known := h.domains.Load()
	if known == nil || known.table != table || known.list != list {
		known = newDomains(table, list)
		h.domains.Store(known)
	}
	return &known.all[d]
}

func newDomains(table *hosts.Table, list *blocked.List) *domains {
	known := &domains{table: table, list: list}
	for i := range known.all {
		row := table.Of(terse.Domain(i))
		known.all[i] = domain{
			url: row.URL, root: locationOf(row.Root, list),
			unknown: locationOf(row.Unknown, list), ended: locationOf(row.Ended, list),
		}
		// An unknown address at one of our own hosts would lead on to the next one, perhaps in a
		// circle. It may have become one after it was set.
		if parts, ok := weburl.Split(string(row.Unknown)); ok {
			if _, own := table.Named(parts.Host); own {
				known.all[i].unknown = nil
			}
		}
	}
	return known
}

// locationOf returns the Location of a URL, nil if there is none, if it is blocked or if no browser
// should be sent there. Only other programs store a URL of the last kind.
func locationOf(u terse.URL, list *blocked.List) []byte {
	if _, ok := weburl.Split(string(u)); !ok || list.BlocksURL(string(u)) {
		return nil
	}
	return []byte(urls.Location(u))
}

// Root returns the Location of a request of "/" at the default domain, "" if that leads nowhere.
func (h *Handler) Root() string { return string(h.domain(terse.DefaultDomain).root) }

// root answers a request of "/" at another domain.
func (h *Handler) root(v *Visit) Answer {
	if v.Post {
		return Answer{Reply: notAllowed}
	}
	return h.elsewhere(h.domain(v.Domain).root, h.pages(v).notFound)
}

// nowhere answers a visit that leads nowhere: no link is at its address, or one that waits for its
// time or does not forward the path. It is an unknown code, wherever the visitor is sent.
func (h *Handler) nowhere(v *Visit) Answer {
	h.UnknownCodes.Add(1)
	to := h.domain(v.Domain).unknown
	if to != nil {
		var r addresses
		if r.read(v.Path); v.Post || !h.couldLead(&r) {
			to = nil
		}
	}
	return h.elsewhere(to, h.pages(v).notFound)
}

// couldLead reports whether a whole path is an address that a link could have, and no page about
// it.
func (h *Handler) couldLead(r *addresses) bool {
	return r.whole && r.page == "" && h.possible(r.at(r.n-1))
}

// elsewhere leads a visitor for whom there is no link to a location, or else gives an answer.
func (h *Handler) elsewhere(location []byte, otherwise *Reply) Answer {
	if location == nil {
		return Answer{Reply: otherwise}
	}
	return Answer{Reply: h.replies.away, Name: "Location", Value: location}
}

// name returns what the log calls a link: its code, on other domains its short URL.
func (h *Handler) name(code terse.Code) string {
	if code.Domain() == terse.DefaultDomain {
		return code.Text()
	}
	return cmp.Or(h.domain(code.Domain()).url, "?") + "/" + code.Text()
}
