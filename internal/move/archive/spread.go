package archive

import (
	"math/bits"
	"time"
)

// Instants is at how many instants the clicks of a period are at most.
const Instants = 1 << instantBits

const instantBits = 6

// Spread returns part i, from 0, of so many clicks in a period of which nothing else is known: how
// far after the period's start they are, and how many. There are as many parts as clicks, at most
// Instants. Click n, from 1, is at as much of the period as the reversed 6 bits of n modulo 64 are
// of 64. So the first three of a day are at 12:00, 06:00 and 18:00, and those of a smaller total
// are among those of a larger one.
func Spread(length time.Duration, clicks, i int64) (after time.Duration, count int64) {
	part := int64(bits.Reverse8(uint8((i+1)%Instants)) >> (8 - instantBits))
	after = time.Duration(length.Microseconds()*part/Instants) * time.Microsecond
	return after, (clicks-i-1)/Instants + 1 // click i+1, and each 64th after it
}
