package postgres_test

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

func TestWebhooks(t *testing.T) {
	t.Parallel()
	storetest.RunSharedWebhooks(t, func(t *testing.T) (storetest.Store, func(sql string)) {
		url := pgtest.URL(t)
		s, err := postgres.Open(t.Context(), postgres.WithTracer(
			postgres.Options{URL: url, Timeout: time.Minute}, &ran))
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s, func(sql string) { pgtest.Exec(t, url, sql) }
	})
}

// brief writes payloads that say what they are of.
type brief struct{}

func (brief) OfLink(e terse.LinkEvent) ([]byte, error) { return []byte(e.After.Code.Text()), nil }

func (brief) OfClicks(c terse.CountedClicks) ([]byte, error) {
	return strconv.AppendInt(nil, c.Total, 10), nil
}

// TestWebhooksOnce: whatever answers are lost, each event is in one delivery, each click in one
// batch, and each attempt is stored once.
func TestWebhooksOnce(t *testing.T) {
	t.Parallel()
	const cuts = 6
	url := pgtest.URL(t)
	p, proxied := through(t, url)
	open := func(url string) *postgres.Store {
		s, err := postgres.Open(t.Context(), postgres.Options{URL: url, Timeout: time.Minute})
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		return s
	}
	s, other := open(proxied), open(url)
	hooks := map[string]terse.EventType{"created": terse.EventCreated, "clicks": terse.EventClicks}
	for id, event := range hooks {
		must(t, errOf(s.CreateWebhook(t.Context(), me, terse.Webhook{
			ID: id, Owner: terse.Identity, CreatedBy: terse.Identity, URL: "https://hooks.example/",
			Events: []terse.EventType{event}, Secret: []byte("secret"),
		})))
	}
	_, err := other.Report(t.Context(), brief{}) // it learns of them
	must(t, err)
	clicked, err := s.Create(t.Context(), me, managed(t, "clicked", terse.LinkOptions{}))
	must(t, err)

	var running atomic.Bool
	var made, counted atomic.Int64
	running.Store(true)
	var working sync.WaitGroup
	loop := func(f func(i int) error) {
		working.Go(func() {
			for i := 0; running.Load(); i++ {
				if err := f(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	loop(func(i int) error {
		defer made.Add(1)
		return errOf(s.Create(t.Context(), me, managed(t, fmt.Sprint("own-", i),
			terse.LinkOptions{})))
	})
	loop(func(i int) error {
		err := s.AddClicks(t.Context(), storetest.Batch("j", int64(i), terse.Click{
			Link: clicked.ID, Code: clicked.Code, Time: time.Now().UnixMicro(),
		}))
		if at, readErr := s.JournalPosition(t.Context(), "j"); at != int64(i+1) {
			return errors.Join(err, readErr, fmt.Errorf("the position is %d after %d", at, i))
		}
		counted.Add(1)
		return nil
	})
	for _, node := range []*postgres.Store{s, other} {
		loop(func(int) error { return errOf(node.Report(t.Context(), brief{})) })
		loop(func(int) error { return deliverDue(t, node) })
	}
	for range cuts {
		before := made.Load() + counted.Load()
		await(t, "changes", func() bool { return made.Load()+counted.Load() >= before+10 })
		p.loseAnswers(t)
	}
	running.Store(false)
	working.Wait()

	times, clicks := map[string]int{}, int64(0)
	await(t, "everything to be delivered", func() bool {
		must(t, errOf(other.Report(t.Context(), brief{})))
		pgtest.Exec(t, url, "UPDATE deliveries SET taken_until = 0 WHERE status = 'waiting'")
		must(t, deliverDue(t, other))
		clear(times)
		clicks = 0
		for hook := range hooks {
			all, err := other.Deliveries(t.Context(),
				terse.DeliveryQuery{Webhook: hook, Limit: 20_000, Status: terse.Delivered})
			must(t, err)
			for _, d := range all {
				full, err := other.Delivery(t.Context(), hook, d.ID)
				must(t, err)
				if n, err := strconv.ParseInt(string(full.Payload), 10, 64); err == nil {
					clicks += n
				} else {
					times[string(full.Payload)]++
				}
				if len(d.Attempts) != 1 {
					t.Errorf("a delivery has %d attempts", len(d.Attempts))
				}
			}
		}
		return int64(len(times)) > made.Load() && clicks >= counted.Load()
	})
	if clicks != counted.Load() {
		t.Errorf("%d clicks were reported, %d counted", clicks, counted.Load())
	}
	for code, n := range times {
		if n != 1 {
			t.Errorf("%s was reported %d times", code, n)
		}
	}
	if int64(len(times)) != made.Load()+1 {
		t.Errorf("%d links were reported, %d created", len(times), made.Load()+1)
	}
}

// deliverDue takes what is due, and stores that it was delivered.
func deliverDue(t *testing.T, s *postgres.Store) error {
	all, _, err := s.TakeDeliveries(t.Context(), terse.Room{All: 64, Maker: 64, Webhook: 64},
		time.Now().Add(time.Hour))
	for _, d := range all {
		err = errors.Join(err, errOf(s.FinishDelivery(t.Context(), d, terse.Outcome{
			Attempt: terse.Attempt{Time: time.Now(), Status: 200}, Status: terse.Delivered,
		})))
	}
	return err
}

// TestUserWithWebhooks: who changes a user and who changes its webhook do not wait for each other.
func TestUserWithWebhooks(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := patient(t, url)
	must(t, s.CreateService(t.Context(), me, "ci"))
	must(t, errOf(s.CreateWebhook(t.Context(), me, terse.Webhook{
		ID: "w", Owner: "ci", CreatedBy: "ci", URL: "https://hooks.example/",
		Events: []terse.EventType{terse.EventCreated}, Secret: []byte("secret"),
	})))
	const change = "UPDATE webhooks SET version = version"
	release, commit := hold(t, url, change)
	var all calls
	disabled := true
	all.do("UpdateUser", func() error {
		return errOf(s.UpdateUser(t.Context(), me, "ci", terse.UserChange{Disabled: &disabled}))
	})
	awaitBlocked(t, url, 1)
	commit(change) // of a row of its own: the key of the user is looked up
	all.wantNone(t)
	release()
	wantNoDeadlocks(t, url, s)
}

// TestUserDisabledWhileReporting: what waits for the change of a user knows of it.
func TestUserDisabledWhileReporting(t *testing.T) {
	t.Parallel()
	for event, listed := range map[terse.EventType]int{
		terse.EventCreated: 1, terse.EventClicks: 0,
	} {
		t.Run(string(event), func(t *testing.T) {
			t.Parallel()
			url := pgtest.URL(t)
			s := patient(t, url)
			t.Cleanup(func() { must(t, s.Close()) })
			must(t, s.CreateService(t.Context(), me, "ci"))
			must(t, errOf(s.CreateWebhook(t.Context(), me, terse.Webhook{
				ID: "w", Owner: "ci", CreatedBy: "ci", URL: "https://hooks.example/",
				Events: []terse.EventType{event}, Secret: []byte("secret"),
			})))
			l := managed(t, "link", terse.LinkOptions{})
			l.CreatedBy = "ci"
			link, err := s.Create(t.Context(), me, l)
			must(t, err)
			must(t, s.AddClicks(t.Context(), storetest.Batch("j", 0, terse.Click{
				Link: link.ID, Code: link.Code, Time: time.Now().UnixMicro(),
			})))
			_, commit := hold(t, url, `UPDATE users SET disabled = true WHERE identity = 'ci';
				UPDATE webhooks SET stopped_at = extract(epoch FROM clock_timestamp()) * 1000000`)
			var all calls
			all.do("Report", func() error { return errOf(s.Report(t.Context(), brief{})) })
			awaitBlocked(t, url, 1)
			commit("SELECT")
			all.wantNone(t)
			found, err := s.Deliveries(t.Context(), terse.DeliveryQuery{Webhook: "w", Limit: 10})
			must(t, err)
			if len(found) != listed {
				t.Errorf("%d deliveries are listed, want %d", len(found), listed)
			}
			for _, d := range found {
				if d.Status != terse.Failed {
					t.Errorf("a delivery is %s", d.Status)
				}
			}
		})
	}
}
