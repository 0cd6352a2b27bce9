package cli

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/cli/words"
)

type eventsCommand struct {
	domainFlags `embed:""`

	Code      string   `arg:"" optional:"" complete:"codes" help:"The short code; without it, the clicks of all links."`
	Since     string   `aliases:"start" help:"First instant: a date (2026-11-01), today, yesterday, the last hours, days or weeks (24h, 7d, 2w) or RFC 3339. Default the beginning." placeholder:"TIME" variable:""`
	Until     string   `aliases:"end" help:"Last instant, in the same forms; a date means the end of that day. Default now." placeholder:"TIME" variable:""`
	Only      []string `help:"Only clicks with a value, such as country=DE; repeat a name to accept any of several values." sep:"none" placeholder:"NAME=VALUE" variable:""`
	Not       []string `help:"No clicks with a value, such as visitor=bot." sep:"none" placeholder:"NAME=VALUE" variable:""`
	Tags      []string `name:"tag" short:"l" help:"Only clicks of links with this tag; repeat it for links with all of several tags." placeholder:"TAG" variable:""`
	listFlags `embed:""`
	Follow    bool   `short:"f" help:"Keep printing new clicks." variable:""`
	Format    string `help:"text, ndjson (an event a line) or csv." default:"text" enum:"text,ndjson,csv" variable:""`
}

// Help implements kong.HelpProvider.
func (*eventsCommand) Help() string {
	return "Clicks are listed the newest first; with --follow the last ones come first, and then " +
		"those that follow, in their order. All clicks are listed, also those of bots, which " +
		"--not visitor=bot leaves out. --json is --format ndjson."
}

// Run lists single clicks.
func (c *eventsCommand) Run(ctx context.Context, r *remote) error {
	query, err := c.query(r.Env, time.Now())
	if err != nil {
		return err
	}
	if c.JSON {
		c.Format = "ndjson"
	}
	list := func() error {
		switch {
		case c.Follow:
			return c.follow(ctx, r, query)
		case c.Format == "csv":
			return r.StreamEvents(ctx, c.Code, c.Format, query, r.Env.Cells())
		case c.Format == "ndjson":
			return r.StreamEvents(ctx, c.Code, c.Format, query, r.JSONLines())
		}
		return c.list(ctx, r, query)
	}
	if c.Code == "" { // the clicks of all links
		err = list()
	} else {
		err = r.onLink(ctx, &c.Code, list)
	}
	if err != nil {
		return r.explain(err, c.Code)
	}
	return nil
}

// query returns the query that the flags describe; a Limit of 0 means all.
func (c *eventsCommand) query(e Env, now time.Time) (q api.EventsQuery, err error) {
	q.Limit, err = c.limit()
	switch {
	case err != nil:
		return q, err
	case c.JQ+c.Template != "" && c.Format == "csv":
		return q, misuse("--jq and --template don't go with --format csv")
	case c.Code != "" && len(c.Tags) > 0:
		return q, misuse("--tag is for the clicks of all links")
	case c.Follow && (c.Until != "" || c.All || c.Format == "csv"):
		return q, misuse("--follow doesn't go with --until, --all and --format csv")
	}
	now = now.In(e.Zone())
	if q.Start, err = pastFlag("--since", c.Since, now, false); err == nil {
		q.End, err = pastFlag("--until", c.Until, now, true)
	}
	if err != nil {
		return q, err
	}
	if !q.End.IsZero() && !q.Start.Before(q.End) || q.Start.After(now) {
		return q, misuse("--since must be before --until, which is now when it is not given")
	}
	if q.Only, err = valuesFlag("--only", c.Only); err == nil {
		q.Not, err = valuesFlag("--not", c.Not)
	}
	q.Tags = c.Tags
	return q, err
}

// maxEventsPage is the server's largest page of events.
const maxEventsPage = 1000

func (c *eventsCommand) list(ctx context.Context, r *remote, query api.EventsQuery) error {
	left := query.Limit
	if query.Limit = maxEventsPage; left > 0 {
		query.Limit = min(left, maxEventsPage)
	}
	n := 0
	for event, err := range r.AllEvents(ctx, c.Code, query) {
		if err != nil {
			return err
		}
		if err := c.print(r, &event); err != nil {
			return err
		}
		if n++; n == left {
			break
		}
	}
	if n == 0 && r.Width() > 0 {
		_, err := io.WriteString(r.Out, "No clicks.\n")
		return err
	}
	return nil
}

// print prints an event; a terminal does not show unknown values.
func (c *eventsCommand) print(r *remote, e *api.Event) error {
	if c.Format == "ndjson" {
		return r.PrintJSON(e, jsontext.Multiline(false))
	}
	at := e.Time.Format(api.EventTime)
	if r.Width() > 0 {
		at = e.Time.In(r.Zone()).Format(time.DateTime)
	}
	link := words.Link(e.Domain, e.ShortCode)
	row := []string{at, link}
	for _, name := range api.EventColumns() {
		if value := e.Value(name); r.Width() == 0 || shownInRow(name, value) {
			row = append(row, value)
		}
	}
	switch {
	case r.Width() == 0:
		row = append(row, strconv.FormatInt(e.Clicks(), 10))
	case e.Clicks() > 1:
		row = append(row, words.Count(e.Clicks(), "click"))
	}
	if r.Width() > 0 {
		row = []string{at, link, strings.Join(row[2:], " · ")}
	}
	return r.PrintRow(row...)
}

// shownInRow reports whether a terminal's row shows a value: it says something, and there is room
// for its dimension.
func shownInRow(name, value string) bool {
	if slices.Contains([]string{"XX", "unknown", "direct", "other", "none", "default"}, value) {
		return false
	}
	return name != "region" && name != "referrer" && name != "language"
}

// Following polls the server, each time for clicks up to a minute older than the newest one so far,
// because some arrive late. Clicks that were printed before are skipped.
const (
	followPause  = 2 * time.Second
	followBehind = time.Minute
	maxFollowed  = 10_000 // clicks per poll; of more, only the newest are printed
)

// follow prints the last events and then new ones, until the context ends.
func (c *eventsCommand) follow(ctx context.Context, r *remote, query api.EventsQuery) error {
	query.Limit = min(query.Limit, maxEventsPage)
	page, err := r.Events(ctx, c.Code, query)
	if err != nil {
		return err
	}
	f := following{eventsCommand: c, r: r, printed: map[api.Event]int64{}}
	if n := len(page.Events); n > 0 {
		f.oldest = page.Events[n-1].Time.Time
	}
	query.Limit = maxEventsPage
	for events := page.Events; ; {
		if err := f.print(events); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followPause):
		}
		if events, err = f.ask(ctx, query); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
}

// following is the state of follow.
type following struct {
	*eventsCommand
	r              *remote
	oldest, newest time.Time           // of the first page; of all clicks so far
	printed        map[api.Event]int64 // how many clicks each event of the last poll was
}

// ask returns the clicks that may be new, newest first.
func (f *following) ask(ctx context.Context, query api.EventsQuery) (
	events []api.Event, err error,
) {
	if !f.newest.IsZero() {
		query.Start = f.newest.Add(-followBehind)
		query.End = time.Now().Add(24 * time.Hour) // in case the clocks differ
	}
	for event, err := range f.r.AllEvents(ctx, f.Code, query) {
		if err != nil || len(events) == maxFollowed {
			return events, err
		}
		events = append(events, event)
	}
	return events, nil
}

// print prints those of events, given newest first, that were not printed before.
func (f *following) print(events []api.Event) error {
	seen := map[api.Event]int64{}
	for i := len(events) - 1; i >= 0; i-- {
		e := &events[i]
		if f.newest.Before(e.Time.Time) {
			f.newest = e.Time.Time
		}
		of := *e
		of.Count = 0
		seen[of] += e.Clicks()
		fresh := of
		if fresh.Count = seen[of] - f.printed[of]; fresh.Count <= 0 || e.Time.Before(f.oldest) {
			continue
		}
		if fresh.Count == 1 {
			fresh.Count = 0
		}
		if err := f.eventsCommand.print(f.r, &fresh); err != nil {
			return err
		}
	}
	f.printed = seen
	return nil
}
