package table

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"terse"
	"terse/internal/move/archive"
)

// line is a row as it is put together.
type line struct {
	*archive.Builder
	times     times
	code      place  // of a column of codes
	urlCode   place  // of a column of short URLs
	host      string // of a column of hosts
	domain    string // of the link; "": the default one
	clicks    int64
	day, hour time.Time // in which the clicks were; zero: not said

	stated, off   bool      // whether a state is given; whether one switches the link off
	ended, usedUp bool      // the state says so
	archived      bool      // a column says so
	end           time.Time // zero: none
	limit         int64     // of clicks; 0: none
	notes         []error
	aliases       []place
	atHosts       bool // see Preset
}

// setOff adds a state. One that switches the link off wins.
func (l *line) setOff(off bool) { l.stated, l.off = true, l.off || off }

// row returns the complete row, which is valid until the Builder begins another line.
func (l *line) row() row {
	if l.code.path != "" {
		l.AddString("short_code", l.code.path)
	}
	if l.domain != "" {
		l.AddString("domain", l.domain)
	}
	l.End()
	row := row{
		domain: l.domain, code: l.code.path, link: l.Builder, clicks: clicks{total: l.clicks},
	}
	switch zone := l.times.zone; {
	case len(l.Text()) >= MaxRecord:
		return row.failed("", errLong)
	case l.clicks > MaxClicks:
		return row.failed("clicks", fmt.Errorf("clicks is above %s", humanize.Comma(MaxClicks)))
	case l.day.IsZero() && l.hour.IsZero():
	case !l.hour.IsZero():
		row.clicks = clicks{total: l.clicks, at: l.hour, length: time.Hour}
	default:
		year, month, day := l.day.In(zone).Date()
		start := terse.DayStart(year, month, day, zone)
		end := terse.DayStart(year, month, day+1, zone)
		row.clicks = clicks{total: l.clicks, at: start, length: end.Sub(start)}
	}
	return row
}

// clicks are the clicks of a row. Those of a period are spread over it.
type clicks struct {
	total  int64
	at     time.Time     // the start of a period
	length time.Duration // of the period; 0: they are all of when the link was created
}

// MaxClicks is how many clicks a row can have, and so an hour or a day.
const MaxClicks = archive.MaxCount

// lines returns how many lines the clicks have.
func (c clicks) lines() int64 {
	if c.length == 0 {
		return min(c.total, 1)
	}
	return min(c.total, archive.Instants)
}

// line puts line i of the clicks together, from 0.
func (c clicks) line(i int64, b *archive.Builder) {
	b.Begin(archive.TypeClick)
	n := c.total
	if c.length != 0 {
		var after time.Duration
		after, n = archive.Spread(c.length, c.total, i)
		b.AddTime("time", c.at.Add(after))
	}
	if n > 1 {
		b.AddInt("count", n)
	}
	b.End()
}
