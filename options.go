package terse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// LinkOptions is what a link may have beyond code, URL, owner and times. The zero LinkOptions is a
// plain link's. To add an option, add a field and its row in linkOptions: stores and caches carry
// all of them as one text.
type LinkOptions struct {
	// Title names the link for people: 1 to MaxTitle characters, none a control character.
	Title string `json:"title,omitzero"`
	// Note is for the owner only: 1 to MaxNote characters.
	Note string `json:"note,omitzero"`
	// Tags are up to MaxTags, in the order of FoldTag. No two are the same without regard to case.
	Tags []string `json:"tags,omitempty"`
	// StartsAt and ExpiresAt bound the time in which the link leads somewhere: UTC, microseconds,
	// the first before the second. Zero: unbounded.
	StartsAt  time.Time `json:"starts_at,omitzero"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// MaxClicks is how many redirects are answered, 1 to MaxMaxClicks; 0: any number.
	MaxClicks int64 `json:"max_clicks,omitzero"`
	Disabled  bool  `json:"disabled,omitzero"`
	// ExpiredURL is where the link leads when it is over; "": to a page that says so.
	ExpiredURL URL `json:"expired_url,omitzero"`
	// Password is what Set got, 1 to MaxPassword bytes; of a stored link its hash.
	Password string `json:"password,omitzero"`
	// RedirectStatus is 301, 302, 307 or 308; 0 stands for 302.
	RedirectStatus int    `json:"redirect_status,omitzero"`
	ForwardQuery   bool   `json:"forward_query,omitzero"`
	ForwardPath    bool   `json:"forward_path,omitzero"`
	Rules          []Rule `json:"rules,omitempty"` // up to MaxRules
}

// Bounds of options, in characters where nothing else is said.
const (
	MaxTitle     = 200
	MaxNote      = 2000
	MaxTags      = 20
	MaxTag       = 40
	MaxMaxClicks = 1_000_000_000
	MaxPassword  = 128 // bytes
	MaxRules     = 20
)

// option is a row of the table of options.
type option struct {
	name  string                 // in JSON
	kind  string                 // of value, for errors
	field func(*LinkOptions) any // a pointer to where the value is
	// valid reports whether a value that is not empty is within its bounds; it may bring it into
	// its one form. nil: there are none.
	valid func(*LinkOptions) bool
	// bounds says what is valid, for errors.
	bounds string
}

var linkOptions = []option{
	{
		"title", "a string", func(o *LinkOptions) any { return &o.Title },
		func(o *LinkOptions) bool { return isText(o.Title, MaxTitle, "") },
		"1 to 200 characters, not only spaces, none a control character",
	},
	{
		"note", "a string", func(o *LinkOptions) any { return &o.Note },
		func(o *LinkOptions) bool { return isText(o.Note, MaxNote, "\t\r\n") },
		"1 to 2000 characters, not only spaces, none a control character but tabs and line breaks",
	},
	{
		"tags", "a list of strings", func(o *LinkOptions) any { return &o.Tags },
		(*LinkOptions).SortTags,
		"up to 20, each 1 to 40 characters, without commas and control characters",
	},
	{"starts_at", "a string", func(o *LinkOptions) any { return &o.StartsAt }, nil, ""},
	{"expires_at", "a string", func(o *LinkOptions) any { return &o.ExpiresAt }, nil, ""},
	{
		"max_clicks", "a whole number", func(o *LinkOptions) any { return &o.MaxClicks },
		func(o *LinkOptions) bool { return 1 <= o.MaxClicks && o.MaxClicks <= MaxMaxClicks },
		"1 to 1000000000",
	},
	{"disabled", "true or false", func(o *LinkOptions) any { return &o.Disabled }, nil, ""},
	{
		"expired_url", "a string", func(o *LinkOptions) any { return &o.ExpiredURL },
		func(o *LinkOptions) bool { return isURL(o.ExpiredURL) }, "a valid http or https URL",
	},
	{
		"password", "a string", func(o *LinkOptions) any { return &o.Password },
		func(o *LinkOptions) bool { return 1 <= len(o.Password) && len(o.Password) <= MaxPassword },
		"1 to 128 bytes",
	},
	{
		"redirect_status", "a whole number", func(o *LinkOptions) any { return &o.RedirectStatus },
		func(o *LinkOptions) bool {
			return slices.Contains([]int{301, 302, 307, 308}, o.RedirectStatus)
		},
		"301, 302, 307 or 308",
	},
	{
		"forward_query", "true or false", func(o *LinkOptions) any { return &o.ForwardQuery },
		nil, "",
	},
	{
		"forward_path", "true or false", func(o *LinkOptions) any { return &o.ForwardPath },
		nil, "",
	},
	{"rules", "a list of rules", func(o *LinkOptions) any { return &o.Rules }, nil, ""},
}

// isText reports whether a text has 1 to most characters, not only spaces, and no control character
// but those allowed.
func isText(s string, most int, allowed string) bool {
	return utf8.RuneCountInString(s) <= most && strings.TrimSpace(s) != "" &&
		!strings.ContainsFunc(s, func(r rune) bool {
			return unicode.IsControl(r) && !strings.ContainsRune(allowed, r)
		})
}

func isURL(u URL) bool {
	_, err := ParseURL(string(u))
	return err == nil
}

// SortTags brings tags into their one form, and reports whether they are within their bounds.
func (o *LinkOptions) SortTags() bool {
	for i, tag := range o.Tags {
		o.Tags[i] = strings.TrimSpace(tag)
		if !isText(o.Tags[i], MaxTag, "") || strings.Contains(tag, ",") {
			return false
		}
	}
	slices.SortStableFunc(o.Tags, func(a, b string) int {
		return strings.Compare(FoldTag(a), FoldTag(b))
	})
	o.Tags = slices.CompactFunc(o.Tags, func(a, b string) bool { return FoldTag(a) == FoldTag(b) })
	return len(o.Tags) <= MaxTags
}

// FoldTag returns a tag as it is compared and sorted: without regard to case.
func FoldTag(tag string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, tag)
}

func findOption(name string) (option, bool) {
	i := slices.IndexFunc(linkOptions, func(row option) bool { return row.name == name })
	if i < 0 {
		return option{}, false
	}
	return linkOptions[i], true
}

// IsOption reports whether there is an option of a name.
func IsOption(name string) bool {
	_, known := findOption(name)
	return known
}

// Set sets the option of a name to a JSON value; null takes it away, and so does false. Its error
// is an *Error of kind Invalid that names the option and its bounds. It panics unless
// IsOption(name).
func (o *LinkOptions) Set(name string, value []byte) error {
	row, known := findOption(name)
	if !known {
		panic("no link option: " + name)
	}
	field := row.field(o)
	if err := decodeValue(name, row.kind, value, field); err != nil {
		return err
	}
	if string(value) != "null" && row.valid != nil && !row.valid(o) {
		return invalid("%s must be %s", name, row.bounds)
	}
	return nil
}

// Check reports whether the options go together.
func (o *LinkOptions) Check() error {
	if !o.StartsAt.IsZero() && !o.ExpiresAt.IsZero() && !o.StartsAt.Before(o.ExpiresAt) {
		return invalid("starts_at must be before expires_at")
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &Error{Invalid, fmt.Sprintf(format, args...)}
}

// decodeValue reads a JSON value into what field points to; null empties it. A value of another
// kind is an error that names the field. A number may be written in any way: 5.0 is 5.
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
			*field, err = ParseTime(name, text)
			if err == nil && field.IsZero() { // which stands for no time
				err = invalid("%s must be later than the year 1", name)
			}
			return err
		}
		*field = time.Time{}
	case *[]Rule:
		*field, err = decodeRules(name, value)
		return err
	case *[]string:
		*field = nil
		err = json.Unmarshal(value, field)
	default:
		err = json.Unmarshal(value, field)
		if null {
			err = json.Unmarshal(zeroOf(field), field)
		}
	}
	if err != nil || number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return invalid("field %q must be %s", name, kind)
	}
	return nil
}

// zeroOf returns the JSON value that empties a string or a bool.
func zeroOf(field any) []byte {
	if _, ok := field.(*bool); ok {
		return []byte("false")
	}
	return []byte(`""`)
}

// EncodedOptions are LinkOptions as stores and caches carry them: JSON, or "" for a plain link.
type EncodedOptions string

// Encode returns the options as they are stored.
func (o *LinkOptions) Encode() (EncodedOptions, error) {
	text, err := json.Marshal(o) //nolint:gosec // of a password there is the hash
	if err != nil {
		return "", fmt.Errorf("encode options: %w", err)
	}
	if string(text) == "{}" {
		return "", nil
	}
	return EncodedOptions(text), nil
}

// Decode returns the options of a link. It fails for a text that Encode did not write, such as one
// that was edited by hand or written by a later version.
func (e EncodedOptions) Decode() (o LinkOptions, err error) {
	if e == "" {
		return o, nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(e)))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		return LinkOptions{}, fmt.Errorf("decode options: %w", err)
	}
	return o, nil
}
