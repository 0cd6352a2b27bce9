package words

import "testing"

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{1: "1 click", 0: "0 clicks", 22000: "22,000 clicks"} {
		if got := Count(n, "click"); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
