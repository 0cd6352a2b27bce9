package clickread

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"terse"
	"terse/internal/clickblock"
)

var day = terse.DayOf(time.Date(2026, 3, 28, 0, 0, 0, 0, time.UTC).UnixMicro())

// randomClicks returns clicks of a day with as many referrers and countries as told.
func randomClicks(rng *rand.Rand, n, referrers, countries int) []terse.Click {
	clicks := make([]terse.Click, n)
	for i := range clicks {
		clicks[i] = terse.Click{
			Time: day.Start() + rng.Int64N(24*time.Hour.Microseconds()),
			Values: terse.Values{
				terse.ByCountry:  terse.Country{'A' + byte(rng.IntN(countries)), 'X'}.String(),
				terse.ByReferrer: fmt.Sprintf("https://site%d.example/", rng.IntN(referrers)),
			},
		}
		clicks[i].Visitor = uint64(clicks[i].Time) % 3 // a first unless it is 0
	}
	return clicks
}

func tallyOf(r terse.TimeRange) *Tally { return NewTally(terse.SeriesQuery{Range: r}) }

func count(clicks []terse.Click) terse.Series {
	s := terse.NewSeries()
	for _, c := range clicks {
		s.Total++
		for d := range terse.NumDimensions {
			s.By[d][valueOf(&c, d)]++
		}
		s.ByInterval[terse.DayOf(c.Time).Start()]++
		if c.Visitor > 0 {
			s.Visitors++
			s.VisitorsByInterval[terse.DayOf(c.Time).Start()]++
		}
	}
	return s
}

func valueOf(c *terse.Click, d terse.Dimension) string {
	values := c.Values
	clickblock.Derive(&values)
	return values.Of(d)
}

// from returns the values of a click with a referrer.
func from(referrer string) terse.Values { return terse.Values{terse.ByReferrer: referrer} }

// addOne adds a click that is a batch of its own.
func addOne(p *clickblock.Packer, clicks []clickblock.Click, c *terse.Click, offset uint16) (
	added []clickblock.Click,
) {
	batch := terse.ClicksOf(*c)
	p.Begin(&batch, func() {})
	return append(clicks, p.New(&batch.List[0], offset))
}

// pack returns clicks as the Packer's, sorted.
func pack(p *clickblock.Packer, clicks []terse.Click) (packed []clickblock.Click) {
	batch := terse.ClicksOf(clicks...)
	p.Begin(&batch, func() {})
	for i := range clicks {
		packed = append(packed, p.New(&batch.List[i], 0))
		packed[i].First = clicks[i].Visitor > 0
	}
	clickblock.Sort(packed)
	return packed
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantStats(t *testing.T, tally *Tally, want terse.Series) {
	t.Helper()
	if diff := cmp.Diff(want, tally.Series()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is packed, unpacked by another Packer with more clicks, and packed again, is counted as it
// was.
func TestBlock(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 300, clickblock.MaxClicks / 2} {
		for _, values := range []int{1, 2, 26, 300, 5000} {
			clicks := randomClicks(rng, 2*n, values, min(values, 26))
			p := clickblock.NewPacker()
			block := p.Pack(pack(p, clicks[:n]))
			q := clickblock.NewPacker()
			pack(q, randomClicks(rng, 10, 10, 10))
			q.Reset()
			both, err := q.Unpack(pack(q, clicks[n:]), block)
			must(t, err)
			clickblock.Sort(both)
			tally := tallyOf(terse.AllTime)
			must(t, tally.AddBlock(q.Pack(both)))
			wantStats(t, tally, count(clicks))
		}
	}
}

// A block of several links tells their clicks apart.
func TestBucket(t *testing.T) {
	t.Parallel()
	for _, links := range []int{1, 256, 1 << 16} {
		t.Run(strconv.Itoa(links), func(t *testing.T) {
			t.Parallel()
			testBucket(t, links)
		})
	}
}

func testBucket(t *testing.T, links int) {
	rng := rand.New(rand.NewPCG(1, 2))
	clicks := randomClicks(rng, 2000, 300, 26)
	p := clickblock.NewPacker()
	var packed []clickblock.Click
	byOffset := map[uint16][]terse.Click{}
	for i := range clicks {
		offset := uint16(rng.IntN(links))
		packed = addOne(p, packed, &clicks[i], offset)
		packed[i].First = clicks[i].Visitor > 0
		byOffset[offset] = append(byOffset[offset], clicks[i])
	}
	clickblock.Sort(packed)
	packed, err := p.Unpack(nil, slices.Clone(p.PackNeighbours(packed)))
	must(t, err)
	for offset, clicks := range byOffset {
		tally := tallyOf(terse.AllTime)
		must(t, tally.AddLooseOf(p.PackNeighbours(packed), int(offset)))
		wantStats(t, tally, count(clicks))
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	clicks := randomClicks(rng, 500, 400, 5)
	p := clickblock.NewPacker()
	block := p.Pack(pack(p, clicks))
	for range 50 {
		a, b := clicks[rng.IntN(500)].Time, clicks[rng.IntN(500)].Time+int64(rng.IntN(3))-1
		if a >= b {
			continue
		}
		text := func(micros int64) string {
			return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano)
		}
		r, err := terse.ParseTimeRange(text(a), text(b))
		must(t, err)
		var in []terse.Click
		for _, c := range clicks {
			if r.Contains(c.Time) {
				in = append(in, c)
			}
		}
		tally := tallyOf(r)
		must(t, tally.AddBlock(block))
		wantStats(t, tally, count(in))
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	clicks := randomClicks(rng, 3000, 500, 26)
	var counts []byte
	for part := range 3 {
		p := clickblock.NewPacker()
		var err error
		counts, err = p.Count(counts, pack(p, clicks[part*1000:(part+1)*1000]))
		must(t, err)
	}
	tally := tallyOf(terse.AllTime)
	must(t, tally.AddCounts(day, counts))
	wantStats(t, tally, count(clicks))
}

// The first MaxReferrersPerDay keep their names, beside direct and other, in counts, blocks, and
// loose clicks.
func TestManyReferrers(t *testing.T) {
	t.Parallel()
	p, tally := clickblock.NewPacker(), tallyOf(terse.AllTime)
	var counts []byte
	for part := range 11 {
		p.Reset()
		var clicks []clickblock.Click
		for i := range 1000 {
			clicks = addOne(p, clicks, &terse.Click{
				Time:   day.Start(),
				Values: from(fmt.Sprintf("https://%d.example/", part*1000+i)),
			}, 0)
			clicks = addOne(p, clicks, &terse.Click{Time: day.Start()}, 0)
		}
		next, err := p.Count(counts, clicks)
		must(t, err)
		counts = append(counts[:0], next...)
		must(t, tally.AddBlock(p.Pack(clicks)))
	}
	blocks := tally.Series()
	tally = tallyOf(terse.AllTime)
	must(t, tally.AddCounts(day, counts))
	must(t, tally.Limit(day, counts))
	wantStats(t, tally, blocks)
	if n, other := len(
		blocks.By[terse.ByReferrer]),
		blocks.By[terse.ByReferrer][terse.OtherValue]; n != terse.MaxReferrersPerDay+2 ||
		other != 1000 {
		t.Errorf("%d referrers, %d clicks of others", n, other)
	}

	p.Reset()
	var loose []clickblock.Click
	for _, by := range []string{
		"https://0.example/", "https://new.example/",
		terse.DirectReferrer,
	} {
		loose = addOne(p, loose, &terse.Click{Time: day.Start(), Values: from(by)}, 0)
		loose = addOne(p, loose, &terse.Click{Time: day.Start() - 1, Values: from(by)}, 0)
	}
	clickblock.Sort(loose)
	must(t, tally.AddLoose(p.Pack(loose)))
	for name, want := range map[string]int64{
		"https://0.example/": 3, "https://new.example/": 1,
		terse.OtherValue: 1001,
	} {
		if got := tally.Series().By[terse.ByReferrer][name]; got != want {
			t.Errorf("%s: %d clicks, want %d", name, got, want)
		}
	}
}

func TestAnswerIsBounded(t *testing.T) {
	t.Parallel()
	p, tally := clickblock.NewPacker(), tallyOf(terse.AllTime)
	var clicks []clickblock.Click
	for i := range clickblock.MaxAnswerValues + 1000 {
		clicks = addOne(p, clicks, &terse.Click{Values: from(fmt.Sprint("https://", i))}, 0)
		if len(clicks) == 1000 {
			must(t, tally.AddBlock(p.Pack(clicks)))
			clicks = clicks[:0]
			p.Reset()
		}
	}
	s := tally.Series()
	if len(s.By[terse.ByReferrer]) != clickblock.MaxAnswerValues+1 ||
		s.By[terse.ByReferrer][terse.OtherValue] != 1000 {
		t.Errorf("%d referrers, %d clicks of others", len(s.By[terse.ByReferrer]),
			s.By[terse.ByReferrer][terse.OtherValue])
	}
}

// Unknown dimensions are skipped, missing ones have their default value.
func TestOtherDimensions(t *testing.T) {
	t.Parallel()
	block := []byte{2, 2, 2, 90, 3, 7, 7, 7} // two clicks; dimension 90 with three bytes
	block = append(block, 1, 4, 1, 2<<3, 'D', 'E')
	block = append(binary.AppendVarint(block, day.Start()), 5)
	counts := []byte{1, 3, 2, 90, 1, 0, 1, 5, 1, 2 << 3, 'D', 'E', 3}
	tally := tallyOf(terse.AllTime)
	must(t, tally.AddBlock(block))
	must(t, tally.AddCounts(day, counts))
	want := terse.Series{
		Total: 5, ByInterval: map[int64]int64{day.Start(): 5},
		VisitorsByInterval: map[int64]int64{},
	}
	for d := range terse.NumDimensions {
		want.By[d] = map[string]int64{d.Unknown(): 5}
	}
	want.By[terse.ByCountry] = map[string]int64{"DE": 5}
	wantStats(t, tally, want)

	p := clickblock.NewPacker()
	clicks, err := p.Unpack(nil, block)
	must(t, err)
	counts, err = p.Count(counts, clicks)
	must(t, err)
	tally = tallyOf(terse.AllTime)
	must(t, tally.AddCounts(day, counts))
	wantStats(t, tally, want)
}

// A cut is refused, and a changed byte is refused or still adds up, whoever reads it.
func TestDamage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, values := range []int{1, 5, 300} {
		p := clickblock.NewPacker()
		clicks := pack(p, randomClicks(rng, 400, values, min(values, 26)))
		counts, err := p.Count(nil, clicks)
		must(t, err)
		bucket := slices.Clone(p.PackNeighbours(clicks))
		for _, good := range [][]byte{p.Pack(clicks), bucket, counts} {
			for range 200 {
				n := rng.IntN(len(good))
				if read(t, good[:n]) {
					t.Errorf("the first %d of %d bytes are taken for all", n, len(good))
				}
				bad := append([]byte{}, good...)
				bad[n] ^= byte(1 + rng.IntN(255))
				read(t, bad)
			}
		}
	}
}

// read reads bytes in every way, and reports whether they were good for one.
func read(t testing.TB, b []byte) bool {
	p := clickblock.NewPacker()
	loose := tallyOf(terse.AllTime)
	loose.named[nameKey{day, terse.ByReferrer}] = &names{max: terse.ByReferrer.MaxValues()}
	bucket := tallyOf(terse.AllTime)
	add, addLoose, addBucket := tallyOf(terse.AllTime), loose.AddLoose(b), bucket.AddLooseOf(b, 0)
	clicks, unpack := p.Unpack(nil, b)
	addBlock := add.AddBlock(b)
	// To add a block is to look at what is asked for of it.
	if (addLoose == nil) != (addBlock == nil) ||
		unpack == nil && (addLoose != nil || addBucket != nil) {
		t.Errorf("unpacking says %v, adding %v, adding loose %v, adding of a bucket %v", unpack,
			addBlock, addLoose, addBucket)
	}
	if unpack == nil {
		p.PackNeighbours(clicks)
		wantSums(t, loose)
		wantSums(t, bucket)
	}
	if addBlock == nil {
		wantSums(t, add)
	}
	add = tallyOf(terse.AllTime)
	addCounts := add.AddCounts(day, b)
	if limit := tallyOf(terse.AllTime).Limit(day, b); addCounts == nil && limit != nil {
		t.Error(limit)
	}
	_, merge := p.Count(b, clicks)
	if addCounts == nil {
		wantSums(t, add)
	}
	add = tallyOf(terse.AllTime)
	addMonth := add.AddMonth(b)
	if addMonth == nil {
		wantSums(t, add)
	}
	for _, err := range []error{unpack, addBlock, addLoose, addCounts, addMonth, merge} {
		if err != nil && !errors.Is(err, clickblock.ErrDamaged) {
			t.Error(err)
		}
	}
	return unpack == nil || addBlock == nil || addCounts == nil || merge == nil
}

func wantSums(t testing.TB, tally *Tally) {
	t.Helper()
	s := tally.Series()
	times := map[string]int64{}
	for at, n := range s.ByInterval {
		times[fmt.Sprint(at)] = n
	}
	for _, m := range append(slices.Clone(s.By[:]), times) {
		for _, n := range m {
			s.Total -= n
		}
		if s.Total != 0 {
			t.Fatalf("a map does not add up to the total: %v", s)
		}
		s.Total = tally.total
	}
}

func FuzzRead(f *testing.F) {
	p := clickblock.NewPacker()
	clicks := pack(p, randomClicks(rand.New(rand.NewPCG(1, 2)), 50, 5, 5))
	f.Add(slices.Clone(p.Pack(clicks)))
	f.Add(slices.Clone(p.PackNeighbours(clicks)))
	clicks[1].Link = 300 // which has offsets be of two bytes
	f.Add(slices.Clone(p.PackNeighbours(clicks)))
	counts, err := p.Count(nil, clicks)
	must(f, err)
	f.Add(counts)
	month := NewMonth()
	must(f, month.Add(1, counts))
	must(f, month.Add(2, counts))
	f.Add(month.Pack())
	f.Fuzz(func(t *testing.T, b []byte) { read(t, b) })
}

// What earlier versions packed is read for ever. testdata has 900 clicks of version 1 each time.
func TestBytewiseBlocks(t *testing.T) {
	t.Parallel()
	for i, values := range []int{1, 20, 300} {
		clicks := randomClicks(rand.New(rand.NewPCG(1, uint64(values))), 900, values,
			min(values, 26))
		for i := range clicks {
			clicks[i].Visitor = 0
		}
		var ofLink []terse.Click
		for i := range clicks {
			if i%3 == 0 {
				clicks[i].Values[terse.ByRule] = "rule"
			}
			if i%7 == 2 {
				ofLink = append(ofLink, clicks[i])
			}
		}
		file := func(kind string) []byte {
			b, err := os.ReadFile(fmt.Sprintf("testdata/%s%d.v1", kind, i))
			must(t, err)
			return b
		}
		tally := tallyOf(terse.AllTime)
		must(t, tally.AddBlock(file("block")))
		wantStats(t, tally, count(clicks))
		tally = tallyOf(terse.AllTime)
		must(t, tally.AddCounts(day, file("counts")))
		wantStats(t, tally, count(clicks))

		p := clickblock.NewPacker()
		packed, err := p.Unpack(nil, file("bucket"))
		must(t, err)
		for _, bucket := range [][]byte{file("bucket"), p.PackNeighbours(packed)} {
			tally = tallyOf(terse.AllTime)
			must(t, tally.AddLooseOf(bucket, 2))
			wantStats(t, tally, count(ofLink))
		}
	}
}

// Filters count the same in a block, in a bucket and click by click.
func TestFilter(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 2))
	for n := 1; n < 3000; n = n*5/3 + 1 {
		clicks := randomClicks(rng, n, 1+rng.IntN(400), 1+rng.IntN(26))
		p := clickblock.NewPacker()
		packed := pack(p, clicks)
		block := slices.Clone(p.Pack(packed))
		for range 20 {
			q := terse.SeriesQuery{Range: terse.Days(day, day)}
			f := &q.Filter[terse.ByReferrer]
			for _, list := range []*[]string{
				&f.Only, &f.Not, &q.Filter[terse.ByCountry].Only, &q.Filter[terse.ByRule].Not,
			} {
				for d := terse.ByCountry; d <= terse.ByReferrer && rng.IntN(2) == 0; d++ {
					*list = append(*list, valueOf(&clicks[rng.IntN(n)], d))
				}
			}
			one, all, bucket := NewTally(q), NewTally(q), NewTally(q)
			_, err := one.sums.Open(block, -1)
			must(t, err)
			must(t, one.addOneByOne())
			must(t, all.AddBlock(block))
			wantStats(t, all, one.Series())
			must(t, bucket.AddLooseOf(p.PackNeighbours(packed), 0))
			wantStats(t, bucket, one.Series())
		}
	}
}

func BenchmarkAddBlock(b *testing.B) {
	p := clickblock.NewPacker()
	clicks := randomClicks(rand.New(rand.NewPCG(1, 2)), clickblock.MaxClicks, 50, 26)
	block := p.Pack(pack(p, clicks))
	tally := tallyOf(terse.AllTime)
	b.SetBytes(int64(len(block)))
	b.ReportAllocs()
	for b.Loop() {
		must(b, tally.AddBlock(block))
	}
}
