package sqlite

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/yield"
)

// codes know which link has a code, so that a look-up finds its row by the ID, and which codes have
// none, so that most who ask for one are answered without asking SQLite.
//
// The codes of our links are in the table because whoever has the writer adds each before it is
// committed; a code that was taken back or deleted stays in until the table is made anew, which
// costs a look-up and is not wrong.
//
// When others have written (an operator's shell, a VACUUM, a database put in the place of ours),
// the table is dropped and rebuilt from all links, see lookAround. That is noticed within a moment
// (watchInterval), in which a code that others have just added may still pass for absent.
type codes struct {
	known atomic.Pointer[codeTable] // has all codes; nil while those are not known
	// gets all codes; nil when there is none or something else was written meanwhile
	building atomic.Pointer[codeTable]
	wanted   chan struct{} // tells the builder to build

	// The writer's: what it saw last.
	conn    *sqlite.Conn
	version int64
}

// buildStep is how many codes are read at a time, in less than a millisecond: whoever closes the
// database waits for that long, and the write-ahead log is not held back by a long snapshot.
const buildStep = 1024 // as in selectCodes

// Pauses between two builds of the table: a database that others write to all the time gets none,
// rather than a whole core for it; and one that can't be read is tried again after a while.
const (
	buildPause = 2 * time.Microsecond // for each code that was read, which takes a quarter of that
	retryBuild = 5 * time.Second
)

// Absent reports, without waiting, that no link has the code. False is inconclusive: call Link.
// What other programs add may be missed for watchInterval.
func (s *Store) Absent(code terse.Code) bool {
	_, found := s.codes.find(code)
	return !found
}

// find returns the ID that the link of a code probably has, or 0; and false when there is no such
// link.
func (c *codes) find(code terse.Code) (id terse.LinkID, maybe bool) {
	t := c.known.Load()
	if t == nil {
		return 0, true
	}
	return t.find(code)
}

func (c *codes) add(code terse.Code, id terse.LinkID) {
	if t := c.building.Load(); t != nil && t.add(code, id) {
		c.want()
	}
	if t := c.known.Load(); t != nil && t.add(code, id) {
		c.want() // a larger one
	}
}

func (c *codes) want() {
	select {
	case c.wanted <- struct{}{}:
	default: // it is wanted already
	}
}

// drop forgets all codes, and has them read again.
func (c *codes) drop() {
	c.known.Store(nil)
	c.building.Store(nil)
	c.want()
}

// keepCodes lets the codes be known until the context ends.
func (s *Store) keepCodes(ctx context.Context) {
	s.codes.want()
	s.keepers.Go(func() { s.rebuild(ctx) })
}

// rebuild builds the table whenever that is wanted.
func (s *Store) rebuild(ctx context.Context) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for wait(ctx, pause.C) && wait(ctx, s.codes.wanted) {
		read, err := s.buildCodes(ctx)
		pause.Reset(time.Duration(read) * buildPause)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("read codes", "path", s.path, "error", err)
			s.codes.want()
			pause.Reset(retryBuild)
		}
	}
}

// wait tells whether something came before the context ended.
func wait[T any](ctx context.Context, c <-chan T) bool {
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}

// buildCodes makes a table of all codes, and leaves it when others write meanwhile. It returns how
// many it has read.
func (s *Store) buildCodes(ctx context.Context) (read int, err error) {
	var t *codeTable
	err = s.write(ctx, func(w *writer) (err error) {
		t, err = w.newCodes()
		s.codes.building.Store(t) // all that are created from here on are added
		select {
		case <-s.codes.wanted: // before now
		default:
		}
		return errors.Join(err, w.checkWrite())
	})
	last, turn := "", yield.Yielder{}
	for more := true; err == nil && more; turn.Yield() {
		if t == nil || s.codes.building.Load() != t {
			return read, nil
		}
		var n int
		last, n, err = s.addCodes(ctx, t, last)
		read, more = read+n, n == buildStep
	}
	if err != nil {
		return read, err
	}
	return read, s.write(ctx, func(w *writer) error {
		if s.codes.building.CompareAndSwap(t, nil) {
			s.codes.known.Store(t)
		}
		return w.checkWrite()
	})
}

// newCodes returns a table with room for all codes, or nil when those are too many. When it has no
// room beside the one that is full, that one goes.
func (w *writer) newCodes() (*codeTable, error) {
	links, err := queryInt(w.conn, "SELECT coalesce(sum(links), 0) FROM owners")
	if err != nil {
		return nil, err
	}
	n := tableBytes(links)
	if known := w.codes.known.Load(); known != nil && known.bytes()+n > maxTableBytes {
		w.codes.known.Store(nil)
	}
	if n > maxTableBytes {
		w.log.Info("too many links to keep their codes in memory", "links", links)
		return nil, nil
	}
	return newCodeTable(links)
}

// The limit is no parameter, or SQLite would prepare the statement anew for each. The index has the
// ID, too.
const selectCodes = "SELECT code, id FROM links WHERE code > ? ORDER BY code LIMIT 1024"

// addCodes adds up to buildStep codes in their order, from one on. It returns the last one, and how
// many.
func (s *Store) addCodes(ctx context.Context, t *codeTable,
	from string,
) (last string, n int, err error) {
	err = s.read(ctx, func(conn *sqlite.Conn) error {
		stmt, err := conn.Prepare(selectCodes)
		if err != nil {
			return err
		}
		stmt.BindText(1, from)
		return eachRow(stmt, func() error {
			n++
			last = stmt.ColumnText(0)
			// What was written by hand and is no code is nobody's link.
			if code, err := terse.ParseCode(last); err == nil &&
				t.add(code, terse.LinkID(stmt.ColumnInt64(1))) {
				s.codes.want()
			}
			return nil
		})
	})
	return last, n, err
}
