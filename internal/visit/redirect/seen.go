package redirect

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"terse"
	"terse/internal/visit/redirect/urls"
	"terse/internal/visit/useragent"
)

// record writes the click to the journal. If there is no room, the click is counted as lost, but
// the visitor is redirected anyway.
func (h *Handler) record(v *Visit, agent *useragent.Families, link *target, rule string) error {
	click := terse.Click{
		Link: link.id, Code: link.code, Time: v.Time.UnixMicro(),
		Untracked: h.opts.Tracking == TrackOff,
	}
	if !click.Untracked {
		h.fillValues(v, agent, link, rule, &click.Values)
	}
	if h.identifiesVisitor(v, agent) {
		click.Visitor = h.opts.Visitor(click.Time, v.Addr, v.Header[UserAgent], link.id)
	}
	err := h.opts.Record(click)
	if err != nil {
		h.ClicksLost.Add(1)
	}
	return err
}

// fillValues fills in the values of a visit.
func (h *Handler) fillValues(v *Visit, agent *useragent.Families, link *target, rule string,
	values *terse.Values,
) {
	country, region, city := h.place(v)
	*values = terse.Values{
		terse.ByCountry:  country.String(),
		terse.ByRegion:   region,
		terse.ByCity:     city,
		terse.ByReferrer: terse.ParseReferrer(v.Header[Referrer]),
		terse.ByBrowser:  agent.Browser,
		terse.ByOS:       agent.OS,
		terse.ByDevice:   agent.Device,
		terse.ByLanguage: languageOf(v.Header[Language]),
		terse.ByVisitor:  visitorOf(v, agent),
		terse.ByRule:     rule,
		terse.ByAlias:    link.alias,
	}
	v.addCampaign(values)
}

// identifiesVisitor reports whether a visit is attributed to a visitor: not if the operator or the
// visitor opts out. Bots are not visitors, and a prefetch must not take the place of the visit that
// follows.
func (h *Handler) identifiesVisitor(v *Visit, agent *useragent.Families) bool {
	return h.opts.Visitor != nil && h.opts.Tracking == TrackFull && !agent.Bot &&
		!v.isPrefetch() && !v.optsOut()
}

// agent identifies the user agent of a visit. known is false in a loop, which has no time to parse
// it. Beyond the rate for new user agents, they are not parsed at all.
func (h *Handler) agent(v *Visit, a Attempt) (agent useragent.Families, known bool) {
	if h.opts.Tracking == TrackOff {
		return agent, true // nobody needs it
	}
	agent, known, slow := h.agents.Quick(v.Header[UserAgent])
	if slow && a.Wait != 0 {
		return agent, false
	}
	if slow {
		agent, known = h.agents.Recognize(v.Header[UserAgent])
	}
	if !known {
		agent = useragent.Families{}
	}
	return agent, true
}

// country returns the country of a visit.
func (h *Handler) country(v *Visit) terse.Country {
	country, _, _ := h.place(v)
	return country
}

// place returns the location of a visit. A trusted proxy's country wins over the data, whose region
// and city count only if they are in that country.
func (h *Handler) place(v *Visit) (country terse.Country, region, city string) {
	country, region, city = h.opts.Place(v.Addr)
	sent := v.Header[Country]
	if !v.Trusted || len(sent) != len(country) {
		return country, region, city
	}
	named := terse.ParseCountry(string(sent))
	if named == terse.UnknownCountry || named == country {
		return country, region, city
	}
	return named, "", ""
}

// visitorOf returns the kind of a visitor, or "" if the user agent was not parsed.
func visitorOf(v *Visit, agent *useragent.Families) string {
	switch {
	case agent.Browser == "":
		return ""
	case agent.Bot:
		return terse.Bot
	case v.isPrefetch():
		return terse.Prefetch
	}
	return terse.Person
}

// languageOf returns the two or three letters at the start of Accept-Language, in lower case, or
// "". It does not allocate, because every redirect calls it.
func languageOf(header []byte) string {
	n, at := 0, 0
	for n < len(header) && n <= 3 && 'a' <= header[n]|0x20 && header[n]|0x20 <= 'z' {
		at = at*letters + int(header[n]|0x20-'a')
		n++
	}
	switch n {
	case 2:
		return pairs[2*at:][:2]
	case 3:
		return triples[3*at:][:3]
	}
	return ""
}

const letters = 'z' - 'a' + 1

// All words of two and of three letters, concatenated.
var (
	pairs   = wordsOf(2)
	triples = wordsOf(3)
)

func wordsOf(size int) string {
	n := 1
	for range size {
		n *= letters
	}
	all := make([]byte, 0, n*size)
	for i := range n {
		for power := n / letters; power > 0; power /= letters {
			all = append(all, 'a'+byte(i/power%letters))
		}
	}
	return string(all)
}

// campaignNames are the query parameters that say where a link was published.
var campaignNames = [...]struct {
	name string
	as   terse.Dimension
}{
	{"utm_source", terse.BySource},
	{"utm_medium", terse.ByMedium},
	{"utm_campaign", terse.ByCampaign},
}

// addCampaign sets the values from the query. Of a repeated parameter, the first counts.
func (v *Visit) addCampaign(values *terse.Values) {
	var seen [terse.NumDimensions]bool
	for rest := v.Query; len(rest) > 0; {
		var pair []byte
		pair, rest = urls.CutBefore(rest, '&')
		rest = rest[min(1, len(rest)):]
		name, value := urls.CutBefore(pair, '=')
		for _, c := range campaignNames {
			if !seen[c.as] && decodesTo(name, c.name) {
				seen[c.as] = true
				values[c.as] = campaignValue(value[min(1, len(value)):])
			}
		}
	}
}

// campaignValue returns a parameter's text, or "" if it can't be shown.
func campaignValue(escaped []byte) string {
	var room [4 * terse.MaxUTMChars]byte
	text := room[:0]
	for len(escaped) > 0 {
		c, n, ok := urls.DecodeByte(escaped)
		if !ok {
			return ""
		}
		if c == '+' && n == 1 {
			c = ' '
		}
		text, escaped = append(text, c), escaped[n:]
	}
	text = bytes.TrimSpace(text)
	if !utf8.Valid(text) || bytes.ContainsFunc(text, unicode.IsControl) {
		return ""
	}
	return string(bytes.TrimSpace(firstChars(text, terse.MaxUTMChars)))
}

func firstChars(text []byte, n int) []byte {
	for i := range string(text) {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
