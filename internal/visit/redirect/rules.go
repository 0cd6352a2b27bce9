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
	"terse/internal/link/blocked"
	"terse/internal/visit/redirect/language"
	"terse/internal/visit/redirect/urls"
)

// rule is a terse.Rule, compiled for decide.
type rule struct {
	Name          string
	location      []byte
	host          string // of location, see blocked.HostOf
	share         uint64
	after, before time.Time
	address       []netip.Prefix
	query         []int // numbers of conditions in options.parameters
	languages     []int // indexes in options.languages
	countries     []string
	systems       []string // systems in the condition device, by their names in useragent
	kinds         []string
	browsers      []string
}

// parameter has the numbers of the conditions on a query parameter: with a certain value, or with
// any.
type parameter struct {
	values map[string]int
	any    int // unwanted: no such condition
}

const (
	unwanted = -1
	// maxParameters bounds a link's query conditions: at most 20 a rule.
	maxParameters = terse.MaxRules * 20
)

// parameterSet has a bit for each condition that holds.
type parameterSet [(maxParameters + 63) / 64]uint64

func (s *parameterSet) add(n int) {
	if n != unwanted {
		s[n/64] |= 1 << (n % 64)
	}
}

func (s *parameterSet) has(n int) bool { return s[n/64]&(1<<(n%64)) != 0 }

// systemNames and browserNames map the conditions' values to the names in useragent. Any other
// device is a kind of device, with the same name there. A value in neither matches nobody.
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
		Name: from.Name, location: []byte(urls.Location(from.URL)),
		host: blocked.HostOf(string(from.URL)), share: uint64(from.Share),
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
		r.query = append(r.query, c.addParameter(name, value))
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

// addParameter adds a condition on a query parameter and returns its number; a nil value matches
// any value.
func (c *options) addParameter(name string, value *string) (n int) {
	p, known := c.parameters[name]
	if !known {
		p = &parameter{values: map[string]int{}, any: unwanted}
		c.parameters[name] = p
	}
	n = c.conditions
	if value == nil {
		if p.any != unwanted {
			return p.any
		}
		p.any = n
	} else if other, known := p.values[*value]; known {
		return other
	} else {
		p.values[*value] = n
	}
	c.conditions++
	return n
}

// verdict says whether a rule's conditions hold.
type verdict uint8

const (
	fails verdict = iota
	holds
	lacksAgent // facts.agent is not known; everything else holds
)

// languageOf returns the index of the visitor's first choice among the rules' languages, or -1.
func (f *facts) languageOf(c *options, v *Visit) int {
	if !f.languageKnown {
		f.language, f.languageKnown = language.LookUp(c.languages, v.Header[Language]), true
	}
	return f.language
}

// firstRule returns the first rule that does not fail, and its verdict.
func (c *options) firstRule(link terse.LinkID, v *Visit, f *facts, now time.Time,
) (*rule, verdict) {
	for i := range c.rules {
		if is := c.rules[i].holds(link, c, v, f, now); is != fails {
			return &c.rules[i], is
		}
	}
	return nil, fails
}

// holds checks cheap conditions first.
func (r *rule) holds(link terse.LinkID, c *options, v *Visit, f *facts, now time.Time) verdict {
	switch {
	case now.Before(r.after), !r.before.IsZero() && !now.Before(r.before),
		len(r.countries) > 0 && !slices.Contains(r.countries, f.country.String()),
		len(r.address) > 0 && !contains(r.address, v.Addr),
		len(r.languages) > 0 && !slices.Contains(r.languages, f.languageOf(c, v)),
		len(r.query) > 0 && !f.sent(r.query, c, v),
		r.share > 0 && r.draw(link, v) >= r.share:
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

// draw returns a number below 100. It is always the same for a visitor, link and rule name, on all
// nodes, and independent of other rule names. A visitor is an address and a user agent.
func (r *rule) draw(link terse.LinkID, v *Visit) uint64 {
	var fixed [24]byte
	addr := v.client().As16()
	copy(fixed[:], addr[:])
	binary.BigEndian.PutUint64(fixed[16:], uint64(link))
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(fixed[:])
	_, _ = d.Write(v.Header[UserAgent])
	_, _ = d.Write([]byte{0})
	_, _ = d.WriteString(r.Name)
	percent, _ := bits.Mul64(d.Sum64(), 100)
	return percent
}

// sent reports whether all conditions hold for the request's query, which is parsed once.
func (f *facts) sent(conditions []int, c *options, v *Visit) bool {
	if !f.parametersKnown {
		f.parameters, f.parametersKnown = c.parametersOf(v.Query), true
	}
	for _, n := range conditions {
		if !f.parameters.has(n) {
			return false
		}
	}
	return true
}

// parametersOf returns which conditions hold for a query. A name that can't be decoded matches
// nothing; a value that can't be decoded matches only "any value".
func (c *options) parametersOf(query []byte) (holds parameterSet) {
	var scratch []byte
	for param := range bytes.SplitSeq(query, []byte("&")) {
		name, value, _ := bytes.Cut(param, []byte("="))
		if len(name) == 0 { // conditions have no empty name
			continue
		}
		name, scratch = decoded(name, scratch)
		p := c.parameters[string(name)]
		if p == nil {
			continue
		}
		holds.add(p.any)
		if value, scratch = decoded(value, scratch); value != nil {
			if n, wanted := p.values[string(value)]; wanted {
				holds.add(n)
			}
		}
	}
	return holds
}

// decoded decodes a part of a query; it returns nil if the part is malformed. It uses scratch if
// needed, and returns it.
func decoded(part, scratch []byte) (text, _ []byte) {
	if len(part) == 0 {
		return []byte{}, scratch
	}
	if bytes.IndexByte(part, '%') < 0 && bytes.IndexByte(part, '+') < 0 {
		return part, scratch
	}
	scratch = scratch[:0]
	for len(part) > 0 {
		c, n, ok := urls.DecodeByte(part)
		if !ok {
			return nil, scratch
		}
		if c == '+' && n == 1 {
			c = ' '
		}
		scratch, part = append(scratch, c), part[n:]
	}
	return scratch, scratch
}

// decodesTo reports whether a part of a query decodes to a text.
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
