package stats

import (
	"cmp"
	"slices"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/clickblock"
	"terse/internal/clickread"
	"terse/internal/sqlite/counter"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
)

// Events returns a page of the clicks of a link that exists, or of all links of an owner.
func Events(conn *sqlite.Conn, link terse.LinkID, q terse.EventQuery) (terse.EventPage, error) {
	s, err := newShelf(conn, link, q.Owner, q.Tags)
	if err != nil {
		return terse.EventPage{}, err
	}
	return clickread.Events(s,
		clickread.EventsOf{All: counter.IsAll(link), Journals: []string{""}}, q)
}

// shelf is a clickread.Shelf. All journals are one source, because one writer counts for all.
type shelf struct {
	conn   *sqlite.Conn
	link   terse.LinkID
	owner  string                  // of the links that are asked for
	tagged func(terse.LinkID) bool // whether a link has the tags that are asked for
	eras   map[terse.LinkID]uint32 // nil: not read yet
	blob   []byte
}

func newShelf(conn *sqlite.Conn, link terse.LinkID, owner string, tags []string) (*shelf, error) {
	s := &shelf{conn: conn, link: link, owner: owner}
	links, err := record.Tagged(conn, owner, tags)
	s.tagged = func(id terse.LinkID) bool { return len(tags) == 0 || links.Has(int64(id)) }
	return s, err
}

// Loose reads what is in no day's counts.
func (s *shelf) Loose(first, last int64, f func(clickread.Piece) error) error {
	return counter.Loose(s.conn, s.link, first, last,
		func(number int64, offset int, block []byte) error {
			return f(clickread.Piece{Block: number, Offset: offset, Bytes: block})
		})
}

func (s *shelf) Day(upTo terse.Day, first, last int64) (
	day terse.Day, blocks []clickread.Stored, found bool, err error,
) {
	err = query.Each(s.conn, `SELECT day FROM click_blocks
		WHERE link_id = ? AND day BETWEEN ? AND ? ORDER BY day DESC LIMIT 1`,
		func(row *sqlite.Stmt) error {
			day, found = terse.Day(row.ColumnInt64(0)), true
			return nil
		}, s.link, max(terse.DayOf(first), 0), min(upTo, counter.MaxDay))
	if err != nil || !found {
		return 0, nil, false, err
	}
	err = query.Each(s.conn, `SELECT seq, first, last FROM click_blocks
		WHERE link_id = ? AND day = ? AND last >= ? AND first <= ?`,
		func(row *sqlite.Stmt) error {
			blocks = append(blocks, clickread.Stored{
				Block: row.ColumnInt64(0), First: row.ColumnInt64(1), Last: row.ColumnInt64(2),
			})
			return nil
		}, s.link, day, first, last)
	return day, blocks, true, err
}

// Read reads neighbours by one statement: to find a row, SQLite compares it with others, each of
// which it reads as a whole.
func (s *shelf) Read(day terse.Day, blocks []clickread.Stored,
	f func(clickread.Piece) error,
) error {
	slices.SortFunc(blocks, func(a, b clickread.Stored) int {
		return cmp.Compare(a.Block, b.Block)
	})
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].Block == blocks[n-1].Block+1 {
			n++
		}
		err := query.Each(s.conn, `SELECT seq, clicks FROM click_blocks
			WHERE link_id = ? AND day = ? AND seq BETWEEN ? AND ?`,
			func(row *sqlite.Stmt) error {
				s.blob = query.Bytes(row, 1, s.blob)
				return f(clickread.Piece{
					Block: row.ColumnInt64(0), Offset: -1, Bytes: s.blob,
				})
			}, s.link, day, blocks[0].Block, blocks[n-1].Block)
		if err != nil {
			return err
		}
		blocks = blocks[n:]
	}
	return nil
}

func (s *shelf) Exist(links []clickblock.Link) (exist []terse.LinkRef, err error) {
	if s.eras == nil {
		if s.eras, err = readEras(s.conn); err != nil {
			return nil, err
		}
	}
	exist = make([]terse.LinkRef, len(links))
	for i, link := range links {
		if s.eras[link.ID] == link.Era && s.tagged(link.ID) {
			if exist[i], err = s.find(link.ID); err != nil {
				return nil, err
			}
		}
	}
	return exist, nil
}

// find returns the link with an ID if it is the owner's, else the zero LinkRef.
func (s *shelf) find(id terse.LinkID) (link terse.LinkRef, err error) {
	err = query.Each(s.conn, "SELECT code FROM links WHERE id = ? AND created_by = ?",
		func(row *sqlite.Stmt) error {
			// What was written by hand and is no code has no clicks.
			if code, err := terse.ParseCode(row.ColumnText(0)); err == nil {
				link = terse.LinkRef{ID: id, Code: code}
			}
			return nil
		}, id, s.owner)
	return link, err
}
