package record

import (
	"math"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/sqlite/query"
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

// The ends of time.
const (
	never  = math.MinInt64
	always = math.MaxInt64
)

// starts returns when a link starts, and expires when it expires, in microseconds since 1970.
func (s *State) starts() int64 {
	if s.options.StartsAt.IsZero() {
		return never
	}
	return s.options.StartsAt.UnixMicro()
}

func (s *State) expires() int64 {
	if s.options.ExpiresAt.IsZero() {
		return always
	}
	return s.options.ExpiresAt.UnixMicro()
}

// Changing calls f for all states whose link is in the wrong set at a time, and maybe for others.
// They are few as long as Advance is called regularly.
func Changing(conn *sqlite.Conn, owner string, now time.Time, f func(State)) error {
	return query.Each(conn, "SELECT "+stateColumns+" FROM link_states "+
		"WHERE owner = ?1 AND until <= ?2 AND until < 9223372036854775807 "+
		"UNION ALL SELECT "+stateColumns+" FROM link_states "+
		"WHERE owner = ?1 AND since > ?2 AND since > -9223372036854775808",
		func(row *sqlite.Stmt) error {
			f(scanState(row))
			return nil
		}, owner, now.UnixMicro())
}

// Advance moves up to most links whose status has changed with time to the right sets, and returns
// how many it moved.
func Advance(conn *sqlite.Conn, now time.Time, most int) (int, error) {
	var due []State
	err := query.Each(conn, "SELECT "+stateColumns+" FROM link_states "+
		"WHERE until <= ? AND until < 9223372036854775807 ORDER BY until LIMIT ?",
		func(row *sqlite.Stmt) error {
			due = append(due, scanState(row))
			return nil
		}, now.UnixMicro(), most)
	for i := range due {
		if err == nil {
			err = store(conn, &due[i], now)
		}
	}
	return len(due), err
}

// putState stores the state that follows from a link's options, and returns how many of its clicks
// are used. Used clicks stay used while the link has MaxClicks.
func putState(conn *sqlite.Conn, link terse.Link, options terse.LinkOptions, now time.Time) (
	used int64, err error,
) {
	var before State
	err = query.Each(conn, "SELECT "+stateColumns+" FROM link_states WHERE link_id = ?",
		func(row *sqlite.Stmt) error {
			before = scanState(row)
			return nil
		}, link.ID)
	if err != nil {
		return 0, err
	}
	after := State{Link: link.ID, owner: link.CreatedBy, stored: before.stored, options: options}
	if options.MaxClicks > 0 && before.options.MaxClicks > 0 {
		after.used = before.used
	}
	if options.HasStatus() {
		return after.used, store(conn, &after, now)
	}
	if before.Link == 0 {
		return 0, nil
	}
	if err := moveTo(conn, &before, terse.Active); err != nil {
		return 0, err
	}
	return 0, query.Run(conn, "DELETE FROM link_states WHERE link_id = ?", link.ID)
}

// store writes the state of a link, and moves the link to the set of its status at a time.
func store(conn *sqlite.Conn, s *State, now time.Time) error {
	status := s.Status(now)
	if err := moveTo(conn, s, status); err != nil {
		return err
	}
	since, until := s.options.StatusSpan(now)
	return query.Run(conn, `INSERT OR REPLACE INTO link_states
		(link_id, owner, disabled, starts_at, expires_at, max_clicks, used, status, since, until)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		s.Link, s.owner, s.options.Disabled, s.starts(), s.expires(), s.options.MaxClicks,
		s.used, string(status), since, until)
}

// moveTo moves a link from its set to the set of another status.
func moveTo(conn *sqlite.Conn, s *State, to terse.Status) error {
	link := terse.Link{ID: s.Link, CreatedBy: s.owner}
	if s.stored == to {
		return nil
	}
	if s.stored.Ended() != to.Ended() {
		err := query.Run(conn, "UPDATE links SET ended = ? WHERE id = ?", to.Ended(), link.ID)
		if err != nil {
			return err
		}
	}
	if s.stored != "" && s.stored != terse.Active {
		if err := dropFrom(conn, string(s.stored), link); err != nil {
			return err
		}
	}
	if to == terse.Active {
		return nil
	}
	return addTo(conn, string(to), link)
}

// Take uses up one of a link's MaxClicks. It does nothing for a link without MaxClicks.
func Take(conn *sqlite.Conn, link terse.LinkRef, now time.Time) error {
	state, found := State{}, false
	err := query.Each(conn, "SELECT "+stateColumns+
		" FROM links LEFT JOIN link_states ON link_id = id WHERE id = ? AND code = ?",
		func(row *sqlite.Stmt) error {
			state, found = scanState(row), true
			return nil
		}, link.ID, link.Code.String())
	switch {
	case err != nil:
		return err
	case !found:
		return terse.ErrNotFound
	case state.options.MaxClicks == 0:
		return nil
	case state.used >= state.options.MaxClicks:
		return terse.ErrUsedUp
	}
	state.used++
	if state.used == state.options.MaxClicks {
		return store(conn, &state, now)
	}
	return query.Run(conn, "UPDATE link_states SET used = used + 1 WHERE link_id = ?", link.ID)
}
