package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"terse"
	"terse/api"
	"terse/internal/clickquery"
)

// maxTopLinks bounds the list of an overview.
const maxTopLinks = 10

// clicks serves GET /api/urls/{shortCode}/clicks.
func (s *service) clicks(w http.ResponseWriter, r *http.Request, identity string) error {
	q, err := clickquery.Parse(r.URL.RawQuery, clickquery.Owners)
	if err != nil {
		return err
	}
	link, err := s.owned(r, identity, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	series, err := q.Ask(r.Context(), s.Store, link.Ref())
	if err != nil {
		return fmt.Errorf("clicks of link %s: %w", link.Code, err)
	}
	result := api.URLClicks{
		ShortCode: link.Code.String(), OriginalURL: string(link.URL),
		CreatedAt: link.CreatedAt.UTC(),
	}
	result.Clicks = q.Answer(series)
	return respond(w, r, http.StatusOK, result)
}

// overview serves GET /api/overview.
func (s *service) overview(w http.ResponseWriter, r *http.Request, identity string) error {
	q, err := clickquery.Parse(r.URL.RawQuery, clickquery.Owners)
	if err != nil {
		return err
	}
	if q.Tags, err = askedTags(r); err != nil {
		return err
	}
	q.Owner = identity
	if q.Bounded() || q.Filtered() {
		q.Top = maxTopLinks
	}
	series, err := q.Ask(r.Context(), s.Store, terse.AllLinks)
	if err != nil {
		return fmt.Errorf("clicks of all links: %w", err)
	}
	links, err := s.Store.Links(r.Context(), terse.LinkQuery{
		Owner: identity, Order: terse.MostClickedFirst, Limit: maxTopLinks,
		Filter: terse.LinkFilter{Tags: q.Tags, Now: time.Now()},
	})
	if err != nil {
		return fmt.Errorf("top links: %w", err)
	}
	top := links.Links
	if q.Top > 0 {
		if top, err = s.topLinks(r.Context(), series.Top); err != nil {
			return err
		}
	}
	result := api.Overview{Links: links.Total, TopLinks: []api.TopLink{}}
	for _, link := range top {
		if link.Clicks > 0 {
			result.TopLinks = append(result.TopLinks, api.TopLink{
				ShortCode: link.Code.String(), OriginalURL: string(link.URL), Clicks: link.Clicks,
			})
		}
	}
	result.Clicks = q.Answer(series)
	return respond(w, r, http.StatusOK, result)
}

// topLinks returns the links with the most clicks as they are now, without those that are gone.
func (s *service) topLinks(ctx context.Context, top []terse.LinkClicks) ([]terse.Link, error) {
	links := make([]terse.Link, 0, len(top))
	for _, t := range top {
		link, err := s.Store.Link(ctx, t.Code)
		if errors.Is(err, terse.ErrNotFound) || err == nil && link.ID != t.ID {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("top link %s: %w", t.Code, err)
		}
		link.Clicks = t.Clicks
		links = append(links, link)
	}
	return links, nil
}
