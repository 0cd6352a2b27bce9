package table

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-strftime"

	"terse"
)

// times parses times.
type times struct {
	format string // a strftime pattern; empty: any style
	zone   *time.Location
}

func newTimes(o Options) (times, error) {
	t := times{o.DateFormat, o.Zone}
	if t.zone == nil {
		t.zone = time.UTC
	}
	if t.format == "" {
		return t, nil
	}
	// Whether a pattern can be read shows when it is.
	noon := time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)
	back, err := strftime.Parse(t.format, strftime.Format(t.format, noon))
	if err != nil || back.Year() != 2026 || back.YearDay() != noon.YearDay() ||
		strings.Contains(t.format, "%Z") { // an abbreviation can mean several zones
		return t, fmt.Errorf("the format of dates is %q; it %w", t.format, errFormat)
	}
	return t, nil
}

var errFormat = errors.New("must be a strftime pattern with year, month and day such as " +
	"%d.%m.%Y %H:%M, and %z for a zone")

// parse returns the instant that a cell names. day means that it names a day, whose start that is.
func (t times) parse(cell string) (at time.Time, day bool, err error) {
	cell = strings.TrimSpace(cell)
	if t.format != "" {
		at, day, err = t.byFormat(cell)
	} else {
		at, day, err = t.anyStyle(cell)
	}
	if err == nil && (at.Year() < 1 || at.Year() > 9999) {
		err = errUnknown
	}
	if err != nil {
		err = fmt.Errorf("is %q, %w", cell, err)
	}
	return at.Truncate(time.Microsecond), day, err
}

var (
	errUnknown   = errors.New("which is no time; give the format of dates if it is one")
	errAmbiguous = errors.New("which may be two dates; give the format of dates")
)

// NeedsDateFormat reports whether the error of a row is about a time that DateFormat could explain.
func NeedsDateFormat(err error) bool {
	return errors.Is(err, errUnknown) || errors.Is(err, errAmbiguous)
}

func (t times) byFormat(cell string) (at time.Time, day bool, err error) {
	at, err = strftime.Parse(t.format, cell)
	if err != nil {
		return at, false, fmt.Errorf("which does not fit the format %s", t.format)
	}
	if strings.Contains(t.format, "%z") || strings.Contains(t.format, "%:z") {
		return at, false, nil
	}
	if day = !clock.MatchString(t.format); day {
		return terse.DayStart(at.Year(), at.Month(), at.Day(), t.zone), true, nil
	}
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(),
		at.Nanosecond(), t.zone), false, nil
}

// clock finds hours in a pattern.
var clock = regexp.MustCompile("%[EO-]?[HIkcXrRT+]")

// The parts of a time: a date, a time of day, and a zone.
var (
	style = regexp.MustCompile(`^(\d{4}[^\d:][^:]*?|[^:]*?\d{4})` +
		`(?:(?:T|,?\s+(?:at\s+)?)(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)` +
		`(?:\s?([AaPp])\.?[Mm]\.?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$`)
	slashed = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})/(\d{4})$`)
	weekday = regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+`)
)

var dates = []string{
	time.DateOnly, "2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "Jan 2, 2006", "January 2, 2006",
	"2 Jan 2006", "2 January 2006", "2-Jan-2006", "Jan 2 2006", "January 2 2006",
}

// anyStyle parses a time in one of the styles that can't be misread.
func (t times) anyStyle(cell string) (at time.Time, day bool, err error) {
	if at, err = time.Parse(time.RFC3339Nano, cell); err == nil {
		return at, false, nil
	}
	whole := strings.TrimSuffix(strings.TrimSuffix(cell, ".00"), ".0") // spreadsheets add them
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil {
		return unix(n, len(whole))
	}
	parts := style.FindStringSubmatch(cell)
	if parts == nil {
		return at, false, errUnknown
	}
	date, err := dateOf(weekday.ReplaceAllString(parts[1], ""))
	if err != nil {
		return at, false, err
	}
	if parts[2] == "" {
		return terse.DayStart(date.Year(), date.Month(), date.Day(), t.zone), true, nil
	}
	text, layout := parts[2], "15:04:05"
	if strings.Count(text, ":") == 1 {
		layout = "15:04"
	}
	if parts[3] != "" {
		layout, text = "3"+layout[2:]+"PM", text+strings.ToUpper(parts[3])+"M"
	}
	hour, err := time.Parse(layout, text)
	if err != nil {
		return at, false, errUnknown
	}
	zone := t.zone
	if parts[4] != "" {
		if zone, err = zoneOf(parts[4]); err != nil {
			return at, false, err
		}
	}
	return time.Date(date.Year(), date.Month(), date.Day(), hour.Hour(), hour.Minute(),
		hour.Second(), hour.Nanosecond(), zone), false, nil
}

// unix returns a Unix time, whose number of digits tells its unit: seconds, milliseconds or
// microseconds.
func unix(n int64, digits int) (at time.Time, day bool, err error) {
	switch digits {
	case len("1767225600"):
		return time.Unix(n, 0), false, nil
	case len("1767225600000"):
		return time.UnixMilli(n), false, nil
	case len("1767225600000000"):
		return time.UnixMicro(n), false, nil
	}
	return at, false, errUnknown
}

func dateOf(text string) (time.Time, error) {
	if parts := slashed.FindStringSubmatch(text); parts != nil {
		switch first, second := canBeMonth(parts[1]), canBeMonth(parts[2]); {
		case first && second && parts[1] != parts[2]:
			return time.Time{}, errAmbiguous
		case first:
			return dateAs("1/2/2006", text)
		}
		return dateAs("2/1/2006", text)
	}
	for _, layout := range dates {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errUnknown
}

func canBeMonth(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n <= 12
}

func dateAs(layout, text string) (time.Time, error) {
	at, err := time.Parse(layout, text)
	if err != nil {
		return at, errUnknown
	}
	return at, nil
}

func zoneOf(text string) (*time.Location, error) {
	if !strings.ContainsAny(text, "+-") {
		return time.UTC, nil
	}
	layout := "-07"
	switch len(text) {
	case len("+0100"):
		layout = "-0700"
	case len("+01:00"):
		layout = "-07:00"
	}
	at, err := time.Parse(layout, text)
	if err != nil {
		return nil, errUnknown
	}
	return at.Location(), nil
}
