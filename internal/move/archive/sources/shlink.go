package sources

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"terse/api"
	"terse/internal/move/archive/sources/webapi"
)

// shlinkLinks is how many links a page has.
const shlinkLinks = 200

// shlinkRounds is how often the list of links and a page of visits are read again, if they have
// changed while they were read.
const shlinkRounds = 5

type shlinkPages struct {
	CurrentPage int64 `json:"currentPage"`
	PagesCount  int64 `json:"pagesCount"`
	TotalItems  int64 `json:"totalItems"`
}

type shlinkLink struct {
	ShortCode     string    `json:"shortCode"`
	ShortURL      string    `json:"shortUrl"`
	LongURL       string    `json:"longUrl"`
	DateCreated   time.Time `json:"dateCreated"`
	VisitsCount   int64     `json:"visitsCount"` // before 4.0
	VisitsSummary struct {
		Total int64 `json:"total"`
	} `json:"visitsSummary"`
	Tags webapi.List[string] `json:"tags"`
	Meta struct {
		ValidSince time.Time  `json:"validSince"`
		ValidUntil *time.Time `json:"validUntil"`
		MaxVisits  *int64     `json:"maxVisits"`
	} `json:"meta"`
	Domain           string `json:"domain"` // empty: the default one
	Title            string `json:"title"`
	ForwardQuery     *bool  `json:"forwardQuery"` // nil: true, as it was before it could be chosen
	HasRedirectRules bool   `json:"hasRedirectRules"`
	// DeviceLongURLs are what servers before 4.0 have in place of rules.
	DeviceLongURLs map[string]string `json:"deviceLongUrls"`
}

// shlink is a server of Shlink that is read.
type shlink struct {
	from  *webapi.Client
	to    *Out
	links webapi.Pages
	until string // visits after it are not read, so that pages keep still
}

// ShlinkAPI reads the links of a server of Shlink, with visits and rules.
func ShlinkAPI(ctx context.Context, from *webapi.Client, to *Out) error {
	if from.Key == "" {
		return errors.New("the API of Shlink needs a key (--key-file)")
	}
	s := &shlink{from: from, to: to, until: time.Now().UTC().Format(time.RFC3339)}
	for range shlinkRounds {
		if same, err := s.readLinks(ctx); err != nil || same {
			return err
		}
	}
	return errors.New("its list of links changes while it is read; import again")
}

func (s *shlink) get(ctx context.Context, path string, query url.Values, into any) error {
	return s.from.Get(ctx, "rest/v3/short-urls"+path, query,
		http.Header{"X-Api-Key": {s.from.Key}}, into)
}

// readLinks reads the links that were not read before. It reports whether that is all of them: if
// some are deleted meanwhile, others move to pages that were read.
func (s *shlink) readLinks(ctx context.Context) (same bool, err error) {
	var pages webapi.Pages
	last := int64(0)
	for page := int64(1); ; page++ {
		var answer struct {
			ShortURLs struct {
				Data       webapi.List[shlinkLink] `json:"data"`
				Pagination shlinkPages             `json:"pagination"`
			} `json:"shortUrls"`
		}
		err := s.get(ctx, "", url.Values{
			"page":         {strconv.FormatInt(page, 10)},
			"itemsPerPage": {strconv.Itoa(shlinkLinks)},
			"orderBy":      {"dateCreated-ASC"},
		}, &answer)
		if err != nil {
			return false, err
		}
		list := &answer.ShortURLs
		for i := range list.Data {
			link := &list.Data[i]
			id := link.Domain + "/" + link.ShortCode
			if pages.New(id); !s.links.New(id) {
				continue
			}
			if s.links.Len() == 1 {
				s.to.Once(fmt.Sprintf("the key shows %d links; a key with a role shows only some",
					list.Pagination.TotalItems))
				s.to.Once("if SHORT_URL_MODE is loose there, codes ignore case; " +
					"here they do with IGNORE_CASE=true")
			}
			if err := s.readLink(ctx, link); err != nil {
				return false, err
			}
		}
		total := list.Pagination.TotalItems
		switch {
		case total < last:
			return false, nil
		case page >= list.Pagination.PagesCount || len(list.Data) == 0:
			return s.links.Len() >= total, nil
		}
		last = total
		if err := pages.Turn(""); err != nil {
			return false, err
		}
	}
}

func (s *shlink) readLink(ctx context.Context, from *shlinkLink) error {
	total := max(from.VisitsSummary.Total, from.VisitsCount)
	link := Link{
		Host: from.host(), Code: from.ShortCode, URL: from.LongURL, Created: from.DateCreated,
		LinkOptions: api.LinkOptions{
			Title: from.Title, Tags: from.Tags, StartsAt: from.Meta.ValidSince,
			ForwardQuery: from.ForwardQuery == nil || *from.ForwardQuery,
		},
	}
	if !s.to.Wants(link) {
		return s.to.Link(link)
	}
	if most := from.Meta.MaxVisits; most != nil {
		if *most <= 0 { // 0 is no limit here
			return s.to.Fail(link.Code, "max_clicks", fmt.Errorf("max_clicks is %d", *most))
		}
		link.MaxClicks, link.ClicksUsed = *most, min(total, *most)
	}
	if end := from.Meta.ValidUntil; end != nil {
		if end.IsZero() {
			return s.to.Fail(link.Code, "expires_at", errYearOne)
		}
		link.ExpiresAt = *end
	}
	if err := s.readRules(ctx, from, &link); err != nil {
		return err
	}
	if err := s.to.Link(link); err != nil || total == 0 || !s.to.in {
		return err
	}
	return s.readVisits(ctx, from)
}

// host returns the host of a link, also of one of the default domain.
func (l *shlinkLink) host() string {
	if at, err := url.Parse(l.ShortURL); l.Domain == "" && err == nil {
		return strings.ToLower(at.Host)
	}
	return strings.ToLower(l.Domain)
}

// about returns the path of something about a link, and a query. Slashes of codes stay: web servers
// refuse those that are escaped.
func (l *shlinkLink) about(what string) (path string, query url.Values) {
	parts := strings.Split(l.ShortCode, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	query = url.Values{}
	if l.Domain != "" {
		query.Set("domain", l.Domain)
	}
	return "/" + strings.Join(parts, "/") + what, query
}
