package clickstore

import "terse"

// blocksOf are the blocks of counted days of a link.
func blocksOf(link terse.LinkID, days dayRange) Range {
	return Range{Level2, int64(link), blockKey(days.from, 0), blockKey(days.to+1, 0) - 1}
}

// eachUncounted calls f for the blocks that may have clicks of a link that are in no counts, and
// with the link's offset in them, -1 where all clicks are the link's.
func eachUncounted(r Reader, link terse.LinkID, within Span,
	f func(v []byte, at Span, offset int) error,
) error {
	for _, level := range uncounted(link) {
		err := r.Scan(level.Range, within, func(_ int64, at Span, v []byte) error {
			return f(v, at, level.offset)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// level are blocks in which a link has an offset.
type level struct {
	Range
	offset int // -1: all clicks are the link's
}

// uncounted are the blocks that may have clicks of a link that are in no counts.
func uncounted(link terse.LinkID) []level {
	return append(runsOf(link), level{looseRange(link), -1})
}

// runsOf are the runs of a link's region and bucket. The links of an owner are in no runs of
// level 0.
func runsOf(link terse.LinkID) []level {
	runs := []level{{every(Level1, BucketOf(link)), offsetOf(link)}}
	if !IsOwner(link) {
		runs = append(runs, level{every(Level0, RegionOf(link)), int(offsetInRegion(link))})
	}
	return runs
}
