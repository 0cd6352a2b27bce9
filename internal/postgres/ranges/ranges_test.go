package ranges

import (
	"math/rand/v2"
	"testing"
)

func TestPack(t *testing.T) {
	t.Parallel()
	for range 100 {
		var want, got [size]int64
		for i := range rand.IntN(size + 1) {
			want[i] = rand.Int64() >> rand.IntN(64)
		}
		got[size-1] = 7 // left over
		packed := pack(&want)
		if err := unpack(packed, &got); err != nil || got != want {
			t.Fatalf("%v: unpacked %v, %v", want, got, err)
		}
	}
	var clicks [size]int64
	for _, damaged := range [][]byte{{0x80}, make([]byte, size+1)} {
		if err := unpack(damaged, &clicks); err == nil {
			t.Errorf("unpacked %v", damaged)
		}
	}
}
