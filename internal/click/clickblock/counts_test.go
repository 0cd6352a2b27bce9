package clickblock

import (
	"fmt"
	"strings"
	"testing"

	"terse"
)

// made packs clicks with the Packer.
func made(p *Packer, clicks ...terse.Click) (packed []Click) {
	batch := terse.ClicksOf(clicks...)
	p.Begin(&batch)
	for i := range clicks {
		packed = append(packed, p.New(&batch.List[i], 0))
	}
	return packed
}

func referred(n int, value func(i int) string) (clicks []terse.Click) {
	for i := range n {
		clicks = append(clicks, terse.Click{
			Time: int64(i), Values: terse.Values{terse.ByReferrer: value(i)},
		})
	}
	return clicks
}

// namesOf reads the counts of a dimension.
func namesOf(t *testing.T, d terse.Dimension, pieces [][]byte) map[string]Sum {
	t.Helper()
	names := map[string]Sum{}
	for _, piece := range pieces {
		if len(piece) > maxPiece {
			t.Errorf("a piece has %d bytes", len(piece))
		}
		r := reader{b: piece}
		for r.version(); r.at < len(r.b); {
			value := unpackValue(d, r.value())
			names[value] = r.sum()
		}
		if r.bad {
			t.Fatal("damaged")
		}
	}
	return names
}

func TestCountIsBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		clicks int
		length int
		values int // kept
	}{
		{"many", 12_000, 10, 10_000},
		{"long", 1000, 1000, terse.MaxDayBytes / 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := NewPacker()
			value := func(i int) string { return fmt.Sprintf("https://%0*d", tt.length-8, i) }
			clicks := made(p, referred(tt.clicks, value)...)
			var pieces [][]byte
			var err error
			for range 2 { // the same values stay
				if pieces, err = p.Count(terse.ByReferrer, pieces, nil, clicks); err != nil {
					t.Fatal(err)
				}
			}
			names := namesOf(t, terse.ByReferrer, pieces)
			other := names[terse.OtherValue]
			delete(names, terse.OtherValue)
			if len(names) != tt.values || other.Clicks != 2*int64(tt.clicks-tt.values) {
				t.Errorf("%d values, and %d clicks of others", len(names), other.Clicks)
			}
			for name, sum := range names {
				if (sum != Sum{Clicks: 2, People: 2}) {
					t.Fatalf("%s: %+v", name, sum)
				}
			}
			// A folded click has the same value in its block and in the counts.
			if last := clicks[len(clicks)-1].IDs[terse.ByReferrer]; last != otherID {
				t.Errorf("the last click has value %d", last)
			}
		})
	}
}

func TestCountsOfPeopleAndFirsts(t *testing.T) {
	t.Parallel()
	p := NewPacker()
	of := func(visitor string) terse.Click {
		return terse.Click{Values: terse.Values{
			terse.ByVisitor: visitor, terse.ByBrowser: strings.ToUpper(visitor),
		}}
	}
	clicks := made(p, of(terse.Person), of(terse.Bot), of(""), of(terse.Person), of(terse.Prefetch))
	clicks[0].First, clicks[2].First = true, true
	if got := p.SumOf(clicks); got != (Sum{5, 4, 2}) {
		t.Errorf("all: %+v", got)
	}
	pieces, err := p.Count(terse.ByVisitor, nil, nil, clicks)
	if err != nil {
		t.Fatal(err)
	}
	names := namesOf(t, terse.ByVisitor, pieces)
	for name, want := range map[string]Sum{
		terse.Person: {2, 2, 1}, terse.Bot: {1, 0, 0}, terse.Prefetch: {1, 1, 0},
	} {
		if names[name] != want {
			t.Errorf("%s: %+v", name, names[name])
		}
	}
	if len(names) != 3 { // nothing known is not among them
		t.Errorf("%v", names)
	}
	if pieces, err = Merge(pieces, pieces); err != nil {
		t.Fatal(err)
	}
	if got := namesOf(t, terse.ByVisitor, pieces)[terse.Person]; got != (Sum{4, 4, 2}) {
		t.Errorf("of two days: %+v", got)
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	h := Head{
		Sum: Sum{9, 5, 3}, Last: -7, Blocks: 300,
		Days: []DaySum{{Day: 20_000, Sum: Sum{4, 3, 2}}, {Day: 20_001, Sum: Sum{5, 2, 1}}},
	}
	row := h.Append(nil)
	got, err := ParseHead(row)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(h) {
		t.Errorf("%+v, %v", got, err)
	}
	for n := range row {
		if _, err := ParseHead(row[:n]); err == nil {
			t.Errorf("%d of %d bytes are a head", n, len(row))
		}
	}
}

func TestCountLinks(t *testing.T) {
	t.Parallel()
	p := NewPacker()
	clicks := made(p, make([]terse.Click, 30_000)...)
	want := map[Link]Sum{}
	for i := range clicks {
		if link := (Link{ID: terse.LinkID(i % 20_000), Era: uint32(i % 2)}); link.ID > 0 {
			clicks[i].IDs[ByLink] = p.LinkID(link)
			sum := want[link]
			sum.Add(Sum{Clicks: 2, People: 2})
			want[link] = sum
		}
	}
	pieces, err := p.CountLinks(nil, clicks)
	if err == nil {
		pieces, err = p.CountLinks(pieces, clicks)
	}
	got := map[Link]Sum{}
	if err == nil {
		err = EachLink(pieces, func(l Link, s Sum) { got[l] = s })
	}
	if err != nil || len(pieces) < 2 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d links in %d pieces, %v", len(got), len(pieces), err)
	}
}

// A Packer forgets values rather than growing without bound.
func TestPackerIsBounded(t *testing.T) {
	t.Parallel()
	p := NewPacker()
	for i := range 10_000 {
		p.Reset()
		made(p, terse.Click{Values: terse.Values{
			terse.ByReferrer: fmt.Sprint(i, strings.Repeat("x", 900)),
		}})
		if kept := p.tables[terse.ByReferrer].packed.Size(); kept > maxKeptBytes+2000 {
			t.Fatalf("%d bytes kept", kept)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	p := NewPacker()
	value := func(i int) string { return fmt.Sprint("https://", i%7, "/") }
	clicks := made(p, referred(40, value)...)
	clicks[3].First = true
	f.Add(p.Pack(clicks))
	for i := range clicks {
		clicks[i].Offset = uint16(i)
		clicks[i].IDs[ByLink] = p.LinkID(Link{ID: terse.LinkID(i)})
	}
	f.Add(p.PackNeighbours(clicks))
	f.Fuzz(func(t *testing.T, block []byte) {
		p := NewPacker()
		clicks, err := p.Unpack(nil, block)
		if err != nil {
			return
		}
		again, err := p.Unpack(nil, p.PackNeighbours(clicks))
		if err != nil || fmt.Sprint(clicks) != fmt.Sprint(again) {
			t.Errorf("%v, and packed again %v: %v", clicks, again, err)
		}
	})
}
