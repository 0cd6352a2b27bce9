package redirect

import (
	"fmt"

	"terse"
	"terse/internal/link/blocked"
	"terse/internal/link/weburl"
	"terse/internal/visit/recent"
	"terse/internal/visit/redirect/urls"
)

// options are a link's options, compiled for decide. They are immutable.
type options struct {
	terse.LinkOptions
	expired   []byte // Location of ExpiredURL
	endsAt    string // host of ExpiredURL, see blocked.HostOf
	rules     []rule
	languages []string // in the rules, in lower case

	parameters map[string]*parameter // query parameters in the rules, by name
	conditions int                   // number of conditions on parameters
	// whether a rule needs it
	needsAgent, needsCountry bool

	damaged error // why the options can't be decoded; closes the link
}

// compiledBytes bounds the memory of compiled options. Links created by programs share a few texts.
// It has room for thousands of different texts, and for the longest possible one.
const compiledBytes = 16 << 20

// compiledOptions is a cache by text, so that no change of a link makes an entry stale.
type compiledOptions struct{ *recent.Map[*options] }

func newCompiledOptions() compiledOptions {
	return compiledOptions{recent.New[*options](compiledBytes)}
}

// of returns the compiled options of a text. It does not allocate for texts that were used
// recently.
func (m compiledOptions) of(text []byte) *options {
	if c, ok := m.Get(text); ok {
		return c
	}
	c := compile(terse.EncodedOptions(text))
	// An upper bound of what compile allocates: each query condition has its own maps.
	m.Put(string(text), c, 4*len(text)+512*c.conditions)
	return c
}

var errNotWeb = fmt.Errorf("%w: it leads to what is %s", terse.ErrDamaged, notWeb)

func compile(text terse.EncodedOptions) *options {
	if text == notWeb {
		return &options{damaged: errNotWeb}
	}
	decoded, err := text.Decode()
	if err != nil {
		return &options{damaged: err}
	}
	for i := range decoded.Rules {
		if _, ok := weburl.Split(string(decoded.Rules[i].URL)); !ok {
			return &options{damaged: fmt.Errorf("rule %q: %w", decoded.Rules[i].Name, errNotWeb)}
		}
	}
	if _, ok := weburl.Split(string(decoded.ExpiredURL)); !ok && decoded.ExpiredURL != "" {
		return &options{damaged: fmt.Errorf("expired_url: %w", errNotWeb)}
	}
	c := &options{LinkOptions: decoded, parameters: map[string]*parameter{}}
	c.Note, c.Tags, c.Aliases, c.Rules = "", nil, nil, nil // long and not needed, or compiled
	if c.ExpiredURL != "" {
		c.expired = []byte(urls.Location(c.ExpiredURL))
		c.endsAt = blocked.HostOf(string(c.ExpiredURL))
	}
	for i := range decoded.Rules {
		c.rules = append(c.rules, c.compileRule(&decoded.Rules[i]))
	}
	if c.conditions > maxParameters {
		return &options{damaged: fmt.Errorf("%w: %d conditions", terse.ErrDamaged, c.conditions)}
	}
	return c
}
