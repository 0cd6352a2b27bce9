package sources

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/move/archive/sources/webapi"
)

// yourlsNumber is a number, or a text with one, as the version is.
type yourlsNumber int64

// UnmarshalJSON implements json.Unmarshaler. What is no number is 0.
func (n *yourlsNumber) UnmarshalJSON(text []byte) error {
	parsed, _ := strconv.ParseInt(strings.Trim(string(text), `"`), 10, 64)
	*n = yourlsNumber(max(parsed, 0))
	return nil
}

// yourlsLink is a link in answers. Keyword is that of Shlink's plugin, ShortURL that of YOURLS.
type yourlsLink struct {
	Keyword   string       `json:"keyword"`
	ShortURL  string       `json:"shorturl"`
	URL       string       `json:"url"`
	Title     string       `json:"title"`
	Timestamp string       `json:"timestamp"`
	Clicks    yourlsNumber `json:"clicks"`
}

type yourlsVisit struct {
	ClickTime   string `json:"click_time"`
	Referrer    string `json:"referrer"`
	UserAgent   string `json:"user_agent"`
	CountryCode string `json:"country_code"`
}

// yourlsAPI is the API of an installation.
type yourlsAPI struct {
	*Out
	from *webapi.Client
	key  url.Values // the signature, or a name and a password
}

// YOURLSAPI reads an installation through its API: with each click if it has Shlink's plugin, with
// totals otherwise. Times are in UTC there.
func YOURLSAPI(ctx context.Context, from *webapi.Client, to *Out) error {
	if to.options.Zone != nil {
		return errors.New("--time-zone is for dumps: the API has times in UTC")
	}
	y := &yourlsAPI{Out: to, from: from, key: url.Values{}}
	if name, password, ok := strings.Cut(from.Key, ":"); ok {
		y.key = url.Values{"username": {name}, "password": {password}}
	} else if from.Key != "" {
		y.key = url.Values{"signature": {from.Key}}
	}
	var all struct {
		Result webapi.List[yourlsLink] `json:"result"`
	}
	err := y.get(ctx, &all, "action", "shlink-list")
	if status, ok := errors.AsType[*webapi.StatusError](err); ok &&
		status.Status == http.StatusBadRequest { // it does not know the action
		return y.stats(ctx)
	}
	if err != nil {
		return err
	}
	if all.Result == nil { // versions before 1.10 answer 200
		return y.stats(ctx)
	}
	for _, l := range all.Result {
		var visits struct {
			Result webapi.List[yourlsVisit] `json:"result"`
		}
		err := y.get(ctx, &visits, "action", "shlink-link-visits", "shortCode", l.Keyword)
		if errors.Is(err, webapi.ErrTooLarge) {
			y.Note("clicks have no times: they are too many for one answer of the plugin; an SQL " +
				"dump has them all")
		} else if err != nil {
			return err
		}
		if err := y.emit(l, visits.Result); err != nil {
			return err
		}
	}
	return nil
}

// emit hands over a link with its visits.
func (y *yourlsAPI) emit(l yourlsLink, visits []yourlsVisit) error {
	if l.Keyword == "" {
		return y.Fail("", "short_code", errors.New("short_code is missing"))
	}
	link := Link{
		Code: l.Keyword, URL: l.URL, Created: yourlsTime(l.Timestamp), Clicks: int64(l.Clicks),
		LinkOptions: api.LinkOptions{Title: l.Title},
	}
	if link.Created.IsZero() {
		y.Note("created_at is not known: it is that of the import")
	}
	if err := y.Link(link); err != nil {
		return err
	}
	for _, v := range visits {
		err := y.Click(yourlsClick(v.ClickTime, v.Referrer, v.UserAgent, v.CountryCode))
		if err != nil {
			return err
		}
	}
	return nil
}

// stats reads links by the action that each installation has. It asks for all at once: pages are
// sorted by times of creation that are not unique.
func (y *yourlsAPI) stats(ctx context.Context) error {
	var answer struct {
		Links   jsontext.Value `json:"links"` // an object by link_1 and so on, [] if there is none
		Message string         `json:"message"`
		Stats   struct {
			Total yourlsNumber `json:"total_links"`
		} `json:"stats"`
	}
	err := y.get(ctx, &answer, "action", "stats", "filter", "last", "limit", "1000000")
	if err != nil {
		return err
	}
	all := map[string]yourlsLink{}
	if answer.Links.Kind() == '{' {
		if err := json.Unmarshal(answer.Links, &all, jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true)); err != nil {
			return fmt.Errorf("yourls-api.php: the links are not as expected: %w", err)
		}
	} else if answer.Links.Kind() != '[' {
		return fmt.Errorf("yourls-api.php: there are no links in the answer: %q", answer.Message)
	}
	if total := int64(answer.Stats.Total); int64(len(all)) < total {
		return fmt.Errorf("yourls-api.php: it has %d links, and answers only %d", total, len(all))
	}
	y.Once("clicks have no times: the API of YOURLS has only totals; an SQL dump has them, and " +
		"so has Shlink's import plugin. " + clearFirst)
	for n := 1; len(all) > 0; n++ {
		name := "link_" + strconv.Itoa(n)
		l, ok := all[name]
		if !ok {
			return fmt.Errorf("yourls-api.php: the answer has no %s", name)
		}
		delete(all, name)
		l.Keyword = y.keyword(l.ShortURL)
		if err := y.emit(l, nil); err != nil {
			return err
		}
	}
	return nil
}

// keyword returns the keyword of a short URL, whose path begins with that of the installation.
func (y *yourlsAPI) keyword(short string) string {
	at, err := url.Parse(short)
	if err != nil {
		return ""
	}
	base := strings.TrimSuffix(y.from.Base.Path, "/")
	return strings.TrimPrefix(strings.TrimPrefix(at.Path, base), "/")
}

// get asks the API with pairs of names and values.
func (y *yourlsAPI) get(ctx context.Context, into any, pairs ...string) error {
	query := url.Values{"format": {"json"}}
	maps.Copy(query, y.key)
	for pair := range slices.Chunk(pairs, 2) {
		query.Set(pair[0], pair[1])
	}
	return y.from.Get(ctx, "yourls-api.php", query, nil, into)
}
