package list

import (
	"bytes"
	"slices"
	"sync"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/linkset"
	"terse/internal/searchtext"
	"terse/internal/sqlite/query"
	"terse/internal/sqlite/record"
)

// maxTexts bounds Texts in bytes: the 100,000 links that a search looks at, with 300 bytes each.
const maxTexts = 32 << 20

// Texts remembers what searches read of links: to read a link takes ten times as long as to look
// through what was read of it. Each text is that of a state of its range, which the snapshot of a
// search has or has not. So nobody tells of changes; but a database that is put back may come to
// the same states with other links, and needs other Texts.
type Texts struct {
	mu   sync.Mutex
	of   map[textKey]*rangeText
	size int
}

// NewTexts returns Texts without any.
func NewTexts() *Texts { return &Texts{of: map[textKey]*rangeText{}} }

// textKey are the links of an owner in a range of IDs.
type textKey struct {
	owner string
	id    int64
}

// rangeState tells what is in a range of IDs from what was and will be in it.
type rangeState struct{ links, changes int64 }

// rangeText are the search texts of a range's links, one behind the other. It is never changed.
type rangeText struct {
	state rangeState
	links []textLink // in the order of their IDs
	text  []byte
}

// textLink is a link, and where its text ends.
type textLink struct{ id, createdAt, end int64 }

func (t *rangeText) size() int { return 24*cap(t.links) + cap(t.text) }

// get returns a text in a state, or nil.
func (t *Texts) get(key textKey, state rangeState) *rangeText {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := t.of[key]; text != nil && text.state == state {
		return text
	}
	return nil
}

// keep remembers a text. When there are too many it forgets any of them, so that of those that are
// asked for in turn some are always there.
func (t *Texts) keep(key textKey, text *rangeText) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if before := t.of[key]; before != nil {
		t.size -= before.size()
	}
	t.of[key] = text
	t.size += text.size()
	for other, its := range t.of {
		if t.size <= maxTexts {
			return
		}
		delete(t.of, other)
		t.size -= its.size()
	}
}

// textOf returns the text of a range.
func (s *searching) textOf(number int64) (*rangeText, error) {
	key := textKey{s.owner, number}
	state, err := readState(s.conn, key)
	if err != nil {
		return nil, err
	}
	if text := s.texts.get(key, state); text != nil {
		return text, nil
	}
	text, err := s.readText(number)
	if err == nil {
		text.state = state
		s.texts.keep(key, text)
	}
	return text, err
}

// Warm reads the texts that a first search of an owner's links looks through, each from a snapshot
// of its own. It begins with those that come last, so that a search that comes meanwhile reads the
// others, and they meet.
func Warm(owner string, texts *Texts, snapshot func(func(*sqlite.Conn) error) error) error {
	var ranges []idRange
	err := snapshot(func(conn *sqlite.Conn) (err error) {
		ranges, err = ownerRanges(conn, owner)
		return err
	})
	ranges = firstRanges(sortRanges(ranges, terse.NewestFirst), int64(Usual.ByTime))
	s := searching{owner: owner, texts: texts}
	for _, r := range slices.Backward(ranges) {
		if err != nil {
			break
		}
		s.turn.Yield()
		err = snapshot(func(conn *sqlite.Conn) error {
			s.conn = conn
			_, err := s.textOf(r.number)
			return err
		})
	}
	return err
}

// firstRanges returns the first ranges with so many links.
func firstRanges(ranges []idRange, links int64) []idRange {
	for i, r := range ranges {
		if links -= r.links; links <= 0 {
			return ranges[:i+1]
		}
	}
	return ranges
}

func readState(conn *sqlite.Conn, key textKey) (state rangeState, err error) {
	err = query.Each(conn, "SELECT links, "+
		"(SELECT changes FROM link_range_changes WHERE id_range = ?2) "+
		"FROM link_ranges WHERE created_by = ?1 AND id_range = ?2",
		func(row *sqlite.Stmt) error {
			state = rangeState{row.ColumnInt64(0), row.ColumnInt64(1)}
			return nil
		}, key.owner, key.id)
	return state, err
}

func (s *searching) readText(number int64) (*rangeText, error) {
	links, text := make([]textLink, 0, linkset.RangeSize), s.buf[:0]
	err := query.Each(s.conn, "SELECT "+record.SearchedColumns+" FROM links "+
		"WHERE id BETWEEN ?1 << 10 AND (?1 << 10) + 1023 AND +created_by = ?2 ORDER BY id",
		func(row *sqlite.Stmt) error {
			text = s.text.append(text, row)
			links = append(links,
				textLink{row.ColumnInt64(0), row.ColumnInt64(3), int64(len(text))})
			return nil
		}, number, s.owner)
	s.buf = text
	return &rangeText{links: slices.Clip(links), text: bytes.Clone(text)}, err
}

// searchText is the memory for a row's columns.
type searchText struct{ code, url, options, text []byte }

// append appends the search text of a row with record.SearchedColumns.
func (t *searchText) append(text []byte, row *sqlite.Stmt) []byte {
	t.code, t.url = query.Bytes(row, 1, t.code), query.Bytes(row, 2, t.url)
	t.options = query.Bytes(row, 4, t.options)
	return searchtext.Append(text, t.code, t.url, t.options)
}

// finds reports whether a search finds the link of a row with record.SearchedColumns.
func (t *searchText) finds(row *sqlite.Stmt, search terse.Search) bool {
	t.text = t.append(t.text[:0], row)
	return search.Finds(t.text)
}
