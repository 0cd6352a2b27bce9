package clickblock

import (
	"cmp"
	"slices"
	"strings"

	"terse"
)

// maxAnswerBytes bounds the texts of all values of all dimensions in one answer.
const maxAnswerBytes = 8 << 20

// largest keeps the values with the largest Sums. It sums the others as terse.OtherValue.
type largest struct {
	most       int  // bound of values of a dimension
	byVisitors bool // order by visitors first, then by clicks

	kept  []named
	other [terse.NumDimensions]Sum // of terse.OtherValue
}

type named struct {
	of   terse.Dimension
	text string
	Sum
}

// order sorts the largest values first, and equal ones by their bytes.
func (l *largest) order(a, b named) int {
	visitors := 0
	if l.byVisitors {
		visitors = cmp.Compare(b.Firsts, a.Firsts)
	}
	return cmp.Or(visitors, cmp.Compare(b.Clicks, a.Clicks), strings.Compare(a.text, b.text),
		cmp.Compare(a.of, b.of))
}

// add adds a value. Only terse.OtherValue may be added more than once.
func (l *largest) add(of terse.Dimension, text string, s Sum) {
	if text == terse.OtherValue {
		l.other[of].Add(s)
		return
	}
	l.kept = append(l.kept, named{of, text, s})
}

// trim moves the smallest values to other. It keeps the first value that is too long for the
// answer, so that no smaller value of a later pass takes its place.
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
