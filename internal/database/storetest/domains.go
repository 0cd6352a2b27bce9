package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"terse"
)

// domainTests test links on several domains, and the domains themselves.
var domainTests = storeTests{
	"each domain has addresses of its own":    domainAddresses,
	"the newest link to a URL is of a domain": domainNewest,
	"clicks are counted by domain":            domainClicks,
	"domains have numbers, links and targets": domainRows,
	"exports are ordered by domain":           domainExports,
	"a database has 126 other domains":        domainsFull,
}

// createOn creates a link on a domain.
func createOn(t *testing.T, s Store, on terse.Domain, c string, aliases ...string) terse.Link {
	t.Helper()
	l := newLink(t, c)
	l.Code = l.Code.On(on)
	l.Options = encoded(t, terse.LinkOptions{Aliases: aliases})
	return mustCreate(t, s, l)
}

func domainAddresses(t *testing.T, s Store) {
	plain, first := create(t, s, "launch"), createOn(t, s, 1, "launch", "docs/install")
	last := createOn(t, s, terse.MaxDomain, "launch", "docs/install")
	wantAt(t, s, map[string]terse.Link{
		"launch": plain, "#1/launch": first, "#126/launch": last, "#1/docs/install": first,
		"#126/docs/install": last, "docs/install": {}, "#2/launch": {}, "#12/launch": {},
	})
	wantEqual(t, "its link", find(t, s, last.Code), last)
	_, err := s.Link(t.Context(), plain.Code.On(2))
	wantError(t, "a code on another domain", err, terse.ErrNotFound)
	taken := newLink(t, "launch")
	taken.Code = taken.Code.On(1)
	wantConflict(t, "a code", errOf(s.Create(t.Context(), me, taken)), terse.ErrCodeTaken)
	taken.Code = code(t, "other").On(1)
	taken.Options = encoded(t, terse.LinkOptions{Aliases: []string{"docs/install"}})
	wantConflict(t, "an alias", errOf(s.Create(t.Context(), me, taken)),
		terse.AddressTaken([]string{"docs/install"}, 0))

	change := changeTo(first)
	change.After.Code = code(t, "start").On(1)
	first, err = s.Update(t.Context(), me, change)
	must(t, err)
	must(t, s.Delete(t.Context(), me, last))
	wantAt(t, s, map[string]terse.Link{
		"launch": plain, "#1/launch": {}, "#1/start": first, "#126/launch": {},
		"#1/docs/install": first, "#126/docs/install": {}, "start": {},
	})
	for domain, want := range map[terse.Domain]int64{0: 1, 1: 1, 2: 0, terse.MaxDomain: 0} {
		page := pageOf(t, s, terse.LinkQuery{
			Owner: terse.Identity, Limit: 10, Filter: terse.LinkFilter{Domain: &domain},
		})
		wantEqual(t, fmt.Sprint("links on ", domain), page.Total, want)
	}
}

func domainNewest(t *testing.T, s Store) {
	const to = terse.URL("https://example.org/launch")
	want := map[terse.Domain]terse.Link{}
	for on := range terse.Domain(3) {
		for _, age := range []time.Duration{time.Hour, 2 * time.Hour} {
			l := newLink(t, fmt.Sprint("code", int(age.Hours())))
			l.Code, l.URL, l.CreatedAt = l.Code.On(on), to, spring.Add(-age)
			if link := mustCreate(t, s, l); age == time.Hour {
				want[on] = link
			}
		}
	}
	must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
		for on, link := range want {
			got, err := tx.NewestTo(t.Context(), terse.Identity, on, to, spring)
			must(t, err)
			wantEqual(t, fmt.Sprint("newest on ", on), got, link)
		}
		_, err := tx.NewestTo(t.Context(), terse.Identity, 3, to, spring)
		wantError(t, "newest of none", err, terse.ErrNotFound)
		return nil
	}))
}

func domainClicks(t *testing.T, s Store) {
	links := []terse.Link{
		create(t, s, "launch"), createOn(t, s, 1, "launch"), createOn(t, s, 2, "launch"),
		createWith(t, s, "tagged", terse.LinkOptions{Tags: []string{"some"}}),
	}
	somebody := newLink(t, "theirs") // whose IDs are between those of the owner
	somebody.CreatedBy = "somebody"
	mustCreate(t, s, somebody)
	j := newNumbered(t, s)
	j.addNumbered(j.clicksAt(links, 300, spring, 50, 10*time.Minute))
	for domain, of := range map[terse.Domain][]terse.Link{
		0: {links[0], links[3]}, 1: {links[1]}, 2: {links[2]}, 3: nil,
	} {
		var clicks []terse.Click
		for _, link := range of {
			clicks = append(clicks, j.counted[link.ID]...)
		}
		for _, owner := range []string{terse.Identity, terse.AllOwners} {
			some := terse.SomeLinks{Domain: &domain}
			series := seriesOf(t, s, terse.AllLinks, terse.SeriesQuery{
				Range: terse.AllTime, Owner: owner, Some: some, Top: 5,
			})
			wantEqual(t, fmt.Sprint("clicks on ", domain), series.Total, int64(len(clicks)))
			wantEqual(t, fmt.Sprint("links on ", domain), len(series.Top), len(of))
			q := terse.EventQuery{Range: terse.AllTime, Owner: owner, Some: some, Limit: 1000}
			j.wantAll(j.pagesOf(terse.AllLinks, q, func() {}), wantEvents(clicks, q))
		}
	}
	some := terse.SomeLinks{Tags: []string{"some"}, Domain: new(terse.DefaultDomain)}
	series := seriesOf(t, s, terse.AllLinks, terse.SeriesQuery{
		Range: terse.AllTime, Owner: terse.Identity, Some: some,
	})
	wantEqual(t, "tagged clicks", series.Total, int64(len(j.counted[links[3].ID])))
}

func domainRows(t *testing.T, s Store) {
	all := func(want ...terse.DomainRow) {
		t.Helper()
		got, err := s.Domains(t.Context())
		must(t, err)
		wantEqual(t, "domains", got, want)
	}
	all(terse.DomainRow{})
	must(t, s.AddDomains(t.Context(), []string{"go.example", "s2.example"}))
	must(t, s.AddDomains(t.Context(), []string{"s3.example", "go.example"}))
	create(t, s, "launch")
	createOn(t, s, 2, "launch")
	given := newLink(t, "given")
	given.Code, given.CreatedBy = given.Code.On(2), "somebody"
	mustCreate(t, s, given)
	rows := []terse.DomainRow{
		{Links: 1},
		{Domain: 1, Host: "go.example"},
		{Domain: 2, Host: "s2.example", Links: 2},
		{Domain: 3, Host: "s3.example"},
	}
	all(rows...)

	a := auditor{t: t, s: s, seen: len(entriesOf(t, s))}
	root, ended := terse.URL("https://example.com/"), terse.URL("https://example.com/over")
	row, err := s.UpdateDomain(t.Context(), ann, 2, terse.DomainChange{Root: &root, Ended: &ended})
	must(t, err)
	rows[2].Root, rows[2].Ended = root, ended
	wantEqual(t, "the changed row", row, rows[2])
	all(rows...)
	none := terse.URL("")
	_, err = s.UpdateDomain(t.Context(), ann, 2, terse.DomainChange{Root: &none})
	must(t, err)
	_, err = s.UpdateDomain(t.Context(), ann, 2, terse.DomainChange{Ended: &ended, Unknown: &none})
	must(t, err)
	_, err = s.UpdateDomain(t.Context(), ann, 0, terse.DomainChange{Unknown: &root})
	must(t, err)
	rows[2].Root, rows[0].Unknown = "", root
	all(rows...)
	a.want("domains", ann, `domain.update s2.example {"fields":["ended_url","root_url"]}`,
		`domain.update s2.example {"fields":["root_url"]}`,
		`domain.update  {"fields":["unknown_url"]}`)
	_, err = s.UpdateDomain(t.Context(), ann, 4, terse.DomainChange{Root: &root})
	wantError(t, "another domain", err, terse.ErrDomainNotFound)

	createdBy := newLink(t, "noted")
	createdBy.Code = createdBy.Code.On(2)
	_, err = s.Create(t.Context(), ann, createdBy)
	must(t, err)
	entries := entriesOf(t, s)
	last := entries[len(entries)-1]
	wantEqual(t, "target", last.Target, "noted")
	wantEqual(t, "domain", last.Domain, 2)
}

// domainExports: an export has the default domain first and then the others by number, or only one
// of them, with its shares.
func domainExports(t *testing.T, s Store) {
	var hosts []string
	for i := range 11 {
		hosts = append(hosts, fmt.Sprintf("s%d.example", i))
	}
	must(t, s.AddDomains(t.Context(), hosts))
	share := func(of terse.ShareTarget, fresh terse.Share) {
		t.Helper()
		title := "Shared" // so that it is not plain
		must(t, s.Transact(t.Context(), func(tx terse.Tx) error {
			return shareErr(tx.Share(t.Context(), me, of, fresh, terse.ShareChange{Title: &title}))
		}))
	}
	counted := int64(0)
	of, shares := map[terse.Domain][]string{}, map[terse.Domain]terse.Share{}
	for _, on := range []terse.Domain{10, 2, 0, 11} {
		for _, code := range []string{"bbb", "-aa", "_aa"} {
			link := createOn(t, s, on, code)
			if code == "bbb" {
				clicks := terse.Click{Link: link.ID, Code: link.Code, Time: 1e15}
				must(t, s.AddClicks(t.Context(), Batch("j", counted, clicks)))
				counted++
				shares[on] = terse.NewShare()
				share(terse.ShareOf(link.Ref()), shares[on])
			}
		}
		of[on] = []string{on.Key("-aa"), on.Key("_aa"), on.Key("bbb")}
	}
	share(terse.ShareTarget{Owner: terse.Identity}, terse.NewShare())
	keys := func(q terse.ExportQuery) (keys []string) {
		t.Helper()
		for _, e := range exportedOf(t, s, q) {
			keys = append(keys, e.Link.Code.String())
		}
		return keys
	}
	for _, owner := range []string{terse.Identity, terse.AllOwners} {
		wantEqual(t, "all", keys(terse.ExportQuery{Owner: owner}),
			slices.Concat(of[0], of[2], of[10], of[11]))
		for on := range terse.Domain(12) {
			q := terse.ExportQuery{Owner: owner, Domain: &on}
			wantEqual(t, fmt.Sprint("those on ", on), keys(q), of[on])
			var found []terse.Share
			must(t, s.Export(t.Context(), q, func(int64, int64) error { return nil },
				func(terse.Exported) error { return nil },
				func(shared terse.Shared, _ terse.URL) error {
					found = append(found, shared.Share)
					return nil
				}))
			if want := shares[on]; len(found) > 1 || (want != "") != (len(found) == 1) ||
				want != "" && found[0] != want {
				t.Errorf("shares on %d: %v, want %v", on, found, want)
			}
		}
	}
}

func domainsFull(t *testing.T, s Store) {
	var hosts []string
	for i := range int(terse.MaxDomain) {
		hosts = append(hosts, fmt.Sprintf("s%d.example", i))
	}
	must(t, s.AddDomains(t.Context(), hosts))
	wantError(t, "one more", s.AddDomains(t.Context(), []string{"s0.example", "more.example"}),
		terse.ErrNoDomainLeft)
	must(t, s.AddDomains(t.Context(), hosts[3:7]))
	all, err := s.Domains(t.Context())
	must(t, err)
	wantEqual(t, "domains", len(all), 1+len(hosts))
}
