package sqlite

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"terse"
	"terse/internal/clickblock"
)

// Links whose IDs differ in their last bits only are a group. The larger groups are, the fewer rows
// a batch writes, and the more clicks of others an answer reads.
const (
	groupBits  = 8 // as in the schema
	groupLinks = 1 << groupBits
)

// Bounds of the clicks of a group that are not sealed. All of them are read for each answer, so
// they may not be many; and the fewer clicks of a link are sealed at once, the more often its days'
// counts are written.
const (
	maxLoose       = 2048 // of one link
	maxGroupBytes  = groupLinks * 4 << 10
	minSealed      = 256 // clicks of a link that are worth it
	maxRecent      = 512 // clicks in the group's row, which is written with each batch
	maxRecentBytes = 4 << 10
)

// group is a row of click_groups, and what a batch adds to it.
type group struct {
	id     int64
	clicks [groupLinks]int64 // by link
	loose  [groupLinks]int64 // of them, those that are not sealed
	bytes  int64             // of its blocks
	recent []clickblock.Click
}

func (g *group) link(place int) terse.LinkID { return terse.LinkID(g.id<<groupBits | int64(place)) }

// maxBytes returns the bound of a group's blocks. Groups differ by up to half of it, so that those
// that fill equally fast are not all sealed by the same batch.
func (g *group) maxBytes() int64 {
	const half = maxGroupBytes / 2
	return half + int64(uint64(g.id)*0x9E3779B97F4A7C15>>32)*half>>32
}

// inGroup returns a link's place in its group.
func inGroup(link terse.LinkID) int { return int(link & (groupLinks - 1)) }

// addToGroup counts clicks of a group's links.
func (w *writer) addToGroup(id int64, clicks []terse.Click, order []uint64) error {
	if err := w.readGroup(id); err != nil {
		return err
	}
	w.linkCodes.use(id)
	for some := range slices.Chunk(order, len(w.some)) {
		w.turn.Yield()
		for k, i := range some {
			w.some[k] = clicks[i%maxBatch]
		}
		for k, i := range some {
			if err := w.addClick(&w.some[k], int(i%maxBatch)); err != nil {
				return err
			}
		}
	}
	return w.finishGroup()
}

// finishGroup writes the writer's group after clicks were added to its recent ones.
func (w *writer) finishGroup() error {
	g := &w.group
	clickblock.Sort(g.recent)
	w.turn.Yield()
	if g.bytes > g.maxBytes() || slices.Max(g.loose[:]) > maxLoose {
		if err := w.sealGroup(); err != nil {
			return err
		}
	}
	return w.storeGroup()
}

// addClick adds a click of an existing link to the writer's group, and keeps it for allLinks. It
// has a place in the batch.
func (w *writer) addClick(c *terse.Click, at int) error {
	if exists, err := w.linkExists(c); err != nil || !exists {
		return err
	}
	g, of := &w.group, inGroup(c.Link)
	g.clicks[of]++
	g.loose[of]++
	g.recent = w.packer.Add(g.recent, c, uint16(of))
	w.all[at] = g.recent[len(g.recent)-1]
	w.all[at].Link = isKept
	return nil
}

// allLinks is the ID that terse.AllLinks has in the database: the least one that can have days. No
// link's ID is negative, so that it has a group of its own. Its clicks are counted as if it were a
// link.
const allLinks terse.LinkID = -1 << 47

// isKept marks the clicks in writer.all, as their place in a group.
const isKept = 1

// addToAll counts the clicks that were kept for allLinks. They are in the order of the batch, which
// is nearly that of time.
func (w *writer) addToAll() error {
	for part := range slices.Chunk(w.all, maxAtOnce) {
		w.turn.Yield()
		if err := w.addPartToAll(part); err != nil {
			return fmt.Errorf("all links: %w", err)
		}
		clear(part)
	}
	w.packer.Reset()
	return nil
}

func (w *writer) addPartToAll(part []clickblock.Click) error {
	kept := part[:0]
	for _, c := range part {
		if c.Link == isKept {
			c.Link = uint16(inGroup(allLinks))
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	if err := w.readGroup(int64(allLinks) >> groupBits); err != nil {
		return err
	}
	g := &w.group
	g.clicks[inGroup(allLinks)] += int64(len(kept))
	g.loose[inGroup(allLinks)] += int64(len(kept))
	g.recent = append(g.recent, kept...)
	return w.finishGroup()
}

// readGroup makes a group the writer's.
func (w *writer) readGroup(id int64) error {
	g := &w.group
	*g = group{id: id, recent: g.recent[:0]}
	stmt, err := w.conn.Prepare(
		"SELECT clicks, loose, bytes, recent FROM click_groups WHERE id = ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, id)
	return eachRow(stmt, func() (err error) {
		w.blob = column(stmt, 0, w.blob)
		if err := parseCounts(g.clicks[:], w.blob); err != nil {
			return err
		}
		w.blob = column(stmt, 1, w.blob)
		if err := parseCounts(g.loose[:], w.blob); err != nil {
			return err
		}
		g.bytes = stmt.ColumnInt64(2)
		if w.blob = column(stmt, 3, w.blob); len(w.blob) > 0 {
			g.recent, err = w.packer.Unpack(g.recent, w.blob)
		}
		return err
	})
}

// parseCounts reads a JSON array of numbers.
func parseCounts(counts []int64, text []byte) error {
	text, opened := bytes.CutPrefix(text, []byte{'['})
	text, closed := bytes.CutSuffix(text, []byte{']'})
	if !opened || !closed {
		return clickblock.ErrDamaged
	}
	for i := 0; len(text) > 0; i++ {
		if i == len(counts) {
			return clickblock.ErrDamaged
		}
		var n int64
		for len(text) > 0 && '0' <= text[0] && text[0] <= '9' {
			n = 10*n + int64(text[0]-'0')
			text = text[1:]
		}
		if counts[i] = n; len(text) > 0 && text[0] != ',' {
			return clickblock.ErrDamaged
		}
		text = text[min(1, len(text)):]
	}
	return nil
}

// appendCounts is the reverse of parseCounts.
func appendCounts(text []byte, counts []int64) []byte {
	n := len(counts)
	for n > 0 && counts[n-1] == 0 {
		n--
	}
	text = append(text, '[')
	for i, count := range counts[:n] {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, count, 10)
	}
	return append(text, ']')
}

// storeGroup writes the writer's group.
func (w *writer) storeGroup() error {
	g := &w.group
	var recent []byte
	if len(g.recent) > 0 && len(g.recent) <= maxRecent {
		recent = w.packer.PackGroup(g.recent)
	}
	if len(g.recent) > maxRecent || len(recent) > maxRecentBytes {
		recent = nil
		if err := w.addGroupBlocks(); err != nil {
			return err
		}
	}
	stmt, err := w.conn.Prepare(
		"INSERT INTO click_groups (id, clicks, loose, bytes, recent) VALUES (?1, ?2, ?3, ?4, ?5) " +
			"ON CONFLICT (id) DO UPDATE SET clicks = ?2, loose = ?3, bytes = ?4, recent = ?5")
	if err != nil {
		return err
	}
	w.blob = appendCounts(w.blob[:0], g.clicks[:])
	n := len(w.blob)
	w.blob = appendCounts(w.blob, g.loose[:])
	stmt.BindInt64(1, g.id)
	stmt.BindText(2, string(w.blob[:n]))
	stmt.BindText(3, string(w.blob[n:]))
	stmt.BindInt64(4, g.bytes)
	stmt.BindBytes(5, recent)
	_, err = stmt.Step()
	return err
}

// blockIDs returns the first and the last ID that blocks of a group can have.
func blockIDs(group int64) (first, last int64) { return group << 16, group<<16 | 0xFFFF }

// addGroupBlocks moves the group's recent clicks into blocks.
func (w *writer) addGroupBlocks() error {
	g := &w.group
	id, err := w.nextGroupBlock()
	if err != nil {
		return err
	}
	for part := range slices.Chunk(g.recent, clickblock.MaxClicks) {
		w.turn.Yield()
		block := w.packer.PackGroup(part)
		stmt, err := w.conn.Prepare(
			"INSERT INTO group_blocks (id, first, last, clicks) VALUES (?, ?, ?, ?)")
		if err != nil {
			return err
		}
		stmt.BindInt64(1, id)
		stmt.BindInt64(2, part[0].Time)
		stmt.BindInt64(3, part[len(part)-1].Time)
		stmt.BindBytes(4, block)
		if _, err := stmt.Step(); err != nil {
			return err
		}
		g.bytes += int64(len(block))
		id++
	}
	g.recent = g.recent[:0]
	return nil
}

func (w *writer) nextGroupBlock() (id int64, err error) {
	first, last := blockIDs(w.group.id)
	stmt, err := w.conn.Prepare(
		"SELECT id + 1 FROM group_blocks WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1")
	if err != nil {
		return 0, err
	}
	stmt.BindInt64(1, first)
	stmt.BindInt64(2, last)
	id = first
	err = eachRow(stmt, func() error {
		id = stmt.ColumnInt64(0)
		return nil
	})
	return id, err
}

// sealGroup seals the clicks of links with many loose ones, and drops those of links that are gone.
func (w *writer) sealGroup() error {
	g := &w.group
	enough := int64(minSealed)
	if g.bytes > 0 {
		// What is left must be well below the bound, also when referrers are long.
		enough = min(enough, 1+maxGroupBytes/2/groupLinks*sum(g.loose[:])/g.bytes)
	}
	if err := w.takeGroupBlocks(); err != nil {
		return err
	}
	w.turn.Yield()
	for of, clicks := range w.divideGroup(enough) {
		w.turn.Yield()
		if err := w.sealLink(g.link(of), clicks); err != nil {
			return fmt.Errorf("seal link %d: %w", g.link(of), err)
		}
		g.loose[of] = 0
	}
	return nil
}

func sum(counts []int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
}

// divideGroup takes the clicks of links with enough of them, and of those that are gone, out of the
// recent ones. It yields the former link by link.
func (w *writer) divideGroup(enough int64) iter.Seq2[int, []clickblock.Click] {
	g := &w.group
	clear(g.loose[:])
	for _, c := range g.recent {
		g.loose[c.Link]++
	}
	var next [groupLinks]int // where a link's next click goes
	end := 0
	for of, n := range g.loose {
		switch {
		case g.clicks[of] == 0:
			g.loose[of] = 0
		case n >= enough:
			next[of] = end
			end += int(n)
		}
	}
	sealed, rest := slices.Grow(w.sealed[:0], end)[:end], g.recent[:0]
	for _, c := range g.recent {
		switch of := int(c.Link); {
		case g.loose[of] >= enough:
			sealed[next[of]] = c
			next[of]++
		case g.loose[of] > 0:
			rest = append(rest, c)
		}
	}
	w.sealed, g.recent = sealed, rest
	return func(yield func(int, []clickblock.Click) bool) {
		for of, n := range g.loose {
			if start := next[of] - int(n); n >= enough &&
				!yield(of, sealed[start:next[of]:next[of]]) {
				return
			}
		}
	}
}

// takeGroupBlocks moves all clicks of a group out of its blocks.
func (w *writer) takeGroupBlocks() error {
	g := &w.group
	stmt, err := w.conn.Prepare(
		"DELETE FROM group_blocks WHERE id BETWEEN ? AND ? RETURNING clicks")
	if err != nil {
		return err
	}
	first, last := blockIDs(g.id)
	stmt.BindInt64(1, first)
	stmt.BindInt64(2, last)
	// In the order of time, or nearly.
	all := w.older[:0]
	err = eachRow(stmt, func() (err error) {
		w.turn.Yield()
		w.blob = column(stmt, 0, w.blob)
		all, err = w.packer.Unpack(all, w.blob)
		return err
	})
	all = append(all, g.recent...)
	clickblock.Sort(all)
	g.recent, w.older, g.bytes = all, g.recent, 0
	return err
}

// maxCleaned bounds the groups that are cleaned with one batch, each of which takes up to some
// milliseconds.
const maxCleaned = 16

// cleanGroups drops the loose clicks of links that were deleted.
func (w *writer) cleanGroups() error {
	stmt, err := w.conn.Prepare("SELECT id FROM groups_to_clean LIMIT ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, maxCleaned)
	var ids []int64
	if err := eachRow(stmt, func() error {
		ids = append(ids, stmt.ColumnInt64(0))
		return nil
	}); err != nil {
		return err
	}
	for _, id := range ids {
		w.turn.Yield()
		w.packer.Reset()
		if err := w.cleanGroup(id); err != nil {
			return fmt.Errorf("clean group %d: %w", id, err)
		}
	}
	return nil
}

func (w *writer) cleanGroup(id int64) error {
	stmt, err := w.conn.Prepare("DELETE FROM groups_to_clean WHERE id = ?")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, id)
	if _, err := stmt.Step(); err != nil {
		return err
	}
	if err := w.readGroup(id); err != nil {
		return err
	}
	if err := w.sealGroup(); err != nil {
		return err
	}
	return w.storeGroup()
}
