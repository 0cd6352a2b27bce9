package counter

import "testing"

// The codes of links that had clicks are bounded, and those of a bucket that is asked for are
// there.
func TestLinkCodesAreBounded(t *testing.T) {
	t.Parallel()
	var l linkCodes
	for bucket := range int64(2 * maxCodeBuckets) {
		if codes := l.of(bucket); codes == nil || l.buckets[bucket] != codes {
			t.Fatalf("bucket %d is not there", bucket)
		}
	}
	if n := len(l.buckets); n != maxCodeBuckets {
		t.Errorf("%d buckets are kept, want %d", n, maxCodeBuckets)
	}
}
