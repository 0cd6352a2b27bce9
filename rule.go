package terse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/netip"
	"time"
)

// Rule sends some of a link's visitors elsewhere. The first rule whose conditions all hold decides.
type Rule struct {
	// Name is recorded with clicks: 1 to MaxRuleName characters, unique within the link.
	Name string     `json:"name"`
	When Conditions `json:"when,omitzero"`
	// Share is the percentage of those visitors that the rule applies to, 1 to 99; 0: all.
	Share int `json:"share,omitzero"`
	URL   URL `json:"url"`
}

// UnmarshalJSON reads a stored rule. It rejects unknown fields, such as a condition of a later
// version: without it the rule would apply to the wrong visitors.
func (r *Rule) UnmarshalJSON(text []byte) error {
	type plain Rule // without this method
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(r))
}

// Conditions of a Rule. An empty one always holds; of a list, one value has to match.
type Conditions struct {
	Device   []string `json:"device,omitempty"`   // of Devices
	Browser  []string `json:"browser,omitempty"`  // of Browsers
	Language []string `json:"language,omitempty"` // language tags (RFC 5646), such as pt-BR
	Country  []string `json:"country,omitempty"`  // as Country.String returns them
	// Query holds the required query parameters; nil matches any value.
	Query   map[string]*string `json:"query,omitempty"`
	After   time.Time          `json:"after,omitzero"`  // inclusive
	Before  time.Time          `json:"before,omitzero"` // exclusive
	Address []netip.Prefix     `json:"address,omitempty"`
}

// MaxRuleName bounds the name of a Rule, in characters.
const MaxRuleName = 40

// DefaultRule is the rule name of clicks that no rule decided.
const DefaultRule = "default"

// Devices are the values of the condition device: systems and kinds of devices.
var Devices = []string{
	"ios", "android", "windows", "macos", "linux", "chromeos", "mobile", "tablet", "desktop",
}

// Browsers are the values of the condition browser.
var Browsers = []string{
	"chrome", "safari", "firefox", "edge", "opera", "samsung", "duckduckgo", "vivaldi", "yandex",
	"ie",
}

// OtherURLs returns the other URLs that a link with these options may lead to, by field name.
func (o *LinkOptions) OtherURLs() map[string]URL {
	urls := map[string]URL{}
	if o.ExpiredURL != "" {
		urls["expired_url"] = o.ExpiredURL
	}
	for i, rule := range o.Rules {
		urls[fmt.Sprintf("rules[%d].url", i)] = rule.URL
	}
	return urls
}
