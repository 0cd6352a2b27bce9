package terse

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// Click is one redirect that was answered.
type Click struct {
	Link   LinkID
	Code   Code
	Time   int64 // microseconds since 1970-01-01T00:00:00Z
	Values Values
	// Visitor is a keyed hash of the visitor, useless without the key of the click's UTC day; 0
	// means unknown.
	Visitor uint64
	// Untracked means that nothing but the click's UTC day may be kept. The click is counted like a
	// dropped one.
	Untracked bool
}

const (
	// DirectReferrer counts the clicks without a referrer (contract: Analytics result).
	DirectReferrer = "direct"
	// MaxReferrersPerDay bounds the size of one link's statistics for a day.
	MaxReferrersPerDay = 10_000
	// MaxReferrerBytes bounds a referrer. Of a longer one, only the host is counted.
	MaxReferrerBytes = 1024
)

// AppReferrer is the prefix of an Android app's referrer; the package and a slash follow.
const AppReferrer = "android-app://"

// ParseReferrer returns the referrer to count for a Referer header. For an http or https URL it is
// the value as sent, without user info and fragment, or only scheme, host and port if that takes
// more than MaxReferrerBytes. For an Android app it is "android-app://PACKAGE/". Anything else is
// DirectReferrer. It allocates only the result, because every redirect calls it.
func ParseReferrer(header []byte) string {
	if i := bytes.IndexByte(header, '#'); i >= 0 {
		header = header[:i]
	}
	if !utf8.Valid(header) || bytes.ContainsFunc(header, refusedInURL) {
		return DirectReferrer
	}
	// The authority lies between "//" and the next "/" or "?" (RFC 3986, 3.2). User info ends at
	// its last "@".
	start := bytes.IndexByte(header, ':') + len("://")
	if start > len(header) {
		return DirectReferrer
	}
	scheme, end := header[:start], len(header)
	if i := bytes.IndexAny(header[start:], "/?"); i >= 0 {
		end = start + i
	}
	if bytes.EqualFold(scheme, []byte(AppReferrer)) {
		return appReferrer(header[start:end])
	}
	if !bytes.EqualFold(scheme, []byte("http://")) && !bytes.EqualFold(scheme, []byte("https://")) {
		return DirectReferrer
	}
	host := start + bytes.LastIndexByte(header[start:end], '@') + 1
	switch {
	case host == end || header[host] == ':':
		return DirectReferrer
	case start+len(header)-host > MaxReferrerBytes:
		if start+end-host+len("/") > MaxReferrerBytes {
			return DirectReferrer
		}
		return string(scheme) + string(header[host:end]) + "/"
	case host == start:
		return string(header)
	}
	return string(scheme) + string(header[host:])
}

// appReferrer returns the referrer of an Android app. It drops whatever follows the package, which
// is a page inside the app.
func appReferrer(name []byte) string {
	if len(name) == 0 || len(AppReferrer)+len(name)+len("/") > MaxReferrerBytes ||
		bytes.ContainsFunc(name, notInPackage) {
		return DirectReferrer
	}
	return AppReferrer + string(name) + "/"
}

// notInPackage reports whether a character cannot occur in a package name.
func notInPackage(r rune) bool {
	return r != '.' && r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
}

const microsPerDay = 24 * 60 * 60 * 1_000_000

// Day is a UTC day, counted from 1970-01-01.
type Day int32

// DayOf returns the UTC day of a time in microseconds since 1970.
func DayOf(micros int64) Day {
	d := micros / microsPerDay
	if micros%microsPerDay < 0 {
		d--
	}
	return Day(d)
}

// Start returns the day's first microsecond since 1970.
func (d Day) Start() int64 { return int64(d) * microsPerDay }

// String returns the day as YYYY-MM-DD.
func (d Day) String() string { return time.Unix(int64(d)*86400, 0).UTC().Format(time.DateOnly) }

// Month is a month in UTC, counted from January 1970.
type Month int32

// MonthOf returns the month of a day.
func MonthOf(d Day) Month {
	t := time.Unix(int64(d)*86400, 0).UTC()
	return Month((t.Year()-1970)*12 + int(t.Month()) - 1)
}

// First returns the month's first day.
func (m Month) First() Day {
	return DayOf(time.Date(1970, time.January+time.Month(m), 1, 0, 0, 0, 0, time.UTC).UnixMicro())
}
