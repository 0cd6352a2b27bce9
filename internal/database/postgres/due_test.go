package postgres_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/tests/pgtest"
)

// TestMoveDue: two nodes move links that are due to the set of their status, while other links are
// changed, taken from and deleted. Lists are the same before and after, and the sets agree with the
// links' rows.
func TestMoveDue(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	moveDue(t, url, open(t, url), open(t, url))
	wantRanges(t, url)
}

func moveDue(t *testing.T, url string, nodes ...*postgres.Store) {
	t.Helper()
	const n, changed = 2400, 300
	soon := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	var links []terse.Link
	must(t, nodes[0].Transact(t.Context(), func(tx terse.Tx) error {
		links = links[:0]
		for i := range n {
			link, err := tx.Create(t.Context(), me, managed(t, fmt.Sprint("code", i),
				terse.LinkOptions{ExpiresAt: soon, MaxClicks: 2}))
			if err != nil {
				return err
			}
			links = append(links, link)
		}
		return nil
	}))
	count := func(s *postgres.Store, status terse.Status, now time.Time) int64 {
		page, err := s.Links(t.Context(), terse.LinkQuery{
			Owner: terse.Identity, Limit: 1,
			Filter: terse.LinkFilter{Status: status, Now: now},
		})
		must(t, err)
		return page.Total
	}
	active, expired := count(nodes[0], terse.Active, soon.Add(-1)),
		count(nodes[0], terse.Expired, soon)
	if active != n || expired != n {
		t.Errorf("%d active before, %d expired after", active, expired)
	}
	// As if the hour had passed.
	pgtest.Exec(t, url, `UPDATE links SET until = 7, open_until = 7,
		options = '{"expires_at":"1970-01-01T00:00:00.000007Z","max_clicks":2}'`)
	var changing sync.WaitGroup
	for i, link := range links[:changed] {
		changing.Go(func() {
			s := nodes[i%len(nodes)]
			switch i % 3 {
			case 0:
				change(t, s, link, terse.LinkOptions{Disabled: true})
			case 1:
				must(t, s.Take(t.Context(), link.Ref()))
				must(t, s.Take(t.Context(), link.Ref()))
			default:
				must(t, s.Delete(t.Context(), me, link))
			}
		})
	}
	await(t, "links to be moved", func() bool {
		for _, s := range nodes {
			_, err := s.MoveDue(t.Context())
			must(t, err)
			if found := count(s, terse.Expired, time.Now()); found < n-changed {
				t.Errorf("%d have expired", found)
			}
		}
		return textsOf(t, url, "SELECT count(*)::text FROM links WHERE status = 'active'")[0] == "0"
	})
	changing.Wait()
	expired, active = count(nodes[0], terse.Expired, time.Now()),
		count(nodes[0], terse.Active, time.Now())
	if expired != n-changed*2/3 || active != 0 {
		t.Errorf("%d have expired, %d are active", expired, active)
	}
	if before := count(nodes[0], terse.Active, time.UnixMicro(6)); before != n-changed {
		t.Errorf("%d were active before", before)
	}
}

// TestTagsByHand: a link that joins a tag because its options were edited by hand gives it a name,
// or takes on that of its owner.
func TestTagsByHand(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	makeWith(t, s, "known", terse.LinkOptions{Tags: []string{"Known"}})
	makeWith(t, s, "edited", terse.LinkOptions{ExpiresAt: time.Now().Add(time.Hour)})
	pgtest.Exec(t, url, `UPDATE links SET until = 7, options =
		'{"tags":["known","New"],"expires_at":"1970-01-01T00:00:00.000007Z"}'
		WHERE code = 'edited'`)
	must(t, errOf(s.MoveDue(t.Context())))
	wantTags(t, s, terse.Tag{Name: "Known", Links: 2}, terse.Tag{Name: "New", Links: 1})
}
