package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"terse"
)

// auditTests test what the audit says.
var auditTests = storeTests{
	"each kind of change leaves its entry":    auditChanges,
	"the audit is read page by page":          auditPages,
	"of equal entries at once there is one":   auditTogether,
	"what is noted may be of any kind":        auditOdd,
	"the audit has no secrets and no notes":   auditSecrets,
	"a change that is undone leaves no entry": auditUndone,
}

// ann is somebody whose changes are audited as a whole.
var ann = terse.Caller{
	Identity: "ann@example.org", Role: terse.Admin, Via: terse.ViaSession, Token: "t1",
	Address: netip.MustParseAddr("2001:db8::1"), RequestID: "request",
}

// settings is somebody with a token of the settings.
var settings = terse.Caller{Identity: terse.Identity, Via: terse.ViaAuthTokens, RequestID: "r"}

// because returns a caller with another cause.
func because(by terse.Caller, cause terse.Cause) terse.Caller {
	by.Cause = cause
	return by
}

// entriesOf returns all entries, the oldest first.
func entriesOf(t *testing.T, s Store) []terse.AuditEntry {
	t.Helper()
	var all []terse.AuditEntry
	for q := (terse.AuditQuery{Limit: 1000}); ; {
		page, err := s.Audit(t.Context(), q)
		must(t, err)
		all = append(all, page...)
		if len(page) < q.Limit {
			break
		}
		q.Before = page[len(page)-1].ID
	}
	for i, k := 0, len(all)-1; i < k; i, k = i+1, k-1 {
		all[i], all[k] = all[k], all[i]
	}
	return all
}

// brief is what changes of ann say of themselves.
func brief(e *terse.AuditEntry) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Action, e.Target, e.Details))
}

// auditor follows the entries of a store.
type auditor struct {
	t    *testing.T
	s    Store
	seen int
}

// want checks the entries that were added since the last call.
func (a *auditor) want(what string, by terse.Caller, want ...string) {
	a.t.Helper()
	all := entriesOf(a.t, a.s)
	var got []string
	for _, e := range all[a.seen:] {
		got = append(got, brief(&e))
		address := ""
		if by.Address.IsValid() {
			address = by.Address.String()
		}
		if e.By != by.Identity || e.Via != by.Via || e.Token != by.Token ||
			e.RequestID != by.RequestID || e.Address != address ||
			time.Since(e.Time).Abs() > time.Hour {
			a.t.Errorf("%s: %+v, want it by %+v", what, e, by)
		}
	}
	wantEqual(a.t, what, got, want)
	a.seen = len(all)
}

func auditChanges(t *testing.T, s Store) {
	ctx, a := t.Context(), &auditor{t: t, s: s}
	link, err := s.Create(ctx, ann, newLink(t, "link"))
	must(t, err)
	a.want("a create for somebody else", ann, `link.create link {"owner":"authenticated-user"}`)
	wantError(t, "taken", errOf(s.Create(ctx, ann, newLink(t, "link"))), terse.ErrCodeTaken)
	other, err := s.Create(ctx, settings, newLink(t, "other"))
	must(t, err)
	a.want("a create that is refused, and one with a token of the settings", ann)

	update := func(by terse.Caller, f func(*terse.Link)) {
		t.Helper()
		change := changeTo(link)
		f(&change.After)
		link, err = s.Update(ctx, by, change)
		must(t, err)
	}
	update(ann, func(l *terse.Link) {
		l.URL += "?new"
		l.Options = encoded(t, terse.LinkOptions{
			Title: "a title", Note: "a note", Password: "$2a$hash", Tags: []string{"News"},
		})
	})
	a.want("an update", ann,
		`link.update link {"fields":["note","original_url","password","tags","title"]}`)
	stale := changeTo(other)
	stale.Before.UpdatedAt = time.UnixMicro(5)
	wantError(t, "stale", errOf(s.Update(ctx, ann, stale)), terse.ErrChanged)
	update(ann, func(*terse.Link) {})
	a.want("an update that is refused, and one of nothing", ann)
	update(settings, func(l *terse.Link) { l.Code = code(t, "renamed") })
	a.want("another code", settings, `link.update link {"fields":["short_code"]}`)
	update(ann, func(l *terse.Link) { l.CreatedBy = "bob" })
	a.want("another owner", ann, `link.update renamed {"fields":["owner"],"owner":"bob"}`)

	share := func(fresh terse.Share) {
		t.Helper()
		must(t, s.Transact(ctx, func(tx terse.Tx) error {
			return shareErr(tx.Share(ctx, ann, terse.ShareOf(link.Ref()), fresh,
				terse.ShareChange{}))
		}))
	}
	share(terse.NewShare())
	a.want("a share", ann, "link.share renamed")
	share(terse.NewShare())
	a.want("a share that is there", ann)
	must(t, s.Unshare(ctx, ann, terse.ShareOf(link.Ref())))
	wantError(t, "Unshare", s.Unshare(ctx, ann, terse.ShareOf(link.Ref())), terse.ErrShareNotFound)
	a.want("a share that is taken back, twice", ann, "link.unshare renamed")

	must(t, s.ClearClicks(ctx, ann, link.Ref()))
	a.want("a reset of no clicks", ann)
	must(t, s.AddClicks(ctx, Batch("j", 0,
		terse.Click{Link: link.ID, Code: link.Code, Time: spring.UnixMicro()})))
	must(t, s.ClearClicks(ctx, ann, link.Ref()))
	a.want("a reset", ann, "link.reset renamed")

	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		renaming := because(ann, terse.CauseTag)
		change := changeTo(link)
		change.After.Options = encoded(t, terse.LinkOptions{Tags: []string{"Old"}})
		if link, err = tx.Update(ctx, renaming, change); err != nil {
			return err
		}
		return tx.Note(ctx, renaming, terse.Noted{
			Action: terse.ActionRenameTag, Target: "News", Details: map[string]any{"name": "Old"},
		})
	}))
	a.want("a tag that is renamed", ann, `tag.rename News {"name":"Old"}`)

	importing := because(ann, terse.CauseImport)
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		created, _, err := tx.CreateAll(ctx, importing, []terse.RestoredLink{
			{Link: newLink(t, "brought")}, {Link: newLink(t, "other")},
		})
		if err == nil {
			err = tx.Restore(ctx, importing, created[0].Ref(), terse.Restored{UpdatedAt: spring})
		}
		if err == nil {
			err = tx.Note(ctx, importing, terse.Noted{
				Action: terse.ActionImport, Details: map[string]any{"format": "terse"}, Once: true,
			})
		}
		return err
	}))
	a.want("an import", ann, `links.import  {"format":"terse"}`)

	taken := createWith(t, s, "taken", terse.LinkOptions{MaxClicks: 1})
	a.seen++
	must(t, s.Take(ctx, taken.Ref()))
	a.want("a visit that ends a link", ann)

	must(t, s.Note(ctx, ann, terse.Noted{Action: terse.ActionExport, Target: "bob"}))
	a.want("an export", ann, "links.export bob")

	must(t, s.Delete(ctx, ann, link))
	wantError(t, "Delete", s.Delete(ctx, ann, link), terse.ErrNotFound)
	a.want("a delete, twice", ann, fmt.Sprintf(
		`link.delete renamed {"created_at":%q,"created_by":"bob","original_url":%q}`,
		link.CreatedAt.Format(time.RFC3339Nano), link.URL))
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		return errOf(tx.DeleteAll(ctx, settings, []terse.Link{other, other, taken}))
	}))
	got := entriesOf(t, s)[a.seen:]
	if len(got) != 2 || got[0].Target != "other" || got[1].Target != "taken" {
		t.Errorf("of deletes together there is %+v", got)
	}
}

// auditUndone: what a transaction has noted, or changed, is not there if it is undone.
func auditUndone(t *testing.T, s Store) {
	ctx, a, undo := t.Context(), &auditor{t: t, s: s}, errors.New("undo")
	link, err := s.Create(ctx, ann, newLink(t, "link"))
	must(t, err)
	a.want("a create for somebody else", ann, `link.create link {"owner":"authenticated-user"}`)
	err = s.Transact(ctx, func(tx terse.Tx) error {
		change := changeTo(link)
		change.After.URL += "?new"
		changed, err := tx.Update(ctx, ann, change)
		must(t, err)
		must(t, errOf(tx.Create(ctx, ann, newLink(t, "another"))))
		must(t, shareErr(tx.Share(ctx, ann, terse.ShareOf(link.Ref()), terse.NewShare(),
			terse.ShareChange{})))
		must(t, tx.Note(ctx, ann, terse.Noted{Action: terse.ActionDeleteTag, Target: "x"}))
		must(t, tx.Note(ctx, ann, terse.Noted{Action: terse.ActionImport, Once: true}))
		must(t, tx.Delete(ctx, ann, changed))
		return undo
	})
	wantError(t, "Transact", err, undo)
	a.want("a transaction that is undone", ann)
	must(t, s.Transact(ctx, func(tx terse.Tx) error {
		wantError(t, "taken", errOf(tx.Create(ctx, ann, newLink(t, "link"))), terse.ErrCodeTaken)
		return errOf(tx.Create(ctx, ann, newLink(t, "another")))
	}))
	a.want("a transaction that goes on after a refusal", ann,
		`link.create another {"owner":"authenticated-user"}`)
}

func auditPages(t *testing.T, s Store) {
	ctx := t.Context()
	bys, targets := []string{"ann", "bob", "eve"}, []string{"", "x", "y", "é"}
	for i := range 40 {
		by := terse.Caller{Identity: bys[i%3]}
		must(t, s.Note(ctx, by, terse.Noted{
			Action: terse.ActionExport, Target: targets[i%4], Details: map[string]any{"i": i},
		}))
	}
	all := entriesOf(t, s)
	for i, e := range all {
		if i > 0 && e.ID <= all[i-1].ID {
			t.Errorf("entry %d has the ID %d after %d", i, e.ID, all[i-1].ID)
		}
	}
	for _, by := range append(bys, "", "nobody") {
		for _, target := range append(targets, "nothing") {
			var want []string
			for _, e := range slices.Backward(all) {
				if (by == "" || e.By == by) && (target == "" || e.Target == target) {
					want = append(want, string(e.Details))
				}
			}
			var got []string
			for q := (terse.AuditQuery{By: by, Target: target, Limit: 7}); ; {
				page, err := s.Audit(ctx, q)
				must(t, err)
				if len(page) == 0 {
					break
				}
				if len(page) > q.Limit {
					t.Errorf("a page has %d entries", len(page))
				}
				for _, e := range page {
					got = append(got, string(e.Details))
				}
				q.Before = page[len(page)-1].ID
			}
			wantEqual(t, fmt.Sprintf("entries by %q about %q", by, target), got, want)
		}
	}
}

func auditTogether(t *testing.T, s Store) {
	const n = 8
	together(n, func(int) {
		if err := s.Note(t.Context(), ann, terse.Noted{
			Action: terse.ActionFailSignIn, Details: map[string]any{"reason": "x"}, Once: true,
		}); err != nil {
			t.Errorf("note: %v", err)
		}
	})
	wantEqual(t, "equal entries", len(entriesOf(t, s)), 1)
	together(n, func(i int) {
		by := ann
		by.Address = netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		if err := s.Note(t.Context(), by, terse.Noted{
			Action: terse.ActionFailSignIn, Details: map[string]any{"reason": "x"}, Once: true,
		}); err != nil {
			t.Errorf("note: %v", err)
		}
	})
	wantEqual(t, "equal and other entries", len(entriesOf(t, s)), 1+n)
}

// auditOdd: strangers send any text, and databases take it.
func auditOdd(t *testing.T, s Store) {
	ctx, a := t.Context(), &auditor{t: t, s: s}
	long := strings.Repeat("ä", 10_000)
	note := func(target string, details map[string]any, want string) {
		t.Helper()
		must(t, s.Note(ctx, ann, terse.Noted{
			Action: terse.ActionRefuseUser, Target: target, Details: details,
		}))
		a.want("what is noted", ann, "user.refused "+want)
	}
	note("a\x00b\nc\xff@d", nil, "abc\uFFFD@d")
	note(long, nil, strings.Repeat("ä", 158)+"…")
	note("x", map[string]any{"reason": "<&>\x00\xff", "n": 3, "is": true},
		`x {"is":true,"n":3,"reason":"<&>\u0000`+"\uFFFD"+`"}`)
	note("x", map[string]any{"reason": long},
		`x {"reason":"`+strings.Repeat("ä", 4094)+`…"}`)
	note("x", map[string]any{"all": []string{long, long, long, long}}, `x {"truncated":true}`)
}

// auditSecrets: whatever is done to links with secrets, the audit has none.
func auditSecrets(t *testing.T, s Store) {
	const secret = "s3cr3t"
	ctx, rng := t.Context(), rand.New(rand.NewPCG(1, 2))
	some := func() string { return fmt.Sprintf("%s%d", secret, rng.IntN(1000)) }
	var shares []string
	options := func() terse.EncodedOptions {
		o := terse.LinkOptions{}
		for _, set := range []func(){
			func() { o.Password = "$argon2id$" + some() },
			func() { o.Note = some() },
			func() { o.Title = some() },
			func() { o.Tags = []string{some()} },
			func() { o.ExpiredURL = terse.URL("https://example.org/" + some()) },
			func() {
				to := terse.URL("https://a.example/" + some())
				o.Rules = []terse.Rule{{Name: some(), URL: to}}
			},
			func() { o.MaxClicks = 1 + rng.Int64N(5) },
		} {
			if rng.IntN(2) == 0 {
				set()
			}
		}
		return encoded(t, o)
	}
	links := map[string]terse.Link{}
	step := func(tx interface {
		Create(context.Context, terse.Caller, terse.NewLink) (terse.Link, error)
		Update(context.Context, terse.Caller, terse.LinkChange) (terse.Link, error)
		Delete(context.Context, terse.Caller, terse.Link) error
	},
	) error {
		name := fmt.Sprintf("code%d", rng.IntN(8))
		by := because([]terse.Caller{ann, settings}[rng.IntN(2)], terse.Cause(rng.IntN(3)))
		link, there := links[name]
		var err error
		switch {
		case !there:
			n := newLink(t, name)
			n.Options = options()
			links[name], err = tx.Create(ctx, by, n)
		case rng.IntN(4) == 0:
			delete(links, name)
			return tx.Delete(ctx, by, link)
		default:
			change := changeTo(link)
			change.After.Options = options()
			links[name], err = tx.Update(ctx, by, change)
		}
		return err
	}
	for range 60 {
		must(t, step(s))
		must(t, s.Transact(ctx, func(tx terse.Tx) error {
			for _, link := range links {
				fresh := terse.NewShare()
				shares = append(shares, string(fresh))
				if err := shareErr(tx.Share(ctx, ann, terse.ShareOf(link.Ref()), fresh,
					terse.ShareChange{})); err != nil {
					return err
				}
				break
			}
			return step(tx)
		}))
	}
	entries := entriesOf(t, s)
	for _, e := range entries {
		text := fmt.Sprintf("%+v %s", e, e.Details)
		if strings.Contains(text, secret) {
			t.Errorf("the audit has a secret: %s", text)
		}
		for _, share := range shares {
			if strings.Contains(text, share) {
				t.Errorf("the audit has a share: %s", text)
			}
		}
	}
	if len(entries) < 30 {
		t.Errorf("there are only %d entries", len(entries))
	}
}

// RunAudit tests what the audit does over time. first and second are stores of the same empty
// database, which may be the same; off is one of it whose audit is turned off; byHand runs SQL.
func RunAudit(t *testing.T, first, second, off Store, byHand func(sql string)) {
	ctx := t.Context()
	note := func(s Store) {
		t.Helper()
		must(t, s.Note(ctx, ann, terse.Noted{Action: terse.ActionImport, Once: true}))
	}
	count := func(what string, want int) {
		t.Helper()
		wantEqual(t, what, len(entriesOf(t, first)), want)
	}
	note(first)
	note(second)
	count("entries of equal imports on two nodes", 1)
	together(16, func(i int) { note([]Store{first, second}[i%2]) })
	count("entries of equal imports on two nodes at once", 1)
	byHand("UPDATE audit SET at = at - 50000000")
	note(second)
	count("entries within a minute", 1)
	byHand("UPDATE audit SET at = at - 10000001")
	note(second)
	count("entries after a minute", 2)

	note(off)
	must(t, off.Note(ctx, ann, terse.Noted{Action: terse.ActionExport}))
	link, err := off.Create(ctx, ann, newLink(t, "link"))
	must(t, err)
	must(t, off.Transact(ctx, func(tx terse.Tx) error {
		return tx.Note(ctx, ann, terse.Noted{Action: terse.ActionDeleteTag})
	}))
	must(t, off.Delete(ctx, ann, link))
	count("entries without those of a node that makes none", 2)
	got, err := off.Audit(ctx, terse.AuditQuery{Limit: 10})
	must(t, err)
	wantEqual(t, "entries where the audit is off", len(got), 0)

	last := entriesOf(t, first)[1].ID
	byHand("WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 3000) " +
		"INSERT INTO audit (at, actor, via, token, action, target, details, address, request_id) " +
		"SELECT n, 'old', '', '', 'x', '', '', '', '' FROM i")
	count("entries with old ones", 3002)
	must(t, first.DropAudit(ctx, time.UnixMicro(1)))
	count("entries if none is old enough", 3002)
	must(t, first.DropAudit(ctx, time.UnixMicro(2)))
	count("entries without the oldest", 3001)
	together(4, func(i int) {
		if err := []Store{first, second}[i%2].DropAudit(ctx, time.UnixMicro(10_000)); err != nil {
			t.Errorf("drop: %v", err)
		}
	})
	count("entries without old ones", 2)
	must(t, off.DropAudit(ctx, time.Now().Add(time.Hour)))
	count("entries", 0)
	note(first)
	if e := entriesOf(t, first)[0]; e.ID <= last {
		t.Errorf("the ID %d was used before", e.ID)
	}
}
