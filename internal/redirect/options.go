package redirect

import (
	"fmt"

	"terse"
	"terse/internal/recent"
	"terse/internal/redirect/urls"
)

// options are a link's options as decide wants them. They never change.
type options struct {
	terse.LinkOptions
	expired   []byte // Location of ExpiredURL
	rules     []rule
	languages []string // that the rules name, in lower case

	parameters map[string]*parameter // that they want in the request's query, by name
	conditions int                   // how many that are
	// whether a rule asks for it
	needsAgent, needsCountry bool

	damaged error // why the options can't be read; the link is closed then
}

// compiledBytes bounds what compiled options take. Links that are made by programs share a few
// texts; thousands with texts of their own fit in, and the longest text there may be.
const compiledBytes = 16 << 20

// compiledOptions are kept by their text, so that no change of a link can make one stale.
type compiledOptions struct{ *recent.Map[*options] }

func newCompiledOptions() compiledOptions {
	return compiledOptions{recent.New[*options](compiledBytes)}
}

// of returns what a text says. It does not allocate for one that was asked for not long ago.
func (m compiledOptions) of(text []byte) *options {
	if c, ok := m.Get(text); ok {
		return c
	}
	c := compile(terse.EncodedOptions(text))
	// Which is more than what compile makes of it: a condition of a query has maps of its own.
	m.Put(string(text), c, 4*len(text)+512*c.conditions)
	return c
}

func compile(text terse.EncodedOptions) *options {
	decoded, err := text.Decode()
	if err != nil {
		return &options{damaged: err}
	}
	c := &options{LinkOptions: decoded, parameters: map[string]*parameter{}}
	c.Note, c.Tags, c.Rules = "", nil, nil // what is long and not needed; rules are compiled
	if c.ExpiredURL != "" {
		c.expired = []byte(urls.Location(c.ExpiredURL))
	}
	for i := range decoded.Rules {
		c.rules = append(c.rules, c.compileRule(&decoded.Rules[i]))
	}
	if c.conditions > maxParameters {
		return &options{damaged: fmt.Errorf("%w: %d conditions", terse.ErrDamaged, c.conditions)}
	}
	return c
}
