package archive

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/text/jsonbody"
)

// The times of clicks may lie between these bounds, the second of which counts from now.
var (
	firstTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	ahead     = 24 * time.Hour
)

// ClickTimes returns the first and last time that clicks may have now.
func ClickTimes(now time.Time) (first, last time.Time) { return firstTime, now.Add(ahead) }

// maxDayClicks bounds the dropped clicks and the visitors of a day, so that sums do not overflow.
const maxDayClicks = terse.MaxOwnerClicks

// Export reads an export line.
func (l *Line) Export() (links, clicks int64, err error) {
	version := Field{Name: "version"}
	for _, f := range l.Fields {
		switch f.Name {
		case "version":
			version = f
		case "links":
			links, err = f.whole(0, math.MaxInt64)
		case "clicks":
			clicks, err = f.whole(0, math.MaxInt64)
		}
		if err != nil {
			return links, clicks, err
		}
	}
	if version.isNull() {
		return links, clicks, terse.Invalidf("version", "the export has no version")
	}
	n, err := version.whole(math.MinInt64, math.MaxInt64)
	if err == nil && n != Version {
		err = terse.Invalidf("version", "export version %d is not supported", n)
	}
	return links, clicks, err
}

// End reads an end line.
func (l *Line) End() (links, clicks int64, err error) {
	for _, f := range l.Fields {
		switch f.Name {
		case "links":
			links, err = f.whole(0, math.MaxInt64)
		case "clicks":
			clicks, err = f.whole(0, math.MaxInt64)
		}
		if err != nil {
			return links, clicks, err
		}
	}
	return links, clicks, nil
}

func (f Field) isNull() bool {
	return f.Value == nil || f.Value.Kind() == jsontext.KindNull
}

// text returns a string, "" for null.
func (f Field) text() (string, error) {
	switch {
	case f.isNull():
		return "", nil
	case f.Value.Kind() != jsontext.KindString:
		return "", f.mustBe("a string")
	}
	return textOf(f.Value), nil
}

func (f Field) mustBe(what string) error {
	return terse.Invalidf(f.Name, "field %s must be %s", jsonbody.Quote(f.Name), what)
}

// time returns a time that can be shown, or zero for null.
func (f Field) time() (t time.Time, err error) {
	text, err := f.text()
	if err != nil || f.isNull() {
		return t, err
	}
	t, err = terse.ParseTime(f.Name, text)
	if err == nil && !isShown(t) {
		err = terse.Invalidf(f.Name, "%s must be in the years 1 to 9999, in UTC", f.Name)
	}
	return t, err
}

// clickTime returns the time of a click in microseconds since 1970.
func (f Field) clickTime(now time.Time) (int64, error) {
	text, err := f.text()
	if err != nil {
		return 0, err
	}
	t, err := terse.ParseTime(f.Name, text)
	if first, last := ClickTimes(now); err == nil && (t.Before(first) || t.After(last)) {
		err = f.outside()
	}
	return t.UnixMicro(), err
}

// day returns the day of clicks.
func (f Field) day(now time.Time) (terse.Day, error) {
	text, err := f.text()
	if err != nil {
		return 0, err
	}
	day, err := terse.ParseDay(f.Name, text)
	if err == nil && (day < terse.DayOf(firstTime.UnixMicro()) ||
		day > terse.DayOf(now.Add(ahead).UnixMicro())) {
		err = f.outside()
	}
	return day, err
}

func (f Field) outside() error {
	return terse.Invalidf(f.Name, "%s must be from the year 2000 to one day ahead", f.Name)
}

// count is like whole, and returns the least value for null.
func (f Field) count(least, most int64) (int64, error) {
	if f.isNull() {
		return least, nil
	}
	return f.whole(least, most)
}

// whole returns a number without a fraction. It may be written in any form: 5.0 is 5.
func (f Field) whole(least, most int64) (int64, error) {
	if f.Value.Kind() != jsontext.KindNumber {
		return 0, f.mustBe("a whole number")
	}
	n, err := strconv.ParseInt(string(f.Value), 10, 64)
	if err != nil {
		var number float64
		if json.Unmarshal(f.Value, &number) != nil || number != math.Trunc(number) ||
			math.Abs(number) > 1<<53 {
			return 0, f.mustBe("a whole number")
		}
		n = int64(number)
	}
	if n < least || n > most {
		return 0, terse.Invalidf(f.Name, "%s must be %d to %d", f.Name, least, most)
	}
	return n, nil
}

// counts returns an object of counts, nil for null.
func (f Field) counts() (counts map[string]int64, err error) {
	if f.isNull() {
		return nil, nil
	}
	var numbers map[string]jsontext.Value
	if jsonv2.Unmarshal(f.Value, &numbers) != nil {
		return nil, f.mustBe("an object of counts")
	}
	if len(numbers) > MaxCounts {
		return nil, terse.Invalidf(f.Name, "%s must have at most %d values", f.Name, MaxCounts)
	}
	counts = make(map[string]int64, len(numbers))
	for name, number := range numbers {
		counts[name], err = Field{f.Name, number}.whole(0, maxDayClicks)
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}
