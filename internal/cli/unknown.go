package cli

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"terse/api"
	"terse/internal/cli/words"
)

type unknownCommand struct {
	clientFlags `embed:""`

	Date  string `help:"The UTC day: a date (2026-11-01), today, yesterday or days ago (7d); default today." placeholder:"DATE" variable:""`
	Limit int    `help:"How many codes, up to 1000." default:"100" variable:""`
}

// maxUnknown is how many codes the server keeps per day.
const maxUnknown = 1000

// Run lists the unknown codes that visitors requested, most requested first.
func (c *unknownCommand) Run(ctx context.Context, r *remote) error {
	if c.Limit < 1 || c.Limit > maxUnknown {
		return misuse("--limit must be 1 to %d", maxUnknown)
	}
	day, err := pastFlag("--date", c.Date, time.Now().UTC(), false)
	if err != nil {
		return err
	}
	unknown, err := r.Unknown(ctx, day, c.Limit)
	return c.answer(r, err, "", unknown, func() error { return r.printUnknown(unknown) })
}

func (r *remote) printUnknown(unknown api.Unknown) error {
	if r.Width() > 0 {
		return r.printUnknownTable(unknown)
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
func (r *remote) printUnknownTable(unknown api.Unknown) error {
	codes, counts := 0, make([]string, len(unknown.Codes))
	widest := 0
	for i, code := range unknown.Codes {
		counts[i] = humanize.Comma(code.Count)
		if code.Error > 0 {
			counts[i] = humanize.Comma(code.Count-code.Error) + " to " + counts[i]
		}
		codes, widest = max(codes, len(code.ShortCode)), max(widest, len(counts[i]))
	}
	for i, code := range unknown.Codes {
		err := r.PrintRow(r.Pad(code.ShortCode, codes), fmt.Sprintf("%*s", widest, counts[i]))
		if err != nil {
			return err
		}
	}
	text := "Nobody asked for an unknown code on " + unknown.Date + " (UTC)."
	if unknown.Total > 0 {
		text = words.Count(unknown.Total, "visit") + " of unknown codes on " + unknown.Date +
			" (UTC)"
	}
	_, err := fmt.Fprintln(r.Out, r.Colors().Dim(text))
	return err
}
