package manage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/address"
	"terse/internal/link/manage/option"
	"terse/internal/link/weburl"
	"terse/internal/text/jsonbody"
)

var (
	errReserved  = terse.Invalidf("short_code", "short code is reserved")
	errShortLink = terse.Invalidf("original_url",
		"original URL must not be a short link of this service")
	errBlocked  = terse.Invalidf("original_url", "original URL is blocked")
	errFindCode = terse.Invalidf("find_existing",
		"find_existing can not be combined with short_code")
	errFindAliases = terse.Invalidf("find_existing",
		"find_existing can not be combined with aliases")
)

// Draft is a link to create.
type Draft struct {
	link         terse.NewLink
	domain       terse.Domain // also of a code that is to be generated
	FindExisting bool         // return an existing link to the same URL if there is one
}

// ParseDraft parses a link to create from a JSON object.
func (m *Manager) ParseDraft(text []byte) (d Draft, err error) {
	passwords := 1
	return m.parseDraft(text, &passwords)
}

// parseDraft is ParseDraft for one of several that share the number of passwords that may be set.
func (m *Manager) parseDraft(text []byte, passwords *int) (d Draft, err error) {
	fields, err := jsonbody.Object(text, known("original_url", "short_code", "find_existing",
		"domain"))
	if err != nil {
		return d, err
	}
	target, err := fields.TakeString("original_url")
	if err != nil {
		return d, err
	}
	code, err := fields.TakeString("short_code")
	if err != nil {
		return d, err
	}
	if d.domain, err = m.takeDomain(fields); err != nil {
		return d, err
	}
	if d.FindExisting, err = fields.TakeBool("find_existing"); err != nil {
		return d, err
	}
	if err = m.prepare(fields, passwords); err != nil {
		return d, err
	}
	if d.link.Options, err = m.patchOptions("", fields); err != nil {
		return d, err
	}
	if d.link.URL, err = m.parseTarget(target); err != nil {
		return d, err
	}
	if d.FindExisting { // the link that is found would lack what was asked for
		options, err := d.link.Options.Decode()
		switch {
		case err != nil:
			return d, err
		case code != nil:
			return d, errFindCode
		case len(options.Aliases) > 0:
			return d, errFindAliases
		}
		return d, nil
	}
	if code == nil {
		return d, nil
	}
	if d.link.Code, err = m.parseChosen(*code); err != nil {
		return d, err
	}
	d.link.Code = d.link.Code.On(d.domain)
	return d, nil
}

// takeDomain takes the domain of a link that is to be created.
func (m *Manager) takeDomain(fields jsonbody.Members) (terse.Domain, error) {
	name, err := fields.TakeString("domain")
	if err != nil || name == nil {
		return terse.DefaultDomain, err
	}
	return m.Hosts.Table().DomainForNew(*name)
}

// ParsePatch parses a merge patch of a link.
func (m *Manager) ParsePatch(text []byte) Patch {
	passwords := 1
	return m.parsePatch(text, &passwords)
}

// parsePatch is ParsePatch for one of several that share the number of passwords that may be set.
func (m *Manager) parsePatch(text []byte, passwords *int) Patch {
	fields, err := jsonbody.Object(text, known("original_url", "short_code", "owner"))
	p := Patch{fields: fields}
	if _, p.gives = fields["owner"]; p.gives && err == nil {
		p.owner, err = fields.TakeString("owner")
	}
	if err == nil {
		err = m.prepare(fields, passwords)
	}
	p.err = err
	return p
}

// parseTarget parses a link's URL. It refuses other links of this server, and blocked hosts.
func (m *Manager) parseTarget(target *string) (terse.URL, error) {
	if target == nil {
		return "", terse.ErrURLRequired
	}
	url, err := weburl.Parse(*target)
	if err != nil {
		return url, err
	}
	switch {
	case m.isShortLink(url):
		return url, errShortLink
	case m.Blocked(url):
		return url, errBlocked
	}
	return url, nil
}

// parseChosen parses a code that the caller chose.
func (m *Manager) parseChosen(chosen string) (terse.Code, error) {
	code, err := terse.ParseCode(chosen)
	if err != nil {
		return code, err
	}
	if m.isReserved(chosen) {
		return code, errReserved
	}
	return code, nil
}

// takeCode takes the new code of a link from a patch.
func (m *Manager) takeCode(fields jsonbody.Members, before terse.Code) (terse.Code, error) {
	text, err := fields.TakeString("short_code")
	switch {
	case err != nil:
		return before, err
	case text == nil:
		return before, terse.ErrBadCode
	case *text == before.Text():
		return before, nil
	}
	code, err := m.parseChosen(*text)
	if err != nil {
		return before, err
	}
	return code.On(before.Domain()), nil
}

// readOnly are the fields of a link that requests can't change.
var readOnly = []string{
	"id", "short_code", "short_url", "created_at", "created_by", "updated_at", "click_count",
	"clicks_left", "status", "domain", "blocked",
}

// known refuses names that are neither options nor among others.
func known(others ...string) func(name string) error {
	return func(name string) error {
		switch {
		case slices.Contains(others, name) || option.Known(name):
			return nil
		case slices.Contains(readOnly, name):
			return terse.Invalidf(name, "field %s cannot be changed", jsonbody.Quote(name))
		default:
			return terse.Invalidf(name, "unknown field %s", jsonbody.Quote(name))
		}
	}
}

// prepare brings options into the form in which they are set: tags composed, and a password as its
// hash. It checks only what this requires. It refuses a password beyond the number that may be set.
func (m *Manager) prepare(fields jsonbody.Members, passwords *int) error {
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
		if err := option.Set(&options, "password", composed(value)); err != nil {
			return err
		}
		if *passwords == 0 {
			return terse.Invalidf("password", "a request may set %d passwords", maxPasswords)
		}
		*passwords--
		fields["password"] = encode(m.Hash(options.Password))
	}
	return nil
}

// composed returns a password in the form in which it is hashed, which is the one whose length is
// bounded. Other values it returns as they are.
func composed(value jsontext.Value) jsontext.Value {
	var text string
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return value
	}
	return encode(norm.NFC.String(text))
}

// encode encodes strings as JSON.
func encode[T string | []string](v T) jsontext.Value {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // from JSON, so valid UTF-8
	}
	return text
}

// patchOptions applies fields to options. Options that can't be decoded can't be changed.
func (m *Manager) patchOptions(
	before terse.EncodedOptions, fields jsonbody.Members,
) (terse.EncodedOptions, error) {
	if len(fields) == 0 {
		return before, nil
	}
	options, err := before.Decode()
	if err != nil {
		return before, err
	}
	ledTo := options.OtherURLs()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if err := option.Set(&options, name, fields[name]); err != nil {
			return before, err
		}
	}
	if err := option.Check(&options); err != nil {
		return before, err
	}
	if _, changed := fields["aliases"]; changed {
		for i, alias := range options.Aliases {
			if first := address.First(alias); m.isReserved(first) {
				return before, terse.Invalidf(fmt.Sprintf("aliases[%d]", i),
					"address is reserved: %s", alias)
			}
		}
	}
	others := options.OtherURLs()
	for _, name := range slices.Sorted(maps.Keys(others)) {
		field, _, _ := strings.Cut(name, "[")
		_, changed := fields[field]
		switch {
		case !changed, leads(ledTo, field, others[name]):
		case m.isShortLink(others[name]):
			return before, terse.Invalidf(name, "%s must not be a short link of this service", name)
		case m.Blocked(others[name]):
			return before, terse.Invalidf(name, "%s is blocked", name)
		}
	}
	return options.Encode()
}

// leads reports whether a field leads to a URL: of rules any.
func leads(urls map[string]terse.URL, field string, to terse.URL) bool {
	for name, url := range urls {
		if of, _, _ := strings.Cut(name, "["); of == field && url == to {
			return true
		}
	}
	return false
}
