package sources

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"terse"
	"terse/api"
	"terse/internal/move/archive"
	"terse/internal/move/archive/sources/sqldump"
)

// The tables of YOURLS, whose names may have any prefix. Old versions have no titles.
var (
	yourlsLinks = &sqldump.Kind{
		Needs: []string{"keyword", "url", "timestamp", "clicks"}, May: []string{"title"},
	}
	yourlsLog = &sqldump.Kind{
		Needs: []string{"shorturl", "click_time", "referrer", "user_agent"},
		May:   []string{"country_code"},
	}
)

// yourlsMemory bounds the rows of a dump in memory, in bytes. More are sorted in a file.
const yourlsMemory = 16 << 20

// yourlsValues is how many values there are of a row beside its keyword.
const yourlsValues = 4

// yourlsLong bounds each of them in bytes, for many rows are in memory when they are sorted. A URL
// that is longer is refused, and all else is cut further.
const yourlsLong = 9 << 10

// The kinds of a keyword's rows, in the order in which they are read.
const (
	yourlsIsLink byte = iota
	yourlsIsClick
)

// yourlsDump sorts the rows of a dump by their keywords: mysqldump writes the log before the links.
type yourlsDump struct {
	*Out
	rows   archive.Sorter
	tables map[*sqldump.Kind]string
	utc    bool // the dump has times of creation in UTC
	text   []byte
}

// YOURLSDump reads an SQL dump of YOURLS.
func YOURLSDump(text io.Reader, to *Out) (err error) {
	y := &yourlsDump{
		Out: to, tables: map[*sqldump.Kind]string{},
		rows: archive.Sorter{ByText: true, Memory: yourlsMemory, Create: to.options.CreateFile},
	}
	defer func() { err = errors.Join(err, y.rows.Close()) }()
	dump := sqldump.New(text, yourlsLinks, yourlsLog)
	err = dump.Each(func(row *sqldump.Row) error { return y.keep(dump, row) })
	switch {
	case err != nil:
		return err
	case y.tables[yourlsLinks] == "":
		return errors.New("there are no links of YOURLS: no rows of a table with the columns " +
			strings.Join(yourlsLinks.Needs, ", "))
	}
	if err := y.look(); err != nil {
		return err
	}
	return y.each(y.emitLink, y.Click, func() {})
}

// keep adds a row to those that are sorted.
func (y *yourlsDump) keep(dump *sqldump.Dump, row *sqldump.Row) error {
	if other := y.tables[row.Kind]; other != "" && other != row.Table {
		return fmt.Errorf("line %d: tables %q and %q are alike: dump those of one installation",
			row.Line, other, row.Table)
	}
	y.tables[row.Kind] = row.Table
	// No keyword that can be a code has a zero byte.
	y.text = append(y.text[:0], strings.ReplaceAll(yourlsCut(row.Text(0)), "\x00", "\uFFFD")...)
	if row.Kind == yourlsLinks {
		y.utc = dump.InUTC()
		y.text = append(y.text, 0, yourlsIsLink)
	} else {
		y.text = append(y.text, 0, yourlsIsClick)
	}
	for i := range yourlsValues {
		value := yourlsCut(row.Text(1 + i))
		y.text = binary.AppendUvarint(y.text, uint64(len(value)))
		y.text = append(y.text, value...)
	}
	return y.rows.Add(0, 0, y.text)
}

func yourlsCut(text string) string { return text[:min(len(text), yourlsLong)] }

// yourlsTime reads a time as YOURLS writes it, in UTC. It is zero if there is none.
func yourlsTime(text string) time.Time {
	at, err := time.Parse(time.DateTime, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// created returns when a link was created. YOURLS writes UTC, but the database takes it for a time
// of its own zone; a dump in UTC has it shifted by that.
func (y *yourlsDump) created(text string) time.Time {
	at := yourlsTime(text)
	if at.IsZero() || !y.utc || y.options.Zone == nil {
		return at
	}
	_, offset := at.In(y.options.Zone).Zone()
	return at.Add(time.Duration(offset) * time.Second)
}

// each calls the functions with each link, then its clicks, in the order of their times. lost is
// called for each click without a link.
func (y *yourlsDump) each(link func(Link) error, click func(Click) error, lost func()) error {
	var current []byte
	known := false // current is a link's keyword
	return y.rows.Each(func(_ int64, _ uint8, text []byte) error {
		end := bytes.IndexByte(text, 0)
		keyword, kind, rest := text[:end], text[end+1], text[end+2:]
		var values [yourlsValues]string
		for i := range values {
			n, size := binary.Uvarint(rest)
			values[i] = string(rest[size:][:n])
			rest = rest[size+int(n):]
		}
		if kind == yourlsIsLink {
			current, known = append(current[:0], keyword...), true
			clicks, _ := strconv.ParseInt(values[2], 10, 64) // no number: those of the log
			return link(Link{
				Code: string(keyword), URL: values[0], Created: y.created(values[1]),
				Clicks: clicks, LinkOptions: api.LinkOptions{Title: values[3]},
			})
		}
		if !known || !bytes.Equal(current, keyword) {
			lost()
			return nil
		}
		return click(yourlsClick(values[0], values[1], values[2], values[3]))
	})
}

// yourlsClick returns a click of the log. Referrers and user agents are what strangers sent.
func yourlsClick(at, referrer, agent, country string) Click {
	c := Click{Time: yourlsTime(at), UserAgent: agent}
	if referrer != "" && referrer != "direct" {
		c.Values[terse.ByReferrer] = terse.ParseReferrer([]byte(referrer))
	}
	c.Values[terse.ByCountry] = strings.ToUpper(country)
	return c
}

func (y *yourlsDump) emitLink(l Link) error {
	if l.Code == "" {
		return y.Fail("", "short_code", errors.New("short_code is missing"))
	}
	if l.Created.IsZero() {
		y.Note("created_at is not known: it is that of the import")
	}
	return y.Link(l)
}

// look reads the rows once, to say what is true of many.
func (y *yourlsDump) look() error {
	var lost, dated, early int
	var created time.Time
	of := map[int]int{} // how many first clicks are early by up to so many quarters of an hour
	most := 0
	err := y.each(func(l Link) error {
		created = l.Created
		return nil
	}, func(c Click) error {
		if created.IsZero() || c.Time.IsZero() {
			return nil
		}
		dated++
		const quarter = 15 * time.Minute
		if by := created.Sub(c.Time); by > 0 && by <= 14*time.Hour {
			early++
			quarters := int((by + quarter - 1) / quarter)
			of[quarters]++
			if of[quarters] > of[most] {
				most = quarters
			}
		}
		created = time.Time{} // the first click was seen
		return nil
	}, func() { lost++ })
	if err != nil {
		return err
	}
	if lost > 0 {
		y.Once(fmt.Sprintf("clicks of links that are not there any more are left out: %d", lost))
	}
	if zone := y.options.Zone; zone != nil && !y.utc {
		y.Once("created_at is as in the dump, without --time-zone: the dump does not set " +
			"TIME_ZONE='+00:00', so its times are those that YOURLS wrote, in UTC")
	} else if zone == nil && early >= 3 && 20*early >= dated {
		y.Once(fmt.Sprintf("created_at of %d links is after their first click, most often by up "+
			"to %d:%02d hours: if the database server's time zone is not UTC, --time-zone names it",
			early, most/4, most%4*15))
	}
	return nil
}
