package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"terse"
	"terse/api"
	"terse/internal/link/hosts"
)

// Domains is whether a route knows the parameter domain.
type Domains uint8

// Where links are that a request may be about.
const (
	AnyDomain Domains = iota // wherever they are; the route does not know the parameter
	OneDomain                // one link, at the domain that the request names or at the default one
	Filtered                 // all links or, if the request names a domain, those on it
)

// domainKey is the key of the domain that a request names, in its context.
type domainKey struct{}

// withDomain returns a request that knows the domain which its parameter names, if any. It comes
// right after the decision whether the caller may use the route.
func (s *service) withDomain(r *http.Request) (*http.Request, error) {
	name, malformed := askedFor("domain", r.URL.RawQuery)
	if name == "" {
		return r, malformed
	}
	d, err := s.Hosts.Table().DomainOf(name)
	if err != nil {
		return r, err
	}
	return r.WithContext(context.WithValue(r.Context(), domainKey{}, d)), nil
}

// domainOf returns the domain that a request names, or nil.
func domainOf(r *http.Request) *terse.Domain {
	if d, ok := r.Context().Value(domainKey{}).(terse.Domain); ok {
		return &d
	}
	return nil
}

// codeOf returns the code that a request's path names, at the domain that its parameter names. It
// is zero if that can't be a code.
func codeOf(r *http.Request) terse.Code {
	code, err := terse.ParseCode(r.PathValue("shortCode"))
	if err != nil {
		return terse.Code{}
	}
	if d := domainOf(r); d != nil {
		code = code.On(*d)
	}
	return code
}

// rowOf returns the row of a domain. It asks the store for one that another node has added just
// now.
func (s *service) rowOf(d terse.Domain) hosts.Row {
	row := s.Hosts.Table().Of(d)
	if row.Host != "" {
		return row
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.StoreTimeout)
	defer cancel()
	if err := s.Hosts.Load(ctx); err != nil {
		s.Logger.Warn("a domain has no name yet", "domain", int(d), "error", err)
	}
	return s.Hosts.Table().Of(d)
}

// shownDomain returns the host that answers show for a domain: "" for the default one.
func (s *service) shownDomain(d terse.Domain) string {
	if d != terse.DefaultDomain {
		s.rowOf(d) // to know it
	}
	return s.Hosts.Table().Shown(d)
}

// shownCode returns a code as people name it among links of several domains: with its host, unless
// that is the default.
func (s *service) shownCode(code terse.Code) string {
	if host := s.shownDomain(code.Domain()); host != "" {
		return host + "/" + code.Text()
	}
	return code.Text()
}

// shortURL returns the short URL of a code.
func (s *service) shortURL(code terse.Code) string {
	return s.rowOf(code.Domain()).URL + "/" + code.Text()
}

// domains serves GET /api/domains.
func (s *service) domains(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	if err := s.Hosts.Load(r.Context()); err != nil { // for the numbers of links
		return err
	}
	rows := s.Hosts.Table().Rows()
	list := api.Domains{Domains: make([]api.Domain, len(rows))}
	for i, row := range rows {
		list.Domains[i] = s.domainRecord(row)
	}
	return respond(w, r, http.StatusOK, list)
}

func (s *service) domainRecord(row hosts.Row) api.Domain {
	record := api.Domain{
		Domain: row.Host, Default: row.Domain == terse.DefaultDomain, Configured: row.Configured,
		Links: row.Links, RootURL: textOrNull(string(row.Root)),
		UnknownURL: textOrNull(string(row.Unknown)), EndedURL: textOrNull(string(row.Ended)),
	}
	if record.Default && s.RootRedirect != "" {
		record.RootURL = &s.RootRedirect
	}
	return record
}

var errRootIsSet = terse.Invalidf("root_url",
	"root_url of the default domain is that of the setting ROOT_REDIRECT_URL")

// updateDomain serves PATCH /api/domains/{domain}.
func (s *service) updateDomain(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	row, ok := s.Hosts.Table().Named(r.PathValue("domain"))
	if !ok {
		return terse.ErrDomainNotFound
	}
	change, err := s.manager.ParseDomainChange(body, row.DomainTargets)
	if err != nil {
		return err
	}
	if row.Domain == terse.DefaultDomain && change.Root != nil && s.RootRedirect != "" {
		return errRootIsSet
	}
	change.Host = row.Host
	ctx, cancel := s.storeContext(r)
	defer cancel()
	if _, err := s.Store.UpdateDomain(ctx, by, row.Domain, change); err != nil {
		return fmt.Errorf("change domain %s: %w", row.Host, err)
	}
	if err := s.Hosts.Load(ctx); err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, s.domainRecord(s.Hosts.Table().Of(row.Domain)))
}

// askedFor returns the first value of a parameter that is not empty. It fails if there may be one
// that can't be read: without it, the request would be about something else. Any other query is the
// route's affair.
func askedFor(name, query string) (value string, malformed error) {
	if query == "" {
		return "", nil
	}
	values, err := url.ParseQuery(query)
	if err != nil && strings.Contains(query, name) {
		return "", terse.Invalidf("", "malformed query string")
	}
	given := values[name]
	if i := slices.IndexFunc(given, func(text string) bool { return text != "" }); i >= 0 {
		return given[i], nil
	}
	return "", nil
}
