package terse_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"terse"
)

func unknown(t *testing.T, total, rest int64, codes ...any) (u terse.UnknownCodes) {
	t.Helper()
	u.Total, u.Rest = total, rest
	for i := 0; i < len(codes); i += 3 {
		code, err := terse.ParseCode(codes[i].(string))
		if err != nil {
			t.Fatal(err)
		}
		u.Codes = append(u.Codes, terse.UnknownCode{
			Code: code, Count: int64(codes[i+1].(int)), Error: int64(codes[i+2].(int)),
		})
	}
	return u
}

func TestSumUnknown(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		parts []terse.UnknownCodes
		want  terse.UnknownCodes
	}{
		"nothing": {want: terse.UnknownCodes{}},
		"all are exact": {
			[]terse.UnknownCodes{
				unknown(t, 9, 0, "abc", 5, 0, "abd", 4, 0), unknown(t, 4, 0, "abd", 4, 0),
			},
			unknown(t, 13, 0, "abd", 8, 0, "abc", 5, 0),
		},
		"what a part does not list it may have met": {
			[]terse.UnknownCodes{
				unknown(t, 20, 3, "abc", 5, 2), unknown(t, 10, 2, "abc", 4, 0, "abd", 3, 1),
			},
			unknown(t, 30, 5, "abc", 9, 2, "abd", 6, 4),
		},
		"equal counts go by their bytes": {
			[]terse.UnknownCodes{unknown(t, 8, 0, "abc", 2, 0, "-bc", 2, 0, "Abc", 2, 0,
				"abcd", 2, 0, "0bc", 2, 0, "_bc", 2, 0)},
			unknown(t, 8, 0, "-bc", 2, 0, "0bc", 2, 0, "Abc", 2, 0, "_bc", 2, 0, "abc", 2, 0,
				"abcd", 2, 0),
		},
	} {
		if got := terse.SumUnknown(tt.parts...); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// What is cut off is in the rest.
func TestSumUnknownIsBounded(t *testing.T) {
	t.Parallel()
	var u terse.UnknownCodes
	for i := range 3 * terse.MaxUnknownCodes {
		u.Codes = append(u.Codes, unknown(t, 0, 0, fmt.Sprintf("c%04d", i), i+1, 0).Codes...)
	}
	got := terse.SumUnknown(u)
	if len(got.Codes) != terse.MaxUnknownCodes || got.Rest != 2*terse.MaxUnknownCodes ||
		got.Codes[0].Code.String() != "c2999" || got.Codes[999].Count != got.Rest+1 {
		t.Errorf("%d codes, the last is %v, the rest %d", len(got.Codes), got.Codes[999], got.Rest)
	}
}

func TestUnknownCodesAreKeptAsBytes(t *testing.T) {
	t.Parallel()
	for _, want := range []terse.UnknownCodes{
		{},
		{Aliases: []terse.UnknownCode{{Alias: "a/b", Count: 3}}, Total: 3},
		{
			Total: 9, Rest: 2, AliasRest: 3,
			Codes: unknown(t, 0, 0, "abc", 5, 1).Codes,
			Aliases: []terse.UnknownCode{
				{Alias: strings.Repeat("\u00fc", 64), Count: 1 << 40, Error: 7},
				{Alias: "1", Count: 1},
			},
		},
		unknown(t, 1<<62, 7, "abc", 1<<40, 7, "ABCDEFGHIJ0123456789", 300, 0, "-_-", 1, 1),
	} {
		b, _ := want.AppendBinary([]byte("before"))
		b, found := bytes.CutPrefix(b, []byte("before"))
		var got terse.UnknownCodes
		if err := got.UnmarshalBinary(b); err != nil || !found || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
		for n := range b { // any part is refused, or fewer codes
			var part terse.UnknownCodes
			if err := part.UnmarshalBinary(b[:n]); err == nil && (n == 0 ||
				part.Total != want.Total ||
				len(part.Codes)+len(part.Aliases) >= len(want.Codes)+len(want.Aliases)) &&
				len(want.Codes)+len(want.Aliases) > 0 {
				t.Errorf("%d of %d bytes are %+v", n, len(b), part)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		b := make([]byte, rng.IntN(40))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		b = append([]byte{byte(1 + rng.IntN(2))}, b...)
		var u terse.UnknownCodes
		if err := u.UnmarshalBinary(b); err == nil &&
			(u.Total < 0 || u.Rest < 0 || u.AliasRest < 0) {
			t.Errorf("%x is %+v", b, u)
		}
	}
}
