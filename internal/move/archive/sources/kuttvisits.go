package sources

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse"
	"terse/internal/move/archive"
	"terse/internal/move/archive/sources/database"
)

// kuttHour is what Kutt knows of the visits of a link in an hour: how many there were, and how many
// had each value of a dimension, but not which values belong to one visit.
type kuttHour struct {
	start  time.Time
	total  int64
	counts [len(kuttDimensions)]map[string]int64
}

// kuttVisits are those of a link.
type kuttVisits struct {
	hour   kuttHour // the last one so far
	broken int      // rows that can't be read
	why    error    // of the first of them
}

// add adds a row of visits, whose columns begin at i, if there is one. Two visits at once may have
// begun two rows of an hour.
func (v *kuttVisits) add(r *database.Row, i int, to *Out) error {
	if r.IsNull(i) {
		return nil
	}
	row, err := kuttRow(r, i)
	if err != nil {
		if v.broken++; v.broken == 1 {
			v.why = err
		}
		return nil
	}
	if v.hour.counts[0] != nil && row.start.Equal(v.hour.start) {
		v.hour.add(row)
		return nil
	}
	err = v.hour.end(to)
	v.hour = row
	return err
}

// end hands over the rest of a link's visits.
func (v *kuttVisits) end(to *Out) error {
	err := v.hour.end(to)
	if err == nil && v.broken > 0 {
		err = to.Late("clicks have no times where rows of visits can't be read (%d): %w", v.broken,
			v.why)
	}
	*v = kuttVisits{}
	return err
}

// kuttRow returns the row of visits whose columns begin at i.
func kuttRow(r *database.Row, i int) (h kuttHour, err error) {
	h.start, h.total = r.Time(i).Truncate(time.Hour), kuttCount(r.Int(i+1))
	for d := range h.counts {
		h.counts[d] = map[string]int64{}
	}
	for d, valueOf := range []func(string) string{kuttCountry, kuttReferrer} {
		var counts map[string]int64
		if text := r.Text(i + 2 + d); text != "" {
			if err := json.Unmarshal([]byte(text), &counts); err != nil {
				return h, err
			}
		}
		for name, n := range counts {
			h.counts[d][valueOf(name)] += kuttCount(n)
		}
	}
	i += 4
	for d, columns := range [][][2]string{kuttBrowsers, kuttSystems} {
		for _, column := range columns {
			h.counts[2+d][column[1]] += kuttCount(r.Int(i))
			i++
		}
	}
	return h, r.Err()
}

// add adds what is known of the same hour.
func (h *kuttHour) add(other kuttHour) {
	h.total += other.total
	for d, counts := range other.counts {
		for value, n := range counts {
			h.counts[d][value] += n
		}
	}
}

func kuttCountry(name string) string {
	if name == "unknown" {
		return ""
	}
	return strings.ToUpper(name)
}

// kuttReferrer returns a referrer of its host.
func kuttReferrer(name string) string {
	if name == "direct" || name == "unknown" {
		return ""
	}
	return "https://" + strings.ReplaceAll(name, "[dot]", ".") + "/"
}

// end hands over the hour, at the instants of an hourly total. The number of each value is kept.
// Which belong to one click is made up: click after click has the first value of each dimension,
// then the second, and so on.
func (h *kuttHour) end(to *Out) error {
	runs := h.runs()
	for i := range min(h.total, archive.Instants) {
		after, _ := archive.Spread(time.Hour, h.total, i)
		start := int64(0)
		for _, run := range runs {
			// Every 64th click is at the instant.
			n := (run.end+archive.Instants-1-i)/archive.Instants -
				(start+archive.Instants-1-i)/archive.Instants
			start = run.end
			if n == 0 {
				continue
			}
			err := to.Click(Click{Time: h.start.Add(after), Count: n, Values: run.Values})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// kuttRun are clicks with the same values, up to a number of the hour.
type kuttRun struct {
	end int64
	terse.Values
}

// runs returns the clicks of the hour.
func (h *kuttHour) runs() (runs []kuttRun) {
	type value struct {
		end  int64
		text string
	}
	var values [len(kuttDimensions)][]value
	ends := []int64{h.total}
	for d, counts := range h.counts {
		end := int64(0)
		for _, text := range slices.Sorted(maps.Keys(counts)) {
			end = min(end+counts[text], h.total)
			values[d], ends = append(values[d], value{end, text}), append(ends, end)
		}
	}
	slices.Sort(ends)
	for _, end := range slices.Compact(ends) {
		run := kuttRun{end: end}
		for d := range values {
			for len(values[d]) > 0 && values[d][0].end < end {
				values[d] = values[d][1:]
			}
			if len(values[d]) > 0 {
				run.Values[kuttDimensions[d]] = values[d][0].text
			}
		}
		runs = append(runs, run)
	}
	return runs
}
