package terse

import (
	"fmt"
	"testing"
)

// Clicks come back as they were, equal texts have one number, and the common ones theirs.
func TestClicks(t *testing.T) {
	t.Parallel()
	want := []Click{
		{Link: 7, Time: 1, Values: Values{ByBrowser: "Firefox", ByCountry: "DE"}, Visitor: 9},
		{Link: 8, Time: 2, Values: Values{ByBrowser: "Firefox"}, Untracked: true},
		{Link: 8, Time: 3},
	}
	clicks := ClicksOf(want...)
	for i := range want {
		if got := clicks.Click(i); got != want[i] {
			t.Errorf("%+v became %+v", want[i], got)
		}
	}
	if a, b := clicks.List[0].Values, clicks.List[1].Values; a[ByBrowser] != b[ByBrowser] ||
		a[ByBrowser] == 0 || b[ByCountry] != 0 {
		t.Errorf("numbers %v and %v", a, b)
	}
	common := NewClicks(0, "one", "two")
	if three := common.Number(ByRule, []byte("three")); three != 3 ||
		common.Text(ByRule, 2) != "two" || common.Text(ByRule, three) != "three" {
		t.Errorf("three has the number %d", three)
	}
}

// A flood of texts is kept until the next batch, and found again up to a bound.
func TestClicksAreBounded(t *testing.T) {
	t.Parallel()
	clicks := NewClicks(0, "common")
	for range 2 {
		for i := range maxNumbered + 100 {
			number := clicks.Number(ByCampaign, fmt.Append(nil, "campaign ", i))
			if text := clicks.Text(ByCampaign, number); text != fmt.Sprint("campaign ", i) {
				t.Fatalf("%d is %q", i, text)
			}
		}
		if n := len(clicks.texts[ByCampaign].numbers); n != maxNumbered {
			t.Errorf("%d texts are found again", n)
		}
		clicks.Number(BySource, []byte("newsletter"))
		clicks.Reset()
		for d := range clicks.texts {
			if texts := &clicks.texts[d]; len(texts.list) != 2 || len(texts.numbers) != 0 ||
				cap(texts.list) > maxNumbered {
				t.Errorf("%v keeps %d texts of %d", Dimension(d), len(texts.list), cap(texts.list))
			}
		}
	}
}
