package clickblock

import (
	"cmp"
	"container/heap"
	"strings"

	"terse"
)

// largest collects the values with the most clicks; of equal ones, those whose bytes come first.
// What does not fit is added up, so that it takes memory for what is kept only.
type largest struct {
	most  int
	kept  []named // a heap, the least one first
	other int64   // clicks of all other values, and of what is called other
}

type named struct {
	value  string
	clicks int64
}

// order is below 0 where n comes behind a value with some clicks.
func (n named) order(value string, clicks int64) int {
	return cmp.Or(cmp.Compare(n.clicks, clicks), strings.Compare(value, n.value))
}

func (l *largest) Len() int      { return len(l.kept) }
func (l *largest) Swap(i, j int) { l.kept[i], l.kept[j] = l.kept[j], l.kept[i] }
func (l *largest) Pop() any      { panic("nothing is taken away") }

func (l *largest) Less(i, j int) bool {
	return l.kept[i].order(l.kept[j].value, l.kept[j].clicks) < 0
}

func (l *largest) Push(x any) {
	l.kept = append(l.kept, x.(named)) //nolint:errcheck // add has nothing else
}

// add adds a value, which comes once. It keeps a copy.
func (l *largest) add(value []byte, clicks int64) {
	switch {
	case string(value) == terse.OtherValue:
		l.other += clicks
	case len(l.kept) < l.most:
		heap.Push(l, named{string(value), clicks})
	case l.kept[0].order(string(value), clicks) < 0:
		l.other += l.kept[0].clicks
		l.kept[0] = named{string(value), clicks}
		heap.Fix(l, 0)
	default:
		l.other += clicks
	}
}

// counts returns what was collected, what did not fit as other.
func (l *largest) counts() map[string]int64 {
	counts := make(map[string]int64, len(l.kept)+1)
	for _, n := range l.kept {
		counts[n.value] = n.clicks
	}
	if l.other > 0 {
		counts[terse.OtherValue] = l.other
	}
	return counts
}
