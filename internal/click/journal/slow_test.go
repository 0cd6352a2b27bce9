package journal

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// slowDisk takes its time for each sync, and remembers the syncs.
type slowDisk struct {
	takes time.Duration
	syncs []syncTime
}

type syncTime struct{ begin, end time.Time }

func (d *slowDisk) sync(f *os.File) error {
	begin := time.Now()
	time.Sleep(d.takes)
	d.syncs = append(d.syncs, syncTime{begin, time.Now()})
	return datasync(f)
}

// after returns how long after its arrival a click was on disk.
func (d *slowDisk) after(arrival time.Time) (time.Duration, error) {
	for _, s := range d.syncs {
		if !s.begin.Before(arrival) {
			return s.end.Sub(arrival), nil
		}
	}
	return 0, errors.New("no sync covered the click")
}

// A click is on disk Options.Sync and one sync after it came, or two syncs where those take
// longer: also while segments are created on the same slow disk.
func TestClickIsOnDiskInTime(t *testing.T) {
	t.Parallel()
	const interval = 100 * time.Millisecond
	for _, ms := range []int{0, 10, 90, 150, 500, 3000} {
		takes := time.Duration(ms) * time.Millisecond
		for _, pause := range []time.Duration{
			time.Millisecond, 40 * time.Millisecond,
			2 * time.Second,
		} {
			synctest.Test(t, func(t *testing.T) {
				disk := &slowDisk{takes: takes}
				j := open(t, Options{Sync: interval}, 0)
				j.syncFile = disk.sync
				j.newSegment = func(dir string, base, size int64) (*segment, error) {
					time.Sleep(4 * takes) // of which two are syncs
					return makeSegment(dir, base, size)
				}
				run(t, j)
				var arrivals []time.Time
				for range 300 {
					appendAll(t, j, 0, 1)
					arrivals = append(arrivals, time.Now())
					time.Sleep(1 + rand.N(2*pause))
				}
				time.Sleep(interval + 2*takes + time.Second)
				synctest.Wait() // the last sync is over
				bound := max(interval, takes) + takes
				for _, arrival := range arrivals {
					if late, err := disk.after(arrival); err != nil || late > bound {
						t.Fatalf("syncs of %v, clicks every %v: on disk after %v, want %v at "+
							"most: %v",
							takes, pause, late, bound, err)
					}
				}
				most := int(time.Since(arrivals[0])/interval) + 1
				if n := len(disk.syncs); n > most || n > len(arrivals) {
					t.Errorf("syncs of %v, clicks every %v: %d syncs, want %d at most", takes,
						pause, n, most)
				}
			})
		}
	}
}
