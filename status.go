package terse

import (
	"math"
	"time"
)

// Status says whether a link redirects, and if not, why.
type Status string

// The states of a link.
const (
	Active    Status = "active"
	Scheduled Status = "scheduled" // StartsAt is in the future
	Expired   Status = "expired"   // ExpiresAt has passed
	UsedUp    Status = "used_up"   // MaxClicks redirects were answered
	Disabled  Status = "disabled"  // Options.Disabled
)

// Statuses are all states, in the order in which people look for them.
var Statuses = []Status{Active, Scheduled, Expired, UsedUp, Disabled}

// Status returns the state of a link with these options at a time, after used of its MaxClicks. If
// several apply, it is the first of disabled, expired, scheduled and used up.
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

// StatusSpan returns from when until when (exclusive) the state at now holds as far as time
// decides, in microseconds since 1970. A missing bound is the smallest or largest int64. The span
// may be shorter than necessary.
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

// HasStatus reports whether a link with these options can ever be anything but active.
func (o *LinkOptions) HasStatus() bool {
	return o.Disabled || !o.ExpiresAt.IsZero() || !o.StartsAt.IsZero() || o.MaxClicks > 0
}

// Ended reports whether a link in this state will not redirect again unless somebody changes it.
func (s Status) Ended() bool { return s == Expired || s == UsedUp || s == Disabled }
