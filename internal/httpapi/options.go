package httpapi

import (
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/api"
)

// errOtherShortLink is for the other URLs that a link may lead to.
const errOtherShortLink = "%s must not be a short link of this service"

// readOnly are the fields of a link that no request changes.
var readOnly = []string{
	"id", "short_code", "short_url", "created_at", "created_by", "updated_at", "click_count",
	"clicks_left", "status",
}

// knownIn refuses names that are neither an option nor one of others.
func knownIn(others ...string) func(name string) error {
	return func(name string) error {
		switch {
		case slices.Contains(others, name) || terse.IsOption(name):
			return nil
		case slices.Contains(readOnly, name):
			return invalid("field %s cannot be changed", quote(name))
		default:
			return invalid("unknown field %s", quote(name))
		}
	}
}

// parseOptions brings the options among the fields of a request into the form in which they are
// set: tags in Unicode's composed form, and the hash of a password. It checks those alone that this
// needs.
func (s *service) parseOptions(fields members) error {
	if value, ok := fields["tags"]; ok {
		var tags []string
		if json.Unmarshal(value, &tags) == nil {
			for i := range tags {
				tags[i] = norm.NFC.String(tags[i])
			}
			fields["tags"] = encode(tags)
		}
	}
	if value, ok := fields["password"]; ok && value.Kind() != jsontext.KindNull {
		var options terse.LinkOptions
		if err := options.Set("password", value); err != nil {
			return err
		}
		fields["password"] = encode(s.HashPassword(options.Password))
	}
	return nil
}

// encode returns strings as JSON.
func encode[T string | []string](v T) jsontext.Value {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // they came from JSON, so they are valid UTF-8
	}
	return text
}

// patchOptions returns options as fields change them. Those that this version can't read, because
// they are damaged or of a later version, are kept as they are and can't be changed.
func (s *service) patchOptions(
	before terse.EncodedOptions, fields members,
) (terse.EncodedOptions, error) {
	if len(fields) == 0 {
		return before, nil
	}
	options, err := before.Decode()
	if err != nil {
		return before, err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := options.Set(name, fields[name]); err != nil {
			return before, err
		}
	}
	if err := options.Check(); err != nil {
		return before, err
	}
	for name, url := range options.OtherURLs() {
		if code, ours := s.self.code(url); ours && !s.reserved(code) {
			return before, invalid(errOtherShortLink, name)
		}
	}
	return options.Encode()
}

// details returns the options of a link as answers have them, and what follows from them. The
// fields have the names that they are stored by. Damaged ones are left out.
func (s *service) details(link terse.Link) (shown api.LinkDetails) {
	if link.Options == "" {
		return shown
	}
	options, err := link.Options.Decode()
	if err == nil {
		if options.HasStatus() {
			shown.Status = string(options.Status(time.Now(), link.Used))
		}
		if options.MaxClicks > 0 {
			left := max(0, options.MaxClicks-link.Used)
			shown.ClicksLeft = &left
		}
		shown.Password = options.Password != ""
	}
	if problem := json.Unmarshal([]byte(link.Options), &shown.LinkOptions); problem != nil {
		err = problem
	}
	if err != nil {
		s.Logger.Warn("link has damaged options", "short_code", link.Code.String(), "error", err)
	}
	return shown
}
