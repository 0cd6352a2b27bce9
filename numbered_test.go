package terse

import (
	"bytes"
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
		string(common.Text(ByRule, 2)) != "two" || string(common.Text(ByRule, three)) != "three" {
		t.Errorf("three has the number %d", three)
	}
}

// The texts of a flood are found again, and their room is let go of when it is over.
func TestClicksAreBounded(t *testing.T) {
	t.Parallel()
	clicks := NewClicks(0, "common")
	texts := &clicks.texts[ByCampaign]
	for range 2 {
		for range 2 {
			for i := range 100_000 {
				text := fmt.Append(nil, "campaign ", i)
				number := clicks.Number(ByCampaign, text)
				if want := 2 + uint32(i); number != want {
					t.Fatalf("%s has the number %d, want %d", text, number, want)
				}
				if got := clicks.Text(ByCampaign, number); !bytes.Equal(got, text) {
					t.Fatalf("%d is %q", number, got)
				}
			}
		}
		for _, room := range []bool{true, false} {
			clicks.Reset()
			if texts.Len()+texts.Size() > 0 || len(texts.slots) > fewSlots != room {
				t.Errorf("%d texts, room for %d; kept: %t", texts.Len(), len(texts.slots)/4*3, room)
			}
			if number := clicks.Number(ByCampaign, []byte("other")); number != 2 {
				t.Errorf("the first text has the number %d", number)
			}
		}
		clicks.Reset()
	}
}

// There are not more texts than are wanted.
func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	var texts Texts
	for _, c := range []struct {
		text   string
		number uint32
		ok     bool
	}{{"a", 0, true}, {"", 1, true}, {"b", 0, false}, {"", 1, true}, {"a", 0, true}} {
		if number, ok := texts.Number([]byte(c.text), 2); number != c.number || ok != c.ok {
			t.Errorf("%q has the number %d (%t)", c.text, number, ok)
		}
	}
}
