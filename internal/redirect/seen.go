package redirect

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"terse"
	"terse/internal/useragent"
)

// record puts the click into the journal. A click that finds no room there is counted as
// lost; its visitor is redirected all the same.
func (h *Handler) record(v *Visit, agent *useragent.Families, code terse.Code, id terse.LinkID,
	rule string,
) error {
	click := terse.Click{Link: id, Code: code, Time: v.Time.UnixMicro()}
	click.Values = terse.Values{
		terse.ByCountry:  h.country(v).String(),
		terse.ByReferrer: terse.ParseReferrer(v.Header[Referrer]),
		terse.ByBrowser:  agent.Browser,
		terse.ByOS:       agent.OS,
		terse.ByDevice:   agent.Device,
		terse.ByLanguage: languageOf(v.Header[Language]),
		terse.ByVisitor:  visitorOf(agent, v.Header[Purpose]),
		terse.ByRule:     rule,
	}
	v.addCampaign(&click.Values)
	err := h.opts.Record(click)
	if err != nil {
		h.ClicksLost.Add(1)
	}
	return err
}

// agent returns what the user agent of a visit is. It is not known yet where a loop asks that has
// not seen the like of it; of those that nobody has time for, nothing is known.
func (h *Handler) agent(v *Visit, a Attempt) (agent useragent.Families, known bool) {
	line := v.Header[UserAgent]
	if agent, known = h.agents.Known(line); known {
		return agent, true
	}
	if a.Wait != 0 && h.agents.MayRecognize() {
		return agent, false
	}
	if agent, known = h.agents.Recognize(line); !known {
		agent = useragent.Families{}
	}
	return agent, true
}

// country returns the country that a visit comes from.
func (h *Handler) country(v *Visit) terse.Country {
	country, sent := terse.UnknownCountry, v.Header[Country]
	if v.Trusted && len(sent) == len(country) {
		country = terse.ParseCountry(string(sent))
	}
	if country == terse.UnknownCountry {
		country = h.opts.Country(v.Addr)
	}
	return country
}

// visitorOf returns the kind of a visitor, "" for one whose user agent nobody had time to look at.
func visitorOf(agent *useragent.Families, purpose []byte) string {
	first, _ := cutBefore(purpose, ',')
	first, _ = cutBefore(first, ';')
	switch {
	case agent.Browser == "":
		return ""
	case agent.Bot:
		return terse.Bot
	case string(bytes.Trim(first, " \t")) == terse.Prefetch:
		return terse.Prefetch
	}
	return terse.Person
}

// languageOf returns the two or three letters that Accept-Language begins with, in lower case, ""
// where there are others. It does not allocate: every redirect calls it.
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

// All words of two and of three letters, one after the other.
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

// campaignNames are the parameters of a query that tell where a link was published.
var campaignNames = [...]struct {
	name string
	as   terse.Dimension
}{
	{"utm_source", terse.BySource},
	{"utm_medium", terse.ByMedium},
	{"utm_campaign", terse.ByCampaign},
}

// addCampaign sets the values that the query has: of each parameter the first.
func (v *Visit) addCampaign(values *terse.Values) {
	var seen [terse.NumDimensions]bool
	for rest := v.Query; len(rest) > 0; {
		var pair []byte
		pair, rest = cutBefore(rest, '&')
		rest = rest[min(1, len(rest)):]
		name, value := cutBefore(pair, '=')
		for _, c := range campaignNames {
			if !seen[c.as] && decodesTo(name, c.name) {
				seen[c.as] = true
				values[c.as] = campaignValue(value[min(1, len(value)):])
			}
		}
	}
}

// campaignValue returns the text of a parameter, or "" for one that can't be shown.
func campaignValue(escaped []byte) string {
	var room [4 * terse.MaxUTMChars]byte
	text := room[:0]
	for len(escaped) > 0 {
		c, n, ok := decodeByte(escaped)
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
