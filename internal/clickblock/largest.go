package clickblock

import (
	"cmp"
	"slices"
	"strings"

	"terse"
)

// MaxAnswerBytes bounds the texts of the values of all dimensions in one answer.
const MaxAnswerBytes = 8 << 20

// largest keeps the values of a dimension that have the largest sums. What it leaves out is added
// up, so that it takes memory for what is kept only.
type largest struct {
	most       int  // values
	byVisitors bool // the number of visitors comes before that of clicks

	kept  []named
	bytes int // of the texts
	// left is the largest that was left out, if any was. Nothing behind it is kept.
	left  named
	full  bool
	other Sum // of what was left out, and of what is called other
}

type named struct {
	text string
	Sum
}

// order orders values, the largest first: of equal ones those whose bytes come first.
func (l *largest) order(a, b *named) int {
	visitors := 0
	if l.byVisitors {
		visitors = cmp.Compare(b.Firsts, a.Firsts)
	}
	return cmp.Or(visitors, cmp.Compare(b.Clicks, a.Clicks), strings.Compare(a.text, b.text))
}

// add adds a value. Only that which is called other may come twice. It keeps a copy.
func (l *largest) add(text []byte, s Sum) {
	if string(text) == terse.OtherValue {
		l.other.Add(s)
		return
	}
	n := named{string(text), s}
	if l.full && l.order(&n, &l.left) > 0 {
		l.other.Add(s)
		return
	}
	l.kept, l.bytes = append(l.kept, n), l.bytes+len(text)
	if len(l.kept) >= 2*l.most || l.bytes >= 2*MaxAnswerBytes {
		l.trim()
	}
}

// fits reports whether nothing is too much.
func (l *largest) fits() bool { return len(l.kept) <= l.most && l.bytes <= MaxAnswerBytes }

// trim sorts the values, and leaves out those that are too much.
func (l *largest) trim() {
	slices.SortFunc(l.kept, func(a, b named) int { return l.order(&a, &b) })
	for !l.fits() {
		l.leaveOut()
	}
}

// leaveOut leaves out the last one of sorted values.
func (l *largest) leaveOut() {
	end := len(l.kept) - 1
	l.left, l.full = l.kept[end], true
	l.kept, l.bytes = l.kept[:end], l.bytes-len(l.left.text)
	l.other.Add(l.left.Sum)
}

// trimAll leaves out the values with the smallest sums of all dimensions together, until the rest
// is not too much.
func trimAll(all []largest) {
	bytes := 0
	for d := range all {
		if !all[d].fits() {
			all[d].trim()
		}
		bytes += all[d].bytes
	}
	if bytes <= MaxAnswerBytes {
		return
	}
	for d := range all {
		all[d].trim()
	}
	for bytes > MaxAnswerBytes {
		var least *largest
		for d := range all {
			l := &all[d]
			if len(l.kept) > 0 && (least == nil || l.order(l.last(), least.last()) > 0) {
				least = l
			}
		}
		least.leaveOut()
		bytes -= len(least.left.text)
	}
}

func (l *largest) last() *named { return &l.kept[len(l.kept)-1] }

// counts returns what was kept, and the rest as other: clicks and visitors.
func (l *largest) counts() (clicks, visitors map[string]int64) {
	if l.other != (Sum{}) {
		l.kept = append(l.kept, named{terse.OtherValue, l.other})
	}
	clicks = make(map[string]int64, len(l.kept))
	if l.byVisitors {
		visitors = make(map[string]int64, len(l.kept))
	}
	for _, n := range l.kept {
		clicks[n.text] += n.Clicks
		if l.byVisitors {
			visitors[n.text] += n.Firsts
		}
	}
	return clicks, visitors
}
