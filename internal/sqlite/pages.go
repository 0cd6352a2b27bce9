package sqlite

import (
	"encoding/binary"
	"fmt"
	"os"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"terse"
)

// pages reads links from the database's pages as SQLite would, in a quarter of the time: it has no program to run and no
// transaction to begin, and keeps of the pages only what leads to others. All else is left to SQLite: pages of another size, rows
// that do not fit into one, and what is damaged. See https://sqlite.org/fileformat2.html.
//
// It takes no lock of the database. What it has read is right if the header of the write-ahead log's index is still the same afterwards:
// a page is only ever written to the database when it is in the log, where we find it instead, and the log begins anew with a new header.
type pages struct {
	index *walIndex
	open  sync.RWMutex // held while the files are used
	// Open for as long as any connection of ours is, see walIndex.
	database, log *os.File
	inner         [1 << innerBits]atomic.Pointer[innerPage]
}

// The inner pages that are kept take 5 KiB each; 10 MiB are enough for those of 20 million links.
const (
	innerBits = 11
	maxProbes = 4
)

const (
	pageBytes       = 4096
	walFileHeader   = 32
	walFrameHeader  = 24
	innerType       = 0x05
	leafType        = 0x0D
	innerPageHeader = 12
	leafPageHeader  = 8
	maxDepth        = 8
	// In the first page: the size of all pages, how many bytes are reserved in each, and the encoding of texts.
	pageSizeAt = 16
	reservedAt = 20
	encodingAt = 56 + 3
	inUTF8     = 1
	// A longer row goes on in other pages.
	maxRow = pageBytes - 35
)

// openPages returns what reads the database at a path, which is open already and is one of the given files. With an error it
// may return one to close.
func openPages(path string, files *files) (p *pages, err error) {
	p = &pages{}
	if p.index, err = mapWALIndex(path); err != nil {
		return p, err
	}
	if p.database, err = openSame(path, files.database); err != nil {
		return p, err
	}
	p.log, err = openSame(path+"-wal", files.wal)
	return p, err
}

func openSame(path string, want os.FileInfo) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errMoved, err)
	}
	if is, err := f.Stat(); err != nil || !os.SameFile(is, want) {
		return f, errMoved
	}
	return f, nil
}

// close is called when all connections are closed.
func (p *pages) close() {
	if p == nil {
		return
	}
	if p.index != nil {
		p.index.close()
	}
	p.open.Lock()
	defer p.open.Unlock()
	_, _ = p.database.Close(), p.log.Close() // were only read from
}

// rootOfLinks returns the root page of the table of links, or 0 when its rows can't be read from pages. It is the same until
// others than we write.
func (w *writer) rootOfLinks() (uint32, error) {
	root, err := queryInt(w.conn, "SELECT rootpage FROM sqlite_schema WHERE name = 'links'")
	if err != nil {
		return 0, err
	}
	var first [pageBytes]byte
	p := w.pages.Load()
	h, ok := p.index.header()
	if !ok || h.Frames > 0 && h.PageBytes != pageBytes {
		return 0, nil
	}
	frame, ok := p.index.frame(&h, 1)
	if !ok || !p.read(1, frame, first[:]) || binary.BigEndian.Uint16(first[pageSizeAt:]) != pageBytes || first[reservedAt] != 0 || first[encodingAt] != inUTF8 {
		return 0, nil
	}
	return uint32(root), nil
}

// state returns the state of the log.
func (p *pages) state() walState {
	if p == nil {
		return 0
	}
	return p.index.state()
}

// innerPage is a page of a table's tree that leads to others: to children[i] for the rows up to last[i], and to one
// more for the rest.
type innerPage struct {
	page, frame uint32
	log         uint64
	first, span int64 // last[0], and how far the others are from it
	last        []int64
	children    []uint32
}

// child returns the page to go on with. Most rows have the IDs one after the other: then the place is easily guessed, and
// less memory is touched than by halving.
func (in *innerPage) child(row int64) uint32 {
	at, n := 0, len(in.last)
	if in.span > 0 {
		at = max(0, min(int((row-in.first)*int64(n-1)/in.span), n-1))
	}
	for at > 0 && in.last[at-1] >= row {
		at--
	}
	for at < n && in.last[at] < row {
		at++
	}
	return in.children[at]
}

// link returns the link in a row of the table with a root page.
func (p *pages) link(h *walHeader, root uint32, id terse.LinkID) (terse.Link, bool) {
	var buf [pageBytes]byte
	for page, depth := root, 0; depth < maxDepth; depth++ {
		frame, ok := p.index.frame(h, page)
		if !ok {
			return terse.Link{}, false
		}
		kept := p.slot(page)
		in := kept.Load()
		if in == nil || in.page != page || in.frame != frame || in.log != h.Log {
			if !p.read(page, frame, buf[:]) {
				return terse.Link{}, false
			}
			if buf[0] == leafType {
				return linkOf(rowOf(buf[:], int64(id)), id)
			}
			if in, ok = newInnerPage(buf[:]); !ok {
				return terse.Link{}, false
			}
			in.page, in.frame, in.log = page, frame, h.Log
			kept.Store(in)
		}
		page = in.child(int64(id))
	}
	return terse.Link{}, false
}

// slot returns where an inner page is kept: in the first of a few slots that is free or has it, or instead of what is in the first.
func (p *pages) slot(page uint32) *atomic.Pointer[innerPage] {
	home := page * 0x9E3779B1 >> (32 - innerBits)
	for i := range uint32(maxProbes) {
		slot := &p.inner[(home+i)%(1<<innerBits)]
		if in := slot.Load(); in == nil || in.page == page {
			return slot
		}
	}
	return &p.inner[home]
}

// read reads a page from a frame of the log, or from the database.
func (p *pages) read(page, frame uint32, buf []byte) bool {
	p.open.RLock()
	defer p.open.RUnlock()
	file, at := p.database, int64(page-1)*pageBytes
	if frame != 0 {
		file, at = p.log, walFileHeader+int64(frame-1)*(walFrameHeader+pageBytes)+walFrameHeader
	}
	if readCached(int(file.Fd()), buf, at) {
		return true
	}
	n, _ := file.ReadAt(buf, at)
	return n == len(buf)
}

// newInnerPage returns what a page says that may be an inner one.
func newInnerPage(page []byte) (*innerPage, bool) {
	cells := int(binary.BigEndian.Uint16(page[3:]))
	if page[0] != innerType || innerPageHeader+2*cells > len(page) {
		return nil, false
	}
	in := &innerPage{last: make([]int64, cells), children: make([]uint32, cells+1)}
	for i := range cells {
		cell := cellAt(page, innerPageHeader, i)
		if len(cell) < 4 {
			return nil, false
		}
		in.children[i] = binary.BigEndian.Uint32(cell)
		in.last[i], _ = varint(cell[4:])
	}
	in.children[cells] = binary.BigEndian.Uint32(page[8:])
	if cells > 0 {
		in.first, in.span = in.last[0], in.last[cells-1]-in.last[0]
	}
	return in, true
}

// cellAt returns a page from one of its cells on.
func cellAt(page []byte, header, i int) []byte {
	at := int(binary.BigEndian.Uint16(page[header+2*i:]))
	return page[min(at, len(page)):]
}

// rowOf returns a row of a leaf page, or nil.
func rowOf(page []byte, row int64) []byte {
	cells := int(binary.BigEndian.Uint16(page[3:]))
	if leafPageHeader+2*cells > len(page) {
		return nil
	}
	var size, key int64
	var rest []byte
	at := sort.Search(cells, func(i int) bool {
		_, cell := varint(cellAt(page, leafPageHeader, i))
		key, _ = varint(cell)
		return key >= row
	})
	if at == cells {
		return nil
	}
	size, rest = varint(cellAt(page, leafPageHeader, at))
	if key, rest = varint(rest); key != row || size < 0 || size > maxRow || size > int64(len(rest)) {
		return nil
	}
	return rest[:size]
}

// linkOf returns the link in a row of links, whose columns are NULL in the place of the ID, code, url, created_at, and created_by.
func linkOf(row []byte, id terse.LinkID) (terse.Link, bool) {
	size, types := varint(row)
	size -= int64(len(row) - len(types))
	if size < 0 || size > int64(len(types)) {
		return terse.Link{}, false
	}
	r := record{types: types[:size], values: types[size:]}
	r = r.null()
	code, r := r.text()
	url, r := r.text()
	createdAt, r := r.integer()
	createdBy, r := r.text()
	c, err := terse.ParseCode(code)
	if r.bad || len(r.types) > 0 || len(r.values) > 0 || err != nil {
		return terse.Link{}, false
	}
	return terse.Link{ID: id, Code: c, URL: terse.URL(url), CreatedAt: time.UnixMicro(createdAt).UTC(), CreatedBy: string(createdBy)}, true
}

// record is what is not read yet of a row: the types of its columns, and their values. Nothing of a bad one is believed.
type record struct {
	types, values []byte
	bad           bool
}

// Types of columns.
const (
	typeNull  = 0
	typeInt48 = 5
	typeInt64 = 6
	typeFloat = 7
	typeZero  = 8
	typeOne   = 9
	typeBlob  = 12 // and all even numbers above, with half the difference as their length; odd numbers are texts
)

func (r record) null() (rest record) {
	kind, _, rest := r.next()
	rest.bad = rest.bad || kind != typeNull
	return rest
}

func (r record) text() (value []byte, rest record) {
	kind, value, rest := r.next()
	rest.bad = rest.bad || kind < typeBlob || kind%2 == 0
	return value, rest
}

func (r record) integer() (n int64, rest record) {
	kind, value, rest := r.next()
	rest.bad = rest.bad || kind < 1 || kind > typeOne || kind == typeFloat
	if kind == typeOne {
		return 1, rest
	}
	if len(value) > 0 && value[0] >= 0x80 {
		n = -1
	}
	for _, b := range value {
		n = n<<8 | int64(b)
	}
	return n, rest
}

// next returns the next column's type and value.
func (r record) next() (kind int64, value []byte, rest record) {
	kind, types := varint(r.types)
	size := int64(0)
	switch {
	case kind >= typeBlob:
		size = (kind - typeBlob) / 2
	case kind == typeInt64 || kind == typeFloat:
		size = 8
	case kind == typeInt48:
		size = 6
	case kind < typeInt48:
		size = kind
	}
	if size < 0 || size > int64(len(r.values)) {
		return 0, nil, record{bad: true}
	}
	return kind, r.values[:size], record{types, r.values[size:], r.bad}
}

// varint returns SQLite's number of up to nine bytes at the beginning, and what comes after it. One that ends too early is
// zero.
func varint(b []byte) (n int64, rest []byte) {
	for i, c := range b {
		if i == 8 {
			return n<<8 | int64(c), b[9:]
		}
		n = n<<7 | int64(c&0x7F)
		if c < 0x80 {
			return n, b[i+1:]
		}
	}
	return 0, nil
}
