package record

import (
	"math"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/database/sqlite/query"
	"terse/internal/link/follow"
)

// Changes are the changes of links in a transaction.
type Changes struct {
	Naming
	Conn *sqlite.Conn
	Rule follow.Rule
	Now  time.Time
	Held Held // of a transaction of several changes, otherwise nil
	// Until is the least time at which a changed link gets another status, in microseconds since
	// 1970; 0: no link does.
	Until int64
	// Users means that a user may have been disabled, enabled or deleted.
	Users bool
}

// stored returns a link, or terse.ErrNotFound. It does not say in which sets the link is.
func (c *Changes) stored(ref terse.LinkRef) (*follow.Stored, error) {
	link, err := Of(c.Conn, ref)
	return follow.Decode(link), err
}

// readSets reads the sets that a link is in, and the aliases that damaged options don't tell.
func (c *Changes) readSets(s *follow.Stored) error {
	err := query.Each(c.Conn, "SELECT name FROM link_sets WHERE id_range = ?1 >> 6 "+
		"AND owner = ?2 AND (name LIKE '#%' OR name = ?3) AND links & (1 << (?1 & 63)) <> 0",
		func(row *sqlite.Stmt) error {
			tag, isTag := strings.CutPrefix(row.ColumnText(0), follow.TagSet(""))
			if isTag {
				s.Tags = append(s.Tags, tag)
			} else {
				s.Archived = true
			}
			return nil
		}, s.ID, s.CreatedBy, follow.ArchivedSet)
	if err != nil {
		return err
	}
	err = query.Each(c.Conn, "SELECT status FROM link_states WHERE link_id = ?",
		func(row *sqlite.Stmt) error {
			s.Status = terse.Status(row.ColumnText(0))
			return nil
		}, s.ID)
	if err != nil || !s.Damaged {
		return err
	}
	return query.Each(c.Conn, "SELECT address FROM aliases WHERE link_id = ?",
		func(row *sqlite.Stmt) error {
			s.Aliases = append(s.Aliases, row.ColumnText(0))
			return nil
		}, s.ID)
}

// follow writes what follows from a change. write writes the row of the link itself: after the link
// has left its sets, because triggers move the others to another owner, and before it joins new
// ones. nil: it stands already.
func (c *Changes) follow(
	before, after *follow.Stored, e follow.Effects, write func() error,
) error {
	if before != nil {
		for _, set := range e.Left {
			if err := c.leave(before.CreatedBy, set, before.ID); err != nil {
				return err
			}
		}
	}
	if write != nil {
		if err := write(); err != nil {
			return err
		}
	}
	for _, set := range e.Joined {
		if err := join(c.Conn, after, set); err != nil {
			return err
		}
	}
	var had []string
	var was follow.Sets
	if before != nil {
		had, was = before.Aliases, before.Sets
	}
	if err := putAliases(c.Conn, after.ID, had, after.Aliases); err != nil {
		return err
	}
	if err := c.putState(after, was, &e.Facts); err != nil {
		return err
	}
	if e.History != nil {
		if err := addHistory(c.Conn, after.ID, e.History); err != nil {
			return err
		}
	}
	return c.append(e.Rows)
}

// append appends rows to tables that only grow.
func (c *Changes) append(rows []follow.Row) error {
	for _, row := range rows {
		places := strings.TrimSuffix(strings.Repeat("?, ", len(row.Values)), ", ")
		insert := "INSERT INTO " + row.Into + " VALUES (" + places + ")"
		if row.Unless != "" {
			insert = "INSERT INTO " + row.Into + " SELECT " + places + " WHERE NOT EXISTS (" +
				strings.ReplaceAll(row.Unless, "$", "?") + ")"
		}
		if err := query.Run(c.Conn, insert, row.Values...); err != nil {
			return err
		}
	}
	return nil
}

// Note writes what follows from what is no change of a link.
func (c *Changes) Note(by terse.Caller, what terse.Noted) error {
	e, err := c.Rule(follow.Change{Noted: &what, By: by, At: c.Now})
	if err != nil {
		return err
	}
	return c.append(e.Rows)
}

// putState writes the columns that follow from options, and the row of link_states of a link that
// was in sets. A link that is always active has no row. With damaged options all stays, whatever
// the time.
func (c *Changes) putState(link *follow.Stored, had follow.Sets, f *follow.Facts) error {
	if link.Damaged {
		return query.Run(c.Conn, "UPDATE link_states SET owner = ?, since = ?, until = ? "+
			"WHERE link_id = ?", link.CreatedBy, f.Since, f.Until, link.ID)
	}
	if had.Status.Ended() != f.Status.Ended() || had.Archived != f.Archived {
		err := query.Run(c.Conn, "UPDATE links SET ended = ?, archived = ? WHERE id = ?",
			f.Status.Ended(), f.Archived, link.ID)
		if err != nil {
			return err
		}
	}
	switch {
	case f.Status != "":
		return c.writeState(link, f)
	case had.Status != "":
		return query.Run(c.Conn, "DELETE FROM link_states WHERE link_id = ?", link.ID)
	}
	return nil
}

func (c *Changes) writeState(link *follow.Stored, f *follow.Facts) error {
	if f.Until < math.MaxInt64 && (c.Until == 0 || f.Until < c.Until) {
		c.Until = f.Until
	}
	o := &link.Set
	return query.Run(c.Conn, `INSERT OR REPLACE INTO link_states
		(link_id, owner, disabled, starts_at, expires_at, max_clicks, used, status, since, until)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		link.ID, link.CreatedBy, o.Disabled, at(o.StartsAt, never), at(o.ExpiresAt, always),
		o.MaxClicks, link.Used, string(f.Status), f.Since, f.Until)
}

// The ends of time.
const (
	never  = math.MinInt64
	always = math.MaxInt64
)

// at returns a time in microseconds since 1970, or a number that stands for none.
func at(t time.Time, none int64) int64 {
	if t.IsZero() {
		return none
	}
	return t.UnixMicro()
}
