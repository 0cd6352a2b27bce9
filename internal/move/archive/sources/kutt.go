package sources

import (
	"context"
	"errors"
	"slices"
	"strings"

	"terse"
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
	rows := []string{"created_at", "total", "countries", "referrers"}
	for _, column := range slices.Concat(kuttBrowsers, kuttSystems) {
		rows = append(rows, column[0])
	}
	if err := errors.Join(
		from.Need("links", append(columns, "domain_id")...),
		from.Need("domains", "id", "address"),
		from.Need("visits", append(rows, "link_id")...),
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
	last, visits := int64(-1), kuttVisits{}
	// The index on link_id gives the rows of a link, so that only these are sorted.
	err := from.Query("SELECT l."+strings.Join(columns, ", l.")+", d.address, v."+
		strings.Join(rows, ", v.")+` FROM links l LEFT JOIN domains d ON d.id = l.domain_id
		LEFT JOIN visits v ON v.link_id = l.id ORDER BY l.id, v.created_at`,
		func(r *database.Row) error {
			if id := r.Int(0); id != last {
				last = id
				if err := visits.end(to); err != nil {
					return err
				}
				if err := kuttLink(r, home, to); err != nil {
					return err
				}
			}
			return visits.add(r, len(columns)+1, to)
		})
	if err != nil {
		return err
	}
	return visits.end(to)
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
