package terse

import (
	"math"
	"time"
)

// Status is whether a link leads somewhere, and why not.
type Status string

// The states of a link.
const (
	Active    Status = "active"
	Scheduled Status = "scheduled" // StartsAt is to come
	Expired   Status = "expired"   // ExpiresAt has come
	UsedUp    Status = "used_up"   // MaxClicks redirects were answered
	Disabled  Status = "disabled"  // Options.Disabled
)

// Statuses are all states, in the order in which people look for them.
var Statuses = []Status{Active, Scheduled, Expired, UsedUp, Disabled}

// Status returns the state of a link with these options at a time, when used of its MaxClicks are
// taken. Where several hold it is the first of disabled, expired, scheduled and used up.
func (o *LinkOptions) Status(now time.Time, used int64) Status {
	switch {
	case o.Disabled:
		return Disabled
	case !o.ExpiresAt.IsZero() && !now.Before(o.ExpiresAt):
		return Expired
	case now.Before(o.StartsAt):
		return Scheduled
	case o.MaxClicks > 0 && used >= o.MaxClicks:
		return UsedUp
	}
	return Active
}

// StatusSpan returns from when and until when, in microseconds since 1970, the state at a time
// holds as far as time decides, the end excluded. Without bounds it is the least and the largest
// number. Either may be closer than it has to be.
func (o *LinkOptions) StatusSpan(now time.Time) (since, until int64) {
	since, until = math.MinInt64, math.MaxInt64
	if o.Disabled {
		return since, until
	}
	for _, at := range []time.Time{o.StartsAt, o.ExpiresAt} {
		switch micros := at.UnixMicro(); {
		case at.IsZero():
		case micros <= now.UnixMicro():
			since = max(since, micros)
		default:
			until = min(until, micros)
		}
	}
	return since, until
}

// HasStatus reports whether a link with these options can be anything but active.
func (o *LinkOptions) HasStatus() bool {
	return o.Disabled || !o.ExpiresAt.IsZero() || !o.StartsAt.IsZero() || o.MaxClicks > 0
}

// Ended reports whether a link in this state is over: it will not lead anywhere by itself again.
func (s Status) Ended() bool { return s == Expired || s == UsedUp || s == Disabled }
