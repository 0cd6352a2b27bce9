package main

import (
	"errors"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"terse"
)

func TestCodesOfLinks(t *testing.T) {
	t.Parallel()
	if gcd := new(big.Int).GCD(nil, nil, big.NewInt(multiplier),
		big.NewInt(codeValues)); gcd.Int64() != 1 {
		t.Errorf("codes come twice: the multiplier has the factor %v in common with their number",
			gcd)
	}
	if multiplier*maxLinks >= 1<<53 {
		t.Error("a number in Lua does not hold the product")
	}
	seen := map[string]bool{}
	for i := 1; i <= hotLinks; i++ {
		code := codeOf(i)
		if _, err := terse.ParseCode(code); err != nil || len(code) != codeLength || seen[code] {
			t.Fatalf("link %d has the code %q, seen before: %v; %v", i, code, seen[code], err)
		}
		seen[code] = true
	}
}

// The control plane would answer a route's name.
func TestNoCodeIsReserved(t *testing.T) {
	t.Parallel()
	inverse := new(big.Int).ModInverse(big.NewInt(multiplier), big.NewInt(codeValues))
	for _, name := range []string{"metrics", "openapi"} {
		v := new(big.Int)
		for _, c := range name {
			v.Add(v.Mul(v, big.NewInt(62)), big.NewInt(int64(strings.IndexRune(alphabet, c))))
		}
		if i := v.Mod(v.Mul(v, inverse), big.NewInt(codeValues)); i.Int64() <= maxLinks {
			t.Errorf("link %v has the code %s", i, name)
		}
	}
}

func TestURLsAreAbout60Bytes(t *testing.T) {
	t.Parallel()
	for _, i := range []int{1, hotLinks, maxLinks} {
		if n := len(urlOf(i)); n < 55 || n > 65 {
			t.Errorf("%s has %d bytes", urlOf(i), n)
		}
	}
}

func TestParseWrk(t *testing.T) {
	t.Parallel()
	const prose = "Running 3s test @ http://127.0.0.1:1\nRESULT "
	r, err := parseWrk(prose+"1000 500000 640 3100 0 0 0\n", false)
	if want := (result{requests: 1000, rate: 2000, p50: 640, p99: 3100}); err != nil || r != want {
		t.Errorf("%+v, %v; want %+v", r, err, want)
	}
	if _, err := parseWrk(prose+"1000 500000 640 3100 1000 0 0\n", true); err != nil {
		t.Errorf("all unknown: %v", err)
	}
	for what, out := range map[string]string{
		"an error status":   prose + "1000 500000 640 3100 1 0 0\n",
		"a broken request":  prose + "1000 500000 640 3100 0 1 0\n",
		"a late answer":     prose + "1000 500000 640 3100 0 0 1\n",
		"nothing answered":  prose + "0 500000 0 0 0 0 0\n",
		"no result":         "unable to connect",
		"an unfinished one": prose + "1000 50",
	} {
		if _, err := parseWrk(out, false); err == nil {
			t.Errorf("%s is no failure", what)
		}
	}
	if _, err := parseWrk(prose+"1000 500000 640 3100 999 0 0\n", true); err == nil {
		t.Error("a code that ought to be unknown was found; that is no failure")
	}
}

func TestSeries(t *testing.T) {
	t.Parallel()
	odd, even := series{5, 1, 9}, series{4, 1, 2, 8}
	if odd.median() != 5 || even.median() != 3 {
		t.Errorf("medians %v and %v, want 5 and 3", odd.median(), even.median())
	}
	if got := odd.spread(whole); got != "5 (1–9)" {
		t.Errorf("spread %q", got)
	}
	if got := (series{10, 3, 4}).over(series{5, 3, 8}).spread(ratio); got != "1.00 (0.50–2.00)" {
		t.Errorf("ratios %q", got)
	}
	if got := even.at(0.99); got != 8 {
		t.Errorf("p99 is %v", got)
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		floor *floor
		value float64
		runs  series
		want  string
	}{
		{nil, 1, series{1}, ""},
		{least(1.05), 1.05, series{1.05}, "≥ 1.05: met"},
		{least(1.05), 1.04, series{1.04}, "≥ 1.05: missed"},
		{least(1.05), 1.06, series{1, 1.06, 1.2}, "≥ 1.05: met"},
		{least(1.05), 1.04, series{1, 1.04, 1.05}, "≥ 1.05: met within the scatter"},
		{least(1.05), 1, series{0.9, 1, 1.04}, "≥ 1.05: missed"},
		{most(300, " ms"), 300, series{300}, "≤ 300 ms: met"},
		{most(300, " ms"), 301, series{301}, "≤ 300 ms: missed"},
		{most(300, " ms"), 310, series{299, 310, 320}, "≤ 300 ms: met within the scatter"},
		{least(8000), 7999, series{7999}, "≥ 8,000: missed"},
		{least(0.5).of("nginx"), math.NaN(), series{math.NaN()}, "≥ 0.5 of nginx: missed"},
		{
			least(0.5).unjudged(machineBusy), 0.6,
			series{0.6},
			"≥ 0.5: not judged, the machine was busy",
		},
	} {
		if got := test.floor.verdict(test.value, test.runs); got != test.want {
			t.Errorf("%v against %v: %q, want %q", test.value, test.floor, got, test.want)
		}
	}
}

func TestBusy(t *testing.T) {
	t.Parallel()
	quiet := measured{others: series{0.01, 0.02, 0.9}}
	used := measured{others: series{0.01, 0.2, 0.9}}
	if busy(quiet, quiet) || !busy(quiet, used) {
		t.Errorf("busy: %t and %t, want false and true", busy(quiet, quiet), busy(quiet, used))
	}
}

// A floor of a ratio judges the comparison, any other floor terse alone.
func TestFigures(t *testing.T) {
	t.Parallel()
	ours, others := series{9, 10, 12}, series{10, 10, 10}
	for _, test := range []struct {
		of    []series
		floor *floor
		want  row
	}{
		{[]series{ours}, least(10), row{"s", "m", "10 (9–12)", "", "", "", "≥ 10: met"}},
		{
			[]series{ours, others},
			least(11),
			row{
				"s", "m", "10 (9–12)", "10 (10–10)", "1.00", "1.00 (0.90–1.20)",
				"≥ 11: met within the scatter",
			},
		},
		{
			[]series{ours, others},
			least(1.3).of("nginx"),
			row{
				"s", "m", "10 (9–12)", "10 (10–10)", "1.00", "1.00 (0.90–1.20)",
				"≥ 1.3 of nginx: missed",
			},
		},
	} {
		if got := figures("s", "m", whole, test.of, test.floor); !slices.Equal(got, test.want) {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// Beside a second terse, floors of ratios to nginx and the like are not judged.
func TestBesides(t *testing.T) {
	t.Parallel()
	alone, beside := &bench{}, &bench{other: &program{}}
	f := least(1).of("nginx")
	if got := alone.besides(f).verdict(1, series{1}); got != "≥ 1 of nginx: met" {
		t.Error(got)
	}
	want := "≥ 1 of nginx: not judged, that is not beside it"
	if got := beside.besides(f).verdict(1, series{1}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if beside.besides(nil) != nil {
		t.Error("no floor has become one")
	}
}

func TestInTurns(t *testing.T) {
	t.Parallel()
	n := 0.0
	values, err := inTurns(2, []string{"a", "b"}, func(string) ([]float64, error) {
		n++
		return []float64{n, -n}, nil
	})
	want := [][]series{{{1, 3}, {2, 4}}, {{-1, -3}, {-2, -4}}}
	if err != nil || !reflect.DeepEqual(values, want) {
		t.Errorf("%v, %v; want %v", values, err, want)
	}
	broken := errors.New("broken")
	_, err = inTurns(1, []int{1}, func(int) ([]float64, error) { return nil, broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	got := table([]string{"a", "µs"}, []row{{"wide", "1"}})
	want := "| a    | µs |\n|------|----|\n| wide | 1  |\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for value, want := range map[float64]string{
		0: "0", 999: "999", 1000: "1,000",
		1234567.4: "1,234,567",
	} {
		if got := whole(value); got != want {
			t.Errorf("%v is written %q, want %q", value, got, want)
		}
	}
}

func TestWriteBetween(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "doc.md")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("before\n<!-- x:start -->\nold\n<!-- x:end -->\nafter\n")
	for range 2 { // the second time it replaces its own text
		if err := writeBetween(path, "x", "new\n"); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if want := "before\n<!-- x:start -->\n\nnew\n\n<!-- x:end -->\nafter\n"; err != nil ||
		string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	write("<!-- x:start -->\nno end")
	if err := writeBetween(path, "x", "new"); err == nil {
		t.Error("a document without an end marker was written")
	}
}

// The program writes into this document.
func TestDocumentHasPlaces(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(document), "<!-- measured:start -->\n")
	if !found || !strings.Contains(rest, "<!-- measured:end -->") {
		t.Error("no place for what is measured")
	}
}

func TestRedirectOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/code" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Location", "https://example.com/")
		w.WriteHeader(http.StatusFound)
	}))
	defer server.Close()
	p := &process{addr: server.Listener.Addr().String()}
	if err := p.redirectOnce(t.Context(), "code"); err != nil || p.redirects.Load() != 1 {
		t.Errorf("%d redirects: %v", p.redirects.Load(), err)
	}
	if err := p.redirectOnce(t.Context(), "gone"); err == nil {
		t.Error("an unknown code is no failure")
	}
}
