package sources

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"terse"
	"terse/internal/move/archive/sources/webapi"
)

// shlinkVisits is how many visits a page has at least. Twice as many are below 6 MiB, since texts
// there have bounds.
const shlinkVisits = 1000

// shlinkPage returns a page, of pages of which size, that has the visit at a place near its end, so
// that most newer ones are on it, too. It is not so near that visits that come meanwhile push it to
// the next page.
func shlinkPage(place int64) (page, size int64) {
	for size = shlinkVisits; size < 2*shlinkVisits; size++ {
		if at := place % size; at == place && at < size-50 || at > size/2 && at < size-50 {
			return place/size + 1, size
		}
	}
	return place/shlinkVisits + 1, shlinkVisits
}

type shlinkVisit struct {
	Referer       string    `json:"referer"`
	Date          time.Time `json:"date"`
	UserAgent     string    `json:"userAgent"`
	VisitLocation struct {
		CountryCode string `json:"countryCode"`
	} `json:"visitLocation"`
	PotentialBot bool   `json:"potentialBot"`
	VisitedURL   string `json:"visitedUrl"`
	RedirectURL  string `json:"redirectUrl"`
}

// readVisits reads the visits of a link from the first one on, though they are listed from the last
// one: those that come meanwhile only push the others to later pages. A visit's place is its number
// from the end.
func (s *shlink) readVisits(ctx context.Context, link *shlinkLink) error {
	path, query := link.about("/visits")
	query.Set("endDate", s.until)
	done, total, idle := int64(0), int64(-1), 0
	for page, size := int64(1), int64(shlinkVisits); ; {
		var answer struct {
			Visits struct {
				Data       webapi.List[shlinkVisit] `json:"data"`
				Pagination shlinkPages              `json:"pagination"`
			} `json:"visits"`
		}
		query.Set("page", strconv.FormatInt(page, 10))
		query.Set("itemsPerPage", strconv.FormatInt(size, 10))
		if err := s.get(ctx, path, query, &answer); err != nil {
			return err
		}
		list, now := answer.Visits.Data, answer.Visits.Pagination.TotalItems
		if total < 0 {
			total = now
		} else if now < total || answer.Visits.Pagination.CurrentPage != page {
			return fmt.Errorf("%s: its pages change while they are read; import again", path)
		}
		before := done
		for i, visit := range slices.Backward(list) {
			if at := now - 1 - (page-1)*size - int64(i); at != done || done == total {
				continue
			}
			done++
			if err := s.to.shlinkVisit(visit); err != nil {
				return err
			}
		}
		if done == total {
			return nil
		}
		if idle++; done > before {
			idle = 0
		} else if idle == shlinkRounds {
			return fmt.Errorf("%s: visits are missing on page %d", path, page)
		}
		page, size = shlinkPage(now - 1 - done)
	}
}

func (o *Out) shlinkVisit(v shlinkVisit) error {
	visited, err := url.Parse(v.VisitedURL)
	if err != nil {
		visited = &url.URL{}
	}
	if v.RedirectURL == "" && strings.HasSuffix(visited.Path, "/track") {
		return nil // an image of a mail was loaded, nobody was redirected
	}
	click := Click{Time: v.Date, UserAgent: v.UserAgent}
	query := visited.Query()
	click.Values[terse.ByReferrer] = v.Referer
	click.Values[terse.ByCountry] = v.VisitLocation.CountryCode
	click.Values[terse.BySource] = query.Get("utm_source")
	click.Values[terse.ByMedium] = query.Get("utm_medium")
	click.Values[terse.ByCampaign] = query.Get("utm_campaign")
	if v.PotentialBot {
		click.Values[terse.ByVisitor] = terse.Bot
	}
	return o.Click(click)
}
