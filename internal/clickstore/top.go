package clickstore

import (
	"cmp"
	"fmt"
	"slices"

	"terse"
	"terse/internal/clickblock"
)

// addLinks adds the clicks by link of days that were taken from counts.
func (s *series) addLinks() error {
	from, to := dayOf(s.first), dayOf(s.last)
	if s.days != nil {
		err := s.rows.Scan(blocksOf(s.of.Link, dayRange{from, to}), Span{s.first, s.last},
			func(b int64, at Span, v []byte) error {
				if s.days[terse.Day(b>>blockBits)-from] == fromBlocks {
					return nil
				}
				n, err := s.open(v, at, -1)
				if n == 0 || err != nil {
					return err
				}
				return s.links.AddChosen(s.clicks)
			})
		if err != nil {
			return err
		}
	}
	if s.filtered {
		return nil
	}
	return s.eachDroppedLink(func(l clickblock.Link, sum clickblock.Sum) {
		s.links.Add(l, s.audience.Of(sum))
	})
}

// top returns the links with the most clicks, or clicks of people, that exist: of equal ones the
// newest first.
func (s *series) top() (top []terse.LinkClicks, err error) {
	type ranked struct {
		id terse.LinkID
		clickblock.LinkSum
	}
	var all []ranked
	s.links.All(func(id terse.LinkID, sum clickblock.LinkSum) {
		if len(s.query.Tags) == 0 || s.of.Tagged.Has(int64(id)) {
			all = append(all, ranked{id, sum})
		}
	})
	key := func(r *ranked) int64 {
		if s.query.People {
			return r.People
		}
		return r.Clicks
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(key(&b), key(&a)), cmp.Compare(b.id, a.id))
	})
	const atOnce = 32
	for some := range slices.Chunk(all, atOnce) {
		ids := make([]terse.LinkID, len(some))
		for i := range some {
			ids[i] = some[i].id
		}
		exist, err := s.of.Exist(ids)
		if err != nil {
			return nil, err
		}
		eras, err := erasOf(s.rows, ids)
		if err != nil {
			return nil, err
		}
		for i := range some {
			if exist[i] != (terse.LinkRef{}) && eras[ids[i]] == some[i].Era {
				top = append(top, terse.LinkClicks{
					LinkRef: exist[i], Clicks: some[i].Clicks, People: some[i].People,
				})
			}
			if len(top) == s.query.Top {
				return top, nil
			}
		}
	}
	return top, nil
}

// LinkTotals are the clicks of links by bucket, each at its offset.
type LinkTotals map[int64]*BucketTotals

// BucketTotals are clicks of a bucket's links, and how many of them are of people.
type BucketTotals struct{ Clicks, People [BucketLinks]int64 }

// BucketsOf returns the buckets of ranges of 1 << bits links, whose numbers descend, in that order.
func BucketsOf(ranges []int64, bits int) (buckets []int64) {
	for _, number := range ranges {
		end := (number + 1) << (bits - bucketBits)
		for bucket := end - 1; bucket >= end-1<<(bits-bucketBits); bucket-- {
			buckets = append(buckets, bucket)
		}
	}
	return buckets
}

// EachBucket calls f for the totals of those of some buckets that have any, with the ID of the
// first link. The numbers of buckets descend, and f is called in that order.
func EachBucket(r Reader, buckets []int64, f func(first terse.LinkID, of *BucketTotals)) error {
	return eachTotals(r, buckets, func(bucket int64, t *totals) {
		f(linkAt(bucket, 0), &BucketTotals{t.clicks, t.people})
	})
}

// Each calls f for the clicks of each link that has any, or of those of people.
func (t LinkTotals) Each(people bool, f func(id, clicks int64)) {
	for bucket, of := range t {
		clicks := &of.Clicks
		if people {
			clicks = &of.People
		}
		for offset, n := range clicks {
			if n > 0 {
				f(int64(linkAt(bucket, offset)), n)
			}
		}
	}
}

// Within returns the clicks of each of an owner's links in a range, without those that were
// cleared. Links that were deleted may be among them. People are counted if they are asked for.
func Within(r Reader, owner OwnerID, within terse.TimeRange, people bool) (LinkTotals, error) {
	q := terse.SeriesQuery{Range: within, Top: 1, People: people}
	for d := range q.Without {
		q.Without[d] = true
	}
	s := newSeries(r, Asked{Link: owner.Link()}, q)
	found := LinkTotals{}
	if s.first, s.last = within.Micros(); s.first > s.last {
		return found, nil
	}
	s.cut = []dayRange{{dayOf(s.first), dayOf(s.last)}}
	s.sums.Begin()
	err := s.pass(true)
	var ids []terse.LinkID
	s.links.All(func(id terse.LinkID, _ clickblock.LinkSum) { ids = append(ids, id) })
	var eras map[terse.LinkID]uint32
	if err == nil {
		eras, err = erasOf(r, ids)
	}
	s.links.All(func(id terse.LinkID, sum clickblock.LinkSum) {
		if err != nil || eras[id] != sum.Era {
			return
		}
		bucket := found[BucketOf(id)]
		if bucket == nil {
			bucket = new(BucketTotals)
			found[BucketOf(id)] = bucket
		}
		bucket.Clicks[offsetOf(id)], bucket.People[offsetOf(id)] = sum.Clicks, sum.People
	})
	if err != nil {
		return nil, fmt.Errorf("clicks by link of owner %d: %w", owner, err)
	}
	return found, nil
}
