package sqlite

import (
	"sync"
	"sync/atomic"
	"time"

	"terse"
)

// known has a bit for each link of which it is sure that it exists, because it was looked up: to look up whether the link of a
// click exists takes several times as long as all else that is done for the click. IDs are never used again, so that a click
// whose link was found, and not deleted since, is one of that link. This does not hold when a backup came back: a click
// from before may be of a link that it does not have, and whose ID was given out anew.
//
// The writer forgets what was deleted before it asks, and it alone: a look-up that began before may have seen what is
// gone now, and is not believed.
type known struct {
	forgets atomic.Uint64 // goes up whenever something is forgotten; changed with mu only
	since   int64         // when all was forgotten last, in microseconds since 1970; the writer's

	mu    sync.Mutex // guards what follows
	spans map[int64]*linkSet
}

// maxKnownSpans bounds known at 8 MiB, or 67,000,000 links. Others are looked up for each click.
const maxKnownSpans = 4096

// linkSet is a set of links of a span.
type linkSet [spanLinks / 64]uint64

func (s *linkSet) has(place int) bool { return s[place/64]>>(place%64)&1 != 0 }
func (s *linkSet) add(place int)      { s[place/64] |= 1 << (place % 64) }
func (s *linkSet) remove(place int)   { s[place/64] &^= 1 << (place % 64) }

// add adds a link that a look-up has found. The look-up began when forgets had a value.
func (k *known) add(link terse.LinkID, forgets uint64) {
	span := spanOf(link)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.forgets.Load() != forgets {
		return
	}
	set := k.spans[span]
	if set == nil {
		if len(k.spans) >= maxKnownSpans {
			return
		}
		if k.spans == nil {
			k.spans = make(map[int64]*linkSet)
		}
		set = new(linkSet)
		k.spans[span] = set
	}
	set.add(inSpan(link))
}

// of returns the known links of a span.
func (k *known) of(span int64) linkSet {
	k.mu.Lock()
	defer k.mu.Unlock()
	if set := k.spans[span]; set != nil {
		return *set
	}
	return linkSet{}
}

func (k *known) forget(links []terse.LinkID) {
	if len(links) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forgets.Add(1)
	for _, link := range links {
		if set := k.spans[spanOf(link)]; set != nil {
			set.remove(inSpan(link))
		}
	}
}

func (k *known) forgetAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forgets.Add(1)
	k.since = time.Now().UnixMicro()
	clear(k.spans)
}

// maxDeleted bounds the links that the writer remembers to forget, 8 bytes each.
const maxDeleted = 1 << 16

// forgetDeleted has the links forgotten that the writer deleted, and all when somebody else changed the database.
func (w *writer) forgetDeleted() error {
	version, err := queryInt(w.conn, "PRAGMA data_version")
	if err != nil {
		return err
	}
	if version != w.version || len(w.deleted) > maxDeleted {
		w.known.forgetAll()
	} else {
		w.known.forget(w.deleted)
	}
	w.version, w.deleted = version, w.deleted[:0]
	return nil
}

// linkExists tells whether there is the link of a click, whose span is the one of the writer's buffer.
func (w *writer) linkExists(c *terse.Click) (exists bool, err error) {
	if c.Time >= w.known.since && w.buffer.known.has(inSpan(c.Link)) {
		return true, nil
	}
	stmt, err := w.conn.Prepare("SELECT 1 FROM links WHERE id = ? AND code = ?")
	if err != nil {
		return false, err
	}
	stmt.BindInt64(1, int64(c.Link))
	stmt.BindText(2, c.Code.String())
	err = eachRow(stmt, func() error {
		exists = true
		return nil
	})
	if exists {
		w.buffer.known.add(inSpan(c.Link))
		w.known.add(c.Link, w.known.forgets.Load())
	}
	return exists, err
}
