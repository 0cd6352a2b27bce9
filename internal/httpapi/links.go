package httpapi

import (
	"context"
	"fmt"
	"math"
	"net/http"

	"terse"
	"terse/api"
	"terse/internal/click/clickquery"
	"terse/internal/link/manage"
)

// create serves POST /api/urls.
func (s *service) create(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	draft, invalid := s.manager.ParseDraft(body)
	return s.change(w, r, by, body, func(ctx context.Context, c *changes) (answer, error) {
		if invalid != nil {
			return answer{}, invalid
		}
		link, status, err := c.create(ctx, draft)
		return c.created(link, status), err
	})
}

// create creates a link, or finds an existing one if the draft allows that, and returns the
// matching status.
func (c *changes) create(ctx context.Context, draft manage.Draft) (
	link terse.Link, status int, err error,
) {
	if !draft.FindExisting {
		link, err = c.manager.Create(ctx, c, c.by, draft)
		return link, http.StatusCreated, err
	}
	err = c.within(ctx, func() (err error) {
		var found bool
		link, found, err = c.manager.FindOrCreate(ctx, c.tx, c, c.by, draft)
		if status = http.StatusCreated; found {
			status = http.StatusOK
		}
		return err
	})
	return link, status, err
}

func (s *service) created(link terse.Link, status int) answer {
	return answer{status, etag(link), api.Created{
		ShortCode: link.Code.Text(), Domain: s.shownDomain(link.Code.Domain()),
		ShortURL: s.shortURL(link.Code), OriginalURL: string(link.URL),
		LinkDetails: s.details(link),
	}}
}

// list serves GET /api/urls.
func (s *service) list(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	q, extended, err := s.manager.ParseList(r.URL.RawQuery, r.Host, by.Asks(), domainOf(r))
	if err != nil {
		return err
	}
	if q.Costly() {
		return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
			return s.page(ctx, q, extended)
		})
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	page, err := s.page(ctx, q, extended)
	if err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, page)
}

// page returns a page of links. Only an extended list has a cursor for the next page.
func (s *service) page(ctx context.Context, q terse.LinkQuery, extended bool) (api.Page, error) {
	found, err := s.Store.Links(ctx, q)
	if err != nil {
		return api.Page{}, fmt.Errorf("list links: %w", err)
	}
	page := api.Page{
		URLs: make([]api.URL, len(found.Links)), Total: found.Total,
		TotalAtLeast: found.AtLeast, Limit: q.Limit, Offset: q.Offset,
	}
	isOfPeriod := q.Within != terse.TimeRange{}
	for i, link := range found.Links {
		record := s.urlRecord(link)
		if q.People {
			record.People = &link.People
		}
		if isOfPeriod {
			record.PeriodClicks = &link.PeriodClicks
		}
		if isOfPeriod && q.People {
			record.PeriodPeople = &link.PeriodPeople
		}
		page.URLs[i] = record
	}
	if extended && found.Next != nil {
		page.NextCursor = manage.FormatCursor(q, *found.Next)
	}
	return page, nil
}

func (s *service) urlRecord(link terse.Link) api.URL {
	return api.URL{
		ID: int64(link.ID), ShortCode: link.Code.Text(),
		Domain: s.shownDomain(link.Code.Domain()), OriginalURL: string(link.URL),
		CreatedAt: link.CreatedAt.UTC(), CreatedBy: link.CreatedBy, ClickCount: link.Clicks,
		UpdatedAt: link.UpdatedAt, LinkDetails: s.details(link),
	}
}

// read serves GET /api/urls/{shortCode}.
func (s *service) read(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	people, err := terse.ParsePeople(r.URL.Query()["people"])
	if err != nil {
		return err
	}
	link, err := s.owned(r, by, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	if _, err := link.Options.Decode(); err != nil {
		return fmt.Errorf("link %s: %w", link.Code, err)
	}
	if isKnown(r, link) {
		w.Header().Set("ETag", etag(link))
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	clicks, err := s.Store.Clicks(r.Context(), link.Ref())
	if err != nil {
		return fmt.Errorf("clicks of link %s: %w", link.Code, err)
	}
	link.Clicks, link.LastClick = clicks.Clicks, clicks.Last
	record := s.linkRecord(link)
	if people {
		record.People = &clicks.People
	}
	w.Header().Set("ETag", etag(link))
	return respond(w, r, http.StatusOK, record)
}

func (s *service) linkAnswer(link terse.Link) answer {
	return answer{http.StatusOK, etag(link), s.linkRecord(link)}
}

func (s *service) linkRecord(link terse.Link) *api.Link {
	return &api.Link{
		URL: s.urlRecord(link), ShortURL: s.shortURL(link.Code), LastClickedAt: link.LastClick,
	}
}

// remove serves DELETE /api/urls/{shortCode}.
func (s *service) remove(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	return s.change(w, r, by, nil, func(ctx context.Context, c *changes) (answer, error) {
		err := c.manager.Delete(ctx, c, c.by, codeOf(r), wantedBy(r))
		return answer{status: http.StatusNoContent}, err
	})
}

// owned returns the link that the path names, or forbidden if it belongs to someone else.
func (s *service) owned(r *http.Request, by terse.Caller, forbidden error) (terse.Link, error) {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	return manage.Owned(ctx, s.Store, by, codeOf(r), forbidden)
}

// analytics serves GET /api/urls/{shortCode}/analytics.
func (s *service) analytics(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	span, start, end, err := clickquery.ParseRange(r.URL.RawQuery)
	if err != nil {
		return err
	}
	link, err := s.owned(r, by, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	q := terse.SeriesQuery{
		Range: span, Without: clickquery.Usual.Excluded(), Limit: clickquery.Usual.Limit(),
	}
	return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
		series, err := s.Store.Series(ctx, link.Ref(), q)
		if err != nil {
			return nil, fmt.Errorf("statistics of link %s: %w", link.Code, err)
		}
		result := api.Analytics{
			ShortCode: link.Code.Text(), Domain: s.shownDomain(link.Code.Domain()),
			OriginalURL: string(link.URL), TotalClicks: series.Total,
			Counts: clickquery.Usual.Counts(series),
		}
		if span == terse.AllTime {
			result.ByDate = byDate(series)
		} else {
			result.StartTime, result.EndTime = start, end
			result.Counted = clickquery.Counted(span, series, math.MaxInt64)
		}
		return result, nil
	})
}

// byDate returns the clicks of a series of UTC days by their dates.
func byDate(series terse.Series) map[string]int64 {
	dates := make(map[string]int64, len(series.ByInterval))
	for at, clicks := range series.ByInterval {
		dates[terse.DayOf(at).String()] = clicks
	}
	return dates
}
