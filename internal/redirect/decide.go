package redirect

import (
	"cmp"
	"time"

	"terse"
	"terse/internal/redirect/urls"
	"terse/internal/useragent"
)

// Outcome is what becomes of a visit.
type Outcome struct {
	Kind     OutcomeKind
	Location []byte // where a Redirect leads
	Status   int    // of a Redirect
	Rule     string // the name of the one that decided; "": none did
	Click    bool   // the visit is to be counted
	Take     bool   // one of the link's MaxClicks is to be taken
}

// OutcomeKind says how a visit is answered.
type OutcomeKind uint8

// The zero Outcome is that there is no such link.
const (
	NotFound OutcomeKind = iota
	Redirect
	Over        // the link was there and leads nowhere any more
	AskPassword // it is locked
	Preview     // what is behind the link, for those who show it to others
	NotNow      // the visitor may not come at all
	NotAllowed  // the method
	NotForm     // what a POST sends
	LacksUsed   // facts.used decides, and is not known
	LacksAgent  // facts.agent does
)

// facts are what decides on a visit beside link, request and time.
type facts struct {
	code terse.Code
	rest []byte // of the path, behind the code, with its slash

	country    terse.Country
	agent      useragent.Families
	agentKnown bool
	used       int64 // how many of MaxClicks are taken
	usedKnown  bool
	link       terse.Link // which says so
	unlocked   bool       // the visitor has the password

	language      int // of options.languages, -1: none; see options.languageOf
	languageKnown bool

	parameters      parameterSet // the conditions of queries that hold; see facts.sent
	parametersKnown bool
}

// decide returns what becomes of a visit at a time. The link is nil when there is none. All rules
// of links belong here. It reads no clock, does no I/O and counts nothing.
func decide(link *target, v *Visit, f *facts, now time.Time) Outcome {
	if link == nil || link.options == nil {
		return decidePlain(link, v, f)
	}
	c := link.options
	status := c.Status(now, f.used)
	unknown := status == terse.Scheduled || len(f.rest) > 0 && !c.ForwardPath
	switch {
	case v.Post && (unknown || c.Password == "" && c.MaxClicks == 0):
		return Outcome{Kind: NotAllowed}
	case unknown:
		return Outcome{}
	case status.Ended():
		return c.over()
	}
	o := c.decideActive(link, v, f, now)
	if c.MaxClicks > 0 && !o.Take && !f.usedKnown && o.Kind != LacksAgent {
		return Outcome{Kind: LacksUsed} // the link may be used up
	}
	return o
}

// decidePlain is for links without options, and for those that are not there.
func decidePlain(link *target, v *Visit, f *facts) Outcome {
	switch {
	case v.Post:
		return Outcome{Kind: NotAllowed}
	case link == nil || len(f.rest) > 0:
		return Outcome{}
	}
	return Outcome{
		Kind: Redirect, Status: defaultStatus, Location: link.location, Click: !v.Head,
	}
}

func (c *options) over() Outcome {
	if len(c.expired) == 0 {
		return Outcome{Kind: Over}
	}
	return Outcome{Kind: Redirect, Status: defaultStatus, Location: c.expired}
}

// decideActive is for links that lead somewhere, unless they are used up.
func (c *options) decideActive(link *target, v *Visit, f *facts, now time.Time) Outcome {
	if v.foreign {
		return Outcome{Kind: NotForm}
	}
	if c.MaxClicks > 0 && !v.Post { // the form of a preview is a person's
		if v.isPrefetch() {
			return Outcome{Kind: NotNow}
		}
		if useragent.IsLinkPreview(v.Header[UserAgent]) {
			return Outcome{Kind: Preview}
		}
	}
	if c.Password != "" && !f.unlocked {
		return Outcome{Kind: AskPassword}
	}
	o := Outcome{
		Kind: Redirect, Status: cmp.Or(c.RedirectStatus, defaultStatus), Location: link.location,
		Click: !v.Head, Take: c.MaxClicks > 0 && !v.Head,
	}
	if v.Post {
		o.Status = seeOther
	}
	switch r, verdict := c.firstRule(v, f, now); verdict {
	case lacksAgent:
		return Outcome{Kind: LacksAgent}
	case holds:
		o.Location, o.Rule = r.location, r.Name
	case fails:
	}
	var ok bool
	o.Location, ok = urls.Forward(&c.LinkOptions, o.Location, v.Query, f.rest, link.encoded)
	if !ok {
		return Outcome{}
	}
	return o
}
