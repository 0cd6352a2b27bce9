package ranges

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// before reports whether a link comes before another one in a list by clicks: the one with more of
// them, and of equals the one with the larger ID.
func (c Clicks) before(d Clicks) bool {
	return c.Number > d.Number || c.Number == d.Number && c.Link > d.Link
}

// MostClicked returns those links of a set that come next after one in a list by clicks, so many at
// most.
func MostClicked(ctx context.Context, tx pgx.Tx, of Set, after Clicks, most int) ([]Clicks, error) {
	numbers := of.Ranges()
	if len(numbers) == 0 {
		return nil, nil
	}
	found := top{after: after, most: most}
	var none [size]int64
	err := eachTotal(ctx, tx, numbers[len(numbers)-1], numbers[0],
		func(number int64, clicks *[size]int64, largest int64) {
			for ; len(numbers) > 0 && numbers[0] > number; numbers = numbers[1:] {
				found.add(numbers[0], of[numbers[0]], &none, 0)
			}
			if len(numbers) > 0 && numbers[0] == number {
				found.add(number, of[number], clicks, largest)
				numbers = numbers[1:]
			}
		})
	for _, number := range numbers {
		found.add(number, of[number], &none, 0)
	}
	found.cut()
	return found.links, err
}

// top keeps those of many links that come first in a list, so many at most.
type top struct {
	after Clicks // they come behind this one
	most  int
	links []Clicks // up to twice as many
	last  Clicks   // nothing behind it is among the first, once there are as many
	full  bool
}

// add adds some links of a range, of which none has more clicks than the largest.
func (t *top) add(number int64, links *Words, clicks *[size]int64, largest int64) {
	first := number << rangeBits
	if t.full && !(Clicks{first + size - 1, largest}).before(t.last) {
		return
	}
	for offset := range links.down { // so that of equals the first ones are added
		c := Clicks{first + offset, clicks[offset]}
		if !t.after.before(c) || t.full && !c.before(t.last) {
			continue
		}
		if t.links = append(t.links, c); len(t.links) == 2*t.most {
			t.cut()
			t.last, t.full = t.links[t.most-1], true
		}
	}
}

// cut sorts the links, and leaves those that come first.
func (t *top) cut() {
	slices.SortFunc(t.links, func(c, d Clicks) int {
		if c.before(d) {
			return -1
		}
		return 1 // a link is there once
	})
	t.links = t.links[:min(t.most, len(t.links))]
}
