package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"terse/api"
)

// clicksOfDay is the number of clicks of each day that is imported.
const clicksOfDay = 10

// past measures imports of counts by day, and statistics by tag of links that have nothing else.
func (b *bench) past(ctx context.Context) (rows []row, err error) {
	const tag = "past"
	links, days := b.links(20_000), 3650
	for _, kind := range []store{sqlite, postgres} {
		var servers []*terseServer
		for _, program := range b.programs() {
			s, err := b.startNew(ctx, program, kind, 1)
			if err != nil {
				return rows, err
			}
			if err := s.importDays(ctx, "tagged", tag, links, 3); err != nil {
				return rows, err
			}
			servers = append(servers, s)
		}
		q := question{
			"by tag", constant("/api/overview?by=country,device&tag=" + tag),
			int64(links) * 3 * clicksOfDay, most(2000, " ms"),
		}
		values, err := inTurns(b.runs, servers, func(s *terseServer) ([]float64, error) {
			return q.asked(ctx, s, b.seconds)
		})
		if err != nil {
			return rows, err
		}
		rows = append(rows, q.rows(fmt.Sprintf("statistics of %s links with dropped days, on %s",
			whole(float64(links)), kind), values)...)

		run := 0
		values, err = inTurns(min(b.runs, 3), servers, func(s *terseServer) ([]float64, error) {
			run++
			began := time.Now()
			err := s.importDays(ctx, fmt.Sprintf("years-%d", run), "", 1, days)
			return []float64{time.Since(began).Seconds()}, err
		})
		if err != nil {
			return rows, err
		}
		rows = append(rows, figures(fmt.Sprintf("import of %s days of counts of a link, on %s",
			whole(float64(days)), kind), "s", ratio, values[0], most(10, " s")))
		if err := b.finish(ctx); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// importDays imports links with counts of so many days each, of all dimensions that clicks have.
func (s *terseServer) importDays(ctx context.Context, code, tag string, links, days int) error {
	var body bytes.Buffer
	first := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -days)
	for i := range links {
		tags := ""
		if tag != "" {
			tags = fmt.Sprintf(`,"tags":[%q]`, tag)
		}
		fmt.Fprintf(&body, `{"type":"link","short_code":"%s-%d","original_url":%q,`+
			`"created_at":%q%s}`+"\n", code, i, urlOf(i), first.Format(time.RFC3339), tags)
		for d := range days {
			date := first.AddDate(0, 0, d).Format(time.DateOnly)
			fmt.Fprintf(&body, `{"type":"day","date":%q,"clicks":%d,"visitors":4}`+"\n", date,
				clicksOfDay)
			for _, dimension := range api.Dimensions() {
				fmt.Fprintf(&body, `{"type":"counts","date":%q,"dimension":%q,"counts":%s}`+"\n",
					date, dimension, countsOf(dimension, d))
			}
		}
	}
	summary, err := s.client().Import(ctx, api.ImportQuery{}, bytes.NewReader(body.Bytes()),
		func(api.ImportResult) error { return nil })
	want := int64(links) * int64(days) * clicksOfDay
	if err == nil && summary.ClicksAdded != want {
		err = fmt.Errorf("%d clicks were imported, want %d", summary.ClicksAdded, want)
	}
	s.data.clicks += want
	return err
}

// countsOf returns the counts of a day by a dimension: two values, of which one is another each
// day where visitors make values up.
func countsOf(dimension string, day int) string {
	one, other := fmt.Sprintf("%s %d", dimension, day), dimension
	switch dimension {
	case "country":
		one, other = "DE", "FR"
	case "device":
		one, other = "desktop", "mobile"
	case "visitor":
		one, other = "person", "bot"
	case "language":
		one, other = "de", "fr"
	case "referrer":
		one, other = fmt.Sprintf("https://news.example/%d", day), "https://example.com/"
	case "referrer_host":
		one, other = "news.example", "example.com"
	}
	return fmt.Sprintf(`{%q:6,%q:4}`, one, other)
}
