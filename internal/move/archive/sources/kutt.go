package sources

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/internal/move/archive"
	"terse/internal/move/archive/sources/database"
)

// kuttDefault stands for the host of links without a domain, which is not in the database.
const kuttDefault = "default"

// kuttDimensions are those that Kutt counts, in the order of the queries' columns.
var kuttDimensions = [...]terse.Dimension{
	terse.ByCountry, terse.ByReferrer, terse.ByBrowser, terse.ByOS,
}

// kuttBrowsers and kuttSystems are columns of numbers, and our names.
var (
	kuttBrowsers = [][2]string{
		{"br_chrome", "Chrome"},
		{"br_edge", "Edge"},
		{"br_firefox", "Firefox"},
		{"br_ie", "IE"},
		{"br_opera", "Opera"},
		{"br_safari", "Safari"},
	}
	kuttSystems = [][2]string{
		{"os_android", "Android"},
		{"os_ios", "iOS"},
		{"os_linux", "Linux"},
		{"os_macos", "macOS"},
		{"os_windows", "Windows"},
	}
)

// KuttDatabase reads a database of Kutt.
func KuttDatabase(_ context.Context, from *database.Conn, to *Out) error {
	columns := []string{
		"id", "address", "target", "description", "banned", "password", "user_id", "visit_count",
		"expire_in", "created_at", "updated_at",
	}
	visits := []string{"created_at", "total", "countries", "referrers"}
	for _, column := range slices.Concat(kuttBrowsers, kuttSystems) {
		visits = append(visits, column[0])
	}
	if err := errors.Join(
		from.Need("links", append(columns, "domain_id")...),
		from.Need("domains", "id", "address"),
		from.Need("visits", append(visits, "link_id")...),
	); err != nil {
		return err
	}
	home := kuttDefault
	if only := to.options.OnlyHost; only != "" {
		home = only
		err := from.Query("SELECT address FROM domains WHERE address = $1",
			func(*database.Row) error { home = kuttDefault; return nil }, only)
		if err != nil {
			return err
		}
	}
	last, hour := int64(-1), kuttHour{}
	// The index on link_id gives the rows of a link, so that only these are sorted.
	err := from.Query("SELECT l."+strings.Join(columns, ", l.")+", d.address, v."+
		strings.Join(visits, ", v.")+` FROM links l LEFT JOIN domains d ON d.id = l.domain_id
		LEFT JOIN visits v ON v.link_id = l.id ORDER BY l.id, v.created_at`,
		func(r *database.Row) error {
			if id := r.Int(0); id != last {
				last = id
				if err := hour.end(to); err != nil {
					return err
				}
				if err := kuttLink(r, home, to); err != nil {
					return err
				}
			}
			return hour.add(r, len(columns)+1, to)
		})
	if err != nil {
		return err
	}
	return hour.end(to)
}

// kuttLink hands over the link of a row.
func kuttLink(r *database.Row, home string, to *Out) error {
	l := Link{
		Host: r.Text(11), Code: r.Text(1), URL: r.Text(2), PasswordHash: r.Text(5),
		Created: to.spare(r, "created_at", 9), Updated: to.spare(r, "updated_at", 10),
		Clicks: r.Int(7),
	}
	kuttDescribe(&l, r.Text(3))
	l.Disabled, l.ExpiresAt = r.Bool(4), r.Time(8)
	if l.Host == "" {
		l.Host = home
	}
	if !r.IsNull(6) {
		to.noOwner()
	}
	if !r.IsNull(12) {
		to.Once("clicks of an hour are counted apart by country, referrer, browser and system: " +
			"which of them belong to one click is made up")
	}
	err := r.Err()
	if err == nil && !r.IsNull(8) && l.ExpiresAt.IsZero() {
		err = errYearOne
	}
	if err != nil {
		return to.Fail(l.Code, "", err)
	}
	return to.Link(l)
}

// kuttHour is what Kutt knows of the visits of a link in an hour: how many there were, and how many
// had each value of a dimension, but not which values belong to one visit.
type kuttHour struct {
	start  time.Time
	total  int64
	counts [len(kuttDimensions)]map[string]int64
}

// add adds a row of visits, whose columns begin at i, if there is one. Two visits at once may have
// begun two rows of an hour.
func (h *kuttHour) add(r *database.Row, i int, to *Out) error {
	if r.IsNull(i) {
		return nil
	}
	if at := r.Time(i).Truncate(time.Hour); !at.Equal(h.start) || h.total == 0 {
		if err := h.end(to); err != nil {
			return err
		}
		h.start = at
		for d := range h.counts {
			h.counts[d] = map[string]int64{}
		}
	}
	h.total += kuttCount(r.Int(i + 1))
	for d, valueOf := range []func(string) string{kuttCountry, kuttReferrer} {
		var counts map[string]int64
		if text := r.Text(i + 2 + d); text != "" {
			if err := json.Unmarshal([]byte(text), &counts); err != nil {
				return fmt.Errorf("a row of visits of %q: %w", r.Text(1), err)
			}
		}
		for name, n := range counts {
			h.counts[d][valueOf(name)] += kuttCount(n)
		}
	}
	i += 4
	for d, columns := range [][][2]string{kuttBrowsers, kuttSystems} {
		for _, column := range columns {
			h.counts[2+d][column[1]] += kuttCount(r.Int(i))
			i++
		}
	}
	if err := r.Err(); err != nil {
		return fmt.Errorf("a row of visits of %q: %w", r.Text(1), err)
	}
	return nil
}

func kuttCountry(name string) string {
	if name == "unknown" {
		return ""
	}
	return strings.ToUpper(name)
}

// kuttReferrer returns a referrer of its host.
func kuttReferrer(name string) string {
	if name == "direct" || name == "unknown" {
		return ""
	}
	return "https://" + strings.ReplaceAll(name, "[dot]", ".") + "/"
}

// end hands over the hour, at the instants of an hourly total. The number of each value is kept.
// Which belong to one click is made up: click after click has the first value of each dimension,
// then the second, and so on.
func (h *kuttHour) end(to *Out) error {
	runs := h.runs()
	for i := range min(h.total, archive.Instants) {
		after, _ := archive.Spread(time.Hour, h.total, i)
		start := int64(0)
		for _, run := range runs {
			// Every 64th click is at the instant.
			n := (run.end+archive.Instants-1-i)/archive.Instants -
				(start+archive.Instants-1-i)/archive.Instants
			start = run.end
			if n == 0 {
				continue
			}
			err := to.Click(Click{Time: h.start.Add(after), Count: n, Values: run.Values})
			if err != nil {
				return err
			}
		}
	}
	h.total = 0
	return nil
}

// kuttRun are clicks with the same values, up to a number of the hour.
type kuttRun struct {
	end int64
	terse.Values
}

// runs returns the clicks of the hour.
func (h *kuttHour) runs() (runs []kuttRun) {
	type value struct {
		end  int64
		text string
	}
	var values [len(kuttDimensions)][]value
	ends := []int64{h.total}
	for d, counts := range h.counts {
		end := int64(0)
		for _, text := range slices.Sorted(maps.Keys(counts)) {
			end = min(end+counts[text], h.total)
			values[d], ends = append(values[d], value{end, text}), append(ends, end)
		}
	}
	slices.Sort(ends)
	for _, end := range slices.Compact(ends) {
		run := kuttRun{end: end}
		for d := range values {
			for len(values[d]) > 0 && values[d][0].end < end {
				values[d] = values[d][1:]
			}
			if len(values[d]) > 0 {
				run.Values[kuttDimensions[d]] = values[d][0].text
			}
		}
		runs = append(runs, run)
	}
	return runs
}
