package cli

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/report"
	"terse/internal/cli/words"
)

type listCommand struct {
	domainFlags `embed:""`
	webFlags    `embed:""`

	Search    string   `short:"S" help:"Only links whose addresses, URL, title or tags contain these words." variable:""`
	Tags      []string `name:"tag" short:"l" help:"Only links with this tag; repeat it for links with all of several tags." placeholder:"TAG" variable:""`
	Status    *string  `short:"s" help:"Only links that are active, scheduled, expired, used_up or disabled." enum:"active,scheduled,expired,used_up,disabled" placeholder:"STATUS" variable:""`
	After     string   `name:"created-after" help:"Only links created since: a date (2026-11-01), today, yesterday, the last hours, days or weeks (24h, 7d, 2w) or RFC 3339." placeholder:"TIME" variable:""`
	Before    string   `name:"created-before" help:"Only links created until then, in the same forms; a date means the end of that day." placeholder:"TIME" variable:""`
	Unused    string   `name:"unused-since" help:"Only links that are older than a UTC day and have no click since its start: a date (2026-01-31), or a time ago (90d, 12w)." placeholder:"DAY" variable:""`
	Archived  bool     `help:"Only archived links. Others are listed without them, unless --all is given." variable:""`
	Sort      string   `help:"newest, oldest or clicks (most first)." default:"newest" enum:"newest,oldest,clicks" variable:""`
	Period    *string  `help:"With --sort clicks, only those of the last 24h, 7d or 30d." enum:"24h,7d,30d" placeholder:"LENGTH" variable:""`
	listFlags `embed:""`
	Offset    int `help:"How many to skip; not with --search or --sort clicks." placeholder:"N" variable:""`
}

// listFlags are for lists that may be long.
type listFlags struct {
	Limit *int `short:"L" help:"How many to list; default 20." placeholder:"N" xor:"many" variable:""`
	All   bool `short:"a" help:"List all of them." xor:"many" variable:""`
}

// limit returns how many items to list; 0: all.
func (f *listFlags) limit() (int, error) {
	switch {
	case f.All:
		return 0, nil
	case f.Limit == nil:
		return 20, nil
	case *f.Limit < 1:
		return 0, misuse("--limit must be at least 1; --all lists all")
	}
	return *f.Limit, nil
}

// pageLimit is the server's largest page.
const pageLimit = 100

// Help implements kong.HelpProvider.
func (*listCommand) Help() string {
	return "Archived links are listed with --archived, and with --all. Clicks are of people; " +
		"--sort clicks goes by them. With --period they are those of the period. In a pipe each " +
		"line has the code, URL, clicks, clicks with bots, time of creation, status, tags and " +
		"title, with tabs between them."
}

// Run prints as many pages as it takes.
func (c *listCommand) Run(ctx context.Context, r *remote) error {
	left, err := c.limit()
	switch {
	case err != nil:
		return err
	case left == 0:
		left = math.MaxInt
	}
	switch {
	case c.Offset < 0:
		return misuse("--offset must not be negative")
	case c.Offset > 0 && (c.Search != "" || c.Sort == "clicks"):
		return misuse("--offset doesn't go with --search and --sort clicks")
	case c.Period != nil && c.Sort != "clicks":
		return misuse("--period goes with --sort clicks")
	}
	table := report.NewLinks(r.Env, text(c.Period))
	asked, err := c.query(time.Now().In(r.Zone()))
	if err != nil {
		return err
	}
	if c.Web {
		return c.open(ctx, r, asked)
	}
	for query := asked; ; {
		query.Limit = min(left, pageLimit)
		page, err := r.Search(ctx, query)
		if err != nil {
			return r.explain(err, "")
		}
		if c.JSON {
			err = r.PrintJSON(page)
		} else {
			err = table.Add(page.URLs)
		}
		if err != nil {
			return err
		}
		left -= len(page.URLs)
		if query.Cursor, query.Offset = page.NextCursor, 0; left <= 0 || query.Cursor == "" {
			return c.finish(ctx, r, table, page, asked)
		}
	}
}

// maxSearch bounds a search in characters, as the server does. Anyone who pastes more has a long
// URL, and its beginning finds the link.
const maxSearch = 200

// query returns the query that the flags describe.
func (c *listCommand) query(now time.Time) (q api.Search, err error) {
	search := []rune(c.Search)
	q = api.Search{
		Text: string(search[:min(len(search), maxSearch)]),
		Tags: c.Tags, Status: text(c.Status), Sort: c.Sort, Period: text(c.Period),
		Offset: c.Offset, People: true,
	}
	if c.Archived || !c.All {
		q.Archived = &c.Archived
	}
	if q.CreatedAfter, err = pastFlag("--created-after", c.After, now, false); err == nil {
		q.CreatedBefore, err = pastFlag("--created-before", c.Before, now, true)
	}
	if err == nil { // a date is a UTC day wherever the reader is
		q.UnusedSince, err = pastFlag("--unused-since", c.Unused, now.UTC(), false)
	}
	return q, err
}

// open opens the dashboard's list, which shows as many links as it takes.
func (c *listCommand) open(ctx context.Context, r *remote, query api.Search) error {
	if c.After+c.Before != "" {
		return misuse("--web doesn't go with --created-after and --created-before")
	}
	web := url.Values{"tag": query.Tags}
	sort := query.Sort
	switch {
	case query.Period != "":
		sort += "-" + query.Period
	case sort == "newest":
		sort = "" // as without it
	}
	for name, value := range map[string]string{
		"search": query.Text, "status": query.Status, "sort": sort, "domain": c.Domain,
	} {
		if value != "" {
			web.Set(name, value)
		}
	}
	if !query.UnusedSince.IsZero() {
		web.Set("unused_since", query.UnusedSince.Format(time.DateOnly))
	}
	switch {
	case c.Archived:
		web.Set("archived", "true")
	case c.All:
		web.Set("archived", "all")
	}
	return r.openPage(ctx, "", c.Owner, web)
}

// finish prints the total on a terminal, or how many archived links match if no other does.
func (c *listCommand) finish(
	ctx context.Context, r *remote, table *report.Links, last api.Page, q api.Search,
) error {
	if c.JSON || table.Width() == 0 {
		return nil
	}
	text := fmt.Sprintf("%s of %s", humanize.Comma(table.Rows), humanize.Comma(last.Total))
	filtered := len(c.Tags) > 0 || c.Status != nil ||
		c.Search+c.After+c.Before+c.Unused+c.Domain != ""
	switch {
	case last.Total == 0 && q.Archived != nil && !c.Archived:
		archived, err := r.countArchived(ctx, q)
		if err != nil {
			return r.explain(err, "")
		}
		if archived.Total > 0 {
			text = onlyArchived(archived, filtered)
			break
		}
		fallthrough
	case table.Rows == 0:
		text = c.none(filtered)
	case last.NextCursor != "":
		text += "; --all lists all"
	}
	_, err := fmt.Fprintln(table.Out, table.Colors().Dim(text))
	return err
}

// none says that there are no links.
func (c *listCommand) none(filtered bool) string {
	switch {
	case c.Search != "":
		return "No link matches " + console.Printable(c.Search) + "."
	case filtered, c.Offset > 0:
		return "No link matches."
	case c.Archived:
		return "No link is archived."
	case c.Owner == api.AllOwners:
		return "Nobody has links yet."
	case c.Owner != "":
		return console.Printable(c.Owner) + " has no links."
	}
	return "No links yet. Shorten a URL: terse create https://example.com/"
}

// countArchived returns a page with the number of archived links that a query finds.
func (r *remote) countArchived(ctx context.Context, q api.Search) (last api.Page, err error) {
	q.Archived, q.Limit, q.Offset, q.Cursor = new(true), 1, 0, ""
	for last, err = range r.Pages(ctx, q) { // a search may have to go on to find the first
		if err != nil || last.Total > 0 {
			break
		}
	}
	return last, err
}

// onlyArchived says how many archived links there are where there are no others.
func onlyArchived(archived api.Page, filtered bool) string {
	number := words.Count(archived.Total, "archived link")
	if archived.TotalAtLeast {
		number = "at least " + number
	}
	switch {
	case !filtered:
		return "No links, but " + number + ". See terse list --archived."
	case archived.Total == 1:
		return "No link matches, but " + number + " does. Add --archived."
	}
	return "No link matches, but " + number + " do. Add --archived."
}
