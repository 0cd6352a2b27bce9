package clickblock

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"terse"
)

// Sums are exact in bounded memory, however many values there are.
func TestSumsInPasses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		q     terse.SeriesQuery
		hosts int // of the referrers
	}{
		{name: "all", hosts: 7},
		{name: "other hosts", hosts: math.MaxInt},
		{name: "limited", q: terse.SeriesQuery{Limit: 3, VisitorsBy: true}, hosts: 1000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const days, values = 100, 300
			long := strings.Repeat("x", 700)
			sum := func(i int) Sum {
				return Sum{int64(400 + i%977), int64(i % 300), int64(i % 89 / 80)}
			}
			value := func(i int) string {
				return fmt.Sprint("https://", i%tt.hosts, ".example/", i, long)
			}
			want := [terse.NumDimensions]map[string]Sum{}
			for d := range want {
				want[d] = map[string]Sum{}
			}
			total := Sum{}
			for i := range days * values {
				total.Add(sum(i))
				addTo(want[terse.ByReferrer], value(i), sum(i))
				addTo(want[terse.ByReferrerHost], fmt.Sprint(i%tt.hosts, ".example"), sum(i))
			}
			for d := range tt.q.Without {
				tt.q.Without[d] = len(want[d]) == 0
			}
			s, passes := NewSums(&tt.q, Everyone), 0
			for ; passes == 0 || s.Next(); passes++ {
				for day := range days {
					var w countWriter
					for i := day * values; i < (day+1)*values; i++ {
						w.add(appendText(nil, []byte(value(i))), sum(i))
					}
					for _, piece := range w.end() {
						if err := s.AddPiece(terse.ByReferrer, piece); err != nil {
							t.Fatal(err)
						}
					}
					if s.bytes > maxPassBytes {
						t.Fatalf("%d bytes are taken", s.bytes)
					}
				}
				if err := s.AddRest(total); err != nil {
					t.Fatal(err)
				}
			}
			if passes < 2 || passes > 5 {
				t.Errorf("%d passes", passes)
			}
			clicks, visitors := s.By()
			wantLargest(t, clicks, visitors, want, &tt.q)
		})
	}
}

func addTo(sums map[string]Sum, name string, s Sum) {
	before := sums[name]
	before.Add(s)
	sums[name] = before
}

// wantLargest compares maps with the largest of the given sums: those that remain when the smallest
// move to other until the rest is within the bounds.
func wantLargest(t *testing.T, clicks, visitors [terse.NumDimensions]map[string]int64,
	want [terse.NumDimensions]map[string]Sum, q *terse.SeriesQuery,
) {
	t.Helper()
	var all []named
	for d := range want {
		for text, sum := range want[d] {
			all = append(all, named{terse.Dimension(d), text, sum})
		}
	}
	slices.SortFunc(all, func(a, b named) int {
		visitors := cmp.Compare(b.Firsts, a.Firsts)
		if !q.VisitorsBy {
			visitors = 0
		}
		return cmp.Or(visitors, cmp.Compare(b.Clicks, a.Clicks), strings.Compare(a.text, b.text))
	})
	kept, others, bytes := [terse.NumDimensions]map[string]Sum{}, want, 0
	for d := range kept {
		kept[d], others[d] = map[string]Sum{}, map[string]Sum{}
	}
	for _, n := range all {
		if q.Limit > 0 && len(kept[n.of]) == q.Limit || bytes+len(n.text) > maxAnswerBytes {
			addTo(others[n.of], terse.OtherValue, n.Sum)
			if q.Limit == 0 {
				bytes = maxAnswerBytes // smaller values are left out, too
			}
			continue
		}
		kept[n.of][n.text] = n.Sum
		bytes += len(n.text)
	}
	for d := range kept {
		if q.Without[d] {
			continue
		}
		maps.Copy(kept[d], others[d])
		if len(clicks[d]) != len(kept[d]) || q.VisitorsBy && len(visitors[d]) != len(kept[d]) {
			t.Errorf("%d values of %v, want %d", len(clicks[d]), terse.Dimension(d), len(kept[d]))
		}
		for text, sum := range kept[d] {
			if clicks[d][text] != sum.Clicks || q.VisitorsBy && visitors[d][text] != sum.Firsts {
				t.Fatalf("%.40s: %d, %d, want %v", text, clicks[d][text], visitors[d][text], sum)
			}
		}
	}
}

func TestLargest(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		most, n := 1+rng.IntN(40), rng.IntN(300)
		l := largest{most: most, byVisitors: rng.IntN(2) == 0}
		var all []named
		for i := range n {
			d := terse.Dimension(rng.IntN(2))
			sum := Sum{int64(1 + rng.IntN(20)), 0, int64(rng.IntN(2))}
			all = append(all, named{d, fmt.Sprint(i), sum})
		}
		if rng.IntN(2) == 0 {
			all = append(all, named{0, terse.OtherValue, Sum{Clicks: 5}})
		}
		for _, n := range all {
			if l.add(n.of, n.text, n.Sum); rng.IntN(50) == 0 {
				l.trim()
			}
		}
		l.trim()
		var want [terse.NumDimensions]map[string]Sum
		for d := range want {
			want[d] = map[string]Sum{}
		}
		var kept [terse.NumDimensions]int
		for _, n := range slices.SortedFunc(slices.Values(all), l.order) {
			if n.text != terse.OtherValue && kept[n.of] < most {
				kept[n.of]++
			} else {
				n.text = terse.OtherValue
			}
			addTo(want[n.of], n.text, n.Sum)
		}
		if got := l.sums(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("the largest %d of %v are %v, want %v", most, all, got, want)
		}
	}
}

// Cursors contain hashes, so hashes must never change.
func TestHash(t *testing.T) {
	t.Parallel()
	values := terse.Values{
		terse.ByReferrer: "https://news.example/", terse.ByRegion: "DE-BE", terse.ByCountry: "DE",
	}
	// Of 01 02 "DE" 02 15 "https://news.example/" 03 05 "DE-BE".
	if got, want := Hash(&values), uint64(0x412482609903e92d); got != want {
		t.Errorf("the hash is %#x, want %#x", got, want)
	}
	same := values
	same[terse.ByOS], same[terse.ByReferrerHost] = terse.ByOS.Unknown(), "news.example"
	if Hash(&same) != Hash(&values) {
		t.Error("defaults and what is derived change the hash")
	}
	if got := Hash(&terse.Values{}); got != 0xef46db3751d8e999 {
		t.Errorf("the hash of nothing is %#x", got)
	}
}

// randomClicks returns sorted clicks of one link.
func randomClicks(p *Packer, rng *rand.Rand, n int) []Click {
	clicks := make([]terse.Click, n)
	for i := range clicks {
		clicks[i] = terse.Click{Time: rng.Int64N(1e12), Values: terse.Values{
			terse.ByCountry:  fmt.Sprintf("%c%c", 'A'+rng.IntN(3), 'A'+rng.IntN(9)),
			terse.ByReferrer: fmt.Sprintf("https://site%d.example/", rng.IntN(50)),
			terse.ByBrowser:  []string{"", "Chrome", "Safari", "Firefox", "Edge"}[rng.IntN(5)],
			terse.ByOS:       []string{"", "Android", "iOS", "Windows"}[rng.IntN(4)],
			terse.ByDevice:   []string{"desktop", "mobile"}[rng.IntN(2)],
			terse.ByLanguage: []string{"en", "de", "fr", "es"}[rng.IntN(4)],
			terse.ByVisitor:  []string{terse.Person, terse.Person, terse.Bot}[rng.IntN(3)],
		}}
	}
	packed := made(p, clicks...)
	for i := range packed {
		packed[i].First = rng.IntN(2) == 0
	}
	Sort(packed)
	return packed
}

// read reads bytes in every way, and reports whether one of them accepted the bytes.
func read(t testing.TB, b []byte) bool {
	q := terse.SeriesQuery{VisitorsBy: true}
	filter := terse.ClickFilter{terse.ByVisitor: {Not: []string{terse.Bot}}}
	filter[terse.ByReferrerHost].Only = []string{"site1.example", "site2.example", "direct"}
	clicks, unpack := NewPacker().Unpack(nil, b)
	good := unpack == nil
	check := func(what string, err error) bool {
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		if err != nil && unpack == nil {
			t.Errorf("unpacked, but %s: %v", what, err)
		}
		return err == nil
	}
	for _, s := range []*Selector{
		NewSelector(&terse.ClickFilter{}, nil), NewSelector(&filter, nil),
		NewSelector(&filter, func(l Link) bool { return l.ID%2 == 0 }),
	} {
		for _, offset := range []int{-1, 0, 300} {
			n, err := s.Open(b, offset, 0, 1<<40)
			if !check("open", err) || n == 0 {
				continue
			}
			people, err := s.People(true, true)
			check("people", err)
			all := s.Sum(people)
			links := NewLinkSums(true)
			check("links", links.AddChosen(s))
			_, err = s.Links()
			check("links", err)
			check("values", s.Values(func(int, terse.Dimension, string) {}))
			sums := NewSums(&q, Everyone)
			for first := true; first || sums.Next(); first = false {
				if !check("sums", sums.AddChosen(s)) {
					return good
				}
			}
			good = true
			by, _ := sums.By()
			for d := range by {
				total := int64(0)
				for _, n := range by[d] {
					total += n
				}
				if total != all.Clicks || n > len(clicks) && unpack == nil {
					t.Fatalf("%v: the sums of %d clicks are %d", terse.Dimension(d), n, total)
				}
			}
		}
	}
	unpack = ErrDamaged // as counts the bytes are others
	sums := NewSums(&q, OnlyPeople)
	good = check("piece", sums.AddPiece(terse.ByReferrer, b)) || good
	check("rest", sums.AddRest(Sum{}))
	check("room", NewRoom(terse.ByReferrer).Admit(b))
	return good
}

// packedOften packs the same clicks three times: as clicks of one link, of an owner's neighbouring
// links, and as those with numbers.
func packedOften(rng *rand.Rand, n int) [][]byte {
	p := NewPacker()
	clicks := randomClicks(p, rng, n)
	blocks := [][]byte{slices.Clone(p.Pack(clicks))}
	for i := range clicks {
		clicks[i].Offset = uint16(rng.IntN(2) * 300)
		clicks[i].IDs[ByLink] = p.LinkID(Link{terse.LinkID(rng.IntN(20)), uint32(rng.IntN(2))})
	}
	blocks = append(blocks, slices.Clone(p.PackNeighbours(clicks)))
	for i := range clicks {
		n := []int64{1, 1, 2, 64, 1e9, MaxEqual}[rng.IntN(6)]
		p.Number(&clicks[i], n, rng.Int64N(n+1))
	}
	return append(blocks, p.PackNeighbours(clicks))
}

// A click that stands for many counts in every way as so many clicks.
func TestEqualClicks(t *testing.T) {
	t.Parallel()
	rng, p := rand.New(rand.NewPCG(1, 2)), NewPacker()
	few := randomClicks(p, rng, 200)
	var all []Click
	for i := range few {
		c := &few[i]
		c.IDs[ByLink] = p.LinkID(Link{terse.LinkID(1 + rng.IntN(20)), 0})
		each := *c
		n := 1 + rng.IntN(2)*rng.IntN(30)
		firsts := rng.IntN(n + 1)
		if c.Bot() {
			firsts = 0
		}
		for k := range n {
			each.First = k < firsts
			all = append(all, each)
		}
		p.Number(c, int64(n), int64(firsts))
	}
	type answer struct {
		sum              Sum
		clicks, visitors [terse.NumDimensions]map[string]int64
		byLink           []LinkSum
		byTime           []Sum
		pieces           [][][]byte
	}
	filter := terse.ClickFilter{terse.ByVisitor: {Not: []string{terse.Bot}}}
	ask := func(clicks []Click, q *terse.SeriesQuery) (a answer) {
		a.sum = p.SumOf(clicks)
		s, sums, links := NewSelector(&q.Filter, nil), NewSums(q, Everyone), NewLinkSums(true)
		must := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		_, err := s.Open(slices.Clone(p.Pack(clicks)), -1, math.MinInt64, math.MaxInt64)
		must(err)
		must(sums.AddChosen(s))
		must(links.AddChosen(s))
		must(sums.MoveToOther(s, NewRoom(terse.ByReferrer)))
		a.clicks, a.visitors = sums.By()
		links.All(func(_ terse.LinkID, sum LinkSum) { a.byLink = append(a.byLink, sum) })
		people, err := s.People(true, true)
		must(err)
		times, err := s.Times()
		must(err)
		last := int64(-1)
		for _, i := range s.Chosen() {
			if times[i] != last {
				a.byTime, last = append(a.byTime, Sum{}), times[i]
			}
			a.byTime[len(a.byTime)-1].Add(people.Of(i))
		}
		for _, d := range Stored {
			pieces, err := p.Count(d, nil, nil, clicks)
			must(err)
			a.pieces = append(a.pieces, pieces)
		}
		pieces, err := p.CountLinks(nil, clicks)
		must(err)
		a.pieces = append(a.pieces, pieces)
		return a
	}
	for _, q := range []terse.SeriesQuery{
		{}, {VisitorsBy: true}, {VisitorsBy: true, Filter: filter},
	} {
		if got, want := ask(few, &q), ask(all, &q); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v: %+v, want %+v", q, got, want)
		}
	}
	if before, after := p.SumOf(few), p.SumOf(unpacked(t, p, p.Pack(few))); before != after {
		t.Errorf("%+v are unpacked to %+v", before, after)
	}
}

func unpacked(t *testing.T, p *Packer, block []byte) []Click {
	t.Helper()
	clicks, err := p.Unpack(nil, block)
	if err != nil {
		t.Fatal(err)
	}
	return clicks
}

// Every reader refuses a cut block. A changed byte is refused, or the block still adds up.
func TestDamage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, good := range packedOften(rng, 300) {
		if !read(t, good) {
			t.Error("a good block is refused")
		}
		for range 300 {
			n := rng.IntN(len(good))
			if read(t, good[:n]) {
				t.Errorf("the first %d of %d bytes are taken for all", n, len(good))
			}
			bad := slices.Clone(good)
			bad[n] ^= byte(1 + rng.IntN(255))
			read(t, bad)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, block := range packedOften(rand.New(rand.NewPCG(1, 2)), 40) {
		f.Add(block)
	}
	f.Fuzz(func(t *testing.T, b []byte) { read(t, b) })
}

func BenchmarkSum(b *testing.B) {
	p := NewPacker()
	block := p.Pack(randomClicks(p, rand.New(rand.NewPCG(1, 2)), MaxClicks))
	filter := terse.ClickFilter{
		terse.ByCountry: {Only: []string{"AA"}}, terse.ByBrowser: {Only: []string{"Edge"}},
	}
	for _, bb := range []struct {
		name string
		q    terse.SeriesQuery
	}{
		{"all", terse.SeriesQuery{}},
		{"visitors", terse.SeriesQuery{VisitorsBy: true}},
		{"filtered", terse.SeriesQuery{Filter: filter}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			clicks, sums := NewSelector(&bb.q.Filter, nil), NewSums(&bb.q, Everyone)
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := clicks.Open(block, -1, 0, math.MaxInt64-1); err != nil {
					b.Fatal(err)
				}
				if err := sums.AddChosen(clicks); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
