package manage

import (
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/link/weburl"
	"terse/internal/text/jsonbody"
)

// ParseDomainChange parses a merge patch of where a domain leads. None of its targets is a short
// link of this service. Nor is that of "/" a place that may lead there again, or that of unknown
// addresses any place of this service, which may not know it either. A target that the domain has
// already is not checked again: it may be blocked by now.
func (m *Manager) ParseDomainChange(
	text []byte, before terse.DomainTargets,
) (change terse.DomainChange, err error) {
	fields, err := jsonbody.Object(text, jsonbody.Known("root_url", "unknown_url", "ended_url"))
	if err != nil {
		return change, err
	}
	targets := map[string]struct {
		before terse.URL
		change **terse.URL
	}{
		"root_url":    {before.Root, &change.Root},
		"unknown_url": {before.Unknown, &change.Unknown},
		"ended_url":   {before.Ended, &change.Ended},
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		target, err := m.domainTarget(fields, name, targets[name].before)
		if err != nil {
			return change, err
		}
		*targets[name].change = &target
	}
	return change, nil
}

func (m *Manager) domainTarget(
	fields jsonbody.Members, name string, before terse.URL,
) (terse.URL, error) {
	if fields[name].Kind() == jsontext.KindNull {
		return "", nil
	}
	text, err := fields.TakeString(name)
	if err != nil {
		return "", err
	}
	u, err := weburl.Parse(*text)
	if err != nil {
		return "", terse.Invalidf(name, "%s must be a valid http or https URL", name)
	}
	_, path, ours := m.self.below(u)
	switch {
	case u == before:
	case m.isShortLink(u):
		return "", terse.Invalidf(name, "%s must not be a short link of this service", name)
	case name == "unknown_url" && m.self.hasHost(u), name == "root_url" && ours && len(path) == 0:
		return "", terse.Invalidf(name, "%s must not lead to a host of this service", name)
	case m.Blocked(u):
		return "", terse.Invalidf(name, "%s is blocked", name)
	}
	return u, nil
}
