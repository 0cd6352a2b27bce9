package clickquery

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"terse"
)

// Beyond 8 MiB of names, the values with the fewest clicks across all maps move to other; among
// equals, those whose bytes come last.
func TestNamesOfAnAnswerAreBounded(t *testing.T) {
	t.Parallel()
	var series terse.Series
	b := Breakdown{}
	const each = 1000 // bytes
	for i, d := range []terse.Dimension{terse.BySource, terse.ByCampaign} {
		b.by[d] = true
		series.By[d] = map[string]int64{"few": 1, "many": 1 << 40}
		for k := range 5000 {
			name := fmt.Sprintf("%04d", k) + strings.Repeat("x", each-4)
			series.By[d][name] = int64(10 + i)
		}
	}
	b.visitorsBy = true
	series.VisitorsBy[terse.BySource] = maps.Clone(series.By[terse.BySource])
	series.By[terse.ByMedium] = map[string]int64{strings.Repeat("m", maxNames): 1} // not asked for
	series.By[terse.BySource][terse.OtherValue] = 7
	series.VisitorsBy[terse.BySource][terse.OtherValue] = 7
	got := b.Counts(series)
	// Names count once, and visitors are moved with the clicks.
	if !maps.Equal(got.VisitorsBySource, got.BySource) || got.VisitorsByCampaign != nil {
		t.Errorf("%d names of visitors", len(got.VisitorsBySource))
	}
	bytes, sum := 0, map[string]int64{}
	for dimension, counts := range map[string]map[string]int64{
		"source": got.BySource, "campaign": got.ByCampaign,
	} {
		for value, n := range counts {
			bytes += len(value)
			sum[dimension] += n
		}
		if _, few := counts["few"]; few || counts["many"] != 1<<40 {
			t.Errorf("%s: %d clicks of few, %d of many", dimension, counts["few"], counts["many"])
		}
	}
	if bytes > maxNames || bytes < maxNames-2*each {
		t.Errorf("%d bytes of names", bytes)
	}
	if sum["source"] != 50_000+1+1<<40+7 || sum["campaign"] != 55_000+1+1<<40 {
		t.Errorf("clicks: %v", sum)
	}
	// Sources have one click fewer each, so only sources are moved, beginning with the last.
	gone := 5000 + 3 - len(got.BySource)
	if len(got.ByCampaign) != 5000+2 || got.BySource[terse.OtherValue] != int64(7+1+10*(gone-1)) ||
		got.BySource["0000"+strings.Repeat("x", each-4)] != 10 {
		t.Errorf("%d campaigns, %d sources are gone, other has %d", len(got.ByCampaign), gone,
			got.BySource[terse.OtherValue])
	}
	if got.ByMedium != nil {
		t.Error("a map that was not asked for")
	}
}
