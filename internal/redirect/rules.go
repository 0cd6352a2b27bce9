package redirect

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"terse"
	"terse/internal/redirect/language"
	"terse/internal/redirect/urls"
)

// rule is a terse.Rule as decide wants it.
type rule struct {
	Name          string
	location      []byte
	share         uint64
	after, before time.Time
	address       []netip.Prefix
	query         []queryCondition
	languages     []int // of options.languages
	countries     []string
	systems       []string // the condition device, by what useragent calls them
	kinds         []string
	browsers      []string
}

// queryCondition wants a parameter in the request's query.
type queryCondition struct {
	name, value string
	any         bool // value does not matter
}

// systemNames and browserNames are what useragent calls the conditions' values. A device that is no
// system is a kind of device, and has the same name there. What is in neither fits nobody.
var (
	systemNames = map[string]string{
		"ios": "iOS", "android": "Android", "windows": "Windows", "macos": "macOS",
		"linux": "Linux", "chromeos": "ChromeOS",
	}
	browserNames = map[string]string{
		"chrome": "Chrome", "safari": "Safari", "firefox": "Firefox", "edge": "Edge",
		"opera": "Opera", "samsung": "Samsung Internet", "duckduckgo": "DuckDuckGo",
		"vivaldi": "Vivaldi", "yandex": "Yandex", "ie": "IE",
	}
)

func (c *options) compileRule(from *terse.Rule) rule {
	when := &from.When
	r := rule{
		Name: from.Name, location: []byte(urls.Location(from.URL)), share: uint64(from.Share),
		after: when.After, before: when.Before, address: when.Address, countries: when.Country,
	}
	for _, device := range when.Device {
		if system, ok := systemNames[device]; ok {
			r.systems = append(r.systems, system)
		} else {
			r.kinds = append(r.kinds, device)
		}
	}
	for _, browser := range when.Browser {
		r.browsers = append(r.browsers, cmp.Or(browserNames[browser], browser))
	}
	for _, language := range when.Language {
		r.languages = append(r.languages, c.addLanguage(strings.ToLower(language)))
	}
	for name, value := range when.Query {
		condition := queryCondition{name: name, any: value == nil}
		if value != nil {
			condition.value = *value
		}
		r.query = append(r.query, condition)
	}
	c.needsAgent = c.needsAgent || len(when.Device)+len(when.Browser) > 0
	c.needsCountry = c.needsCountry || len(when.Country) > 0
	return r
}

func (c *options) addLanguage(language string) (index int) {
	if i := slices.Index(c.languages, language); i >= 0 {
		return i
	}
	c.languages = append(c.languages, language)
	return len(c.languages) - 1
}

// verdict is whether a rule's conditions hold.
type verdict uint8

const (
	fails verdict = iota
	holds
	lacksAgent // what else is asked holds, facts.agent is not known
)

// languageOf returns the visitor's first choice among the languages that the rules name, or -1.
func (f *facts) languageOf(c *options, v *Visit) int {
	if !f.languageKnown {
		f.language, f.languageKnown = language.LookUp(c.languages, v.Header[Language]), true
	}
	return f.language
}

// firstRule returns the first rule that does not fail, and what becomes of it.
func (c *options) firstRule(v *Visit, f *facts, now time.Time) (*rule, verdict) {
	for i := range c.rules {
		if is := c.rules[i].holds(c, v, f, now); is != fails {
			return &c.rules[i], is
		}
	}
	return nil, fails
}

// holds asks what costs least at first.
func (r *rule) holds(c *options, v *Visit, f *facts, now time.Time) verdict {
	switch {
	case now.Before(r.after), !r.before.IsZero() && !now.Before(r.before),
		len(r.countries) > 0 && !slices.Contains(r.countries, f.country.String()),
		len(r.address) > 0 && !contains(r.address, v.Addr),
		len(r.languages) > 0 && !slices.Contains(r.languages, f.languageOf(c, v)),
		slices.ContainsFunc(r.query, func(q queryCondition) bool { return !q.holds(v.Query) }),
		r.share > 0 && r.draw(v, f) >= r.share:
		return fails
	case len(r.systems)+len(r.kinds)+len(r.browsers) == 0:
		return holds
	case !f.agentKnown:
		return lacksAgent
	case len(r.systems)+len(r.kinds) > 0 && !slices.Contains(r.systems, f.agent.OS) &&
		!slices.Contains(r.kinds, f.agent.Device),
		len(r.browsers) > 0 && !slices.Contains(r.browsers, f.agent.Browser):
		return fails
	}
	return holds
}

func contains(blocks []netip.Prefix, addr netip.Addr) bool {
	for _, block := range blocks {
		if block.Contains(addr) {
			return true
		}
	}
	return false
}

// draw returns a number below 100: for each visitor, link and name of a rule always the same, on
// all nodes, and independent of that for another. A visitor is an address and a user agent.
func (r *rule) draw(v *Visit, f *facts) uint64 {
	var fixed [32]byte
	addr := v.client().As16()
	copy(fixed[:], addr[:])
	hi, lo := f.code.Pack()
	binary.BigEndian.PutUint64(fixed[16:], hi)
	binary.BigEndian.PutUint64(fixed[24:], lo)
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(fixed[:])
	_, _ = d.Write(v.Header[UserAgent])
	_, _ = d.Write([]byte{0})
	_, _ = d.WriteString(r.Name)
	percent, _ := bits.Mul64(d.Sum64(), 100)
	return percent
}

// holds reports whether one of the parameters of a query is what is wanted. Of a parameter that
// can't be decoded nothing is known.
func (q *queryCondition) holds(query []byte) bool {
	for param := range bytes.SplitSeq(query, []byte("&")) {
		name, value, _ := bytes.Cut(param, []byte("="))
		if decodesTo(name, q.name) && (q.any || decodesTo(value, q.value)) {
			return true
		}
	}
	return false
}

// decodesTo reports whether a part of a query stands for a text.
func decodesTo(part []byte, text string) bool {
	for len(part) > 0 {
		c, n, ok := urls.DecodeByte(part)
		if c == '+' && n == 1 {
			c = ' '
		}
		if !ok || text == "" || text[0] != c {
			return false
		}
		part, text = part[n:], text[1:]
	}
	return text == ""
}
