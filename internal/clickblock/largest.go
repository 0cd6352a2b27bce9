package clickblock

import (
	"cmp"
	"slices"
	"strings"

	"terse"
)

// maxAnswerBytes bounds the texts of the values of all dimensions in one answer.
const maxAnswerBytes = 8 << 20

// largest keeps the values with the largest Sums. It adds up the others as terse.OtherValue.
type largest struct {
	most       int  // values of a dimension
	byVisitors bool // the number of visitors comes before that of clicks

	kept  []named
	other [terse.NumDimensions]Sum // of terse.OtherValue
}

type named struct {
	of   terse.Dimension
	text string
	Sum
}

// order orders values, the largest first, and equal ones by their bytes.
func (l *largest) order(a, b named) int {
	visitors := 0
	if l.byVisitors {
		visitors = cmp.Compare(b.Firsts, a.Firsts)
	}
	return cmp.Or(visitors, cmp.Compare(b.Clicks, a.Clicks), strings.Compare(a.text, b.text),
		cmp.Compare(a.of, b.of))
}

// add adds a value. Only terse.OtherValue may come more than once.
func (l *largest) add(of terse.Dimension, text string, s Sum) {
	if text == terse.OtherValue {
		l.other[of].Add(s)
		return
	}
	l.kept = append(l.kept, named{of, text, s})
}

// trim moves the smallest values to other. It keeps the first one that is too long for the answer,
// so that no smaller one of a later pass takes its place.
func (l *largest) trim() {
	slices.SortFunc(l.kept, l.order)
	kept, values, bytes := l.kept[:0], [terse.NumDimensions]int{}, 0
	for _, n := range l.kept {
		if values[n.of] == l.most || bytes > maxAnswerBytes {
			l.other[n.of].Add(n.Sum)
			continue
		}
		kept, values[n.of], bytes = append(kept, n), values[n.of]+1, bytes+len(n.text)
	}
	clear(l.kept[len(kept):])
	l.kept = kept
}

// sums returns the values that fit an answer, and all others as terse.OtherValue.
func (l *largest) sums() (by [terse.NumDimensions]map[string]Sum) {
	for d := range by {
		by[d] = map[string]Sum{}
	}
	bytes := 0
	for _, n := range l.kept {
		if bytes += len(n.text); bytes > maxAnswerBytes {
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
