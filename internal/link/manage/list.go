package manage

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"net/url"
	"slices"
	"strconv"
	"time"

	"terse"
)

// The bounds of a page of links (contract: Limits).
const (
	defaultLimit = 20
	MaxLimit     = 100
)

var orders = map[string]terse.LinkOrder{
	"": terse.NewestFirst, "newest": terse.NewestFirst, "oldest": terse.OldestFirst,
	"clicks": terse.MostClickedFirst,
}

// periods are the periods whose clicks can sort a list.
var periods = map[string]time.Duration{
	"24h": 24 * time.Hour, "7d": 7 * 24 * time.Hour, "30d": 30 * 24 * time.Hour,
}

// ParseList parses a URL's query into a list of an owner, and of a domain unless that is nil; host
// is the host of the request. The list is extended if it has a search, a sort, a cursor or a
// filter, names an owner or a domain, or asks for people. A plain list accepts any query.
func (m *Manager) ParseList(query, host, owner string, domain *terse.Domain) (
	q terse.LinkQuery, extended bool, err error,
) {
	values, malformed := url.ParseQuery(query)
	if values.Get("archived") == "" { // absent
		values.Del("archived")
	}
	q.Owner = owner
	q.Limit, q.Offset = parseLimit(values.Get("limit")), parseOffset(values.Get("offset"))
	if q.People, err = terse.ParsePeople(values["people"]); err != nil {
		return q, true, err
	}
	if !q.People && domain == nil && !slices.ContainsFunc(listParameters, values.Has) {
		return q, false, nil
	}
	if malformed != nil {
		return q, true, terse.Invalidf("", "malformed query string")
	}
	order, known := orders[values.Get("sort")]
	if !known || values.Has("sort") && values.Get("sort") == "" {
		return q, true, terse.Invalidf("sort", "sort must be newest, oldest or clicks")
	}
	q.Order = order
	if values.Has("period") {
		length, known := periods[values.Get("period")]
		if !known {
			return q, true, terse.Invalidf("period", "period must be 24h, 7d or 30d")
		}
		if order != terse.MostClickedFirst {
			return q, true, terse.Invalidf("period", "period can only be combined with sort=clicks")
		}
		q.Within = terse.Last(length, time.Now())
	}
	if q.Filter, err = parseLinkFilter(values); err != nil {
		return q, true, err
	}
	q.Filter.Domain = domain
	if values.Has("search") {
		q.Search, q.Filter.Addresses, err = m.parseSearch(values.Get("search"), host)
		if err != nil {
			return q, true, err
		}
	}
	if values.Has("cursor") {
		mark, ok := parseCursor(q, values.Get("cursor"))
		if !ok {
			return q, true, terse.Invalidf("cursor",
				"cursor must be the next_cursor of a list with the same search and sort")
		}
		q.After = &mark
	}
	if q.Offset > 0 &&
		(q.After != nil || values.Has("search") || q.Order == terse.MostClickedFirst) {
		return q, true, terse.Invalidf("offset",
			"offset can not be combined with search, cursor or sort=clicks")
	}
	return q, true, nil
}

// parseLimit parses a positive number, or returns the default.
func parseLimit(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n <= 0 {
		return defaultLimit
	}
	return min(n, MaxLimit)
}

// parseOffset parses a positive number, or returns 0.
func parseOffset(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// listParameters are the parameters that extend a list beyond the contract's.
var listParameters = []string{
	"search", "sort", "period", "cursor", "tag", "status", "created_after", "created_before",
	"unused_since", "archived", "owner",
}

// parseLinkFilter parses the filter of a list.
func parseLinkFilter(values url.Values) (f terse.LinkFilter, err error) {
	if f.Tags, err = ParseTags(values["tag"]); err != nil {
		return f, err
	}
	if f.Status = terse.Status(values.Get("status")); values.Has("status") &&
		!slices.Contains(terse.Statuses, f.Status) {
		return f, terse.Invalidf("status",
			"status must be active, scheduled, expired, used_up or disabled")
	}
	f.Now = time.Now()
	f.CreatedAfter, err = parseInstant(values, "created_after")
	if err == nil {
		f.CreatedBefore, err = parseInstant(values, "created_before")
	}
	if err == nil && values.Has("unused_since") {
		f.UnusedSince = new(terse.Day)
		*f.UnusedSince, err = terse.ParseDay("unused_since", values.Get("unused_since"))
	}
	switch is := values.Get("archived"); {
	case err != nil, !values.Has("archived"):
	case is == "true", is == "false":
		f.Archived = new(is == "true")
	default:
		err = terse.Invalidf("archived", "archived must be true or false")
	}
	return f, err
}

// parseInstant returns the time in a parameter, zero if it is absent.
func parseInstant(values url.Values, name string) (time.Time, error) {
	if !values.Has(name) {
		return time.Time{}, nil
	}
	return terse.ParseTime(name, values.Get(name))
}

// FormatCursor encodes a mark for the client to send back: a checksum of its list, and its numbers.
func FormatCursor(q terse.LinkQuery, mark terse.LinkMark) string {
	var b []byte
	for _, n := range []int64{mark.Key, mark.CreatedAt, int64(mark.ID), mark.Found} {
		b = binary.AppendVarint(b, n)
	}
	return base64.RawURLEncoding.EncodeToString(binary.LittleEndian.AppendUint32(b, listSum(q, b)))
}

// listSum is a checksum of a list and a mark, to detect cursors of other lists and damaged ones. It
// is not a signature: with a forged cursor, clients still see only the links that they may see.
func listSum(q terse.LinkQuery, mark []byte) uint32 {
	sum := crc32.ChecksumIEEE([]byte{byte(q.Order)})
	for _, word := range q.Search {
		sum = crc32.Update(sum, crc32.IEEETable, []byte(word[0]+" "))
	}
	for _, tag := range q.Filter.Tags {
		sum = crc32.Update(sum, crc32.IEEETable, []byte(terse.FoldTag(tag)+"\n"))
	}
	if q.People {
		sum = crc32.Update(sum, crc32.IEEETable, []byte("people\n"))
	}
	filter := fmt.Sprint(q.Filter.Status, q.Filter.CreatedAfter.UnixMicro(),
		q.Filter.CreatedBefore.UnixMicro())
	if len(q.Filter.Addresses) > 0 {
		filter += fmt.Sprintf(" at %q", q.Filter.Addresses)
	}
	if first, last := q.Within.Micros(); first != last {
		filter += fmt.Sprint(" ", last-first) // its length, because the period moves on
	}
	if day := q.Filter.UnusedSince; day != nil {
		filter += " unused since " + day.String()
	}
	if archived := q.Filter.Archived; archived != nil {
		filter += fmt.Sprint(" archived ", *archived)
	}
	if domain := q.Filter.Domain; domain != nil {
		filter += fmt.Sprint(" on ", *domain)
	}
	if q.Owner != terse.Identity { // cursors of its lists are older than owners
		filter += fmt.Sprintf(" of %q", q.Owner)
	}
	sum = crc32.Update(sum, crc32.IEEETable, []byte(filter))
	return crc32.Update(sum, crc32.IEEETable, mark)
}

// parseCursor is the reverse of FormatCursor.
func parseCursor(q terse.LinkQuery, cursor string) (mark terse.LinkMark, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) < 4 {
		return mark, false
	}
	b, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if listSum(q, b) != sum {
		return mark, false
	}
	var numbers [4]int64
	for i := range numbers {
		v, n := binary.Varint(b)
		if n <= 0 {
			return mark, false
		}
		numbers[i], b = v, b[n:]
	}
	return terse.LinkMark{
		Key: numbers[0], CreatedAt: numbers[1], ID: terse.LinkID(numbers[2]),
		Found: numbers[3],
	}, len(b) == 0
}
