package table

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"terse/internal/move/archive/sources"
)

// Options say how a table is read. The zero Options read most tables.
type Options struct {
	Delimiter rune // 0: the one that the header has most often
	// Fields are the fields of columns whose names do not say it. An empty field leaves a column
	// out.
	Fields []Field
	// DateFormat is the strftime pattern of all times; empty: many styles are known.
	DateFormat string
	Zone       *time.Location // of times that name none; nil: UTC
	// Links say which links are read, and what is set on each.
	Links sources.Options
	// Preset is the product whose table it is; nil: it is not known.
	Preset *Preset
}

// Field says what a column stands for.
type Field struct{ Column, Field string }

// OptionsError says that Options do not fit a table, or anything.
type OptionsError struct{ error }

// Parameters are Options as people write them. Empty ones are not given.
type Parameters struct {
	Map                             []string // COLUMN=FIELD
	TimeZone, DateFormat, Delimiter string
}

// ParameterError says that a parameter can't be meant. Its text follows the name.
type ParameterError struct{ Name, Text string }

func (e *ParameterError) Error() string { return e.Name + " " + e.Text }

// Given returns the name of a parameter that is given, or "".
func (p Parameters) Given() string {
	switch {
	case len(p.Map) > 0:
		return "map"
	case p.TimeZone != "":
		return "time_zone"
	case p.DateFormat != "":
		return "date_format"
	case p.Delimiter != "":
		return "delimiter"
	}
	return ""
}

// Options parses the parameters. Its error is a *ParameterError.
func (p Parameters) Options() (o Options, err error) {
	for _, pair := range p.Map {
		at := strings.LastIndexByte(pair, '=')
		if at < 0 {
			return o, &ParameterError{
				"map", fmt.Sprintf("is %q; it must be a column, = and a field", pair),
			}
		}
		o.Fields = append(o.Fields, Field{pair[:at], pair[at+1:]})
	}
	if len(o.Fields) > MaxColumns {
		return o, &ParameterError{"map", fmt.Sprintf("may come %d times", MaxColumns)}
	}
	switch delimiter, size := utf8.DecodeRuneInString(p.Delimiter); {
	case p.Delimiter == "":
	case p.Delimiter == "tab" || p.Delimiter == `\t`:
		o.Delimiter = '\t'
	case size == len(p.Delimiter) && validDelimiter(delimiter):
		o.Delimiter = delimiter
	default:
		return o, &ParameterError{
			"delimiter", fmt.Sprintf("is %q; it must be one character, or tab", p.Delimiter),
		}
	}
	if p.TimeZone != "" {
		o.Zone, err = time.LoadLocation(p.TimeZone)
		if err != nil || p.TimeZone == "Local" {
			return o, &ParameterError{"time_zone", fmt.Sprintf(
				"is %q; it must be an IANA time zone such as Europe/Berlin", p.TimeZone)}
		}
	}
	o.DateFormat = p.DateFormat
	if _, err := newTimes(o); err != nil {
		return o, &ParameterError{
			"date_format", fmt.Sprintf("is %q; it %v", p.DateFormat, errFormat),
		}
	}
	return o, nil
}
