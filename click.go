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
	// Visitor is a keyed hash of who clicked, which leads nowhere without the key of the click's
	// UTC day; 0: not known.
	Visitor uint64
	// Untracked is set when nothing may be kept of the click but its UTC day: it is counted as one
	// that was dropped.
	Untracked bool
}

// Country is an upper-case ISO 3166-1 alpha-2 code, or UnknownCountry.
type Country [2]byte

// UnknownCountry counts the clicks whose country is not known, so that every map
// of an answer adds up to the total.
var UnknownCountry = Country{'X', 'X'}

// String does not allocate for two letters: every redirect calls it.
func (c Country) String() string {
	if i, j := int(c[0])-'A', int(c[1])-'A'; 0 <= i && i < letters && 0 <= j && j < letters {
		at := 2 * (i*letters + j)
		return pairs[at : at+2]
	}
	return string(c[:])
}

const letters = 'Z' - 'A' + 1

// pairs are all pairs of upper-case letters, one after the other.
var pairs = func() string {
	var b []byte
	for i := range letters * letters {
		b = append(b, byte('A'+i/letters), byte('A'+i%letters))
	}
	return string(b)
}()

// ParseCountry returns the country that two ASCII letters spell, in upper case, and
// UnknownCountry for anything else.
func ParseCountry(s string) Country {
	if len(s) != 2 {
		return UnknownCountry
	}
	c := Country{s[0] &^ 0x20, s[1] &^ 0x20}
	if c[0] < 'A' || c[0] > 'Z' || c[1] < 'A' || c[1] > 'Z' {
		return UnknownCountry
	}
	return c
}

const (
	// DirectReferrer counts the clicks without a referrer (contract: Analytics result).
	DirectReferrer = "direct"
	// MaxReferrersPerDay bounds what one link's statistics of a day can take.
	MaxReferrersPerDay = 10_000
	// MaxReferrerBytes bounds a referrer; a longer one counts as direct.
	MaxReferrerBytes = 1024
)

// ParseReferrer returns the referrer to count for a Referer header's value: the value
// as sent when it is an http or https URL of at most MaxReferrerBytes, without user
// info and fragment, and DirectReferrer for anything else. It allocates the result only:
// every redirect calls it.
func ParseReferrer(header []byte) string {
	if i := bytes.IndexByte(header, '#'); i >= 0 {
		header = header[:i]
	}
	if len(header) > MaxReferrerBytes || !utf8.Valid(header) ||
		bytes.ContainsFunc(header, refusedInURL) {
		return DirectReferrer
	}
	// The authority is what stands between "//" and the next "/" or "?" (RFC 3986, 3.2);
	// user info ends at its last "@".
	start := bytes.IndexByte(header, ':') + len("://")
	if start > len(header) || !bytes.EqualFold(header[:start], []byte("http://")) &&
		!bytes.EqualFold(header[:start], []byte("https://")) {
		return DirectReferrer
	}
	end := len(header)
	if i := bytes.IndexAny(header[start:], "/?"); i >= 0 {
		end = start + i
	}
	host := start + bytes.LastIndexByte(header[start:end], '@') + 1
	if host == end || header[host] == ':' {
		return DirectReferrer
	}
	if host == start {
		return string(header)
	}
	return string(header[:start]) + string(header[host:])
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
