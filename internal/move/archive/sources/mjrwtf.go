package sources

import (
	"context"
	"fmt"
	"time"

	"terse"
	"terse/internal/move/archive/sources/database"
)

// MjrwtfDatabase reads the database of mjr.wtf. Before version 0.4 it says nothing of destinations
// that are gone.
func MjrwtfDatabase(_ context.Context, from *database.Conn, to *Out) error {
	err := from.Need("urls", "id", "short_code", "original_url", "created_at", "created_by")
	if err == nil {
		err = from.Need("clicks", "url_id", "clicked_at", "referrer", "country", "user_agent")
	}
	if err != nil {
		return fmt.Errorf("it is no database of mjr.wtf: %w", err)
	}
	gone, status := "NULL, NULL", ""
	if from.Has("url_status", "url_id", "gone_at", "archive_url") {
		gone, status = "s.gone_at, s.archive_url", " LEFT JOIN url_status s ON s.url_id = u.id"
	}
	query := "SELECT u.id, u.short_code, u.original_url, u.created_at, " + gone +
		", c.url_id, c.clicked_at, c.referrer, c.country, c.user_agent FROM urls u" + status +
		" LEFT JOIN clicks c ON c.url_id = u.id ORDER BY u.id, c.clicked_at"
	last, some := int64(0), false
	return from.Query(query, func(r *database.Row) error {
		if id := r.Int(0); !some || id != last {
			last, some = id, true
			if err := mjrwtfLink(r, to); err != nil {
				return err
			}
		}
		if r.IsNull(6) {
			return nil
		}
		return to.Click(Click{
			Time: r.Time(7), // without one that can be read, that of the link
			Values: terse.Values{
				terse.ByReferrer: r.Text(8), terse.ByCountry: r.Text(9),
			},
			UserAgent: r.Text(10),
		})
	})
}

func mjrwtfLink(r *database.Row, to *Out) error {
	link := Link{Code: r.Text(1), URL: r.Text(2), Created: to.spare(r, "created_at", 3)}
	goneAt := r.Time(4)
	if err := r.Err(); err != nil {
		return to.Fail(link.Code, "", err)
	}
	if !r.IsNull(4) {
		link.Disabled = true
		link.Note = "Destination gone since " + goneAt.Format(time.DateOnly)
		if archived := r.Text(5); archived != "" {
			link.Note += "\nArchived copy: " + archived
		}
		to.Note("disabled is set: its destination is gone, and mjr.wtf answers that, too")
	}
	to.noOwner()
	return to.Link(link)
}
