package clickblock

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/tests/doctest"
)

const (
	blockPage  = "../../../docs/format/block.md"
	countsPage = "../../../docs/format/counts.md"
)

// clickOnPage is a click of an example.
type clickOnPage struct {
	Time   time.Time         `json:"time"`
	Offset uint16            `json:"offset"`
	Link   terse.LinkID      `json:"link"`
	Era    uint32            `json:"era"`
	First  bool              `json:"first"`
	Clicks int64             `json:"clicks"` // 0: 1
	Firsts int64             `json:"firsts"` // 0: as First says
	Values map[string]string `json:"values"`
}

func TestFormatOfBlocks(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{
		"## Example: a run", "## Example: equal clicks", "## Example: a block of an owner",
	} {
		t.Run(heading, func(t *testing.T) {
			t.Parallel()
			var page []clickOnPage
			doctest.JSON(t, blockPage, heading, &page)
			block := doctest.Hex(t, blockPage, heading)
			p := NewPacker()
			var whole []terse.Click
			for _, c := range page {
				whole = append(whole, terse.Click{
					Time: c.Time.UnixMicro(), Values: doctest.Values(t, c.Values),
				})
			}
			clicks := made(p, whole...)
			for i, c := range page {
				clicks[i].Offset, clicks[i].First = c.Offset, c.First
				clicks[i].IDs[ByLink] = p.LinkID(Link{ID: c.Link, Era: c.Era})
				if c.Clicks > 0 {
					p.Number(&clicks[i], c.Clicks, c.Firsts)
				}
			}
			doctest.SameBytes(t, p.PackNeighbours(clicks), block)

			for name, block := range map[string][]byte{
				"as it is": block, "with unknown columns": withUnknownColumns(block),
			} {
				if got := onPage(t, block); cmp.Diff(page, got) != "" {
					t.Errorf("%s: %s", name, cmp.Diff(page, got))
				}
			}
			for _, other := range []byte{0, version, numbered, numbered + 1} {
				another := append([]byte{other}, block[1:]...)
				if _, err := p.Unpack(nil, another); other != block[0] && err != ErrDamaged {
					t.Errorf("version %d: %v", other, err)
				}
			}
		})
	}
}

// onPage returns the clicks of a block as a page has them.
func onPage(t *testing.T, block []byte) (page []clickOnPage) {
	t.Helper()
	p := NewPacker()
	clicks, err := p.Unpack(nil, block)
	if err != nil {
		t.Fatal(err)
	}
	for i := range clicks {
		c := &clicks[i]
		values := map[string]string{}
		for d := range terse.NumDimensions {
			if value := p.Text(d, c.IDs[d]); value != d.Unknown() {
				values[d.String()] = value
			}
		}
		link, sum := p.LinkOf(c), p.SumOf(clicks[i:i+1])
		if sum.Clicks == 1 {
			sum = Sum{}
		}
		page = append(page, clickOnPage{
			Time: time.UnixMicro(c.Time).UTC(), Offset: c.Offset, Link: link.ID, Era: link.Era,
			First: c.First, Clicks: sum.Clicks, Firsts: sum.Firsts, Values: values,
		})
	}
	return page
}

// withUnknownColumns adds two columns to a block of fewer than 128 clicks: one of a later version,
// and one of a dimension that is not stored.
func withUnknownColumns(block []byte) []byte {
	b := bytes.Clone(block[:3])
	b[2] += 2
	b = append(b, 98, 2, 0xAA, 0xBB)
	b = append(b, terse.ByReferrerHost.ID(), 1, 0xCC)
	return append(b, block[3:]...)
}

// sumOnPage is a Sum on a page, of a value, a day or a link.
type sumOnPage struct {
	Value  string       `json:"value"`
	Day    terse.Day    `json:"day"`
	Link   terse.LinkID `json:"link"`
	Era    uint32       `json:"era"`
	Clicks int64        `json:"clicks"`
	People int64        `json:"people"`
	Firsts int64        `json:"firsts"`
}

func (s *sumOnPage) sum() Sum { return Sum{s.Clicks, s.People, s.Firsts} }

// clicks returns clicks that add up to the given sums.
func clicksOf(p *Packer, d terse.Dimension, sums []sumOnPage) (all []Click) {
	for _, s := range sums {
		whole := make([]terse.Click, s.Clicks)
		for i := range whole {
			whole[i].Values[d] = s.Value
			if int64(i) >= s.People {
				whole[i].Values[terse.ByVisitor] = terse.Bot
			}
		}
		clicks := made(p, whole...)
		for i := range clicks {
			clicks[i].First = int64(i) < s.Firsts
			clicks[i].IDs[ByLink] = p.LinkID(Link{ID: s.Link, Era: s.Era})
		}
		all = append(all, clicks...)
	}
	return all
}

func TestFormatOfHeads(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{
		"### Example: a counted day", "### Example: a dropped day",
		"### Example: visitors of a day without dropped clicks", "### Example: a month",
	} {
		t.Run(heading, func(t *testing.T) {
			t.Parallel()
			var page struct {
				sumOnPage
				Last   time.Time   `json:"last"`
				Blocks int64       `json:"blocks"`
				Days   []sumOnPage `json:"days"`
			}
			doctest.JSON(t, countsPage, heading, &page)
			row := doctest.Hex(t, countsPage, heading)
			h := Head{Sum: page.sum(), Blocks: page.Blocks}
			if !page.Last.IsZero() {
				h.Last = page.Last.UnixMicro()
			}
			for _, day := range page.Days {
				h.Days = append(h.Days, DaySum{Day: day.Day, Sum: day.sum()})
			}
			doctest.SameBytes(t, h.Append(nil), row)
			got, err := ParseHead(row)
			if diff := cmp.Diff(h, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
			row[0]++
			if _, err := ParseHead(row); err != ErrDamaged {
				t.Errorf("another version: %v", err)
			}
		})
	}
}

func TestFormatOfCountsByValue(t *testing.T) {
	t.Parallel()
	const heading, d = "### Example: counts by referrer", terse.ByReferrer
	var page []sumOnPage
	doctest.JSON(t, countsPage, heading, &page)
	piece := doctest.Hex(t, countsPage, heading)
	p := NewPacker()
	pieces, err := p.Count(d, nil, nil, clicksOf(p, d, page))
	if err != nil || len(pieces) != 1 {
		t.Fatalf("%d pieces, %v", len(pieces), err)
	}
	doctest.SameBytes(t, pieces[0], piece)
	var got []sumOnPage
	if err := EachValue(d, [][]byte{piece}, func(value string, s Sum) {
		got = append(got, sumOnPage{
			Value: value, Clicks: s.Clicks, People: s.People, Firsts: s.Firsts,
		})
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page, got); diff != "" {
		t.Error(diff)
	}
	piece[0]++
	if _, err := Merge([][]byte{piece}, nil); err != ErrDamaged {
		t.Errorf("another version: %v", err)
	}
}

func TestFormatOfCountsByLink(t *testing.T) {
	t.Parallel()
	const heading = "### Example: counts by link"
	var page []sumOnPage
	doctest.JSON(t, countsPage, heading, &page)
	piece := doctest.Hex(t, countsPage, heading)
	p := NewPacker()
	pieces, err := p.CountLinks(nil, clicksOf(p, terse.ByCountry, page))
	if err != nil || len(pieces) != 1 {
		t.Fatalf("%d pieces, %v", len(pieces), err)
	}
	doctest.SameBytes(t, pieces[0], piece)
	var got []sumOnPage
	if err := EachLink([][]byte{piece}, func(l Link, s Sum) {
		got = append(got, sumOnPage{
			Link: l.ID, Era: l.Era, Clicks: s.Clicks, People: s.People, Firsts: s.Firsts,
		})
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page, got); diff != "" {
		t.Error(diff)
	}
	piece[0]++
	if err := EachLink([][]byte{piece}, func(Link, Sum) {}); err != ErrDamaged {
		t.Errorf("another version: %v", err)
	}
}

// Values pack to the bytes in the page's table, and unpack from them.
func TestFormatOfValues(t *testing.T) {
	t.Parallel()
	for _, row := range doctest.Table(t, blockPage, "### Examples of values") {
		d := terse.NumDimensions
		for known := range terse.NumDimensions {
			if known.String() == row[0] {
				d = known
			}
		}
		if d == terse.NumDimensions {
			t.Fatalf("%q is no dimension", row[0])
		}
		packed := appendValue(nil, d, []byte(row[1]))
		if got := fmt.Sprintf("% x", packed); got != row[2] {
			t.Errorf("%q is packed to %s, on the page %s", row[1], got, row[2])
		}
		if got := unpackValue(d, packed); got != row[1] {
			t.Errorf("%q is unpacked to %q", row[1], got)
		}
	}
}
