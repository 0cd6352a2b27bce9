package redirect

import "time"

// Outcome is what becomes of a visit.
type Outcome struct {
	Kind     OutcomeKind
	Location []byte // where a Redirect leads
	Click    bool   // the visit is to be counted
}

// OutcomeKind says how a visit is answered.
type OutcomeKind uint8

// The zero Outcome is that there is no such link.
const (
	NotFound OutcomeKind = iota
	Redirect
)

// decide returns what becomes of a visit at a time. The link is nil when there is none. All rules
// of links belong here. It reads no clock, does no I/O and counts nothing.
func decide(link *target, v *Visit, _ time.Time) Outcome {
	if link == nil {
		return Outcome{}
	}
	return Outcome{Kind: Redirect, Location: link.location, Click: !v.Head}
}
