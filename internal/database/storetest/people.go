package storetest

import (
	"fmt"
	"math/rand/v2"

	"terse"
)

// choice is values with their weights.
type choice[T any] []struct {
	value  T
	weight int
}

func (c choice[T]) draw(rng *rand.Rand) (value T) {
	total := 0
	for _, v := range c {
		total += v.weight
	}
	n := rng.IntN(total)
	for _, v := range c {
		if n -= v.weight; n < 0 {
			return v.value
		}
	}
	return value
}

// device is a visitor's device.
type device struct{ kind, os, browser string }

var (
	devices = choice[device]{
		{device{"mobile", "Android", "Chrome"}, 28},
		{device{"mobile", "iOS", "Safari"}, 18},
		{device{"desktop", "Windows", "Chrome"}, 18},
		{device{"desktop", "Windows", "Edge"}, 7},
		{device{"desktop", "macOS", "Safari"}, 5},
		{device{"desktop", "macOS", "Chrome"}, 5},
		{device{"desktop", "Windows", "Firefox"}, 3},
		{device{"desktop", "Linux", "Firefox"}, 2},
		{device{"mobile", "Android", "Samsung Internet"}, 3},
		{device{"tablet", "iOS", "Safari"}, 3},
		{device{"mobile", "iOS", "Instagram"}, 3},
		{device{"mobile", "Android", "Facebook"}, 2},
		{device{"tablet", "Android", "Chrome"}, 1},
		{device{"tv", "other", "other"}, 1},
		{device{"desktop", "ChromeOS", "Chrome"}, 1},
	}
	languages = choice[string]{
		{"en", 45},
		{"de", 12},
		{"es", 9},
		{"fr", 8},
		{"pt", 6},
		{"ja", 4},
		{"zh", 4},
		{"it", 3},
		{"nl", 3},
		{"pl", 2},
		{"ru", 2},
		{"tr", 1},
		{"", 1},
	}
	sources = choice[string]{
		{"", 60}, {"newsletter", 14}, {"google", 9}, {"facebook", 7}, {"linkedin", 5}, {"x", 5},
	}
	media = choice[string]{{"email", 30}, {"social", 40}, {"cpc", 30}}
)

// Visit sets all values of a visit: most visits are from a few of 60 countries, and from a few of
// 50 pages.
func Visit(rng *rand.Rand, values *terse.Values) {
	country, page := int(rng.ExpFloat64()*5)%60, int(rng.ExpFloat64()*8)%50
	values[terse.ByCountry] = countryOf(country).String()
	values[terse.ByReferrer] = referrerOf(page)
	Person(rng, values)
}

// countryOf and referrerOf name the countries and referrers of benchmarks.
func countryOf(i int) terse.Country { return terse.Country{'A' + byte(i/26), 'A' + byte(i%26)} }

func referrerOf(i int) string { return fmt.Sprintf("https://referrer-%02d.example/", i) }

// Person sets the values of a visit other than country and referrer, with a realistic distribution:
// most come by phone and without a campaign, one in seven is a bot.
func Person(rng *rand.Rand, values *terse.Values) {
	if rng.IntN(7) == 0 {
		values[terse.ByVisitor] = terse.Bot
		return
	}
	values[terse.ByVisitor] = terse.Person
	d := devices.draw(rng)
	values[terse.ByDevice], values[terse.ByOS], values[terse.ByBrowser] = d.kind, d.os, d.browser
	values[terse.ByLanguage] = languages.draw(rng)
	if rng.IntN(4) > 0 { // the data know a place
		city := int(rng.ExpFloat64() * 12)
		values[terse.ByRegion] = fmt.Sprintf("%s-%02d", values[terse.ByCountry], city/4%16)
		values[terse.ByCity] = fmt.Sprintf("Town %d, %s", city, values[terse.ByRegion])
	}
	if rng.IntN(4) == 0 { // what is printed
		values[terse.ByAlias] = []string{"/docs/install", "/promo"}[rng.IntN(2)]
	}
	if values[terse.BySource] = sources.draw(rng); values[terse.BySource] != "" {
		values[terse.ByMedium] = media.draw(rng)
		values[terse.ByCampaign] = fmt.Sprintf("campaign-%d", int(rng.ExpFloat64()*6)%40)
	}
}
