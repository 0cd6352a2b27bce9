package counter

import (
	"strings"
	"testing"

	"terse"
)

// The codes of links that had clicks are bounded, and those of a bucket that is asked for are
// there.
func TestLinkCodesAreBounded(t *testing.T) {
	t.Parallel()
	l := linkCodes{}
	for bucket := range int64(2 * maxCodeBuckets) {
		if codes := l.of(bucket); codes == nil || l[bucket] != codes || l.of(bucket) != codes {
			t.Fatalf("bucket %d is not kept", bucket)
		}
		if n := len(l); n > maxCodeBuckets {
			t.Fatalf("%d buckets are kept, want %d", n, maxCodeBuckets)
		}
	}
}

// A link has its code and no other, of whatever length.
func TestBucketCodes(t *testing.T) {
	t.Parallel()
	codes := []terse.Code{{}} // of no link
	for _, text := range []string{
		"abc", "0123456789", "-123456789", "01234567890", "01234567891", "11234567890",
		"B" + strings.Repeat("A", 9), strings.Repeat("A", 15) + "B", strings.Repeat("A", 16),
		strings.Repeat("_", 20),
		"-" + strings.Repeat("_", 19),
	} {
		code, err := terse.ParseCode(text)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, code)
	}
	l := linkCodes{}
	b := l.of(bucketOf(1))
	for range 2 {
		for offset, code := range codes {
			b.set(offset, code, firstAll)
		}
		for offset := range codes {
			for other, code := range codes {
				want := other == offset && code != (terse.Code{})
				if has := b.has(offset, code); has != want {
					t.Errorf("link %d has the code %v: %v", offset, code, has)
				}
			}
		}
		for offset := range codes { // each gets another one
			l.forget(terse.LinkID(offset))
			if b.low[offset] != 0 {
				t.Errorf("the code of link %d is known", offset)
			}
		}
		codes = append(codes[1:], codes[0])
	}
}
