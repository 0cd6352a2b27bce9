package redirect

import (
	"cmp"
	"time"

	"terse"
	"terse/internal/link/blocked"
	"terse/internal/visit/redirect/urls"
	"terse/internal/visit/useragent"
)

// Outcome is the decision on a visit.
type Outcome struct {
	Kind     OutcomeKind
	Location []byte // where a Redirect leads
	Status   int    // of a Redirect
	Rule     string // name of the rule that decided; "": none
	Click    bool   // count the visit
	Take     bool   // use up one of the link's MaxClicks
	Keep     bool   // browsers may keep the answer for facts.keep
}

// OutcomeKind says how to answer a visit.
type OutcomeKind uint8

// The zero Outcome means that there is no link for this visit.
const (
	NotFound OutcomeKind = iota
	Redirect
	Over        // the link has ended
	Blocked     // no link may lead where this one does
	AskPassword // the link has a password
	Preview     // a page that says where the link leads, for link previews
	NotNow      // refuse the visit
	NotAllowed  // refuse the method
	NotForm     // refuse the body of a POST
	LacksUsed   // depends on facts.used, which is not known
	LacksAgent  // depends on facts.agent, which is not known
)

// facts are the inputs of a decision beside link, request and time.
type facts struct {
	rest    []byte        // the path behind the link's address, with its slash
	blocked *blocked.List // where no link may lead
	keep    time.Duration // Options.Keep

	country    terse.Country
	agent      useragent.Families
	agentKnown bool
	used       int64 // how many of MaxClicks are used
	usedKnown  bool
	link       terse.Link // the link that used comes from
	unlocked   bool       // the visitor knows the password

	language      int // index in options.languages, -1: none; see facts.languageOf
	languageKnown bool

	parameters      parameterSet // query conditions that hold; see facts.sent
	parametersKnown bool
}

// decide decides on a visit of a link at a time. All rules of links belong here. It reads no clock,
// does no I/O and counts nothing.
func decide(link *target, v *Visit, f *facts, now time.Time) Outcome {
	if link.options == nil {
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
		return c.over(f)
	}
	o := c.decideActive(link, v, f, now)
	if c.MaxClicks > 0 && !o.Take && !f.usedKnown && o.Kind != LacksAgent {
		return Outcome{Kind: LacksUsed} // the link may be used up
	}
	return o
}

// decidePlain is for plain links.
func decidePlain(link *target, v *Visit, f *facts) Outcome {
	switch {
	case v.Post:
		return Outcome{Kind: NotAllowed}
	case len(f.rest) > 0:
		return Outcome{}
	case link.blocked:
		return Outcome{Kind: Blocked}
	}
	return Outcome{
		Kind: Redirect, Status: defaultStatus, Location: link.location, Click: !v.Head,
		Keep: f.keep > 0,
	}
}

// keeps reports whether browsers may keep an answer for a while. They must not where the next visit
// may be answered in another way, though nobody changes the link.
func (c *options) keeps(v *Visit, f *facts, now time.Time) bool {
	return f.keep > 0 && !v.Post && c.MaxClicks == 0 && c.Password == "" && len(c.rules) == 0 &&
		(c.ExpiresAt.IsZero() || !c.ExpiresAt.Before(now.Add(f.keep)))
}

func (c *options) over(f *facts) Outcome {
	switch {
	case len(c.expired) == 0:
		return Outcome{Kind: Over}
	case f.blocked.Blocks(c.endsAt):
		return Outcome{Kind: Blocked}
	}
	return Outcome{Kind: Redirect, Status: defaultStatus, Location: c.expired}
}

// decideActive is for active links, unless they are used up.
func (c *options) decideActive(link *target, v *Visit, f *facts, now time.Time) Outcome {
	if v.foreign {
		return Outcome{Kind: NotForm}
	}
	// Where the visit leads comes first: for a blocked destination nobody is asked for a password.
	location, rule, isBlocked := link.location, "", link.blocked
	switch r, verdict := c.firstRule(link.id, v, f, now); verdict {
	case lacksAgent:
		return Outcome{Kind: LacksAgent}
	case holds:
		location, rule, isBlocked = r.location, r.Name, f.blocked.Blocks(r.host)
	case fails:
	}
	if isBlocked {
		return Outcome{Kind: Blocked}
	}
	if c.MaxClicks > 0 && !v.Post { // only a person submits a preview's form
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
		Kind: Redirect, Status: cmp.Or(c.RedirectStatus, defaultStatus), Rule: rule,
		Click: !v.Head, Take: c.MaxClicks > 0 && !v.Head, Keep: c.keeps(v, f, now),
	}
	if v.Post {
		o.Status = seeOther
	}
	var ok bool
	o.Location, ok = urls.Forward(&c.LinkOptions, location, v.Query, f.rest, link.encoded)
	if !ok {
		return Outcome{}
	}
	return o
}
