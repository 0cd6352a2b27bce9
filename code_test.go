package terse_test

import (
	"cmp"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"terse"
)

// codePattern is the contract's (Validation rules, 1).
var codePattern = regexp.MustCompile(`\A[a-zA-Z0-9_-]{3,20}\z`)

func TestParseCode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in string
		ok bool
	}{
		{"abc", true},
		{"AAA", true},
		{"---", true},
		{"___", true},
		{"0aZ_-", true},
		{strings.Repeat("A", 20), true},
		{strings.Repeat("-", 20), true},
		{"", false},
		{"ab", false},
		{strings.Repeat("a", 21), false},
		{"ab c", false},
		{"ab/c", false},
		{"ab.c", false},
		{"abc\n", false},
		{"ab\x00c", false},
		{"äbc", false},
		{"abс", false}, // a Cyrillic letter
	} {
		c, err := terse.ParseCode(tt.in)
		if (err == nil) != tt.ok {
			t.Errorf("ParseCode(%q): error %v, want ok = %v", tt.in, err, tt.ok)
			continue
		}
		if tt.ok && c.String() != tt.in {
			t.Errorf("ParseCode(%q).String() = %q", tt.in, c)
		}
		want := terse.ErrBadCode
		if len(tt.in) >= terse.MinCodeLength && len(tt.in) <= terse.MaxCodeLength {
			want = terse.ErrCodeCharacters
		}
		if !tt.ok && (c != terse.Code{} || err != want) {
			t.Errorf("ParseCode(%q) = %v, %v, want the zero code and %v", tt.in, c, err, want)
		}
	}
}

func TestCodesThatLookAlikeDiffer(t *testing.T) {
	t.Parallel()
	// 'A' is the digit 0: length must count.
	seen := map[terse.Code]string{}
	for _, s := range []string{
		"AAA", "AAAA", "AAAAA", "AAB", "aab", "BAA", "AAa",
		strings.Repeat("A", 10), strings.Repeat("A", 11), strings.Repeat("A", 20),
	} {
		c := mustCode(t, s)
		if other, taken := seen[c]; taken {
			t.Errorf("%q and %q have the same code", s, other)
		}
		seen[c] = s
	}
}

func TestZeroCode(t *testing.T) {
	t.Parallel()
	if s := (terse.Code{}).String(); s != "" {
		t.Errorf("the zero Code is %q, want nothing", s)
	}
	if _, err := terse.UnpackCode(0, 0); err == nil {
		t.Error("UnpackCode accepts the zero Code")
	}
}

func TestUnpackCodeRefusesWhatPackNeverReturns(t *testing.T) {
	t.Parallel()
	for _, words := range [][2]uint64{
		{0, 1},               // no characters
		{0, 1 << 12},         // two
		{0, 1 << 17},         // not whole characters
		{1 << 62, 0},         // 21 characters
		{^uint64(0), 0},      // no leading bit where one can be
		{0, ^uint64(0)},      // the same in the low word
		{127 << 57, 1 << 18}, // no domain
	} {
		if c, err := terse.UnpackCode(words[0], words[1]); err == nil {
			t.Errorf("UnpackCode(%#x, %#x) = %q, want an error", words[0], words[1], c)
		}
	}
}

func TestAppendTo(t *testing.T) {
	t.Parallel()
	if got := string(mustCode(t, "launch").AppendTo([]byte("/"))); got != "/launch" {
		t.Errorf("AppendTo = %q", got)
	}
}

//nolint:paralleltest // AllocsPerRun must run alone
func TestParseCodeDoesNotAllocate(t *testing.T) {
	path := []byte("abcdefghijklmnopqrst")
	if n := testing.AllocsPerRun(100, func() {
		if _, err := terse.ParseCode(path); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNewCode(t *testing.T) {
	t.Parallel()
	const n = 20_000
	legible := regexp.MustCompile(`\A[a-km-zA-HJ-NP-Z2-9]{7}\z`)
	seen := map[terse.Code]bool{}
	count := map[rune]int{}
	for range n {
		c := terse.NewCode(false)
		if s := c.String(); !legible.MatchString(s) {
			t.Fatalf("NewCode() = %q, want 7 letters and digits without 0 O 1 I l", s)
		}
		seen[c] = true
		for _, r := range c.String() {
			count[r]++
		}
	}
	if len(seen) < n-2 { // one pair among them has odds of 1 to 9,800
		t.Errorf("%d different codes of %d", len(seen), n)
	}
	// Each character comes 2456 times, give or take 49; seven times that is beyond chance.
	for r, c := range count {
		if c < 2456-344 || c > 2456+344 {
			t.Errorf("character %q came %d times of %d, want about 2456", r, c, n*7)
		}
	}
	if len(count) != 57 {
		t.Errorf("%d different characters, want 57", len(count))
	}
}

func FuzzCode(f *testing.F) {
	for _, s := range []string{
		"", "ab", "abc", "launch", "AAAA", strings.Repeat("_", 20),
		strings.Repeat("-", 21), "ab c", "é12",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := terse.ParseCode(s)
		if want := codePattern.MatchString(s); (err == nil) != want {
			t.Fatalf("ParseCode(%q): error %v, the pattern says %v", s, err, want)
		}
		if fromBytes, _ := terse.ParseCode([]byte(s)); fromBytes != c {
			t.Fatalf("ParseCode(%q) differs for bytes", s)
		}
		if err != nil {
			return
		}
		if c.String() != s {
			t.Fatalf("ParseCode(%q).String() = %q", s, c)
		}
		if again, err := terse.UnpackCode(c.Pack()); err != nil || again != c {
			t.Fatalf("UnpackCode(Pack()) of %q = %q, %v", s, again, err)
		}
	})
}

func FuzzUnpackCode(f *testing.F) {
	f.Add(uint64(0), uint64(0))
	f.Add(uint64(0), uint64(1)<<18)
	f.Fuzz(func(t *testing.T, hi, lo uint64) {
		c, err := terse.UnpackCode(hi, lo)
		if err != nil {
			return
		}
		if again, err := terse.ParseCode(c.String()); err != nil || again != c {
			t.Fatalf("UnpackCode(%#x, %#x) = %q, which ParseCode makes %q, %v", hi, lo, c, again,
				err)
		}
	})
}

func BenchmarkParseCode(b *testing.B) {
	path := []byte("Xy7KqP2")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := terse.ParseCode(path); err != nil {
			b.Fatal(err)
		}
	}
}

func mustCode(t *testing.T, s string) terse.Code {
	t.Helper()
	c, err := terse.ParseCode(s)
	if err != nil {
		t.Fatalf("ParseCode(%q): %v", s, err)
	}
	return c
}

func TestCodesCompareAsTheirStrings(t *testing.T) {
	t.Parallel()
	const characters = "AZaz09_-b"
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		b := make([]byte, terse.MinCodeLength+rng.IntN(terse.MaxCodeLength-terse.MinCodeLength+1))
		for i := range b {
			b[i] = characters[rng.IntN(len(characters))]
		}
		return string(b)
	}
	for range 100_000 {
		a, b := random(), random()
		if rng.IntN(2) == 0 { // alike at first
			n := min(len(a), len(b), rng.IntN(terse.MaxCodeLength+1))
			b = a[:n] + b[n:]
		}
		left, err := terse.ParseCode(a)
		right, err2 := terse.ParseCode(b)
		if err != nil || err2 != nil {
			t.Fatal(a, b, err, err2)
		}
		if got := cmp.Compare(left.Compare(right), 0); got != strings.Compare(a, b) {
			t.Fatalf("%s and %s: %d", a, b, got)
		}
	}
}
