package counter

import "testing"

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
