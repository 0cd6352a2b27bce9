package console

import (
	"fmt"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// How often progress is shown.
const (
	barInterval  = 200 * time.Millisecond
	lineInterval = 10 * time.Second
)

// Work is how far long work is.
type Work struct {
	Done, Total int64  // in any unit; a Total of 0 is not known
	Text        string // what was done, such as "12 links"
}

// Progress shows on the error stream how far work is, until stop is called: on a terminal by a bar
// with the remaining time, else by a line every ten seconds. of may be called at any time.
func (e Env) Progress(title string, of func() Work) (stop func()) {
	interval, show, remove := lineInterval, e.progressLine(title, time.Now()), func() {}
	if e.hasBar() {
		interval = barInterval
		show, remove = e.progressBar(title)
	}
	done := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				remove()
				return
			case <-tick.C:
				show(of())
			}
		}
	})
	return func() { close(done); running.Wait() }
}

// ClearLine removes what Progress shows, for a line of output that comes meanwhile.
func (e Env) ClearLine() {
	if e.hasBar() {
		fmt.Fprint(e.Err, "\r\x1b[K")
	}
}

// hasBar reports whether the error stream can show a bar.
func (e Env) hasBar() bool { return IsTerminal(e.Err) && e.Vars["TERM"] != "dumb" }

// progressLine returns what prints a line.
func (e Env) progressLine(title string, start time.Time) (show func(Work)) {
	return func(w Work) {
		left := ""
		if w.Total > 0 && w.Done > 0 {
			passed := time.Since(start).Seconds()
			seconds := passed / float64(w.Done) * float64(max(w.Total-w.Done, 0))
			left = fmt.Sprintf(", %d%%, %v left", 100*w.Done/w.Total,
				time.Duration(seconds)*time.Second)
		}
		fmt.Fprintf(e.Err, "%s %s%s\n", title, w.Text, left)
	}
}

// progressBar returns what draws a bar, and what removes it.
func (e Env) progressBar(title string) (show func(Work), remove func()) {
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(e.Err),
		progressbar.OptionFullWidth(), progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetSpinnerChangeInterval(0))
	total := int64(0)
	show = func(w Work) {
		if w.Total > 0 && w.Total != total {
			total = w.Total
			bar.ChangeMax64(total)
		}
		bar.Describe(title + " " + w.Text)
		done := w.Done
		if total > 0 {
			done = min(done, total-1) // at the total it would end
		}
		_ = bar.Set64(done) // of what can't be drawn nothing is lost
	}
	return show, func() { _ = bar.Clear() }
}
