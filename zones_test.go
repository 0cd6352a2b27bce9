package terse_test

import (
	"archive/zip"
	"crypto/sha256"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terse"
)

// allZones returns a time zone for each set of rules in Go's copy of the IANA database.
func allZones(t *testing.T) map[string]*time.Location {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	database, err := zip.OpenReader(
		filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	zones, seen := map[string]*time.Location{}, map[[32]byte]bool{}
	for _, file := range database.File {
		if file.FileInfo().IsDir() {
			continue
		}
		f, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); !seen[sum] {
			seen[sum] = true
			if zones[file.Name], err = time.LoadLocationFromTZData(file.Name, data); err != nil {
				t.Fatal(err)
			}
		}
	}
	return zones
}

// offsetsAround returns the offsets of a zone before and after all times at which a date may begin.
func offsetsAround(date time.Time, zone *time.Location) (before, after time.Duration) {
	_, first := date.Add(-mostAhead).In(zone).Zone()
	_, last := date.Add(mostBehind).In(zone).Zone()
	return time.Duration(first) * time.Second, time.Duration(last) * time.Second
}

// How far clocks are ahead of UTC and behind it, at most.
const mostAhead, mostBehind = 15 * time.Hour, 13 * time.Hour

// firstInstant looks for the first instant of a date, or of a later one where that was left out,
// minute by minute. Since 2000 no clock has changed within a minute.
func firstInstant(date time.Time, zone *time.Location) time.Time {
	for at := date.Add(-mostAhead); ; at = at.Add(time.Minute) {
		_, offset := at.In(zone).Zone()
		if !at.Add(time.Duration(offset) * time.Second).Before(date) {
			return at
		}
	}
}

// TestDayStartInAllZones looks at each day on which clocks may change, and at one a month else.
func TestDayStartInAllZones(t *testing.T) {
	t.Parallel()
	zones := allZones(t)
	if len(zones) < 200 {
		t.Fatalf("there are rules of %d time zones only", len(zones))
	}
	for name, zone := range zones {
		date := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		for ; date.Year() < 2041; date = date.AddDate(0, 0, 1) {
			before, after := offsetsAround(date, zone)
			if before == after && date.Day() != 1 {
				continue
			}
			want := date.Add(-before)
			if before != after {
				want = firstInstant(date, zone)
			}
			got := terse.DayStart(date.Year(), date.Month(), date.Day(), zone)
			if !got.Equal(want) {
				t.Errorf("%s in %s begins at %v, want %v", date.Format(time.DateOnly), name, got,
					want.In(zone))
			}
		}
	}
}
