package cli

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"time"

	"terse/api"
	"terse/internal/cli/console"
)

// webFlags are the flags of commands of which the dashboard has a page.
type webFlags struct {
	Web bool `short:"w" help:"Open the dashboard's page of it in the browser. Without a browser, print its address." xor:"web-json,web-jq,web-template" variable:""`
}

// openPage opens a page of the dashboard, given its path, about the links that a command is about.
// Where no browser can be started it prints the address.
func (r *remote) openPage(ctx context.Context, path, owner string, query url.Values) error {
	page, err := r.page(path, owner, query)
	if err != nil {
		return err
	}
	if wrong := r.startBrowser(ctx, page); wrong != nil {
		fmt.Fprintf(r.Err, "No browser could be started (%v).\n", wrong)
		_, err = fmt.Fprintln(r.Out, console.Printable(page))
	}
	return err
}

// page returns the address of a page of the dashboard. A user and a password that TERSE_URL has are
// no part of it: it is shown, and the browser remembers it.
func (r *remote) page(path, owner string, query url.Values) (string, error) {
	page, err := url.Parse(r.url)
	if err != nil {
		return "", err
	}
	if page = page.JoinPath("ui", path); path == "" {
		page = page.JoinPath("/")
	}
	if owner != "" {
		query.Set("owner", owner)
	}
	page.User, page.RawQuery, page.Fragment = nil, query.Encode(), ""
	return page.String(), nil
}

// linkPage returns the arguments of page for a link's page.
func linkPage(link api.Link, query url.Values, owner string) (string, string, url.Values) {
	if link.Domain != "" {
		query.Set("domain", link.Domain)
	}
	return "links/" + url.PathEscape(link.ShortCode), owner, query
}

// openLink opens a link's page, as openPage does.
func (r *remote) openLink(ctx context.Context, link api.Link, owner string, q url.Values) error {
	path, owner, q := linkPage(link, q, owner)
	return r.openPage(ctx, path, owner, q)
}

// webQuery returns the flags as the dashboard's pages of clicks have them in their addresses.
func (f *rangeFlags) webQuery(e Env, now time.Time) (url.Values, error) {
	q, err := f.query(e, now)
	if err != nil {
		return nil, err
	}
	web := url.Values{"tab": f.By}
	switch {
	case f.Since == "" && f.Until != "":
		return nil, misuse("--web takes --until with --since only")
	case f.Since == "":
		web.Set("range", "all")
	case f.Until == "" && webRanges[f.Since]: // it goes on while the page is open
		web.Set("range", f.Since)
	default:
		if q.End.IsZero() {
			q.End = now
		}
		web.Set("from", webTime(q.Start))
		web.Set("to", webTime(q.End))
	}
	maps.Copy(web, q.Only)
	for name, values := range q.Not {
		web["not_"+name] = values
	}
	if f.Bots {
		web.Set("bots", "1")
	}
	if f.Visitors {
		web.Set("show", "visitors")
	}
	return web, nil
}

// webRanges are the ranges up to now that have the same name in the dashboard.
var webRanges = map[string]bool{"24h": true, "7d": true, "30d": true, "today": true}

// webTime returns an instant in the precision that pages have.
func webTime(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
