package clickblock

import (
	"cmp"
	"slices"
	"strings"

	"terse"
)

// MaxAnswerBytes bounds the texts of the values of all dimensions in one answer.
const MaxAnswerBytes = 8 << 20

// largest keeps the values with the largest sums. What it leaves out is added up.
type largest struct {
	most       int  // values of a dimension
	byVisitors bool // the number of visitors comes before that of clicks

	kept  []named
	other [terse.NumDimensions]Sum // of what was left out, and of what is called other
}

type named struct {
	of   terse.Dimension
	text string
	Sum
}

// order orders values, the largest first: of equal ones those whose bytes come first.
func (l *largest) order(a, b named) int {
	visitors := 0
	if l.byVisitors {
		visitors = cmp.Compare(b.Firsts, a.Firsts)
	}
	return cmp.Or(visitors, cmp.Compare(b.Clicks, a.Clicks), strings.Compare(a.text, b.text),
		cmp.Compare(a.of, b.of))
}

// add adds a value. Only that which is called other may come twice.
func (l *largest) add(of terse.Dimension, text string, s Sum) {
	if text == terse.OtherValue {
		l.other[of].Add(s)
		return
	}
	l.kept = append(l.kept, named{of, text, s})
}

// trim leaves out the smallest values, so that at most one is too much. That one keeps smaller
// values from taking its place that are added later.
func (l *largest) trim() {
	slices.SortFunc(l.kept, l.order)
	kept, values, bytes := l.kept[:0], [terse.NumDimensions]int{}, 0
	for _, n := range l.kept {
		if values[n.of] == l.most || bytes > MaxAnswerBytes {
			l.other[n.of].Add(n.Sum)
			continue
		}
		kept, values[n.of], bytes = append(kept, n), values[n.of]+1, bytes+len(n.text)
	}
	clear(l.kept[len(kept):])
	l.kept = kept
}

// sums returns what is kept, and the rest as other.
func (l *largest) sums() (by [terse.NumDimensions]map[string]Sum) {
	for d := range by {
		by[d] = map[string]Sum{}
	}
	bytes := 0
	for _, n := range l.kept {
		if bytes += len(n.text); bytes > MaxAnswerBytes {
			l.other[n.of].Add(n.Sum)
		} else {
			by[n.of][n.text] = n.Sum
		}
	}
	for d, sum := range l.other {
		if sum != (Sum{}) {
			by[d][terse.OtherValue] = sum
		}
	}
	return by
}
