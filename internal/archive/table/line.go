package table

import (
	"fmt"
	"iter"
	"math/bits"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/archive"
)

// line is a row as it is put together.
type line struct {
	times     times
	text      []byte // of the link line, as far as it is written
	code      string // of a column of codes
	urlCode   string // of a column of short URLs
	clicks    int64
	day, hour time.Time // in which the clicks were; zero: not said

	stated, off   bool      // whether a state is given; whether one switches the link off
	ended, usedUp bool      // the state says so
	end           time.Time // zero: none
	limit         int64     // of clicks; 0: none
	notes         []error
	aliases       []string
}

// setOff adds a state. One that switches the link off wins.
func (l *line) setOff(off bool) { l.stated, l.off = true, l.off || off }

// member appends a member of the object.
func (l *line) member(name string, value []byte) {
	l.text = strconv.AppendQuote(append(l.text, ','), name) // names are ASCII
	l.text = append(append(l.text, ':'), value...)
}

func (l *line) quoted(name, value string) { l.member(name, quoted(nil, value)) }

func (l *line) list(name string, values []string) {
	text := []byte{'['}
	for i, value := range values {
		if i > 0 {
			text = append(text, ',')
		}
		text = quoted(text, value)
	}
	l.member(name, append(text, ']'))
}

func quoted(b []byte, text string) []byte {
	b, _ = jsontext.AppendQuote(b, text) // fails only for invalid UTF-8
	return b
}

// row returns the complete row.
func (l *line) row() Row {
	if l.code == "" {
		l.code = l.urlCode
	}
	if l.code != "" {
		l.quoted("short_code", l.code)
	}
	row := Row{Code: l.code, Link: append(l.text, '}')}
	row.Clicks = Clicks{total: l.clicks}
	switch zone := l.times.zone; {
	case len(row.Link) >= MaxRecord:
		return Row{Code: l.code, Err: errLong}
	case l.clicks > MaxClicks:
		return Row{
			Code: l.code, Field: "clicks",
			Err: fmt.Errorf("clicks is above %s", humanize.Comma(MaxClicks)),
		}
	case l.day.IsZero() && l.hour.IsZero():
	case !l.hour.IsZero():
		row.Clicks = Clicks{total: l.clicks, at: l.hour, length: time.Hour}
	default:
		year, month, day := l.day.In(zone).Date()
		start := terse.DayStart(year, month, day, zone)
		end := terse.DayStart(year, month, day+1, zone)
		row.Clicks = Clicks{total: l.clicks, at: start, length: end.Sub(start)}
	}
	return row
}

// Clicks are the clicks of a row.
type Clicks struct {
	total  int64
	at     time.Time     // the start of a period
	length time.Duration // of the period; 0: they are all of when the link was created
}

// MaxClicks is how many clicks a row can have, and so an hour or a day.
const MaxClicks = archive.MaxCount

// instants is at how many instants the clicks of a period are.
const instants = 1 << instantBits

const instantBits = 6

// Lines returns the click lines, without line ends. Each is valid until the next one.
//
// Clicks of a period are spread over it, at most 64 instants: click i, from 1, is at the period's
// start and as much of its length as the reversed 6 bits of i modulo 64 are of 64. So the first
// three of a day are at 12:00, 06:00 and 18:00, and those of a smaller total are among those of a
// larger one.
func (c Clicks) Lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var b []byte
		line := func(at time.Time, n int64) bool {
			b = append(b[:0], `{"type":"click"`...)
			if !at.IsZero() {
				b = at.UTC().AppendFormat(append(b, `,"time":"`...), microseconds)
				b = append(b, '"')
			}
			if n > 1 {
				b = strconv.AppendInt(append(b, `,"count":`...), n, 10)
			}
			return yield(append(b, '}'))
		}
		if c.length == 0 {
			if c.total > 0 {
				line(time.Time{}, c.total)
			}
			return
		}
		for i := range min(c.total, instants) { // click i+1, and each 64th after it
			at := c.at.Add(offset(c.length, i+1))
			if !line(at, (c.total-i-1)/instants+1) {
				return
			}
		}
	}
}

// microseconds is the layout of times.
const microseconds = "2006-01-02T15:04:05.999999Z"

// offset returns where click i of a period is, in whole microseconds.
func offset(length time.Duration, i int64) time.Duration {
	part := int64(bits.Reverse8(uint8(i%instants)) >> (8 - instantBits))
	return time.Duration(length.Microseconds()*part/instants) * time.Microsecond
}
