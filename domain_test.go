package terse_test

import (
	"slices"
	"testing"

	"terse"
)

func TestCodesOnDomains(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"abc", "AAA", "launch", "---", "____________________"} {
		plain := mustCode(t, text)
		for d := range terse.MaxDomain + 1 {
			c := plain.On(d)
			if c.Domain() != d || c.Text() != text || c.On(terse.DefaultDomain) != plain {
				t.Fatalf("%q on %d is %q on %d", text, d, c.Text(), c.Domain())
			}
			if parsed, err := terse.ParseKey(c.String()); err != nil || parsed != c {
				t.Fatalf("ParseKey(%q) = %v, %v", c, parsed, err)
			}
			if unpacked, err := terse.UnpackCode(c.Pack()); err != nil || unpacked != c {
				t.Fatalf("unpacked %q: %v, %v", c, unpacked, err)
			}
			if from, to := d.KeyRange(); c.String() < from || c.String() >= to {
				t.Fatalf("%q is not from %q to %q", c, from, to)
			}
			for _, other := range []terse.Domain{d - 1, d + 1, d * 10, d / 10} {
				from, to := other.KeyRange()
				if key := c.String(); other != d && other <= terse.MaxDomain &&
					key >= from && key < to {
					t.Fatalf("%q is from %q to %q", key, from, to)
				}
			}
			if c.Compare(c) != 0 || d > 0 && (c.Compare(plain) <= 0 || plain.Compare(c) >= 0) {
				t.Fatalf("%q is in the wrong order", c)
			}
		}
	}
	hi, lo := mustCode(t, "abc").Pack()
	if _, err := terse.UnpackCode(hi|127<<57, lo); err == nil {
		t.Error("UnpackCode accepts domain 127")
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		domain       terse.Domain
		address, key string
	}{
		{0, "docs/install", "docs/install"},
		{0, "", ""},
		{3, "docs/install", "#3/docs/install"},
		{126, "3/x", "#126/3/x"},
		{1, "", "#1/"},
	} {
		if key := tt.domain.Key(tt.address); key != tt.key {
			t.Errorf("key of %q on %d is %q", tt.address, tt.domain, key)
		}
		if d, address := terse.SplitKey(tt.key); d != tt.domain || address != tt.address {
			t.Errorf("%q is %q on %d", tt.key, address, d)
		}
		if address := string(terse.AddressOfKey([]byte(tt.key))); address != tt.address {
			t.Errorf("the address of %q is %q", tt.key, address)
		}
	}
	for _, text := range []string{"#0/abc", "#127/abc", "#300/abc", "#x/abc", "#/abc", "#"} {
		if code, err := terse.ParseKey(text); err == nil {
			t.Errorf("%q is the key of %q", text, code)
		}
	}
	if got := terse.Domain(2).Keys([]string{"a", "b/c"}); !slices.Equal(
		got, []string{"#2/a", "#2/b/c"}) {
		t.Errorf("keys %q", got)
	}
}
