package terse

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"time"
	"unicode"
)

// LinkOptions are a link's properties beyond code, URL, owner and times. The zero LinkOptions are a
// plain link's. To add an option, add a field and its row in internal/link/manage/option: stores
// and caches carry all options as one text.
type LinkOptions struct {
	// Title names the link for people: 1 to MaxTitle characters, no control characters. It must
	// stay the first field: searches look for it there (package searchtext).
	Title string `json:"title,omitzero"`
	// Note is only for the owner: 1 to MaxNote characters.
	Note string `json:"note,omitzero"`
	// Tags are up to MaxTags, ordered by FoldTag. No two differ only in case.
	Tags []string `json:"tags,omitempty"`
	// Aliases are up to MaxAliases further addresses, none alike. Package address has the rules.
	Aliases []string `json:"aliases,omitempty"`
	// StartsAt and ExpiresAt bound when the link redirects: UTC, microseconds, StartsAt before
	// ExpiresAt. Zero means unbounded.
	StartsAt  time.Time `json:"starts_at,omitzero"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	// MaxClicks is how many redirects are answered, 1 to MaxMaxClicks; 0: no limit.
	MaxClicks int64 `json:"max_clicks,omitzero"`
	Disabled  bool  `json:"disabled,omitzero"`
	// ExpiredURL is where the link leads once it has ended; "": a page that says so.
	ExpiredURL URL `json:"expired_url,omitzero"`
	// Password is as a request set it, 1 to MaxPassword bytes in NFC; in a stored link it is the
	// hash.
	Password string `json:"password,omitzero"`
	// RedirectStatus is 301, 302, 307 or 308; 0 stands for 302.
	RedirectStatus int    `json:"redirect_status,omitzero"`
	ForwardQuery   bool   `json:"forward_query,omitzero"`
	ForwardPath    bool   `json:"forward_path,omitzero"`
	Rules          []Rule `json:"rules,omitempty"` // up to MaxRules
	// Archived keeps the link out of lists that leave out archived links. It is no state.
	Archived bool `json:"archived,omitzero"`

	later map[string]json.RawMessage // unknown fields that Decode saw, for Encode to keep
}

// Bounds of options, in characters unless noted.
const (
	MaxTitle     = 200
	MaxNote      = 2000
	MaxTags      = 20
	MaxTag       = 40
	MaxMaxClicks = 1_000_000_000
	MaxPassword  = 128 // bytes, in NFC
	MaxRules     = 20
)

// FoldTag returns the form of a tag by which tags are compared and sorted, ignoring case.
func FoldTag(tag string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, tag)
}

// EncodedOptions are LinkOptions as stores and caches carry them: JSON, or "" for a plain link.
type EncodedOptions string

// Encode returns the options as they are stored, with the fields that Decode did not know.
func (o *LinkOptions) Encode() (EncodedOptions, error) {
	text, err := json.Marshal(o) //nolint:gosec // of a password there is the hash
	if err != nil {
		return "", fmt.Errorf("encode options: %w", err)
	}
	if len(o.later) > 0 {
		later, err := json.Marshal(o.later)
		if err != nil {
			return "", fmt.Errorf("encode options of a later version: %w", err)
		}
		if text = text[:len(text)-1]; len(text) > len("{") {
			text = append(text, ',')
		}
		text = append(text, later[1:]...)
	}
	if string(text) == "{}" {
		return "", nil
	}
	return EncodedOptions(text), nil
}

// optionNames are the names of the fields, in lower case.
var optionNames = func() map[string]bool {
	names := map[string]bool{}
	for field := range reflect.TypeFor[LinkOptions]().Fields() {
		if name, _, found := strings.Cut(field.Tag.Get("json"), ","); found {
			names[name] = true
		}
	}
	return names
}()

// Decode returns a link's options. It sets aside fields that a later version added, for Encode. Its
// error is ErrDamaged if other fields cannot be read: then nobody knows what the link may do.
func (e EncodedOptions) Decode() (o LinkOptions, err error) {
	if e == "" {
		return o, nil
	}
	text := []byte(e)
	if err = json.Unmarshal(text, &o); err == nil {
		err = json.Unmarshal(text, &o.later)
	}
	switch {
	case err != nil:
		return LinkOptions{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	case o.later == nil || o.MaxClicks < 0: // JSON null is not an object
		return LinkOptions{}, ErrDamaged
	}
	maps.DeleteFunc(o.later, func(name string, _ json.RawMessage) bool {
		return optionNames[strings.ToLower(name)] // encoding/json ignores case, too
	})
	if len(o.later) == 0 {
		o.later = nil
	}
	return o, nil
}
