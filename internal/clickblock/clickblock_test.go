package clickblock

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"terse"
)

// pack returns clicks, which are sorted, as the Packer's.
func pack(p *Packer, clicks ...terse.Click) (packed []Click) {
	batch := terse.ClicksOf(clicks...)
	p.Begin(&batch, func() {})
	for i := range clicks {
		packed = append(packed, p.New(&batch.List[i], 0))
	}
	return packed
}

// A Packer forgets values rather than keeping any number of them.
func TestPackerIsBounded(t *testing.T) {
	t.Parallel()
	p := NewPacker()
	long := strings.Repeat("x", 900)
	var clicks []Click
	for i := range 10_000 {
		p.Reset()
		clicks = pack(p, terse.Click{Values: terse.Values{terse.ByReferrer: fmt.Sprint(i, long)}})
		if kept := p.tables[terse.ByReferrer].packed.Size(); kept > maxKeptBytes+2000 {
			t.Fatalf("%d bytes kept", kept)
		}
	}
	s := NewSelector(&terse.ClickFilter{})
	if _, err := s.Open(p.Pack(clicks), -1); err != nil {
		t.Fatal(err)
	}
	err := s.Values(func(_ int, d terse.Dimension, value string) {
		if d != terse.ByReferrer || value != "9999"+long {
			t.Errorf("%v: %s", d, value)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// Values of a batch that a Packer has no room to look up at once are looked up when they come.
func TestPackerLooksUpTheRest(t *testing.T) {
	t.Parallel()
	p := NewPacker()
	var batch []terse.Click
	for i := range 3 * learntAtOnce {
		value := fmt.Sprint(i, strings.Repeat("x", 900))
		batch = append(batch, terse.Click{Values: terse.Values{terse.ByReferrer: value}})
	}
	numbered := terse.ClicksOf(batch...)
	yields := 0
	p.Begin(&numbered, func() { yields++ })
	if kept := p.keptBytes(); kept < maxKeptBytes/2 || kept > maxKeptBytes || yields < 2 {
		t.Errorf("%d bytes are kept, after %d yields", kept, yields)
	}
	s := NewSelector(&terse.ClickFilter{})
	for i := range batch {
		if p.Full() {
			p.Reset()
		}
		if _, err := s.Open(p.Pack([]Click{p.New(&numbered.List[i], 0)}), -1); err != nil {
			t.Fatal(err)
		}
		err := s.Values(func(_ int, d terse.Dimension, value string) {
			if value != batch[i].Values[d] {
				t.Fatalf("%d: %v: %s", i, d, value)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What is packed today is packed the same tomorrow: stores keep these bytes.
func TestPackedBytesStay(t *testing.T) {
	t.Parallel()
	p := NewPacker()
	clicks := pack(p,
		terse.Click{Time: 1000, Values: terse.Values{
			terse.ByCountry: "DE", terse.ByReferrer: "https://a.b/",
		}},
		terse.Click{Time: 1003},
	)
	block := "\x02\x02\x02" + // version, clicks, columns
		"\x01\x06\x02" + "\x10DE" + "\x00" + "\x02" + // ID, bytes, values, and their places
		"\x02\x07\x02" + "\x1da.b" + "\x00" + "\x02" +
		"\xd0\x0f\x03" // times
	if got := string(p.Pack(clicks)); got != block {
		t.Errorf("block %q, want %q", got, block)
	}
	counts, err := p.Count(nil, clicks)
	if err != nil {
		t.Fatal(err)
	}
	want := "\x01\x02\x02" + "\x01\x07\x02" + "\x00\x01" + "\x10DE\x01" +
		"\x02\x08\x02" + "\x00\x01" + "\x1da.b\x01"
	if string(counts) != want {
		t.Errorf("counts %q, want %q", counts, want)
	}
}

func FuzzValue(f *testing.F) {
	for _, s := range []string{
		"", "/", "direct", "https://", "https://www./",
		"http://a.example/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > terse.MaxReferrerBytes {
			t.Skip()
		}
		for d := range terse.NumDimensions {
			want := s
			if s == "" {
				want = d.Unknown()
			}
			r := reader{b: appendValue(nil, d, []byte(s))}
			if got := unpackValue(d, r.value()); got != want || r.bad || len(r.rest()) > 0 {
				t.Errorf("%q becomes %q", s, got)
			}
		}
	})
}

func BenchmarkPack(b *testing.B) {
	p := NewPacker()
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([]terse.Click, MaxClicks)
	for i := range all {
		all[i] = terse.Click{Time: int64(i) * 1000, Values: terse.Values{
			terse.ByCountry:  terse.Country{'A' + byte(rng.IntN(26)), 'X'}.String(),
			terse.ByReferrer: fmt.Sprintf("https://site%d.example/", rng.IntN(50)),
		}}
	}
	clicks := pack(p, all...)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(p.Pack(clicks))))
	}
}
