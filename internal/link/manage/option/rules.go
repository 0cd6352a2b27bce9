package option

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"terse"
)

// Bounds of conditions. A list may be longer than people write, but is short enough to scan.
const (
	maxConditionList  = 100
	maxConditionQuery = 20
	maxQueryText      = 500 // characters of a parameter's name or value
)

// decodeRules decodes a list of rules. Its errors say where something is wrong.
func decodeRules(name string, value []byte) (rules []terse.Rule, err error) {
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil {
		return nil, terse.Invalidf(name, "field %q must be a list of rules", name)
	}
	if len(items) > terse.MaxRules {
		return nil, terse.Invalidf(name, "%s must be at most %d rules", name, terse.MaxRules)
	}
	names := map[string]bool{terse.DefaultRule: true}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", name, i)
		rule, err := decodeRule(at, item)
		if err != nil {
			return nil, err
		}
		if names[rule.Name] {
			return nil, terse.Invalidf(at+".name", "%s.name must be another one: %q is taken", at,
				rule.Name)
		}
		names[rule.Name] = true
		rules = append(rules, rule)
	}
	return rules, nil
}

func decodeRule(at string, value []byte) (rule terse.Rule, err error) {
	err = eachMember(at, value, func(at, name string, value []byte) error {
		switch name {
		case "name":
			return decodeValue(at, "a string", value, &rule.Name)
		case "when":
			return eachMember(at, value, (*conditions)(&rule.When).set)
		case "share":
			err := decodeValue(at, "a whole number", value, &rule.Share)
			if err == nil && string(value) != "null" && (rule.Share < 1 || rule.Share > 99) {
				err = terse.Invalidf(at, "%s must be 1 to 99", at)
			}
			return err
		case "url":
			return decodeValue(at, "a string", value, &rule.URL)
		}
		return terse.Invalidf(at, "unknown field %q", at)
	})
	switch {
	case err != nil:
		return rule, err
	case !isText(rule.Name, terse.MaxRuleName, ""):
		return rule, terse.Invalidf(at+".name",
			"%s.name must be 1 to 40 characters, not only spaces, none a control character", at)
	case rule.URL == "":
		return rule, terse.Invalidf(at+".url", "%s.url must be a valid http or https URL", at)
	}
	return rule, nil
}

// eachMember calls set for each member of a JSON object, in the order of names. null has none.
func eachMember(at string, value []byte, set func(at, name string, value []byte) error) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return terse.Invalidf(at, "field %q must be an object", at)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := set(at+"."+name, name, members[name]); err != nil {
			return err
		}
	}
	return nil
}

// conditions are terse.Conditions that are being decoded.
type conditions terse.Conditions

// set sets the condition with a name.
func (c *conditions) set(at, name string, value []byte) error {
	switch name {
	case "device":
		return decodeList(at, value, &c.Device, oneOf(terse.Devices))
	case "browser":
		return decodeList(at, value, &c.Browser, oneOf(terse.Browsers))
	case "language":
		return decodeList(at, value, &c.Language, parseLanguage)
	case "country":
		return decodeList(at, value, &c.Country, parseCountryCondition)
	case "address":
		return decodeList(at, value, &c.Address, parsePrefix)
	case "query":
		return c.setQuery(at, value)
	case "after", "before":
		field := &c.After
		if name == "before" {
			field = &c.Before
		}
		if err := decodeValue(at, "a string", value, field); err != nil {
			return err
		}
		if !c.After.IsZero() && !c.Before.IsZero() && !c.After.Before(c.Before) {
			return terse.Invalidf(at, "%s must be later than after", at) // "after" was set first
		}
		return nil
	}
	return terse.Invalidf(at, "unknown field %q", at)
}

// decodeList decodes a list of 1 to maxConditionList strings. parse returns "", or for an invalid
// string what it must be.
func decodeList[T any](at string, value []byte, list *[]T, parse func(string) (T, string)) error {
	var items []*string
	if json.Unmarshal(value, &items) != nil || slices.Contains(items, nil) {
		return terse.Invalidf(at, "field %q must be a list of strings", at)
	}
	if string(value) != "null" && len(items) == 0 || len(items) > maxConditionList {
		return terse.Invalidf(at, "%s must have 1 to %d values", at, maxConditionList)
	}
	for i, item := range items {
		parsed, want := parse(*item)
		if want != "" {
			at = fmt.Sprintf("%s[%d]", at, i)
			return terse.Invalidf(at, "%s must be %s", at, want)
		}
		*list = append(*list, parsed)
	}
	return nil
}

func oneOf(known []string) func(string) (string, string) {
	return func(s string) (string, string) {
		if !slices.Contains(known, s) {
			return "", "one of " + strings.Join(known, ", ")
		}
		return s, ""
	}
}

// parseLanguage accepts anything in the form of a language tag (RFC 5646, 2.1).
func parseLanguage(s string) (tag, want string) {
	for i, part := range strings.Split(s, "-") {
		letters := strings.Trim(strings.ToLower(part), "abcdefghijklmnopqrstuvwxyz") == ""
		rest := strings.Trim(strings.ToLower(part), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
		if part == "" || len(part) > 8 || !rest || i == 0 && (!letters || len(part) < 2) ||
			len(s) > 35 { // the longest tags in use (RFC 5646, 4.4.1)
			return "", "a language tag such as de or pt-BR"
		}
	}
	return s, ""
}

func parseCountryCondition(s string) (country, want string) {
	if country = terse.ParseCountry(s).String(); !strings.EqualFold(country, s) {
		return "", "an ISO 3166-1 alpha-2 code such as DE"
	}
	return country, ""
}

// parsePrefix parses a block, and takes a plain address for the block of that address alone.
func parsePrefix(s string) (prefix netip.Prefix, want string) {
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		addr, err := netip.ParseAddr(s)
		if err != nil || addr.Zone() != "" {
			return prefix, "an address or a block such as 192.0.2.0/24"
		}
		prefix = netip.PrefixFrom(addr, addr.BitLen())
	}
	if addr := prefix.Addr(); addr.Is4In6() && prefix.Bits() >= 96 {
		prefix = netip.PrefixFrom(addr.Unmap(), prefix.Bits()-96)
	}
	return prefix.Masked(), ""
}

func (c *conditions) setQuery(at string, value []byte) error {
	if json.Unmarshal(value, &c.Query) != nil {
		return terse.Invalidf(at, "field %q must be an object of strings or null", at)
	}
	if string(value) != "null" && len(c.Query) == 0 || len(c.Query) > maxConditionQuery {
		return terse.Invalidf(at, "%s must have 1 to %d parameters", at, maxConditionQuery)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Query)) {
		if v := c.Query[name]; name == "" || utf8.RuneCountInString(name) > maxQueryText ||
			v != nil && utf8.RuneCountInString(*v) > maxQueryText {
			return terse.Invalidf(at,
				"%s must have names of 1 to %d characters, and values of at most %[2]d", at,
				maxQueryText)
		}
	}
	return nil
}
