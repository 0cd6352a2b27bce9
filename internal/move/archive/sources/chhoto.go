package sources

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"terse/api"
	"terse/internal/move/archive/sources/database"
	"terse/internal/move/archive/sources/webapi"
)

// chhotoLink is a link as the API has it.
type chhotoLink struct {
	Short  string `json:"shortlink"`
	Long   string `json:"longlink"`
	Hits   int64  `json:"hits"`
	Expiry int64  `json:"expiry_time"` // Unix time in seconds; null, and 0 in old versions: never
	Notes  string `json:"notes"`
}

func (l chhotoLink) emit(to *Out) error {
	link := Link{
		Code: l.Short, URL: l.Long, Clicks: l.Hits, LinkOptions: api.LinkOptions{Note: l.Notes},
	}
	if l.Expiry != 0 {
		link.ExpiresAt = time.Unix(l.Expiry, 0).UTC()
		if year := link.ExpiresAt.Year(); year <= 1 || year > 9999 {
			return to.Fail(l.Short, "expires_at", fmt.Errorf("%d is no time", l.Expiry))
		}
	}
	to.Once("created_at is not known to chhoto-url: links and clicks get the time of the import")
	return to.Link(link)
}

// ChhotoDatabase reads the database of chhoto-url. Before version 6 there are no ends, before 7 no
// notes. The table for searches and the triggers beside are not looked at.
func ChhotoDatabase(_ context.Context, from *database.Conn, to *Out) error {
	if err := from.Need("urls", "id", "short_url", "long_url", "hits"); err != nil {
		return fmt.Errorf("it is no database of chhoto-url: %w", err)
	}
	column := func(name string) string {
		if from.Has("urls", name) {
			return name
		}
		return "NULL"
	}
	query := "SELECT short_url, long_url, hits, " + column("expiry_time") + ", " +
		column("notes") + " FROM urls ORDER BY id"
	return from.Query(query, func(r *database.Row) error {
		l := chhotoLink{r.Text(0), r.Text(1), r.Int(2), r.Int(3), r.Text(4)}
		if err := r.Err(); err != nil {
			return to.Fail(l.Short, "", err)
		}
		return l.emit(to)
	})
}

// chhotoPage is how many links a page has, and chhotoTries how many of them may be deleted
// meanwhile, one beside the other.
const (
	chhotoPage  = 1000
	chhotoTries = 10
)

// ChhotoAPI asks a server of chhoto-url for its links, the newest page first. The API has none that
// have expired.
func ChhotoAPI(ctx context.Context, from *webapi.Client, to *Out) error {
	header := http.Header{}
	if from.Key != "" {
		header.Set("X-Api-Key", from.Key)
	}
	ask := func(after string) (page webapi.List[chhotoLink], err error) {
		query := url.Values{"page_size": {strconv.Itoa(chhotoPage)}}
		if after != "" {
			query.Set("page_after", after)
		}
		err = from.Get(ctx, "api/all", query, header, &page)
		return page, err
	}
	page, err := ask("")
	for pages := (webapi.Pages{}); err == nil; {
		fresh := false
		for _, l := range page {
			if !pages.New(l.Short) {
				continue
			}
			fresh = true
			if err := l.emit(to); err != nil {
				return err
			}
		}
		// A page that is not full is the last one. One that has more is of a server before 6.3,
		// which has no pages.
		if !fresh || len(page) != chhotoPage {
			return nil
		}
		if err := pages.Turn(""); err != nil {
			return err
		}
		page, err = chhotoOlder(page, ask)
	}
	return err
}

// chhotoOlder asks for the page behind a page, whose oldest link comes first. Behind a link that
// was deleted meanwhile comes nothing. So it asks what comes behind the next link, too: there is
// the oldest one still, or what came behind it.
func chhotoOlder(
	page []chhotoLink, ask func(after string) (webapi.List[chhotoLink], error),
) (older webapi.List[chhotoLink], err error) {
	for _, l := range page[:chhotoTries] {
		older, err = ask(l.Short)
		if err != nil || len(older) > 0 {
			break
		}
	}
	return older, err
}
