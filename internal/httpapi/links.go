package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"terse"
	"terse/api"
)

// The bounds of a page of links (contract: Limits).
const (
	defaultLimit = 20
	maxLimit     = 100
)

// maxTries bounds how often a taken code is replaced by a new one. With a billion links
// one code in 3,500 is taken; ten in a row mean that something else is wrong.
const maxTries = 10

var (
	errReserved  = &terse.Error{Kind: terse.Invalid, Message: "short code is reserved"}
	errShortLink = &terse.Error{
		Kind:    terse.Invalid,
		Message: "original URL must not be a short link of this service",
	}
)

// create serves POST /api/urls.
func (s *service) create(w http.ResponseWriter, r *http.Request, identity string) error {
	fields, err := decodeMembers(w, r, knownIn("original_url", "short_code"))
	if err == nil {
		err = s.parseOptions(fields)
	}
	if err != nil {
		return err
	}
	link, err := s.parseNewLink(fields)
	if err != nil {
		return err
	}
	link.CreatedBy = identity
	ctx, cancel := s.storeContext(r)
	defer cancel()
	created, err := s.store(ctx, link)
	if err != nil {
		return err
	}
	w.Header().Set("ETag", etag(created))
	return respond(w, r, http.StatusCreated, api.Created{
		ShortCode: created.Code.String(), ShortURL: s.shortURL(created.Code),
		OriginalURL: string(created.URL), LinkDetails: s.details(created),
	})
}

// parseNewLink returns the link that the fields of a request describe. It empties them.
func (s *service) parseNewLink(fields members) (link terse.NewLink, err error) {
	target, err := fields.takeString("original_url")
	if err != nil {
		return link, err
	}
	code, err := fields.takeString("short_code")
	if err != nil {
		return link, err
	}
	if link.Options, err = s.patchOptions("", fields); err != nil {
		return link, err
	}
	if target == nil {
		return link, terse.ErrURLRequired
	}
	if link.URL, err = s.parseTarget(*target); err != nil {
		return link, err
	}
	if code != nil {
		link.Code, err = s.parseChosen(*code)
	}
	return link, err
}

// parseTarget returns where a link may lead: not to another link of this server.
func (s *service) parseTarget(target string) (terse.URL, error) {
	url, err := terse.ParseURL(target)
	if err != nil {
		return url, err
	}
	if code, ours := s.self.code(url); ours && !s.reserved(code) {
		return url, errShortLink
	}
	return url, nil
}

// parseChosen returns the code that a caller chose.
func (s *service) parseChosen(chosen string) (terse.Code, error) {
	code, err := terse.ParseCode(chosen)
	if err != nil {
		return code, err
	}
	if s.reserved(chosen) {
		return code, errReserved
	}
	return code, nil
}

// store creates a link, under generated codes until one is free if it has none.
func (s *service) store(ctx context.Context, link terse.NewLink) (terse.Link, error) {
	if link.Code != (terse.Code{}) {
		return s.storeAs(ctx, link)
	}
	for range maxTries {
		for link.Code = terse.NewCode(); s.reserved(
			link.Code.String()); link.Code = terse.NewCode() {
		}
		created, err := s.storeAs(ctx, link)
		if !errors.Is(err, terse.ErrCodeTaken) {
			return created, err
		}
	}
	return terse.Link{}, fmt.Errorf("create link: %d generated codes in a row are taken", maxTries)
}

func (s *service) storeAs(ctx context.Context, link terse.NewLink) (terse.Link, error) {
	created, err := s.Store.Create(ctx, link)
	s.Changed(link.Code) // also after an error: what was written is not known then
	if err != nil {
		return created, fmt.Errorf("create link %s: %w", link.Code, err)
	}
	return created, nil
}

// list serves GET /api/urls.
func (s *service) list(w http.ResponseWriter, r *http.Request, identity string) error {
	q, extended, err := s.parseLinkQuery(r)
	if err != nil {
		return err
	}
	q.Owner = identity
	ctx, cancel := s.storeContext(r)
	defer cancel()
	found, err := s.Store.Links(ctx, q)
	if err != nil {
		return fmt.Errorf("list links: %w", err)
	}
	page := api.Page{
		URLs: make([]api.URL, len(found.Links)), Total: found.Total,
		TotalIsLowerBound: found.AtLeast, Limit: q.Limit, Offset: q.Offset,
	}
	for i, link := range found.Links {
		page.URLs[i] = s.urlRecord(link)
	}
	if extended && found.Next != nil {
		page.NextCursor = formatCursor(q, *found.Next)
	}
	return respond(w, r, http.StatusOK, page)
}

func (s *service) urlRecord(link terse.Link) api.URL {
	return api.URL{
		ID: int64(link.ID), ShortCode: link.Code.String(), OriginalURL: string(link.URL),
		CreatedAt: link.CreatedAt.UTC(), CreatedBy: link.CreatedBy, ClickCount: link.Clicks,
		UpdatedAt: link.UpdatedAt, LinkDetails: s.details(link),
	}
}

// read serves GET /api/urls/{shortCode}.
func (s *service) read(w http.ResponseWriter, r *http.Request, identity string) error {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(ctx, r, identity, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	if isKnown(r, link) {
		w.Header().Set("ETag", etag(link))
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return s.respondLink(ctx, w, r, link)
}

// respondLink answers with a link and its clicks.
func (s *service) respondLink(
	ctx context.Context, w http.ResponseWriter, r *http.Request, link terse.Link,
) (err error) {
	if link.Clicks, err = s.Store.Clicks(ctx, link.Ref()); err != nil {
		return fmt.Errorf("clicks of link %s: %w", link.Code, err)
	}
	w.Header().Set("ETag", etag(link))
	return respond(w, r, http.StatusOK, api.Link{
		URL:      s.urlRecord(link),
		ShortURL: s.shortURL(link.Code),
	})
}

func (s *service) shortURL(code terse.Code) string { return s.BaseURL + "/" + code.String() }

// parseLimit returns the default for what is no positive number.
func parseLimit(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return defaultLimit
	}
	return min(n, maxLimit)
}

// parseOffset returns 0 for what is no positive number.
func parseOffset(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// remove serves DELETE /api/urls/{shortCode}.
func (s *service) remove(w http.ResponseWriter, r *http.Request, identity string) error {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(ctx, r, identity, terse.ErrDeleteForbidden)
	if err != nil {
		return err
	}
	if !mayChange(r, link) {
		return terse.ErrChanged
	}
	err = s.Store.Delete(ctx, link.Ref())
	s.Changed(link.Code) // also after an error: what was written is not known then
	if err != nil {
		return fmt.Errorf("delete link %s: %w", link.Code, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// owned returns the link that the path names, or forbidden when it is someone else's.
func (s *service) owned(ctx context.Context, r *http.Request, identity string,
	forbidden error,
) (terse.Link, error) {
	code, err := terse.ParseCode(r.PathValue("shortCode"))
	if err != nil {
		return terse.Link{}, terse.ErrNotFound // no such code can exist
	}
	link, err := s.Store.Link(ctx, code)
	if err != nil {
		return link, fmt.Errorf("look up link %s: %w", code, err)
	}
	if link.CreatedBy != identity {
		return link, forbidden
	}
	return link, nil
}

// analytics serves GET /api/urls/{shortCode}/analytics.
func (s *service) analytics(w http.ResponseWriter, r *http.Request, identity string) error {
	span, start, end, err := parseRange(r.URL.RawQuery)
	if err != nil {
		return err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(ctx, r, identity, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	series, err := s.Store.Series(ctx, link.Ref(), terse.SeriesQuery{Range: span})
	if err != nil {
		return fmt.Errorf("statistics of link %s: %w", link.Code, err)
	}
	result := api.Analytics{
		ShortCode: link.Code.String(), OriginalURL: string(link.URL), TotalClicks: series.Total,
		Counts: counts(series),
	}
	if span == terse.AllTime {
		result.ByDate = byDate(series)
	} else {
		result.StartTime, result.EndTime = start, end
	}
	return respond(w, r, http.StatusOK, result)
}

// byDate returns the clicks of a series of UTC days by their dates.
func byDate(series terse.Series) map[string]int64 {
	dates := make(map[string]int64, len(series.ByInterval))
	for at, clicks := range series.ByInterval {
		dates[terse.DayOf(at).String()] = clicks
	}
	return dates
}

// parseRange returns the range that a query asks for and its bounds as given; AllTime
// without bounds.
func parseRange(query string) (span terse.TimeRange, start, end string, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		// Leaving out what can't be read could turn a range into all time.
		return span, "", "", invalid("malformed query string")
	}
	start, end = values.Get("start_time"), values.Get("end_time")
	if start == "" && end == "" {
		return terse.AllTime, "", "", nil
	}
	span, err = terse.ParseTimeRange(start, end)
	return span, start, end, err
}
