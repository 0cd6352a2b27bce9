package storetest

import (
	"fmt"
	"strings"

	"terse"
)

// FullDayClicks is the number of clicks that FullDay returns.
const FullDayClicks = 10_000

// FullDay returns clicks of one day with as many values as a day keeps, all of maximum length:
// source, medium and campaign of 400 bytes, and referrers of 1,024 bytes, each with its own host.
func FullDay(day terse.Day) []terse.Click {
	clicks := make([]terse.Click, FullDayClicks)
	for i := range clicks {
		c := &clicks[i]
		c.Time = day.Start() + int64(i)
		utm := fmt.Sprintf("%05d-", i) + strings.Repeat("\U0001F600", 98)
		for _, d := range []terse.Dimension{terse.BySource, terse.ByMedium, terse.ByCampaign} {
			c.Values[d] = d.String()[:2] + utm
		}
		host := fmt.Sprintf("https://host%05d.example/", i)
		c.Values[terse.ByReferrer] = host + strings.Repeat("r", terse.MaxValueBytes-len(host))
	}
	return clicks
}
