package redirect

import (
	"net/netip"
	"slices"
	"sync"
	"time"
)

const (
	// maxPlaces bounds the line of checks, including those in progress: at about four checks a
	// second, the last one is still served within maxWait. A check needs 19 MiB, of an imported
	// hash up to 64 MiB.
	maxPlaces = 32
	// networkPlaces bounds the places of one network, so that filling the line takes 16 of them.
	networkPlaces = 2
	// maxWait is how long a visitor waits in the line on a busy machine.
	maxWait = 10 * time.Second
	// checkShare is how many times its own duration a check is followed by a pause, so that checks
	// take a tenth of a core. maxPauses bound the pause: on a busy machine, a check may last long
	// without using much.
	checkShare = 9
	// expensiveCost is the password.Cost from which a check waits for the second desk. Imports no
	// longer accept hashes that cost so much. Such a check takes seconds, and up to 256 MiB.
	expensiveCost = 1100
)

// line is the queue in which checks of passwords wait for their turn. Each desk does one at a time.
// Next is not the check that came first, but that of the hash on which the least was spent. So a
// flood of wrong passwords for one link, however expensive, delays the visitors of another one by a
// single check and its pause.
type line struct {
	mu      sync.Mutex           // guards the fields below
	places  map[netip.Prefix]int // by network
	taken   int                  // their sum
	waiting []*waiter            // in order of arrival
	desks   [2]desk              // the second one is for expensive checks
}

// desk is where checks take place, one after another.
type desk struct {
	busy bool // a check is in progress, or the pause after it
	// clock is the due of the last check called. A hash for which nobody waits begins there, so
	// nobody can save up turns.
	clock int64
}

// maxPauses bound the pauses at the desks. After expensive checks it is so short that a few of them
// fit into maxWait.
var maxPauses = [...]time.Duration{2 * time.Second, 4 * time.Second}

// waiter is a check in the line.
type waiter struct {
	network netip.Prefix
	hash    string
	desk    int
	// due is the cost spent on the hash once this check is done, by the clock of the desk.
	due  int64
	turn chan struct{} // closed when its turn comes
}

// enter takes a place for a check of a cost, or returns nil if there is none for its network.
func (l *line) enter(network netip.Prefix, hash string, cost int64) *waiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken == maxPlaces || l.places[network] == networkPlaces {
		return nil
	}
	l.taken++
	l.places[network]++
	w := &waiter{network: network, hash: hash, turn: make(chan struct{})}
	if cost >= expensiveCost {
		w.desk = 1
	}
	w.due = l.desks[w.desk].clock
	for _, other := range l.waiting {
		if other.hash == hash {
			w.due = max(w.due, other.due)
		}
	}
	w.due += cost
	l.waiting = append(l.waiting, w)
	if !l.desks[w.desk].busy {
		l.call(w.desk)
	}
	return w
}

// call gives the next check its turn at a desk.
func (l *line) call(at int) {
	var next *waiter
	for _, w := range l.waiting {
		if w.desk == at && (next == nil || w.due < next.due) {
			next = w
		}
	}
	d := &l.desks[at]
	if d.busy = next != nil; d.busy {
		d.clock = next.due
		l.forget(next)
		close(next.turn)
	}
}

func (l *line) forget(w *waiter) {
	l.waiting = slices.DeleteFunc(l.waiting, func(other *waiter) bool { return other == w })
}

// leave gives up a place. took is how long the check lasted, 0 without one.
func (l *line) leave(w *waiter, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken--
	if l.places[w.network]--; l.places[w.network] == 0 {
		delete(l.places, w.network)
	}
	select {
	case <-w.turn:
	default:
		l.forget(w)
		return
	}
	if took <= 0 {
		l.call(w.desk)
		return
	}
	time.AfterFunc(min(checkShare*took, maxPauses[w.desk]), func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.call(w.desk)
	})
}
