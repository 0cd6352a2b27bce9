package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

type unknownCommand struct {
	clientFlags `embed:""`

	Date  string `help:"The last UTC day: a date (2026-11-01), today, yesterday or days ago (7d); default today." placeholder:"DATE" variable:""`
	Days  int    `help:"How many days up to it, up to 30." default:"1" variable:""`
	Limit int    `short:"L" help:"How many codes, up to 1000." default:"100" variable:""`
}

// The server keeps so many codes per day, for so many days.
const (
	maxUnknown  = 1000
	unknownDays = 30
)

// Run lists the unknown codes and aliases that visitors requested, most requested first.
func (c *unknownCommand) Run(ctx context.Context, r *remote) error {
	if c.Limit < 1 || c.Limit > maxUnknown {
		return misuse("--limit must be 1 to %d", maxUnknown)
	}
	if c.Days < 1 || c.Days > unknownDays {
		return misuse("--days must be 1 to %d", unknownDays)
	}
	day, err := pastFlag("--date", c.Date, time.Now().UTC(), false)
	if err != nil {
		return err
	}
	unknown, err := r.Unknown(ctx, day, c.Days, c.Limit)
	return c.answer(r, err, "", unknown, func() error { return r.printUnknown(unknown, c.Days) })
}

func (r *remote) printUnknown(unknown api.Unknown, days int) error {
	if r.Width() > 0 {
		return r.printUnknownTable(unknown, days)
	}
	for _, code := range unknown.Codes {
		err := r.PrintRow(code.ShortCode, strconv.FormatInt(code.Count, 10),
			strconv.FormatInt(code.Error, 10))
		if err != nil {
			return err
		}
	}
	return nil
}

// printUnknownTable is for people. It shows the bounds of counts that may be too high.
func (r *remote) printUnknownTable(unknown api.Unknown, days int) error {
	codes, counts := 0, make([]string, len(unknown.Codes))
	widest := 0
	for i, code := range unknown.Codes {
		counts[i] = humanize.Comma(code.Count)
		if code.Error > 0 {
			counts[i] = humanize.Comma(code.Count-code.Error) + " to " + counts[i]
		}
		codes = max(codes, console.Cells.StringWidth(code.ShortCode))
		widest = max(widest, len(counts[i]))
	}
	for i, code := range unknown.Codes {
		err := r.PrintRow(r.Pad(code.ShortCode, codes), fmt.Sprintf("%*s", widest, counts[i]))
		if err != nil {
			return err
		}
	}
	when := "on " + unknown.Date + " (UTC)"
	if days > 1 {
		when = fmt.Sprintf("in the %d days to %s (UTC)", days, unknown.Date)
	}
	text := "Nobody asked for an unknown code " + when + "."
	if unknown.Total > 0 {
		text = words.Count(unknown.Total, "visit") + " of unknown codes " + when
	}
	_, err := fmt.Fprintln(r.Out, r.Colors().Dim(text))
	return err
}
