package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"terse"
	"terse/api"
	"terse/internal/click/clickquery"
)

// maxTopLinks bounds the list of an overview.
const maxTopLinks = 10

// clicks serves GET /api/urls/{shortCode}/clicks.
func (s *service) clicks(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	q, err := clickquery.Parse(r.URL.RawQuery, clickquery.Owners)
	if err != nil {
		return err
	}
	link, err := s.owned(r, by, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
		series, err := q.Ask(ctx, s.Store, link.Ref())
		if err != nil {
			return nil, fmt.Errorf("clicks of link %s: %w", link.Code, err)
		}
		return api.URLClicks{
			ShortCode: link.Code.Text(), Domain: s.shownDomain(link.Code.Domain()),
			OriginalURL: string(link.URL), CreatedAt: link.CreatedAt.UTC(),
			Clicks: q.Answer(series),
		}, nil
	})
}

// overview serves GET /api/overview.
func (s *service) overview(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	q, err := clickquery.Parse(r.URL.RawQuery, clickquery.Owners)
	if err != nil {
		return err
	}
	if q.Some.Tags, err = askedTags(r); err != nil {
		return err
	}
	q.Owner, q.Some.Domain = by.Asks(), domainOf(r)
	return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
		return s.askOverview(ctx, q)
	})
}

func (s *service) askOverview(ctx context.Context, q clickquery.Query) (
	result api.Overview, err error,
) {
	if q.Bounded() || q.Filtered() {
		q.Top = maxTopLinks
	}
	series, err := q.Ask(ctx, s.Store, terse.AllLinks)
	if err != nil {
		return result, fmt.Errorf("clicks of all links: %w", err)
	}
	links, err := s.Store.Links(ctx, terse.LinkQuery{
		Owner: q.Owner, Order: terse.MostClickedFirst, People: q.People, Limit: maxTopLinks,
		Filter: terse.LinkFilter{
			Tags: q.Some.Tags, Domain: q.Some.Domain, Now: time.Now(),
		},
	})
	if err != nil {
		return result, fmt.Errorf("top links: %w", err)
	}
	top := links.Links
	if q.Top > 0 {
		if top, err = s.topLinks(ctx, q.Owner, series.Top); err != nil {
			return result, err
		}
	}
	result = api.Overview{Links: links.Total, TopLinks: []api.TopLink{}}
	for _, link := range top {
		if link.Clicks > 0 {
			shown := api.TopLink{
				ShortCode: link.Code.Text(), Domain: s.shownDomain(link.Code.Domain()),
				OriginalURL: string(link.URL), Title: s.details(link).Title, Clicks: link.Clicks,
			}
			if q.People {
				shown.People = &link.People
			}
			result.TopLinks = append(result.TopLinks, shown)
		}
	}
	result.Clicks = q.Answer(series)
	return result, nil
}

// topLinks returns the current state of an owner's most clicked links, without those that were
// deleted or given away.
func (s *service) topLinks(ctx context.Context, owner string, top []terse.LinkClicks) (
	[]terse.Link, error,
) {
	of := terse.Caller{Owner: owner}
	links := make([]terse.Link, 0, len(top))
	for _, t := range top {
		link, err := s.Store.Link(ctx, t.Code)
		if errors.Is(err, terse.ErrNotFound) ||
			err == nil && (link.ID != t.ID || !of.Reaches(link.CreatedBy)) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("top link %s: %w", t.Code, err)
		}
		link.Clicks, link.People = t.Clicks, t.People
		links = append(links, link)
	}
	return links, nil
}
