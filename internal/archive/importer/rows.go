package importer

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/s2"

	"terse"
)

// kind is what a row is about. Rows of a day are in the order of their kinds.
type kind uint8

const (
	isDay kind = iota
	isCounts
	isClick
)

// rows are what lines say of the days and clicks of a link: many a few lines, some 20,000,000, in
// any order. They are sorted in memory or, beyond runBytes, in runs in a temporary file.
type rows struct {
	clicks  int64               // of all lines
	undated int64               // those of lines without a time
	firsts  map[terse.Day]int64 // of the clicks that stay single
	create  func() (*os.File, error)

	text  []byte // the rows in memory
	order []row
	file  *os.File // nil: there are no runs
	to    *sparing
	runs  []run
}

// row is the place of a row in the text, which begins with its length.
type row struct {
	at    int64 // microseconds since 1970
	day   terse.Day
	start uint32
	kind  kind
}

func (r row) compare(s row) int {
	return cmp.Or(cmp.Compare(r.day, s.day), cmp.Compare(r.kind, s.kind), cmp.Compare(r.at, s.at),
		cmp.Compare(r.start, s.start))
}

// run is a part of the file with sorted rows.
type run struct {
	offset, size int64
	first        row
}

const (
	// runBytes bounds the rows in memory.
	runBytes = 16 << 20
	rowBytes = 24
	// blockBytes is the size of packed blocks: 16 GiB of lines in the worst order have 1,000 runs,
	// which are read at the same time.
	blockBytes = 16 << 10
)

// add adds a row.
func (r *rows) add(at int64, kind kind, text []byte) error {
	if len(r.text)+rowBytes*len(r.order) > runBytes {
		if err := r.spill(); err != nil {
			return err
		}
	}
	r.order = append(r.order, row{at, terse.DayOf(at), uint32(len(r.text)), kind})
	r.text = binary.AppendUvarint(r.text, uint64(len(text)))
	r.text = append(r.text, text...)
	return nil
}

// addFirsts adds firsts of a click that stays single.
func (r *rows) addFirsts(day terse.Day, n int64) {
	if r.firsts == nil {
		r.firsts = map[terse.Day]int64{}
	}
	r.firsts[day] += n
}

// spill writes the rows in memory to the file.
func (r *rows) spill() (err error) {
	if r.file == nil {
		if r.file, err = r.create(); err != nil {
			return err
		}
		r.to = &sparing{file: r.file}
	}
	slices.SortFunc(r.order, row.compare)
	before := r.to.written
	packed := s2.NewWriter(r.to, s2.WriterBlockSize(blockBytes), s2.WriterConcurrency(1))
	var head []byte
	for _, row := range r.order {
		text := r.at(row)
		head = binary.AppendVarint(head[:0], row.at)
		head = append(head, byte(row.kind))
		head = binary.AppendUvarint(head, uint64(len(text)))
		_, _ = packed.Write(head) // Close returns the error
		_, _ = packed.Write(text)
	}
	if err := packed.Close(); err != nil {
		return fmt.Errorf("keep lines in a file: %w", err)
	}
	r.runs = append(r.runs, run{before, r.to.written - before, r.order[0]})
	r.text, r.order = r.text[:0], r.order[:0]
	return nil
}

// at returns the text of a row in memory.
func (r *rows) at(row row) []byte {
	n, size := binary.Uvarint(r.text[row.start:])
	return r.text[int(row.start)+size:][:n]
}

// close removes the rows, but keeps their number of clicks.
func (r *rows) close() {
	if r.file != nil {
		_ = r.file.Close() // it has no name, so that is its end
	}
	*r = rows{create: r.create, clicks: r.clicks}
}

// each calls f with each row in order. The text is valid until f returns.
func (r *rows) each(f func(at int64, kind kind, text []byte) error) error {
	slices.SortFunc(r.order, row.compare)
	if len(r.runs) == 0 {
		for _, row := range r.order {
			if err := f(row.at, row.kind, r.at(row)); err != nil {
				return err
			}
		}
		return nil
	}
	var all cursors
	for number, run := range r.runs {
		all.list = append(all.list, &cursor{row: run.first, number: number, run: run, file: r.file})
	}
	if len(r.order) > 0 {
		all.list = append(all.list, &cursor{
			row: r.order[0], number: len(r.runs), memory: r, left: r.order,
		})
	}
	heap.Init(&all)
	for len(all.list) > 0 {
		c := all.list[0]
		if err := c.open(); err != nil {
			return err
		}
		if err := f(c.row.at, c.row.kind, c.text); err != nil {
			return err
		}
		switch err := c.next(); {
		case errors.Is(err, io.EOF):
			heap.Pop(&all)
		case err != nil:
			return err
		default:
			heap.Fix(&all, 0)
		}
	}
	return nil
}

// cursor reads a run, or the rows in memory. It takes memory for a run only when that has its turn:
// of lines in order, one run at a time.
type cursor struct {
	row    row
	text   []byte
	number int

	memory *rows // nil: it reads the run
	left   []row

	run  run
	file *os.File
	from *bufio.Reader
}

// open makes the first row valid.
func (c *cursor) open() error {
	switch {
	case c.memory != nil:
		c.text = c.memory.at(c.row)
	case c.from == nil:
		part := io.NewSectionReader(c.file, c.run.offset, c.run.size)
		c.from = bufio.NewReaderSize(s2.NewReader(part, s2.ReaderMaxBlockSize(blockBytes),
			s2.ReaderAllocBlock(blockBytes)), 4<<10)
		return c.next()
	}
	return nil
}

// next goes to the next row. After the last one it returns io.EOF.
func (c *cursor) next() error {
	if c.memory != nil {
		if c.left = c.left[1:]; len(c.left) == 0 {
			return io.EOF
		}
		c.row = c.left[0]
		return nil
	}
	at, err := binary.ReadVarint(c.from)
	if errors.Is(err, io.EOF) {
		c.from = nil
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("read lines from a file: %w", err)
	}
	of, err := c.from.ReadByte()
	if err == nil {
		var n uint64
		if n, err = binary.ReadUvarint(c.from); err == nil {
			c.text = slices.Grow(c.text[:0], int(n))[:n]
			_, err = io.ReadFull(c.from, c.text)
		}
	}
	if err != nil {
		return fmt.Errorf("read lines from a file: %w", err)
	}
	c.row = row{at: at, day: terse.DayOf(at), kind: kind(of)}
	return nil
}

// cursors are a heap of cursors by their rows.
type cursors struct{ list []*cursor }

func (c *cursors) Len() int      { return len(c.list) }
func (c *cursors) Swap(i, j int) { c.list[i], c.list[j] = c.list[j], c.list[i] }
func (c *cursors) Push(any)      { panic("no cursor is added") }

func (c *cursors) Less(i, j int) bool {
	r, s := c.list[i].row, c.list[j].row
	return cmp.Or(cmp.Compare(r.day, s.day), cmp.Compare(r.kind, s.kind),
		cmp.Compare(r.at, s.at), cmp.Compare(c.list[i].number, c.list[j].number)) < 0
}

func (c *cursors) Pop() any {
	last := len(c.list) - 1
	popped := c.list[last]
	c.list = c.list[:last]
	return popped
}
