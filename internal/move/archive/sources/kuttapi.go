package sources

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/move/archive/sources/webapi"
)

const (
	// kuttPage is the most links that Kutt puts on a page.
	kuttPage = 50
	// kuttShifts bounds how often pages may be read again, or have nothing new, because the list
	// changes. Kutt deletes links that have expired each 30 s.
	kuttShifts = 1000
)

// kuttList is a page of links, newest first.
type kuttList struct {
	Total int64                 `json:"total"`
	Data  webapi.List[kuttItem] `json:"data"`
}

// kuttItem is a link. Answers for admins have other types in some fields.
type kuttItem struct {
	ID          string         `json:"id"`
	Address     string         `json:"address"`
	Target      string         `json:"target"`
	Description string         `json:"description"`
	Domain      string         `json:"domain"`
	Link        jsontext.Value `json:"link"`     // the short URL; for admins an object
	Banned      jsontext.Value `json:"banned"`   // for admins as the database has it
	Password    jsontext.Value `json:"password"` // whether there is one
	VisitCount  jsontext.Value `json:"visit_count"`
	ExpireIn    string         `json:"expire_in"` // as the database has it
	CreatedAt   string         `json:"created_at"`
	UpdatedAt   string         `json:"updated_at"`
	Email       string         `json:"email"` // of its owner, for admins
}

// KuttAPI reads links and their totals over Kutt's API.
func KuttAPI(ctx context.Context, from *webapi.Client, to *Out) error {
	header := http.Header{"X-Api-Key": {from.Key}}
	get := func(path string, query url.Values, skip int64) (page kuttList, err error) {
		query.Set("limit", strconv.Itoa(kuttPage))
		query.Set("skip", strconv.FormatInt(skip, 10))
		err = from.Get(ctx, path, query, header, &page)
		return page, err
	}
	path, query := "api/v2/links/admin", url.Values{}
	page, err := get(path, query, 0)
	if status, ok := errors.AsType[*webapi.StatusError](err); ok {
		switch status.Status {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound:
			// The key is no admin's, or Kutt is older than 3.0, which has all=true for admins.
			path, query = "api/v2/links", url.Values{"all": {"true"}}
			if page, err = get(path, query, 0); err == nil {
				to.Once(fmt.Sprintf("created_by is known to admins only: the key lists %d links",
					page.Total))
			}
		}
	}
	if err != nil {
		return err
	}
	var seen webapi.Pages
	total, skip, furthest, shifts := page.Total, int64(0), int64(-1), 0
	for {
		fresh := false
		for i := range page.Data {
			if item := &page.Data[i]; seen.New(item.ID) {
				fresh = true
				if err := item.read(to); err != nil {
					return err
				}
			}
		}
		next := skip + int64(len(page.Data))
		switch {
		case page.Total < total:
			// Links have moved to pages before. Kutt counts them beside the page: it may say so
			// with the page after it.
			next = max(0, next-(total-max(page.Total, 0))-2*kuttPage)
			shifts++
		case len(page.Data) == 0, !fresh && next >= page.Total:
			return nil
		case !fresh && page.Total > total: // all have moved here from the page before
			shifts++
		case fresh || skip > furthest: // and not one that is read again
			if err := seen.Turn(""); err != nil {
				return err
			}
		}
		if shifts > kuttShifts {
			return errors.New("its list changes all the time; try again when it is quiet")
		}
		total, furthest, skip = page.Total, max(furthest, skip), next
		if page, err = get(path, query, skip); err != nil {
			return err
		}
	}
}

// read hands over the link.
func (k *kuttItem) read(to *Out) error {
	l := Link{Host: k.Domain, Code: k.Address, URL: k.Target}
	var short string
	if l.Host == "" && json.Unmarshal(k.Link, &short) == nil {
		if at, err := url.Parse(short); err == nil {
			l.Host = at.Host
		}
	}
	kuttDescribe(&l, k.Description)
	l.Disabled = kuttIs(k.Banned)
	if kuttIs(k.Password) {
		l.Disabled = true
		to.Note("password is not in the API: the link is disabled")
	}
	if k.Email != "" {
		to.noOwner()
	}
	for _, t := range []struct {
		name, text string
		is         *time.Time
	}{{"created_at", k.CreatedAt, &l.Created}, {"updated_at", k.UpdatedAt, &l.Updated}} {
		var err error
		if *t.is, err = kuttTime(t.text); err != nil {
			to.Note("%s was left out: %v", t.name, err)
		}
	}
	var err error
	l.ExpiresAt, err = kuttTime(k.ExpireIn)
	if err == nil && k.ExpireIn != "" && l.ExpiresAt.IsZero() {
		err = errYearOne
	}
	if err != nil {
		return to.Fail(l.Code, "expires_at", err)
	}
	// For admins it is a text for people, "1,234".
	count := strings.ReplaceAll(strings.Trim(string(k.VisitCount), `"`), ",", "")
	if l.Clicks, err = strconv.ParseInt(count, 10, 64); err != nil {
		to.Note("clicks were left out: %.100s is no number", k.VisitCount)
	}
	if l.Clicks > 0 {
		to.Once("clicks have no times: the API of Kutt has only totals; its database has them. " +
			clearFirst)
	}
	return to.Link(l)
}

// kuttDescribe makes the description the title. A longer one, or one of several lines, is a note.
func kuttDescribe(l *Link, description string) {
	if utf8.RuneCountInString(description) <= terse.MaxTitle &&
		!strings.ContainsFunc(description, unicode.IsControl) {
		l.Title = description
	} else {
		l.Note = description
	}
}

// kuttIs reports whether a value is true. What is not understood is.
func kuttIs(value jsontext.Value) bool {
	switch string(value) {
	case "", "null", "false", "0":
		return false
	}
	return true
}

// kuttCount returns a count, within the bounds of Kutt's columns.
func kuttCount(n int64) int64 { return max(0, min(n, math.MaxInt32)) }

// kuttTime reads a time. SQLite's texts have no zone.
func kuttTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.DateTime, text); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%.100q is no time", text)
	}
	return t, nil
}
