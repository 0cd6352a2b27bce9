package importer

import (
	"terse"
	"terse/internal/move/archive"
)

// The kinds of kept lines. Those of a day are in this order.
const (
	isDay uint8 = iota
	isCounts
	isClick
)

// keptLines are the day, counts and click lines of a link, in any order. Most links have few, some
// 20,000,000. codec.go has their form.
type keptLines struct {
	archive.Sorter
	clicks  int64               // of all lines
	undated int64               // those of lines without a time
	firsts  map[terse.Day]int64 // of the clicks that stay single
}

// lineMemory bounds the lines of a link in memory, in bytes.
const lineMemory = 16 << 20

// newKeptLines returns lines that go to a file if they are many.
func (i *Importer) newKeptLines() *keptLines {
	return &keptLines{Sorter: archive.Sorter{
		Memory: lineMemory, Create: i.createSparing,
	}}
}

// addFirsts adds firsts of a click that stays single.
func (l *keptLines) addFirsts(day terse.Day, n int64) {
	if l.firsts == nil {
		l.firsts = map[terse.Day]int64{}
	}
	l.firsts[day] += n
}

// remove removes the lines, but keeps their number of clicks.
func (l *keptLines) remove() {
	_ = l.Close() // the file has no name, so that is its end
	l.undated, l.firsts = 0, nil
}
