package sqlite

import (
	"context"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/polite"
)

// codes know which codes have no link, so that most who ask for one are answered without asking SQLite.
//
// The codes of our links are in the filter because whoever has the writer adds each before it is committed; a code
// that was taken back or deleted stays in until the filter is made anew, which costs a look-up and is not wrong.
//
// What others write (an operator's shell, a VACUUM, a database put in the place of ours) shows in the write-ahead log's
// file, which is looked at each time: while that is not as our last commit left it, nothing is known. What it was is
// told by PRAGMA data_version: on the writer's connection it changes with the commits of other connections only, and all
// others of ours just read. The writer asks at the start of each transaction, and of an empty one every
// watchInterval. Nobody commits while it holds the lock. Then the filter is dropped, and made anew from all links.
type codes struct {
	known    atomic.Pointer[codeFilter] // has all codes; nil while those are not known
	building atomic.Pointer[codeFilter] // gets all codes; nil when there is none or something else was written meanwhile
	wanted   chan struct{}              // tells the builder to build

	// The writer's: what it saw last.
	conn    *sqlite.Conn
	version int64
}

// watchInterval is how often to look for what others wrote: twice a second costs some 50 µs each.
const watchInterval = 500 * time.Millisecond

// buildStep is how many codes are read at a time, in less than a millisecond: whoever closes the database waits for
// that long, and the write-ahead log is not held back by a long snapshot.
const buildStep = 1024 // as in selectCodes

// Pauses between two builds of the filter: a database that others write to all the time gets none, rather than a
// whole core for it; and one that can't be read is tried again after a while.
const (
	buildShare = 4 // the pause is so many times as long as the build took
	retryBuild = 5 * time.Second
)

// Absent tells without waiting that no link has the code; false means that only Link knows.
func (s *Store) Absent(code terse.Code) bool {
	f := s.codes.known.Load()
	return f != nil && !f.has(code) && s.walNow() == s.files.Load().walSeen()
}

func (c *codes) add(code terse.Code) {
	if f := c.building.Load(); f != nil {
		f.add(code)
	}
	if f := c.known.Load(); f != nil {
		if f.add(code) {
			c.want() // a larger one; till that is built more unknown codes are looked up
		}
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

// lookAround drops the codes when others wrote to the database since it was called last. It is called within a
// transaction, while others can't write.
func (w *writer) lookAround() {
	version, err := queryInt(w.conn, "PRAGMA data_version")
	c := &w.codes
	if err != nil || w.conn != c.conn || version != c.version {
		c.conn, c.version = w.conn, version
		c.drop()
		w.wantTexts()
	}
}

// watch makes readers and the writer look around when nothing else does. When the writer can't, nobody knows what
// others write.
func (s *Store) watch(ctx context.Context) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.readers.refresh()
		case <-ctx.Done():
			return
		}
		if s.codes.known.Load() == nil && s.codes.building.Load() == nil {
			continue
		}
		if err := s.write(ctx, (*writer).checkWrite); err != nil {
			s.codes.drop()
		}
	}
}

// keepCodes lets the codes be known until the context ends.
func (s *Store) keepCodes(ctx context.Context) {
	s.codes.want()
	s.keepers.Go(func() { s.watch(ctx) })
	s.keepers.Go(func() { s.rebuild(ctx) })
}

// rebuild builds the filter whenever that is wanted.
func (s *Store) rebuild(ctx context.Context) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for wait(ctx, pause.C) && wait(ctx, s.codes.wanted) {
		began := time.Now()
		err := s.buildCodes(ctx)
		pause.Reset(time.Since(began) * buildShare)
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

// buildCodes makes a filter of all codes, and leaves it when others write meanwhile.
func (s *Store) buildCodes(ctx context.Context) error {
	var f *codeFilter
	err := s.write(ctx, func(w *writer) error {
		links, err := queryInt(w.conn, "SELECT coalesce(sum(links), 0) FROM owners")
		if err != nil {
			return err
		}
		f = newCodeFilter(links)
		s.codes.building.Store(f) // all that are created from here on are added
		return w.checkWrite()
	})
	last, turn := "", polite.Turn{}
	for more := true; err == nil && more; turn.Yield() {
		if s.codes.building.Load() != f {
			return nil
		}
		last, more, err = s.addCodes(ctx, f, last)
	}
	if err != nil {
		return err
	}
	return s.write(ctx, func(w *writer) error {
		if s.codes.building.CompareAndSwap(f, nil) {
			s.codes.known.Store(f)
		}
		return w.checkWrite()
	})
}

// The limit is no parameter, or SQLite would prepare the statement anew for each.
const selectCodes = "SELECT code FROM links WHERE code > ? ORDER BY code LIMIT 1024"

// addCodes adds some codes in their order, from one on. It returns the last one, and whether there may be more.
func (s *Store) addCodes(ctx context.Context, f *codeFilter, from string) (last string, more bool, err error) {
	n := 0
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
			if code, err := terse.ParseCode(last); err == nil {
				f.add(code)
			}
			return nil
		})
	})
	return last, n == buildStep, err
}
