package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/click/clickblock"
)

// clickHook is a hookOf for clicks alone.
func clickHook(id, identity string) terse.Webhook {
	w := hookOf(id, identity)
	w.Events = []terse.EventType{terse.EventClicks}
	return w
}

// bulletins keeps what webhooks got of clicks.
type bulletins struct {
	briefly
	all []terse.CountedClicks
}

func (b *bulletins) OfClicks(c terse.CountedClicks) ([]byte, error) {
	b.all = append(b.all, c)
	return b.briefly.OfClicks(c)
}

// next reports until there is another batch, delivers what is due, and returns the batch. It waits
// until one is due.
func (b *bulletins) next(t *testing.T, s Store) terse.CountedClicks {
	t.Helper()
	for seen := len(b.all); ; {
		b.deliver(t, s)
		must(t, errOf(s.Report(t.Context(), b)))
		if len(b.all) > seen {
			return b.all[len(b.all)-1]
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (b *bulletins) deliver(t *testing.T, s Store) {
	t.Helper()
	all, _ := taken(t, s, 64, 4, later())
	for _, d := range all {
		must(t, errOf(s.FinishDelivery(t.Context(), d, success())))
	}
}

// reportClicks: a batch has what was counted since the one before.
func reportClicks(t *testing.T, s Store) {
	ctx, j, b := t.Context(), newJournal(t, s), &bulletins{}
	one := createWith(t, s, "one", terse.LinkOptions{})
	two := createWith(t, s, "two", terse.LinkOptions{})
	gone := createWith(t, s, "gone", terse.LinkOptions{})
	click := func(l terse.Link, second int, referrer string) terse.Click {
		c := terse.Click{
			Link: l.ID, Code: l.Code,
			Time: spring.Add(time.Duration(second) * time.Second).UnixMicro(),
		}
		c.Values[terse.ByReferrer] = referrer
		return c
	}
	j.feed([]terse.Click{click(one, 0, "")}) // before there is a webhook
	mustHook(t, s, clickHook("w", terse.Identity))
	untracked := click(two, 9, "")
	untracked.Untracked = true
	j.feed([]terse.Click{
		click(two, 3, "https://a.example/"), click(one, 2, ""), click(two, 1, ""),
		click(gone, 4, ""), untracked,
	})
	must(t, s.Delete(ctx, me, gone))
	got := b.next(t, s)
	event := func(l terse.Link, second int, referrer string) terse.Event {
		c := click(l, second, referrer)
		e := terse.Event{Link: l.Ref(), Time: c.Time, Values: c.Values, Count: 1}
		clickblock.Derive(&e.Values)
		return e
	}
	wantEqual(t, "batch", got, terse.CountedClicks{
		From: time.UnixMicro(springDay.Start()).UTC(), To: spring.Add(4 * time.Second), Total: 5,
		ByLink: []terse.LinkClicks{
			{LinkRef: two.Ref(), Clicks: 3}, {LinkRef: one.Ref(), Clicks: 1},
		},
		First: []terse.Event{
			event(two, 1, ""), event(one, 2, ""), event(two, 3, "https://a.example/"),
		},
	})
	must(t, errOf(s.Report(ctx, b)))
	wantEqual(t, "batches without other clicks", len(b.all), 1)
	// Two batches are counted before there is another delivery.
	for second := 10; second < 12; second++ {
		j.feed([]terse.Click{click(one, second, "")})
	}
	got = b.next(t, s)
	wantEqual(t, "clicks of both", got.Total, 2)
	wantEqual(t, "deliveries", len(deliveriesOf(t, s, "w", "")), 2)
}

// mergeClicks: while a batch has not been tried, newer clicks wait for the next one.
func mergeClicks(t *testing.T, s Store) {
	j, b := newJournal(t, s), &bulletins{}
	link := create(t, s, "link")
	mustHook(t, s, clickHook("w", terse.Identity))
	visit := func() {
		j.feed([]terse.Click{{Link: link.ID, Code: link.Code, Time: spring.UnixMicro()}})
	}
	visit()
	b.next(t, s)
	made := time.Now()
	for time.Since(made) < 1200*time.Millisecond {
		visit()
		must(t, errOf(s.Report(t.Context(), b)))
		time.Sleep(100 * time.Millisecond)
	}
	wantEqual(t, "batches while the first has not been tried", len(b.all), 1)
	visits := int64(0)
	b.next(t, s)
	visit()
	b.next(t, s)
	for _, c := range b.all {
		visits += c.Total
	}
	series := seriesOf(t, s, link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
	wantEqual(t, "clicks of all batches", visits, series.Total)
}

// reportChosenClicks: owners and tags choose the clicks, and a webhook gets what is counted while
// it is active.
func reportChosenClicks(t *testing.T, s Store) {
	ctx, j, b := t.Context(), newJournal(t, s), &bulletins{}
	mustCreateService(t, s, "ci")
	mine := createWith(t, s, "mine", terse.LinkOptions{Tags: []string{"News"}})
	plain := create(t, s, "plain")
	l := newLink(t, "theirs")
	l.CreatedBy, l.Options = "ci", encoded(t, terse.LinkOptions{Tags: []string{"news"}})
	theirs := mustCreate(t, s, l)
	visit := func(links ...terse.Link) {
		var clicks []terse.Click
		for _, l := range links {
			clicks = append(clicks, terse.Click{Link: l.ID, Code: l.Code, Time: spring.UnixMicro()})
		}
		j.feed(clicks)
	}
	hooks := map[string]terse.Webhook{}
	for id, w := range map[string]terse.Webhook{
		"mine": clickHook("mine", terse.Identity), "ci": clickHook("ci", "ci"),
		"tagged": clickHook("tagged", terse.Identity), "all": clickHook("all", terse.Identity),
		"all tagged": clickHook("all-tagged", terse.Identity),
		"none":       clickHook("none", terse.Identity), "off": clickHook("off", terse.Identity),
	} {
		switch id {
		case "tagged", "all tagged":
			w.Tags = []string{"NEWS", "more"}
		case "none":
			w.Tags = []string{"nothing"}
		}
		if strings.HasPrefix(id, "all") {
			w.Owner = terse.AllOwners
		}
		hooks[id] = mustHook(t, s, w)
	}
	off := hooks["off"]
	off.Disabled = terse.DisabledByUser
	off, err := s.UpdateWebhook(ctx, admin, off)
	must(t, err)
	visit(mine, mine, plain, theirs)
	off.Disabled = ""
	must(t, errOf(s.UpdateWebhook(ctx, admin, off)))
	must(t, errOf(s.Report(ctx, b)))
	for id, want := range map[string]string{
		"mine": "3 clicks", "ci": "1 clicks", "tagged": "2 clicks", "all": "4 clicks",
		"all-tagged": "3 clicks", "none": "", "off": "",
	} {
		var got []string
		for _, d := range deliveriesOf(t, s, id, "") {
			full, err := s.Delivery(ctx, id, d.ID)
			must(t, err)
			got = append(got, string(full.Payload))
		}
		wantEqual(t, "payloads for "+id, strings.Join(got, ", "), want)
	}
}

// reportManyClicks: what a batch has is bounded, and its total is exact.
func reportManyClicks(t *testing.T, s Store) {
	j, b := newJournal(t, s), &bulletins{}
	var restored []terse.RestoredLink
	for i := range 1200 {
		restored = append(restored, terse.RestoredLink{Link: newLink(t, fmt.Sprint("many", i))})
	}
	var links []terse.Link
	must(t, s.Transact(t.Context(), func(tx terse.Tx) (err error) {
		links, _, err = tx.CreateAll(t.Context(), me, restored)
		return err
	}))
	mustHook(t, s, clickHook("w", terse.Identity))
	var clicks []terse.Click
	for i, l := range links {
		for k := range 1 + i%7 {
			clicks = append(clicks, terse.Click{
				Link: l.ID, Code: l.Code,
				Time: spring.Add(time.Duration(k*1200+i) * time.Millisecond).UnixMicro(),
			})
		}
	}
	for len(clicks) > 0 { // in several rows
		n := min(1000, len(clicks))
		j.feed(clicks[len(clicks)-n:])
		clicks = clicks[:len(clicks)-n]
	}
	got := b.next(t, s)
	total, byLink := int64(0), map[terse.LinkID]int64{}
	for i, l := range links {
		byLink[l.ID] = int64(1 + i%7)
		total += byLink[l.ID]
	}
	wantEqual(t, "total", got.Total, total)
	wantEqual(t, "links", len(got.ByLink), 1000)
	for i, of := range got.ByLink {
		wantEqual(t, "clicks of a link", of.Clicks, byLink[of.ID])
		if i > 0 && of.Clicks > got.ByLink[i-1].Clicks {
			t.Errorf("link %d has more clicks than the one before", i)
		}
	}
	wantEqual(t, "single clicks", len(got.First), 1000)
	for i, e := range got.First {
		wantEqual(t, "time", e.Time, spring.Add(time.Duration(i)*time.Millisecond).UnixMicro())
	}
}

// reportClicksOnce: a batch that is not counted is not reported.
func reportClicksOnce(t *testing.T, s Store) {
	b, link := &bulletins{}, create(t, s, "link")
	mustHook(t, s, clickHook("w", terse.Identity))
	clicks := []terse.Click{
		{Link: link.ID, Code: link.Code, Time: spring.UnixMicro()},
		{Link: link.ID + 1000, Code: code(t, "unknown"), Time: spring.UnixMicro()},
	}
	early := Batch("j", 0, clicks...)
	early.GiveUp = nil
	wantError(t, "a batch with a link that is not known", s.AddClicks(t.Context(), early),
		terse.ErrUnknownLink)
	must(t, s.AddClicks(t.Context(), Batch("j", 0, clicks[0])))
	if err := s.AddClicks(t.Context(), Batch("j", 0, clicks[0])); err == nil {
		t.Error("a batch was counted twice")
	}
	wantEqual(t, "clicks", b.next(t, s).Total, 1)
}
