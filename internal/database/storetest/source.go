package storetest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"terse"
)

// SeededNumber is, in SQL, the number in the code of the link i: a c and 7 digits with leading
// zeros. Codes are in no order, as in reality. The factor is coprime to 10,000,000, so that no code
// repeats up to there.
const SeededNumber = "i * 6700417 % 10000000"

// SeededCode returns the code of the link with an ID in a database that was filled by SQL.
func SeededCode(t testing.TB, id int) terse.Code {
	return code(t, fmt.Sprintf("c%07d", id*6700417%10_000_000))
}

// ClickSource makes the clicks for the benchmarks of all stores, with 50 referrers and 60
// countries.
type ClickSource struct {
	Rand      *rand.Rand
	Referrers []string
	Now       int64 // when the next batch begins, in microseconds since 1970
	Persons   bool  // clicks have all dimensions
	Strangers bool  // each click has its own visitor and campaign

	countries []terse.Country
	codes     []terse.Code
	visitors  uint64
}

// NewClickSource returns a source of clicks on links with IDs from 1 on and their SeededCode.
func NewClickSource(b *testing.B, links int) *ClickSource {
	src := &ClickSource{
		Rand: rand.New(rand.NewPCG(1, 2)),
		Now:  time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro(),
	}
	for i := range 50 {
		src.Referrers = append(src.Referrers, referrerOf(i))
	}
	for i := range 60 {
		src.countries = append(src.countries, countryOf(i))
	}
	for i := range links {
		src.codes = append(src.codes, SeededCode(b, i+1))
	}
	return src
}

// Batch fills clicks with random ones within a span of time. pick returns the link of each, counted
// from 0.
func (src *ClickSource) Batch(clicks []terse.Click, span time.Duration, pick func() int) {
	for i := range clicks {
		link := pick()
		clicks[i] = terse.Click{
			Link: terse.LinkID(link + 1), Code: src.codes[link],
			Time: src.Now + int64(i)*span.Microseconds()/int64(len(clicks)),
			Values: terse.Values{
				terse.ByCountry:  src.countries[src.Rand.IntN(60)].String(),
				terse.ByReferrer: src.Referrers[src.Rand.IntN(50)],
			},
		}
		if src.Persons {
			Visit(src.Rand, &clicks[i].Values)
			clicks[i].Visitor = src.visitor(link)
		}
		if src.Strangers {
			clicks[i].Visitor = src.Rand.Uint64()
			clicks[i].Values[terse.ByCampaign] = strconv.Itoa(1e8 + src.Rand.IntN(9e8))
		}
	}
	src.Now += span.Microseconds()
}

// visitor returns the hash of a link's visitor. One in three has been there before.
func (src *ClickSource) visitor(link int) uint64 {
	if src.Rand.IntN(3) > 0 {
		src.visitors++
	}
	return src.visitors*0x9E3779B97F4A7C15 + uint64(link)
}

// Even picks all links equally often.
func Even(links int) func(*rand.Rand) func() int {
	return func(rng *rand.Rand) func() int { return func() int { return rng.IntN(links) } }
}

// Zipf picks links with the frequency 1/rank; ranks are spread over the IDs.
func Zipf(links int) func(*rand.Rand) func() int {
	return func(rng *rand.Rand) func() int {
		z := rand.NewZipf(rng, 1.0001, 1, uint64(links-1))
		spread := rng.Perm(links)
		return func() int { return spread[z.Uint64()] }
	}
}
