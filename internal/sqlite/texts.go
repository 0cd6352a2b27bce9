package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"zombiezen.com/go/sqlite"

	"terse"
	"terse/internal/polite"
)

// The row of a run in link_texts: the length of its heads, the heads, and the texts, one after the other. The head of a link is
// its place in the run, the difference of its created_at from that of the link before (zigzag), and the length of its text. A
// text is that of terse.AppendSearchText. Numbers are uvarints.

// runLinks is how many IDs a run has. With the longest URLs its row has 8 MiB.
const runLinks = 1 << runBits

var errTexts = errors.New("damaged row of link_texts")

// hit is a link that a search has found.
type hit struct{ id, createdAt int64 }

// textPacker makes the row of a run.
type textPacker struct {
	heads, texts []byte
	createdAt    int64 // of the link before
}

// add adds a link, from a row with the columns of listed.
func (p *textPacker) add(stmt *sqlite.Stmt) {
	from, createdAt := len(p.texts), stmt.ColumnInt64(3)
	p.texts = appendText(p.texts, stmt)
	p.heads = binary.AppendUvarint(p.heads, uint64(stmt.ColumnInt64(0)&(runLinks-1)))
	p.heads = binary.AppendVarint(p.heads, createdAt-p.createdAt)
	p.heads = binary.AppendUvarint(p.heads, uint64(len(p.texts)-from))
	p.createdAt = createdAt
}

func (p *textPacker) row() []byte {
	row := binary.AppendUvarint(nil, uint64(len(p.heads)))
	return append(append(row, p.heads...), p.texts...)
}

func appendText(text []byte, stmt *sqlite.Stmt) []byte {
	return terse.AppendSearchText(text, stmt.ColumnText(1), stmt.ColumnText(2))
}

// searchRow calls found for every link in the row of a run that a search finds.
func searchRow(row []byte, search terse.Search, run int64, found func(hit)) error {
	size, n := binary.Uvarint(row)
	if n <= 0 || size > uint64(len(row)-n) {
		return errTexts
	}
	heads, texts := row[n:n+int(size)], row[n+int(size):]
	var h hit
	for len(heads) > 0 {
		var length int
		if h, length, heads = nextHead(h, heads); heads == nil || length > len(texts) {
			return errTexts
		}
		if search.Finds(texts[:length]) {
			found(hit{run<<runBits | h.id, h.createdAt})
		}
		texts = texts[length:]
	}
	return nil
}

// nextHead returns the place and time of the link after another one, the length of its text, and the heads after it: nil when
// they are damaged.
func nextHead(before hit, heads []byte) (h hit, length int, rest []byte) {
	place, n := binary.Uvarint(heads)
	if n <= 0 || place >= runLinks {
		return h, 0, nil
	}
	heads = heads[n:]
	created, n := binary.Varint(heads)
	if n <= 0 {
		return h, 0, nil
	}
	heads = heads[n:]
	size, n := binary.Uvarint(heads)
	if n <= 0 || size > 1<<31-1 {
		return h, 0, nil
	}
	return hit{int64(place), before.createdAt + created}, int(size), heads[n:]
}

// runRows are the links of a run, by ID.
const runRows = "SELECT id, code, url, created_at FROM links WHERE id BETWEEN ?1 << 10 AND (?1 << 10) + 1023 AND +created_by = ?2 ORDER BY id"

func prepareRunRows(conn *sqlite.Conn, owner string, run int64) (*sqlite.Stmt, error) {
	stmt, err := conn.Prepare(runRows)
	if err != nil {
		return nil, err
	}
	stmt.BindInt64(1, run)
	stmt.BindText(2, owner)
	return stmt, nil
}

// ownerRun is a run of an owner's links.
type ownerRun struct {
	owner string
	run   int64
}

// wantTexts has the rows made that are missing in link_texts.
func (s *Store) wantTexts() {
	select {
	case s.texts <- struct{}{}:
	default: // they are wanted already
	}
}

// packShare is how many times as long as the packing took the pause after it is.
const packShare = 4

// keepTexts makes the rows of link_texts whenever that is wanted, until the context ends. What takes long gets long
// pauses: whoever deletes links all over does not have the writer do nothing else.
func (s *Store) keepTexts(ctx context.Context) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for wait(ctx, pause.C) && wait(ctx, s.texts) {
		began := time.Now()
		err := s.packTexts(ctx)
		pause.Reset(time.Since(began) * packShare)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("pack texts for searching", "path", s.path, "error", err)
			s.wantTexts()
			pause.Reset(retryBuild)
		}
	}
}

func (s *Store) packTexts(ctx context.Context) error {
	var missing []ownerRun
	if err := s.read(ctx, func(conn *sqlite.Conn) (err error) {
		missing, err = runsWithoutTexts(conn)
		return err
	}); err != nil {
		return err
	}
	turn := polite.Turn{}
	for _, m := range missing {
		turn.Yield()
		if err := s.write(ctx, func(w *writer) error { return w.packRun(m) }); err != nil {
			return err
		}
	}
	return nil
}

// runsWithoutTexts returns the runs that get no more links, because their IDs are used up, and have no row.
func runsWithoutTexts(conn *sqlite.Conn) (missing []ownerRun, err error) {
	stmt, err := conn.Prepare(`SELECT created_by, run FROM link_runs AS r WHERE run < (SELECT seq >> 10 FROM sqlite_sequence WHERE name = 'links')
		AND NOT EXISTS (SELECT 1 FROM link_texts AS t WHERE t.created_by = r.created_by AND t.run = r.run) ORDER BY run DESC`)
	if err != nil {
		return nil, err
	}
	err = eachRow(stmt, func() error {
		missing = append(missing, ownerRun{stmt.ColumnText(0), stmt.ColumnInt64(1)})
		return nil
	})
	return missing, err
}

// packRun makes the row of a run from its links as they are now.
func (w *writer) packRun(m ownerRun) error {
	links, err := prepareRunRows(w.conn, m.owner, m.run)
	if err != nil {
		return err
	}
	var p textPacker
	if err := eachRow(links, func() error {
		p.add(links)
		return nil
	}); err != nil || len(p.heads) == 0 {
		return err // of no links, because all were deleted meanwhile
	}
	stmt, err := w.conn.Prepare("INSERT OR REPLACE INTO link_texts (created_by, run, texts) VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	stmt.BindText(1, m.owner)
	stmt.BindInt64(2, m.run)
	stmt.BindBytes(3, p.row())
	_, err = stmt.Step()
	return err
}
