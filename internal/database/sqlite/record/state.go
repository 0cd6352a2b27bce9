package record

import (
	"errors"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// State is a row of link_states, which determines the status of a link.
type State struct {
	Link    terse.LinkID
	owner   string
	stored  terse.Status      // the set that the link is in
	options terse.LinkOptions // only those that affect the status
	used    int64
}

// stateColumns are the columns that scanState reads.
const stateColumns = "link_id, owner, status, disabled, starts_at, expires_at, max_clicks, used"

func scanState(row *sqlite.Stmt) State {
	s := State{
		Link: terse.LinkID(row.ColumnInt64(0)), owner: row.ColumnText(1),
		stored: terse.Status(row.ColumnText(2)), used: row.ColumnInt64(7),
	}
	s.options.Disabled = row.ColumnInt64(3) != 0
	s.options.MaxClicks = row.ColumnInt64(6)
	if at := row.ColumnInt64(4); at != never {
		s.options.StartsAt = time.UnixMicro(at)
	}
	if at := row.ColumnInt64(5); at != always {
		s.options.ExpiresAt = time.UnixMicro(at)
	}
	return s
}

// Status returns the status of the link at a time.
func (s *State) Status(now time.Time) terse.Status { return s.options.Status(now, s.used) }

// Changing calls f for all states whose link is in the wrong set at a time, and maybe for others.
// They are few as long as Advance is called regularly. owner may stand for all.
func Changing(conn *sqlite.Conn, owner string, now time.Time, f func(State)) error {
	return query.Each(conn, "SELECT "+stateColumns+" FROM link_states "+
		"WHERE ?1 IN (owner, '*') AND until <= ?2 AND until < 9223372036854775807 "+
		"UNION ALL SELECT "+stateColumns+" FROM link_states "+
		"WHERE ?1 IN (owner, '*') AND since > ?2 AND since > -9223372036854775808",
		func(row *sqlite.Stmt) error {
			f(scanState(row))
			return nil
		}, owner, now.UnixMicro())
}

// Advance moves up to most links whose status has changed with time to the right sets, and returns
// how many it moved.
func (c *Changes) Advance(most int) (int, error) {
	var due []terse.LinkRef
	var bad error
	err := query.Each(c.Conn, "SELECT link_id, code FROM link_states JOIN links ON id = link_id "+
		"WHERE until <= ? AND until < 9223372036854775807 ORDER BY until LIMIT ?",
		func(row *sqlite.Stmt) error {
			code, err := terse.ParseKey(row.ColumnText(1))
			bad = errors.Join(bad, err)
			due = append(due, terse.LinkRef{ID: terse.LinkID(row.ColumnInt64(0)), Code: code})
			return nil
		}, c.Now.UnixMicro(), most)
	if err := errors.Join(err, bad); err != nil {
		return 0, err
	}
	for _, ref := range due {
		if err := c.restate(ref, terse.Caller{Cause: terse.CauseTime}, nil); err != nil {
			return 0, err
		}
	}
	return len(due), nil
}

// NextDue returns when the next status changes, in microseconds since 1970.
func (c *Changes) NextDue() (int64, error) {
	return query.Int(c.Conn, "SELECT coalesce(min(until), 9223372036854775807) FROM link_states "+
		"WHERE until < 9223372036854775807")
}

// restate writes the status that a link has now, after change has changed the number of its used
// clicks; nil: nothing changes but the time.
func (c *Changes) restate(ref terse.LinkRef, by terse.Caller, change func(*follow.Stored)) error {
	before, err := c.stored(ref)
	if err == nil {
		err = c.readSets(before)
	}
	if err != nil {
		return err
	}
	after := before.Become(before.Link)
	if change != nil {
		change(after)
	}
	e, err := c.Rule(follow.Change{Before: before, After: after, By: by, At: c.Now})
	if err != nil {
		return err
	}
	return c.follow(before, after, e, nil)
}

// Take uses up one of a link's MaxClicks. It does nothing for a link without MaxClicks.
func (c *Changes) Take(link terse.LinkRef) error {
	var most, used int64
	found := false
	err := query.Each(c.Conn, "SELECT max_clicks, used FROM links "+
		"LEFT JOIN link_states ON link_id = id WHERE id = ? AND code = ?",
		func(row *sqlite.Stmt) error {
			most, used, found = row.ColumnInt64(0), row.ColumnInt64(1), true
			return nil
		}, link.ID, link.Code.String())
	switch {
	case err != nil:
		return err
	case !found:
		return terse.ErrNotFound
	case most == 0:
		return nil
	case used >= most:
		return terse.ErrUsedUp
	case used+1 == most:
		return c.restate(link, terse.Caller{Cause: terse.CauseVisit},
			func(after *follow.Stored) { after.Used++ })
	}
	return query.Run(c.Conn, "UPDATE link_states SET used = used + 1 WHERE link_id = ?", link.ID)
}
