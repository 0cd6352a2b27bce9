package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"terse/api"
	"terse/internal/cli/moment"
	"terse/internal/cli/report"
)

// rangeFlags choose the clicks to count, and how to divide time.
type rangeFlags struct {
	Since    string   `aliases:"start" help:"First instant that counts: a date (2026-11-01), today, yesterday, the last hours, days or weeks (24h, 7d, 2w) or RFC 3339. Default the beginning." placeholder:"TIME" variable:""`
	Until    string   `aliases:"end" help:"Last instant that counts, in the same forms; a date means the end of that day. Default now." placeholder:"TIME" variable:""`
	Interval *string  `help:"hour, day, week or month; default what suits the range." enum:"hour,day,week,month" placeholder:"LENGTH" variable:""`
	By       []string `help:"What to count by, such as rule,country; default country,referrer_host." placeholder:"NAME" variable:""`
	Only     []string `help:"Only clicks with a value, such as country=DE; repeat a name to accept any of several values." sep:"none" placeholder:"NAME=VALUE" variable:""`
	Not      []string `help:"No clicks with a value, such as rule=default." sep:"none" placeholder:"NAME=VALUE" variable:""`
	Bots     bool     `help:"Count the clicks of bots, too. Without it they are left out, and their number is said." variable:""`
	Visitors bool     `help:"Have the charts count visitors, not clicks: people count once a day and link, bots never." variable:""`
	TimeZone string   `help:"Time zone of days and hours, such as Europe/Berlin; default the local zone." placeholder:"ZONE" variable:""`
}

// query returns the query that the flags describe.
func (f *rangeFlags) query(e Env, now time.Time) (q api.ClicksQuery, err error) {
	zone := e.Zone()
	if f.TimeZone != "" {
		if zone, err = time.LoadLocation(f.TimeZone); err != nil || f.TimeZone == "Local" {
			return q, misuse(
				"--time-zone is %q; it must be an IANA time zone such as Europe/Berlin", f.TimeZone)
		}
	}
	now = now.In(zone)
	if q.Start, err = pastFlag("--since", f.Since, now, false); err != nil {
		return q, err
	}
	if q.End, err = pastFlag("--until", f.Until, now, true); err != nil {
		return q, err
	}
	last := q.End
	if last.IsZero() {
		last = now
	}
	if !q.Start.Before(last) {
		return q, misuse("--since must be before --until, which is now when it is not given")
	}
	if q.Only, err = valuesFlag("--only", f.Only); err != nil {
		return q, err
	}
	if q.Not, err = valuesFlag("--not", f.Not); err != nil {
		return q, err
	}
	if q.By = f.By; len(q.By) == 0 {
		q.By = []string{"country", "referrer_host"}
	}
	q.Visitors, q.VisitorsBy, q.People = true, f.Visitors, true
	q.TimeZone = zone.String()
	q.Interval = cmp.Or(text(f.Interval), intervalFor(q.Start, last))
	return q, nil
}

// count asks for clicks in order to draw them. Bots' clicks are left out, and counted apart, unless
// --bots asks for them or a filter says itself whose clicks count.
func (f *rangeFlags) count(
	query api.ClicksQuery, ask func(api.ClicksQuery) (api.Clicks, error),
) (clicks api.Clicks, whose report.Audience, err error) {
	whose.Visitors = f.Visitors
	if f.Bots || query.Only["visitor"] != nil || query.Not["visitor"] != nil {
		clicks, err = ask(query)
		whose.Bots = f.Bots || clicks.People != nil && *clicks.People < clicks.TotalClicks
		return clicks, whose, err
	}
	bots := query
	bots.Only = maps.Clone(query.Only)
	bots.Only["visitor"], bots.By = []string{"bot"}, []string{"visitor"}
	bots.Visitors, bots.VisitorsBy = false, false
	left, err := ask(bots)
	if err != nil {
		return clicks, whose, err
	}
	whose.LeftOut = left.TotalClicks
	query.Not = maps.Clone(query.Not)
	query.Not["visitor"] = []string{"bot"}
	clicks, err = ask(query)
	return clicks, whose, err
}

// valuesFlag parses a flag's values by name.
func valuesFlag(flag string, given []string) (map[string][]string, error) {
	values := map[string][]string{}
	for _, pair := range given {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || value == "" || !slices.Contains(api.Dimensions(), name) {
			return nil, misuse("%s is %q; it must be a name (%s), = and a value", flag, pair,
				strings.Join(api.Dimensions(), ", "))
		}
		values[name] = append(values[name], value)
	}
	return values, nil
}

// intervalFor returns an interval that divides a range into about as many parts as a screen has
// lines.
func intervalFor(start, end time.Time) string {
	const day = 24 * time.Hour
	switch length := end.Sub(start); {
	case start.IsZero():
		return "day"
	case length <= 30*time.Hour:
		return "hour"
	case length <= report.MaxRows*day:
		return "day"
	case length <= report.MaxRows*7*day:
		return "week"
	}
	return "month"
}

// pastFlag returns the instant that a flag names, zero if it is empty.
func pastFlag(flag, value string, now time.Time, end bool) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	at, err := moment.Past.Parse(flag, value, now, end)
	return at, usage(err)
}
