// Package option parses the options of links from clients' JSON, and says what is wrong with them.
// It does not know what an option means.
//
// An option is a field of terse.LinkOptions, and a row of the table here with its name and bounds.
// Both stores and the cache carry all options of a link as one text, so a new option changes
// neither and needs no migration. Stores read from that text only what they search for: tags,
// aliases, and the options that determine a link's state. Package redirect decodes it where a
// redirect obeys an option. A version that does not know an option ignores and keeps it. If it
// can't read one that it knows, the link is closed.
package option

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/address"
	"terse/internal/link/weburl"
)

type options = terse.LinkOptions

// row describes an option.
type row struct {
	name  string             // in JSON
	kind  string             // of value, for errors
	field func(*options) any // returns a pointer to the field
	// valid reports whether a non-empty value is within its bounds, and may normalize it. nil: no
	// bounds.
	valid func(*options) bool
	// bounds describes valid values, for errors. Without valid it describes the kind.
	bounds string
}

// To add an option, add its field in terse.LinkOptions and its row here.
var table = []row{
	{
		"title", "a string", func(o *options) any { return &o.Title },
		func(o *options) bool { return isText(o.Title, terse.MaxTitle, "") },
		"1 to 200 characters, not only spaces, none a control character",
	},
	{
		"note", "a string", func(o *options) any { return &o.Note },
		func(o *options) bool { return isText(o.Note, terse.MaxNote, "\t\r\n") },
		"1 to 2000 characters, not only spaces, none a control character but tabs and line breaks",
	},
	{"tags", "a list of strings", func(o *options) any { return &o.Tags }, nil, ""},
	{"aliases", "a list of strings", func(o *options) any { return &o.Aliases }, nil, ""},
	{"starts_at", "a string", func(o *options) any { return &o.StartsAt }, nil, ""},
	{"expires_at", "a string", func(o *options) any { return &o.ExpiresAt }, nil, ""},
	{
		"max_clicks", "a whole number", func(o *options) any { return &o.MaxClicks },
		func(o *options) bool { return 1 <= o.MaxClicks && o.MaxClicks <= terse.MaxMaxClicks },
		"1 to 1000000000",
	},
	{"disabled", "true or false", func(o *options) any { return &o.Disabled }, nil, ""},
	{
		"expired_url", "a string", func(o *options) any { return &o.ExpiredURL }, nil, "",
	},
	{
		"password", "a string", func(o *options) any { return &o.Password },
		func(o *options) bool {
			return 1 <= len(o.Password) && len(o.Password) <= terse.MaxPassword
		},
		"1 to 128 bytes",
	},
	{
		"redirect_status", "a whole number", func(o *options) any { return &o.RedirectStatus },
		func(o *options) bool {
			return slices.Contains([]int{301, 302, 307, 308}, o.RedirectStatus)
		},
		"301, 302, 307 or 308",
	},
	{
		"forward_query", "true or false", func(o *options) any { return &o.ForwardQuery },
		nil, "",
	},
	{
		"forward_path", "true or false", func(o *options) any { return &o.ForwardPath },
		nil, "",
	},
	{"rules", "a list of rules", func(o *options) any { return &o.Rules }, nil, ""},
	{
		"archived", "true or false", func(o *options) any { return &o.Archived },
		nil, "true or false",
	},
}

// isText reports whether a text has 1 to most characters, is not blank, and has no control
// characters except those allowed.
func isText(s string, most int, allowed string) bool {
	return utf8.RuneCountInString(s) <= most && strings.TrimSpace(s) != "" &&
		!strings.ContainsFunc(s, func(r rune) bool {
			return unicode.IsControl(r) && !strings.ContainsRune(allowed, r)
		})
}

// decodeTags decodes a list of tags. If a single tag is wrong, the error says which.
func decodeTags(name, kind string, value []byte) ([]string, error) {
	var o options
	if json.Unmarshal(value, &o.Tags) != nil {
		return nil, terse.Invalidf(name, "field %q must be %s", name, kind)
	}
	at := name
	wrong := slices.IndexFunc(o.Tags, func(tag string) bool { return !isTag(tag) || IsDots(tag) })
	if wrong >= 0 {
		at = fmt.Sprintf("%s[%d]", name, wrong)
	}
	if wrong >= 0 || !SortTags(&o) {
		return nil, terse.Invalidf(at, "%s must be up to 20, each 1 to 40 characters, without "+
			"commas and control characters, and neither . nor ..", name)
	}
	return o.Tags, nil
}

// decodeAliases decodes a list of aliases. It does not bound their number, because it does not know
// which of them the link has anyway.
func decodeAliases(name, kind string, value []byte) (aliases []string, err error) {
	if json.Unmarshal(value, &aliases) != nil {
		return nil, terse.Invalidf(name, "field %q must be %s", name, kind)
	}
	for i, alias := range aliases {
		aliases[i] = norm.NFC.String(alias)
		if !address.Valid(aliases[i]) {
			return nil, terse.Invalidf(fmt.Sprintf("%s[%d]", name, i), "%s must each be 1 to 128 "+
				"bytes in segments that single slashes separate, without . and .. as segments, "+
				"control and invisible characters, ? # \\ and %%, and must not end in +, .svg or "+
				".png", name)
		}
	}
	return aliases, nil
}

func isTag(s string) bool {
	return isText(strings.TrimSpace(s), terse.MaxTag, "") && !strings.Contains(s, ",")
}

// SortTags normalizes tags, and reports whether they are within their bounds.
func SortTags(o *terse.LinkOptions) bool {
	for i, tag := range o.Tags {
		if !isTag(tag) {
			return false
		}
		o.Tags[i] = strings.TrimSpace(tag)
	}
	slices.SortStableFunc(o.Tags, func(a, b string) int {
		return strings.Compare(terse.FoldTag(a), terse.FoldTag(b))
	})
	o.Tags = slices.CompactFunc(o.Tags, func(a, b string) bool {
		return terse.FoldTag(a) == terse.FoldTag(b)
	})
	return len(o.Tags) <= terse.MaxTags
}

// IsDots reports whether a tag would be resolved away in a path, so that it could not be renamed or
// removed. Links may have one from before such tags were refused.
func IsDots(tag string) bool {
	tag = strings.TrimSpace(tag)
	return tag == "." || tag == ".."
}

func find(name string) (row, bool) {
	i := slices.IndexFunc(table, func(option row) bool { return option.name == name })
	if i < 0 {
		return row{}, false
	}
	return table[i], true
}

// Known reports whether an option with this name exists.
func Known(name string) bool {
	_, known := find(name)
	return known
}

// Set sets an option to a JSON value; null and false remove it. Its error is a *terse.Error of kind
// Invalid that names the option and its bounds. It panics unless Known(name).
func Set(o *terse.LinkOptions, name string, value []byte) error {
	option, known := find(name)
	if !known {
		panic("no link option: " + name)
	}
	field := option.field(o)
	err := decodeValue(name, option.kind, value, field)
	switch {
	case option.valid == nil && option.bounds == "":
	case option.valid == nil && err != nil,
		err == nil && option.valid != nil && string(value) != "null" && !option.valid(o):
		return terse.Invalidf(name, "%s must be %s", name, option.bounds)
	}
	return err
}

// Check returns an error if the options contradict each other.
func Check(o *terse.LinkOptions) error {
	if !o.StartsAt.IsZero() && !o.ExpiresAt.IsZero() && !o.StartsAt.Before(o.ExpiresAt) {
		return terse.Invalidf("starts_at", "starts_at must be before expires_at")
	}
	return nil
}

// decodeValue decodes a JSON value into field, a pointer; null empties it. If the value has another
// kind, the error names the field. A number may be written in any form: 5.0 is 5.
func decodeValue(name, kind string, value []byte, field any) (err error) {
	var number float64
	var text string
	null := string(value) == "null"
	switch field := field.(type) {
	case *int:
		err = json.Unmarshal(value, &number)
		*field = int(number)
	case *int64:
		err = json.Unmarshal(value, &number)
		*field = int64(number)
	case *time.Time:
		if err = json.Unmarshal(value, &text); err == nil && !null {
			*field, err = parseTime(name, text)
			return err
		}
		*field = time.Time{}
	case *terse.URL:
		if err = json.Unmarshal(value, &text); err == nil && !null {
			*field, err = parseURL(name, text)
			return err
		}
		*field = ""
	case *[]terse.Rule:
		*field, err = decodeRules(name, value)
		return err
	case *[]string:
		if name == "aliases" {
			*field, err = decodeAliases(name, kind, value)
		} else {
			*field, err = decodeTags(name, kind, value)
		}
		return err
	default:
		err = json.Unmarshal(value, field)
		if null {
			err = json.Unmarshal(zeroOf(field), field)
		}
	}
	if err != nil || number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return terse.Invalidf(name, "field %q must be %s", name, kind)
	}
	return nil
}

func parseURL(name, text string) (terse.URL, error) {
	u, err := weburl.Parse(text)
	switch {
	case errors.Is(err, terse.ErrLongURL):
		err = terse.Invalidf(name, "%s must be at most %d bytes", name, terse.MaxURLBytes)
	case err != nil:
		err = terse.Invalidf(name, "%s must be a valid http or https URL", name)
	}
	return u, err
}

// parseTime accepts times that can be shown. RFC 3339 has four digits for the year, and year 0 is
// before the first time that an option can have.
func parseTime(name, text string) (time.Time, error) {
	t, err := terse.ParseTime(name, text)
	switch {
	case err != nil:
	case t.IsZero(): // which means no time
		err = terse.Invalidf(name, "%s must be later than %s", name, t.Format(time.RFC3339))
	case t.Year() < 1 || t.Year() > 9999:
		err = terse.Invalidf(name, "%s must be in the years 1 to 9999, in UTC", name)
	}
	return t, err
}

// zeroOf returns the empty JSON value of a string or a bool.
func zeroOf(field any) []byte {
	if _, ok := field.(*bool); ok {
		return []byte("false")
	}
	return []byte(`""`)
}
