package sqlite

import (
	"context"
	"time"

	"terse"
)

// watchInterval is how often to look for what others wrote: to look takes some microseconds.
const watchInterval = 250 * time.Millisecond

// Watch calls all within a second after another program changed the database. It cannot know what
// changed, so that it never calls changed. It returns nil when the context ends, and an error when
// the database file was removed, replaced, cut off or overwritten: the store answers nothing then,
// and only a new process may open what is there now. There is one caller at a time.
func (s *Store) Watch(ctx context.Context, _ func(terse.Code), all func()) error {
	for {
		select {
		case <-s.foreign:
			all()
		case <-s.lost.done:
			return s.lost.err
		case <-ctx.Done():
			return nil
		}
	}
}

// watch looks for what others do to the database. While the writer is at work it does that itself.
func (s *Store) watch(ctx context.Context) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		select {
		case w := <-s.writer:
			if w.look() == nil {
				w.checkForeignWrites()
			}
			s.writer <- w
		case <-ctx.Done():
			return
		}
	}
}

// loss is the end of a store whose files are not at their path any more.
type loss struct {
	done chan struct{} // closed when err is set
	err  error
}

// set is called once.
func (l *loss) set(err error) {
	l.err = err
	close(l.done)
}

// get returns nil while the store is of use.
func (l *loss) get() error {
	select {
	case <-l.done:
		return l.err
	default:
		return nil
	}
}
