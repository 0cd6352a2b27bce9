package terse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LinkOptions is what a link may have beyond code, URL, owner and times. The zero LinkOptions is a
// plain link's. To add an option, add a field and its row in linkOptions: stores and caches carry
// all of them as one text.
type LinkOptions struct {
	// Title names the link for people: 1 to MaxTitle characters, none a control character.
	Title string `json:"title,omitzero"`
}

// MaxTitle bounds a title in characters.
const MaxTitle = 200

// option is a row of the table of options.
type option struct {
	name  string                 // in JSON
	kind  string                 // of value, for errors
	field func(*LinkOptions) any // a pointer to where the value is
	// whether the value is within its bounds; may bring it into its one form
	check func(*LinkOptions) error
}

var linkOptions = []option{
	{
		"title", "a string", func(o *LinkOptions) any { return &o.Title },
		(*LinkOptions).checkTitle,
	},
}

func (o *LinkOptions) checkTitle() error {
	if n := utf8.RuneCountInString(o.Title); n > MaxTitle || strings.TrimSpace(o.Title) == "" ||
		strings.ContainsFunc(o.Title, unicode.IsControl) {
		return &Error{Invalid, fmt.Sprintf(
			"title must be 1 to %d characters, not only spaces, none a control character",
			MaxTitle)}
	}
	return nil
}

// IsOption reports whether there is an option of a name.
func IsOption(name string) bool {
	return slices.ContainsFunc(linkOptions, func(row option) bool { return row.name == name })
}

// Set sets the option of a name to a JSON value; null takes it away. Its error is an *Error of kind
// Invalid that names the option and its bounds. It panics unless IsOption(name).
func (o *LinkOptions) Set(name string, value []byte) error {
	i := slices.IndexFunc(linkOptions, func(row option) bool { return row.name == name })
	row := linkOptions[i]
	field := row.field(o)
	reflect.ValueOf(field).Elem().SetZero()
	if string(value) == "null" {
		return nil
	}
	if err := json.Unmarshal(value, field); err != nil {
		return &Error{Invalid, fmt.Sprintf("field %q must be %s", name, row.kind)}
	}
	return row.check(o)
}

// EncodedOptions are LinkOptions as stores and caches carry them: JSON, or "" for a plain link.
type EncodedOptions string

// Encode returns the options as they are stored.
func (o *LinkOptions) Encode() (EncodedOptions, error) {
	text, err := json.Marshal(o)
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
