package sqlite

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
)

// To write the row of a group costs some 50 µs, however few clicks are added. When a batch has few clicks for each of many
// groups, these wait in buffers, one for the groups of a span, until there are enough of them for each group.

// A span is so many groups. The more groups share a buffer, the more clicks of a batch share its row, and the more clicks of
// others an answer reads.
const (
	spanBits  = 6 // as in the schema
	spanLinks = groupLinks << spanBits
)

// When clicks wait.
const (
	minSpread = 32 // groups of a batch that have few clicks: fewer groups take a few milliseconds in any case
	minGroup  = 64 // clicks of a group that are worth it to write its row: what those that wait cost
)

// Bounds of what waits in a span. All of its rows are looked at for each answer, the links only, and are moved to its groups by
// one batch, which takes 5 to 10 ms.
const (
	maxBufferBytes = 256 << 10
	// minRowBytes is what a row gets before there is another one: so that all are in pages of their own, nearly full, and share
	// what the clicks have in common.
	minRowBytes = 3000
	// maxBuffered bounds the clicks of one link. With those of its group and its quiet ones they are fewer than what
	// clickblock.Tally.Limit allows.
	maxBuffered = 2600
)

func spanOf(link terse.LinkID) int64 { return int64(link) >> (groupBits + spanBits) }

// inSpan returns a link's place in its span.
func inSpan(link terse.LinkID) int { return int(link & (spanLinks - 1)) }

// bufferIDs returns the first and the last ID that rows of a span's buffer can have.
func bufferIDs(span int64) (first, last int64) { return span << 16, span<<16 | 0xFFFF }

// Links are stored as characters, so that an operator's SQL can count them. All of them have three bytes in UTF-8.
const (
	firstPlace = 0x800 // as in the schema
	placeBytes = 3
)

func appendPlace(text []byte, place int) []byte { return utf8.AppendRune(text, rune(firstPlace+place)) }

// parsePlaces returns the places in a row's text.
func parsePlaces(places []uint16, text []byte) ([]uint16, error) {
	for ; len(text) >= placeBytes; text = text[placeBytes:] {
		place := int(text[0]&0xF)<<12 | int(text[1]&0x3F)<<6 | int(text[2]&0x3F) - firstPlace
		if uint(place) >= spanLinks {
			return nil, clickblock.ErrDamaged
		}
		places = append(places, uint16(place))
	}
	if len(text) > 0 {
		return nil, clickblock.ErrDamaged
	}
	return places, nil
}

// noSpan is no span of links: their IDs are not negative.
const noSpan = -1

// buffer is what a batch adds to the buffer of a span.
type buffer struct {
	span   int64
	clicks []clickblock.Click // their Link is the place in the span
	most   int                // no link has more of them
	links  []byte
	places []uint16
}

func (b *buffer) reset() { b.span, b.clicks, b.most = noSpan, b.clicks[:0], 0 }

// isSpread tells whether a batch, in its order, has few clicks for each of many groups.
func (s *Store) isSpread(order []uint64) bool {
	few := 0
	for len(order) > 0 {
		n := sameGroup(order)
		if order = order[n:]; n < minGroup {
			few++
		}
	}
	return few >= s.minSpread
}

// startSpan makes the buffer of a span the writer's.
func (w *writer) startSpan(span int64) error {
	if w.buffer.span == span {
		return nil
	}
	if err := w.storeBuffer(); err != nil {
		return err
	}
	w.buffer.span = span
	return nil
}

// addToBuffer adds clicks of one group to the writer's buffer, and keeps them for allLinks.
func (w *writer) addToBuffer(id int64, clicks []terse.Click, order []uint64) error {
	b := &w.buffer
	w.linkCodes.use(id)
	for _, i := range order {
		at := i % maxBatch
		c := &clicks[at]
		if exists, err := w.linkExists(c); err != nil || !exists {
			if err != nil {
				return err
			}
			continue
		}
		b.clicks = w.packer.Add(b.clicks, c, uint16(inSpan(c.Link)))
		w.all[at] = b.clicks[len(b.clicks)-1]
		w.all[at].Link = isKept
	}
	b.most = max(b.most, len(order))
	return nil
}

// storeBuffer writes what the batch adds to the writer's buffer, and moves all of it to the groups when it is full.
func (w *writer) storeBuffer() error {
	b := &w.buffer
	if len(b.clicks) == 0 {
		return nil
	}
	clickblock.Sort(b.clicks)
	row, err := w.nextBufferRow()
	if err != nil {
		return err
	}
	row.most += int64(b.most)
	if err := w.storeBufferRow(&row); err != nil {
		return err
	}
	b.clicks, b.most = b.clicks[:0], 0
	if row.bytes >= staggered(b.span, maxBufferBytes) || row.most >= maxBuffered {
		return w.emptyBuffer(b.span)
	}
	return nil
}

// bufferRow has the columns of a row of click_buffers that are numbers.
type bufferRow struct{ id, bytes, most int64 }

// nextBufferRow returns where the clicks in the writer's buffer go, with the sums of what precedes them. When the newest row is
// short they go there, and its clicks are put before them.
func (w *writer) nextBufferRow() (row bufferRow, err error) {
	stmt, err := w.conn.Prepare("SELECT id, bytes, most, links, clicks FROM click_buffers WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1")
	if err != nil {
		return row, err
	}
	first, last := bufferIDs(w.buffer.span)
	stmt.BindInt64(1, first)
	stmt.BindInt64(2, last)
	row.id = first
	err = eachRow(stmt, func() error {
		row = bufferRow{stmt.ColumnInt64(0), stmt.ColumnInt64(1), stmt.ColumnInt64(2)}
		size := stmt.ColumnLen(3) + stmt.ColumnLen(4)
		if size >= minRowBytes {
			row.id++
			return nil
		}
		row.bytes -= int64(size)
		if w.buffered, err = w.unpackBuffer(w.buffered[:0], stmt, 3); err != nil {
			return err
		}
		w.buffered = append(w.buffered, w.buffer.clicks...)
		clickblock.Sort(w.buffered)
		w.buffered, w.buffer.clicks = w.buffer.clicks, w.buffered
		return nil
	})
	return row, err
}

func (w *writer) storeBufferRow(row *bufferRow) error {
	b := &w.buffer
	b.links = b.links[:0]
	for i := range b.clicks {
		b.links = appendPlace(b.links, int(b.clicks[i].Link))
	}
	block := w.packer.Pack(b.clicks)
	row.bytes += int64(len(b.links) + len(block))
	stmt, err := w.conn.Prepare("INSERT OR REPLACE INTO click_buffers (id, bytes, most, links, clicks) VALUES (?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	stmt.BindInt64(1, row.id)
	stmt.BindInt64(2, row.bytes)
	stmt.BindInt64(3, row.most)
	stmt.BindText(4, string(b.links))
	stmt.BindBytes(5, block)
	_, err = stmt.Step()
	return err
}

// unpackBuffer appends the clicks in the columns links and clicks of a row, with their places in the span.
func (w *writer) unpackBuffer(clicks []clickblock.Click, stmt *sqlite.Stmt, links int) ([]clickblock.Click, error) {
	b := &w.buffer
	w.blob = column(stmt, links, w.blob)
	var err error
	if b.places, err = parsePlaces(b.places[:0], w.blob); err != nil {
		return clicks, err
	}
	from := len(clicks)
	w.blob = column(stmt, links+1, w.blob)
	if clicks, err = w.packer.Unpack(clicks, w.blob); err != nil {
		return clicks, err
	}
	if len(clicks)-from != len(b.places) {
		return clicks, clickblock.ErrDamaged
	}
	for i, place := range b.places {
		clicks[from+i].Link = place
	}
	return clicks, nil
}

// emptyBuffer moves the clicks of a span's buffer to its groups.
func (w *writer) emptyBuffer(span int64) error {
	if err := w.takeBuffer(span); err != nil || len(w.buffered) == 0 {
		return err
	}
	for group, clicks := range w.byPlace() {
		w.turn.Yield()
		if err := w.addBuffered(span<<spanBits|int64(group), clicks); err != nil {
			return fmt.Errorf("clicks that waited for group %d: %w", span<<spanBits|int64(group), err)
		}
	}
	return nil
}

// takeBuffer moves all clicks out of a span's buffer: batch by batch, so in the order of time, or nearly.
func (w *writer) takeBuffer(span int64) error {
	stmt, err := w.conn.Prepare("DELETE FROM click_buffers WHERE id BETWEEN ? AND ? RETURNING links, clicks")
	if err != nil {
		return err
	}
	first, last := bufferIDs(span)
	stmt.BindInt64(1, first)
	stmt.BindInt64(2, last)
	w.buffered = w.buffered[:0]
	return eachRow(stmt, func() error {
		w.buffered, err = w.unpackBuffer(w.buffered, stmt, 0)
		return err
	})
}

// byPlace yields the clicks that takeBuffer took, group by group. Their Link becomes the place in the group.
func (w *writer) byPlace() func(yield func(int, []clickblock.Click) bool) {
	var next [1<<spanBits + 1]int // where a group's next click goes
	for i := range w.buffered {
		next[w.buffered[i].Link>>groupBits+1]++
	}
	for group := range next[1:] {
		next[group+1] += next[group]
	}
	sorted := slices.Grow(w.older[:0], len(w.buffered))[:len(w.buffered)]
	for _, c := range w.buffered {
		group := c.Link >> groupBits
		c.Link &= groupLinks - 1
		sorted[next[group]] = c
		next[group]++
	}
	w.older, w.buffered = w.buffered, sorted
	return func(yield func(int, []clickblock.Click) bool) {
		from := 0
		for group, end := range next[:1<<spanBits] {
			if from < end && !yield(group, sorted[from:end]) {
				return
			}
			from = end
		}
	}
}

// addBuffered adds clicks to a group, but those of links that were deleted since the clicks began to wait.
func (w *writer) addBuffered(id int64, clicks []clickblock.Click) error {
	if err := w.readGroup(id); err != nil {
		return err
	}
	g := &w.group
	gone, err := w.findGone()
	if err != nil {
		return err
	}
	for _, c := range clicks {
		if !gone[c.Link] {
			g.clicks[c.Link]++
			g.loose[c.Link]++
			g.recent = append(g.recent, c)
		}
	}
	return w.finishGroup()
}

// findGone finds which links of the writer's group do not exist. Those of a group that need not be cleaned are not looked at:
// none was deleted since the group's clicks were counted.
func (w *writer) findGone() (gone [groupLinks]bool, err error) {
	g := &w.group
	stmt, err := w.conn.Prepare("SELECT 1 FROM groups_to_clean WHERE id = ?")
	if err != nil {
		return gone, err
	}
	stmt.BindInt64(1, g.id)
	if err := eachRow(stmt, func() error {
		for of := range gone {
			gone[of] = true
		}
		return nil
	}); err != nil || !gone[0] {
		return gone, err
	}
	links, err := w.conn.Prepare("SELECT id FROM links WHERE id BETWEEN ? AND ?")
	if err != nil {
		return gone, err
	}
	links.BindInt64(1, int64(g.link(0)))
	links.BindInt64(2, int64(g.link(groupLinks-1)))
	err = eachRow(links, func() error {
		gone[inGroup(terse.LinkID(links.ColumnInt64(0)))] = false
		return nil
	})
	return gone, err
}

// addBufferedCounts adds the clicks that wait to the counts of a span's links.
func addBufferedCounts(conn *sqlite.Conn, span int64, counts *[spanLinks]int64) error {
	stmt, err := conn.Prepare("SELECT links FROM click_buffers WHERE id BETWEEN ? AND ?")
	if err != nil {
		return err
	}
	first, last := bufferIDs(span)
	stmt.BindInt64(1, first)
	stmt.BindInt64(2, last)
	var text []byte
	var places []uint16
	return eachRow(stmt, func() error {
		text = column(stmt, 0, text)
		if places, err = parsePlaces(places[:0], text); err != nil {
			return err
		}
		for _, place := range places {
			counts[place]++
		}
		return nil
	})
}
