package backup

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	stamp = "20060102T150405Z" // a time in UTC, in names

	// retry is when a backup is tried again after one that failed.
	retry = time.Minute
)

// name matches the files that a Keeper makes. It deletes no others.
var name = regexp.MustCompile(`^terse-(\d{8}T\d{6}Z)\.db$`)

// Options configure a Keeper.
type Options struct {
	Dir      string // exists, and no other Keeper uses it
	Database string
	Interval time.Duration // from one backup to the next
	Keep     int           // how many backups are kept, at least 1
	Logger   *slog.Logger
}

// Stats are figures for metrics and the readiness detail.
type Stats struct {
	Last     time.Time // when the newest backup was begun; zero if there is none
	Bytes    int64     // of the newest backup
	Took     time.Duration
	Failures int64 // since the start
	Err      error // why the last try failed, nil if it did not
}

// Keeper makes backups in a folder, at intervals.
type Keeper struct {
	Options
	started time.Time
	failed  time.Time // when the last try failed; zero if it did not. Only Run uses it.

	mu    sync.Mutex
	stats Stats
}

// New returns a Keeper that continues with the backups in its folder.
func New(o Options) (*Keeper, error) {
	k := &Keeper{Options: o, started: time.Now()}
	made, err := k.list()
	if err != nil {
		return nil, err
	}
	for _, at := range slices.Backward(made) {
		if at.After(k.started) { // made while the clock was wrong
			continue
		}
		info, err := os.Stat(k.path(at))
		if err != nil {
			return nil, err
		}
		k.stats.Last, k.stats.Bytes = at, info.Size()
		break
	}
	return k, nil
}

// Run makes backups until the context ends.
func (k *Keeper) Run(ctx context.Context) error {
	for {
		// No longer than a minute, because the clock may be set.
		timer := time.NewTimer(min(time.Until(k.due()), time.Minute))
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		}
		if !time.Now().Before(k.due()) {
			k.make(ctx)
		}
	}
}

// due returns when the next backup is to be made.
func (k *Keeper) due() time.Time {
	if !k.failed.IsZero() {
		return k.failed.Add(retry)
	}
	if last := k.Stats().Last; !last.IsZero() {
		return last.Add(k.Interval)
	}
	return k.started
}

// make makes a backup, and then deletes those that are too many.
func (k *Keeper) make(ctx context.Context) {
	k.clean()
	began := time.Now()
	at := began.UTC().Truncate(time.Second)
	made, err := Make(ctx, k.Database, k.path(at), false)
	took := time.Since(began)
	if ctx.Err() != nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stats.Err = err
	if err != nil {
		k.failed = time.Now()
		k.stats.Failures++
		k.Logger.Error("backup failed", "error", err)
		return
	}
	k.failed = time.Time{}
	k.stats.Last, k.stats.Bytes, k.stats.Took = at, made.Bytes, took
	k.Logger.Info("backup made", "file", k.path(at), "links", made.Links, "clicks", made.Clicks,
		"bytes", made.Bytes, "duration", float64(took.Microseconds())/1000)
	if err := k.thin(at); err != nil {
		k.Logger.Warn("old backups are not deleted", "error", err)
	}
}

// clean deletes what remains of backups that were killed.
func (k *Keeper) clean() {
	entries, _ := os.ReadDir(k.Dir) // the backup fails where this does
	for _, entry := range entries {
		if made, ok := strings.CutSuffix(entry.Name(), ".part"); ok && name.MatchString(made) {
			_ = os.Remove(filepath.Join(k.Dir, entry.Name()))
		}
	}
}

// thin deletes the oldest backups before one that was just verified.
func (k *Keeper) thin(newest time.Time) error {
	made, err := k.list()
	if err != nil {
		return err
	}
	made = slices.DeleteFunc(made, func(at time.Time) bool { return !at.Before(newest) })
	for _, at := range made[:max(0, len(made)-(k.Keep-1))] {
		if err := os.Remove(k.path(at)); err != nil {
			return err
		}
	}
	return nil
}

// list returns the times in the names of the backups, in order.
func (k *Keeper) list() (made []time.Time, err error) {
	entries, err := os.ReadDir(k.Dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		m := name.FindStringSubmatch(entry.Name())
		if m == nil || !entry.Type().IsRegular() {
			continue
		}
		if at, err := time.Parse(stamp, m[1]); err == nil {
			made = append(made, at)
		}
	}
	slices.SortFunc(made, time.Time.Compare)
	return made, nil
}

func (k *Keeper) path(at time.Time) string {
	return filepath.Join(k.Dir, "terse-"+at.UTC().Format(stamp)+".db")
}

// Stats returns the keeper's figures.
func (k *Keeper) Stats() Stats {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.stats
}

// Warning returns a warning if the newest backup is older than two intervals, otherwise "".
func (k *Keeper) Warning(now time.Time) string {
	s := k.Stats()
	since := s.Last
	if since.IsZero() {
		since = k.started
	}
	age := now.Sub(since)
	if age < 2*k.Interval {
		return ""
	}
	text := fmt.Sprintf("backup: none was made for %s", age.Truncate(time.Second))
	if s.Err != nil {
		text += ": " + s.Err.Error()
	}
	return text
}
