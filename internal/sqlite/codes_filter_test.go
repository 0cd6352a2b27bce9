package sqlite

import (
	"testing"

	"terse"
)

// A filter has what was added, and few others even when it is full.
func TestCodeFilter(t *testing.T) {
	t.Parallel()
	const asked = 100_000
	f := newCodeFilter(50_000)
	var codes []terse.Code
	for full := false; !full; {
		code := terse.NewCode()
		full = f.add(code)
		codes = append(codes, code)
	}
	if len(codes) < 60_000 || f.add(codes[0]) {
		t.Errorf("full after %d codes, or twice", len(codes))
	}
	for _, code := range codes {
		if !f.has(code) {
			t.Fatalf("%v was added", code)
		}
	}
	passed := 0
	for range asked {
		if f.has(terse.NewCode()) {
			passed++
		}
	}
	if passed > asked/100 {
		t.Errorf("%d of %d other codes pass", passed, asked)
	}
}

func BenchmarkCodeFilter(b *testing.B) {
	const links = 10_000_000
	f := newCodeFilter(links)
	for range links {
		f.add(terse.NewCode())
	}
	codes := make([]terse.Code, 1<<16)
	for i := range codes {
		codes[i] = terse.NewCode()
	}
	passed, n := 0, 0
	for b.Loop() {
		if f.has(codes[n&(1<<16-1)]) {
			passed++
		}
		n++
	}
	b.ReportMetric(float64(passed)/float64(n), "passed/op")
}
