package archive

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"terse"
	"terse/internal/link/address"
	"terse/internal/text/jsonbody"
)

// DayLine is what a day line says.
type DayLine struct {
	Day      terse.Day
	Clicks   int64
	Visitors int64
	Notes    []string
}

// Day reads a day line.
func (l *Line) Day(now time.Time) (line DayLine, err error) {
	dated := false
	for _, f := range l.Fields {
		switch f.Name {
		case "date":
			line.Day, err = f.day(now)
			dated = true
		case "clicks":
			line.Clicks, err = f.count(0, maxDayClicks)
		case "visitors":
			line.Visitors, err = f.count(0, maxDayClicks)
		default:
			line.Notes = append(line.Notes, unknown(f))
		}
		if err != nil {
			return line, err
		}
	}
	if !dated {
		return line, terse.Invalidf("date", "date is required")
	}
	return line, nil
}

// CountsLine is what a counts line says.
type CountsLine struct {
	Day terse.Day
	// PastCounts are without the default value of the dimension.
	terse.PastCounts
	Notes []string
}

// Counts reads a counts line. Of a dimension that this version does not know there are no Values.
func (l *Line) Counts(now time.Time) (line CountsLine, err error) {
	dated := false
	dimension, counts := "", Field{}
	people, visitors := Field{}, Field{}
	for _, f := range l.Fields {
		switch f.Name {
		case "date":
			line.Day, err = f.day(now)
			dated = true
		case "dimension":
			dimension, err = f.text()
		case "counts":
			counts = f
		case "people":
			people = f
		case "visitors":
			visitors = f
		default:
			line.Notes = append(line.Notes, unknown(f))
		}
		if err != nil {
			return line, err
		}
	}
	switch {
	case !dated:
		return line, terse.Invalidf("date", "date is required")
	case dimension == "":
		return line, terse.Invalidf("dimension", "dimension is required")
	case counts.isNull():
		return line, terse.Invalidf("counts", "counts is required")
	}
	d, ok := dimensionsByName[dimension]
	if !ok {
		line.Notes = append(line.Notes, fmt.Sprintf("dimension %s was dropped: it is not known",
			jsonbody.Quote(dimension)))
		return line, nil
	}
	line.Dimension = d
	return line, line.setValues(counts, people, visitors)
}

func (l *CountsLine) setValues(counts, people, visitors Field) error {
	of, err := counts.counts()
	if err != nil {
		return err
	}
	ofPeople := of
	if !people.isNull() {
		if ofPeople, err = people.counts(); err != nil {
			return err
		}
	}
	firsts, err := visitors.counts()
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name   string
		counts map[string]int64
	}{{"people", ofPeople}, {"visitors", firsts}} {
		for value, n := range part.counts {
			if n > of[value] {
				return terse.Invalidf(part.name, "%s of %s must be at most its counts", part.name,
					jsonbody.Quote(value))
			}
		}
	}
	for value, n := range of {
		parsed, ok := valueOf(l.Dimension, value)
		switch {
		case !ok:
			l.Notes = append(l.Notes, dropped(l.Dimension, value))
		case parsed != "" && n > 0:
			l.Values = append(l.Values, terse.PastValue{
				Value: parsed, Clicks: n, People: ofPeople[value], Firsts: firsts[value],
			})
		}
	}
	slices.Sort(l.Notes)
	slices.SortFunc(l.Values, func(a, b terse.PastValue) int {
		return cmp.Compare(a.Value, b.Value)
	})
	return nil
}

// ClickLine is what a click line says.
type ClickLine struct {
	terse.PastClick
	// Undated says that the line has no time: the clicks count where the link was created.
	Undated bool
	// UserAgent and Address are those of the visitor, from which missing values can be derived; "":
	// not given.
	UserAgent, Address string
	Notes              []string
}

// Click reads a click line.
func (l *Line) Click(now time.Time) (line ClickLine, err error) {
	line.Count = 1
	timed := false
	for _, f := range l.Fields {
		switch f.Name {
		case "time":
			line.Time, err = f.clickTime(now)
			timed = true
		case "count":
			line.Count, err = f.count(1, MaxCount)
		case "firsts":
			line.Firsts, err = f.count(0, MaxCount)
		case "user_agent":
			line.UserAgent, err = f.text()
		case "address":
			line.Address, err = f.text()
		default:
			err = line.setValue(f)
		}
		if err != nil {
			return line, err
		}
	}
	line.Undated = !timed
	if line.Firsts > line.Count {
		return line, terse.Invalidf("firsts", "firsts must be at most count")
	}
	return line, nil
}

func (l *ClickLine) setValue(f Field) error {
	d, ok := dimensionsByName[f.Name]
	if !ok {
		l.Notes = append(l.Notes, unknown(f))
		return nil
	}
	text, err := f.text()
	if err != nil {
		return err
	}
	if _, derived := d.From(); derived || text == "" {
		return nil
	}
	value, ok := valueOf(d, text)
	if !ok {
		l.Notes = append(l.Notes, dropped(d, text))
		return nil
	}
	l.Values[d] = value
	return nil
}

func unknown(f Field) string {
	return fmt.Sprintf("field %s was dropped: it is not known", jsonbody.Quote(f.Name))
}

func dropped(d terse.Dimension, value string) string {
	return fmt.Sprintf("%s was dropped: it can not be %s", d, jsonbody.Quote(value))
}

// dimensionsByName are all dimensions.
var dimensionsByName = func() map[string]terse.Dimension {
	named := map[string]terse.Dimension{}
	for d := range terse.NumDimensions {
		named[d.String()] = d
	}
	return named
}()

// valueOf returns a value as clicks have it, "" for the default. It fails if the dimension can't
// have it, and returns no value then.
func valueOf(d terse.Dimension, text string) (value string, ok bool) {
	switch d {
	case terse.ByCountry, terse.ByDevice, terse.ByVisitor:
		parsed, err := d.ParseFilter(d.String(), text)
		if err != nil {
			return "", false
		}
		text = parsed
	default:
		if text != d.Unknown() && text != terse.OtherValue && (text == "" ||
			len(text) > d.MaxBytes() || strings.ContainsFunc(text, unicode.IsControl) ||
			!fits(d, text)) {
			return "", false
		}
	}
	if text == d.Unknown() {
		return "", true
	}
	return text, true
}

// fits reports whether a text has the form of a dimension's values.
func fits(d terse.Dimension, text string) bool {
	switch d {
	case terse.ByReferrer:
		return terse.ParseReferrer([]byte(text)) == text
	case terse.ByLanguage:
		return len(text) >= 2 && !strings.ContainsFunc(text, func(r rune) bool {
			return r < 'a' || r > 'z'
		})
	case terse.BySource, terse.ByMedium, terse.ByCampaign:
		return utf8.RuneCountInString(text) <= terse.MaxUTMChars &&
			strings.TrimSpace(text) == text
	case terse.ByRule:
		return utf8.RuneCountInString(text) <= terse.MaxRuleName
	case terse.ByAlias:
		return text[0] == '/' && address.Valid(text[1:])
	}
	return true
}
