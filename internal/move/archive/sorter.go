package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/s2"

	"terse"
)

// Sorter sorts texts, most often the lines about a link: by their UTC day, then their kind, then
// their time. Equal ones stay in the order in which they were added. Beyond Memory it keeps them in
// a temporary file, in sorted runs that Each merges.
type Sorter struct {
	// ByText sorts by the bytes of the texts alone.
	ByText bool
	Memory int // the bound of what is kept in memory, in bytes
	// Create creates a temporary file, which is gone when it is closed.
	Create func() (File, error)

	text  []byte // the texts in memory, each behind its length
	order []entry
	file  File // nil: there are no runs
	size  int64
	runs  []run
}

// File is a file to which one writes at its end.
type File interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// EntryBytes is what a text takes in memory beside its bytes.
const EntryBytes = 24

// entry is the place of a text in memory.
type entry struct {
	at    int64 // microseconds since 1970
	day   terse.Day
	start uint32
	kind  uint8
}

// compare compares two texts in memory.
func (s *Sorter) compare(e, f entry) int {
	if s.ByText {
		return cmp.Or(bytes.Compare(s.at(e), s.at(f)), cmp.Compare(e.start, f.start))
	}
	return cmp.Or(cmp.Compare(e.day, f.day), cmp.Compare(e.kind, f.kind), cmp.Compare(e.at, f.at),
		cmp.Compare(e.start, f.start))
}

// run is a part of the file with sorted texts.
type run struct {
	offset, size int64
	first        entry
	text         []byte // the first one, if it is sorted by that
}

// runBlock is the size of packed blocks: 16 GiB of lines in the worst order are 1,000 runs of
// 16 MiB, which are read at the same time.
const runBlock = 16 << 10

// Add adds a text of a time, in microseconds since 1970.
func (s *Sorter) Add(at int64, kind uint8, text []byte) error {
	if len(s.text)+EntryBytes*len(s.order) > s.Memory {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.order = append(s.order, entry{at, terse.DayOf(at), uint32(len(s.text)), kind})
	s.text = binary.AppendUvarint(s.text, uint64(len(text)))
	s.text = append(s.text, text...)
	return nil
}

// IsEmpty reports whether there is no text.
func (s *Sorter) IsEmpty() bool { return len(s.order) == 0 && len(s.runs) == 0 }

// spill writes the texts in memory to the file, as a run.
func (s *Sorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = s.Create(); err != nil {
			s.file = nil
			return err
		}
	}
	slices.SortFunc(s.order, s.compare)
	written := counter{to: s.file}
	packed := s2.NewWriter(&written, s2.WriterBlockSize(runBlock), s2.WriterConcurrency(1))
	var head []byte
	for _, e := range s.order {
		text := s.at(e)
		head = binary.AppendVarint(head[:0], e.at)
		head = append(head, e.kind)
		head = binary.AppendUvarint(head, uint64(len(text)))
		_, _ = packed.Write(head) // Close returns the error
		_, _ = packed.Write(text)
	}
	if err := packed.Close(); err != nil {
		return fmt.Errorf("keep lines in a file: %w", err)
	}
	r := run{offset: s.size, size: written.n, first: s.order[0]}
	if s.ByText {
		r.text = bytes.Clone(s.at(r.first))
	}
	s.runs = append(s.runs, r)
	s.size += written.n
	s.text, s.order = s.text[:0], s.order[:0]
	return nil
}

// counter counts what is written.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// at returns a text in memory.
func (s *Sorter) at(e entry) []byte {
	n, size := binary.Uvarint(s.text[e.start:])
	return s.text[int(e.start)+size:][:n]
}

// Reset removes all texts, and keeps memory for the next ones.
func (s *Sorter) Reset() error {
	text, order := s.text[:0], s.order[:0]
	err := s.Close()
	s.text, s.order = text, order
	return err
}

// Close removes all texts.
func (s *Sorter) Close() (err error) {
	if s.file != nil {
		err = s.file.Close()
	}
	*s = Sorter{ByText: s.ByText, Memory: s.Memory, Create: s.Create}
	return err
}

// Each calls f with each text in order. The text is valid until f returns. No text may be added
// meanwhile or afterwards. It may be called again.
func (s *Sorter) Each(f func(at int64, kind uint8, text []byte) error) error {
	slices.SortFunc(s.order, s.compare)
	if len(s.runs) == 0 {
		for _, e := range s.order {
			if err := f(e.at, e.kind, s.at(e)); err != nil {
				return err
			}
		}
		return nil
	}
	all := cursors{byText: s.ByText}
	for number, run := range s.runs {
		all.list = append(all.list, &cursor{
			first: run.first, text: bytes.Clone(run.text), number: number, run: run, file: s.file,
		})
	}
	if len(s.order) > 0 {
		all.list = append(all.list, &cursor{
			first: s.order[0], text: s.at(s.order[0]), number: len(s.runs),
			memory: s, left: s.order,
		})
	}
	heap.Init(&all)
	for len(all.list) > 0 {
		c := all.list[0]
		if err := c.open(); err != nil {
			return err
		}
		if err := f(c.first.at, c.first.kind, c.text); err != nil {
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

// cursor reads a run, or the texts in memory. It takes memory for a run only when the first of its
// texts is the next one: of lines in order, one run at a time.
type cursor struct {
	first  entry // of those that are left
	text   []byte
	number int

	memory *Sorter // nil: it reads the run
	left   []entry

	run  run
	file File
	from *bufio.Reader
}

// open makes the first text valid.
func (c *cursor) open() error {
	if c.memory == nil && c.from == nil {
		part := io.NewSectionReader(c.file, c.run.offset, c.run.size)
		c.from = bufio.NewReaderSize(s2.NewReader(part, s2.ReaderMaxBlockSize(runBlock),
			s2.ReaderAllocBlock(runBlock)), 4<<10)
		return c.next()
	}
	return nil
}

// next goes to the next text. After the last one it returns io.EOF.
func (c *cursor) next() error {
	if c.memory != nil {
		if c.left = c.left[1:]; len(c.left) == 0 {
			return io.EOF
		}
		c.first = c.left[0]
		c.text = c.memory.at(c.first)
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
	kind, err := c.from.ReadByte()
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
	c.first = entry{at: at, day: terse.DayOf(at), kind: kind}
	return nil
}

// cursors are a heap of cursors by their first texts.
type cursors struct {
	list   []*cursor
	byText bool
}

func (c *cursors) Len() int      { return len(c.list) }
func (c *cursors) Swap(i, j int) { c.list[i], c.list[j] = c.list[j], c.list[i] }
func (c *cursors) Push(any)      { panic("no cursor is added") }

func (c *cursors) Less(i, j int) bool {
	e, f := c.list[i].first, c.list[j].first
	if c.byText {
		return cmp.Or(bytes.Compare(c.list[i].text, c.list[j].text),
			cmp.Compare(c.list[i].number, c.list[j].number)) < 0
	}
	return cmp.Or(cmp.Compare(e.day, f.day), cmp.Compare(e.kind, f.kind),
		cmp.Compare(e.at, f.at), cmp.Compare(c.list[i].number, c.list[j].number)) < 0
}

func (c *cursors) Pop() any {
	last := len(c.list) - 1
	popped := c.list[last]
	c.list = c.list[:last]
	return popped
}
