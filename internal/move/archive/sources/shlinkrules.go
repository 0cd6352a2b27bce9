package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"terse"
	"terse/api"
	"terse/internal/move/archive/sources/webapi"
)

type shlinkRule struct {
	LongURL    string                       `json:"longUrl"`
	Priority   int64                        `json:"priority"`
	Conditions webapi.List[shlinkCondition] `json:"conditions"`
}

type shlinkCondition struct {
	Type       string  `json:"type"`
	MatchKey   string  `json:"matchKey"`
	MatchValue *string `json:"matchValue"`
}

// shlinkDevices has the systems that Shlink's kinds of devices are: its mobile ones include
// Android's tablets.
var shlinkDevices = map[string][]string{
	"android": {"android"}, "ios": {"ios"}, "mobile": {"ios", "android"},
	"windows": {"windows"}, "macos": {"macos"}, "linux": {"linux"}, "chromeos": {"chromeos"},
	"desktop": {"windows", "macos", "linux", "chromeos"},
}

var shlinkLanguage = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,2}$`)

var shlinkBrowsers = []string{"chrome", "firefox", "edge", "safari", "opera"}

// readRules adds the rules of a link. One that has no equal here is left out and named.
func (s *shlink) readRules(ctx context.Context, from *shlinkLink, to *Link) error {
	var answer struct {
		RedirectRules webapi.List[shlinkRule] `json:"redirectRules"`
	}
	if from.HasRedirectRules {
		path, query := from.about("/redirect-rules")
		if err := s.get(ctx, path, query, &answer); err != nil {
			return err
		}
	}
	for _, device := range slices.Sorted(maps.Keys(from.DeviceLongURLs)) {
		if leads := from.DeviceLongURLs[device]; leads != "" {
			answer.RedirectRules = append(answer.RedirectRules, shlinkRule{
				LongURL:    leads,
				Conditions: []shlinkCondition{{Type: "device", MatchValue: &device}},
			})
		}
	}
	slices.SortStableFunc(answer.RedirectRules, func(a, b shlinkRule) int {
		return cmp.Compare(a.Priority, b.Priority)
	})
	for i, rule := range answer.RedirectRules {
		when, err := rule.when()
		if err != nil {
			s.to.Note("rules[%d], to %s, is left out: %w", i, rule.LongURL, err)
			continue
		}
		if len(when.Language) > 0 {
			s.to.Once("rules choose the visitor's preferred language among all that they name; " +
				"Shlink takes the first rule whose language is accepted with q of at least 0.9")
		}
		to.Rules = append(to.Rules, api.Rule{
			Name: fmt.Sprintf("rule-%d", i+1), URL: rule.LongURL, When: when,
		})
	}
	return nil
}

// when returns the conditions of a rule. All of them have to hold, so none may be left out.
func (r *shlinkRule) when() (when api.RuleConditions, err error) {
	at, err := url.Parse(r.LongURL)
	switch {
	case err != nil || at.Scheme != "http" && at.Scheme != "https":
		return when, errors.New("it leads to no web page")
	case len(r.Conditions) == 0:
		return when, errors.New("it has no condition, so it never holds")
	}
	for _, c := range r.Conditions {
		if !c.add(&when) {
			return when, fmt.Errorf("there is no equal here of its condition %s", &c)
		}
	}
	if !when.After.IsZero() && !when.Before.IsZero() && !when.After.Before(when.Before) {
		return when, errors.New("its dates never hold")
	}
	return when, nil
}

// String implements fmt.Stringer.
func (c *shlinkCondition) String() string {
	return folded(c.Type + " " + c.MatchKey + " " + c.value())
}

func (c *shlinkCondition) value() string {
	if c.MatchValue == nil {
		return ""
	}
	return *c.MatchValue
}

// add adds a condition, and reports whether it can be said here: of two of a kind both would have
// to hold, while one of a list is enough here.
func (c *shlinkCondition) add(to *api.RuleConditions) bool {
	value := c.value()
	one := func(list *[]string, values ...string) bool {
		ok := *list == nil && len(values) > 0
		*list = values
		return ok
	}
	when := func(at *time.Time) (ok bool) {
		ok = at.IsZero()
		var err error
		*at, err = time.Parse(time.RFC3339, value)
		return ok && err == nil
	}
	switch c.Type {
	case "device":
		return one(&to.Device, shlinkDevices[value]...)
	case "browser":
		return slices.Contains(shlinkBrowsers, value) && one(&to.Browser, value)
	case "language":
		tag := strings.ReplaceAll(value, "_", "-")
		return shlinkLanguage.MatchString(tag) && one(&to.Language, tag)
	case "geolocation-country-code":
		country := terse.ParseCountry(value)
		return country != terse.UnknownCountry && one(&to.Country, country.String())
	case "ip-address":
		block, ok := shlinkBlock(value)
		return ok && one(&to.Address, block)
	case "before-date":
		return when(&to.Before)
	case "after-date":
		return when(&to.After)
	case "query-param", "any-value-query-param":
		if to.Query == nil {
			to.Query = map[string]*string{}
		}
		_, twice := to.Query[c.MatchKey]
		if to.Query[c.MatchKey] = nil; c.Type == "query-param" {
			if to.Query[c.MatchKey] = c.MatchValue; c.MatchValue == nil {
				return false
			}
		}
		return c.MatchKey != "" && !twice
	}
	return false
}

// shlinkBlock returns an address, a block, or a pattern such as 11.22.*.* as a block.
func shlinkBlock(text string) (block string, ok bool) {
	if parts := strings.Split(text, "."); len(parts) == 4 && parts[3] == "*" {
		bits := 32
		for i := 3; i >= 0 && parts[i] == "*"; i-- {
			parts[i] = "0"
			bits -= 8
		}
		text = fmt.Sprintf("%s/%d", strings.Join(parts, "."), bits)
	}
	if at, err := netip.ParseAddr(text); err == nil {
		return text, at.Zone() == ""
	}
	_, err := netip.ParsePrefix(text)
	return text, err == nil
}
