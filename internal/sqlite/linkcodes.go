package sqlite

import "terse"

// linkCodes are the codes of links that had clicks lately, by ID. A click is of a link that has its
// ID and its code: an ID alone says nothing, because a backup that was put back gives IDs out
// again. To look up the code for each click would take several times as long as to count it.
//
// It belongs to the writer, whose every transaction begins with lookAround: that forgets all codes
// when others have changed the database. Whoever changes a link through the writer forgets its
// code.
type linkCodes struct {
	groups map[int64]*groupCodes
	group  *groupCodes // of the clicks that are being counted
}

// groupCodes are the codes of a group's links, as far as they were looked up.
type groupCodes struct {
	known [groupLinks]bool
	codes [groupLinks]terse.Code // the zero code where there is no link
}

// maxCodeGroups bounds linkCodes at 35 MiB, for 2,000,000 links whose IDs follow each other. The
// codes of others are looked up in each batch.
const maxCodeGroups = 1 << 13

// use makes a group the one of the clicks that are being counted.
func (l *linkCodes) use(group int64) {
	if l.group = l.groups[group]; l.group != nil {
		return
	}
	if l.groups == nil {
		l.groups = make(map[int64]*groupCodes)
	}
	if len(l.groups) >= maxCodeGroups {
		for other := range l.groups {
			delete(l.groups, other)
			break
		}
	}
	l.group = new(groupCodes)
	l.groups[group] = l.group
}

func (l *linkCodes) forget(link terse.LinkID) {
	if g := l.groups[int64(link)>>groupBits]; g != nil {
		g.known[inGroup(link)] = false
	}
}

func (l *linkCodes) forgetAll() { clear(l.groups) }

// linkExists reports whether there is the link of a click, which is of the group in use.
func (w *writer) linkExists(c *terse.Click) (bool, error) {
	g, of := w.linkCodes.group, inGroup(c.Link)
	if !g.known[of] {
		code, err := w.codeOf(c.Link)
		if err != nil {
			return false, err
		}
		g.known[of], g.codes[of] = true, code
	}
	return g.codes[of] == c.Code, nil
}

// codeOf looks up a link's code, the zero code when there is no such link.
func (w *writer) codeOf(link terse.LinkID) (code terse.Code, err error) {
	stmt, err := w.conn.Prepare("SELECT code FROM links WHERE id = ?")
	if err != nil {
		return code, err
	}
	stmt.BindInt64(1, int64(link))
	err = eachRow(stmt, func() error {
		w.blob = column(stmt, 0, w.blob)
		code, _ = terse.ParseCode(w.blob) // what was written by hand and is no code has no clicks
		return nil
	})
	return code, err
}
