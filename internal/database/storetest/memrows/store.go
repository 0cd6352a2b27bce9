package memrows

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"terse"
	"terse/internal/click/clickstore"
	"terse/internal/link/linkset"
)

// Store counts the clicks of links that are in memory, too. Of terse.Links it has what tests of
// clicks need: links have no aliases, no history and no search. Any other method panics.
type Store struct {
	others
	*clickstore.Store

	// Commit, if set, is called when a transaction that counts is to be committed. Its error undoes
	// the transaction, which is then run again after ErrAgain.
	Commit func() error

	// A transaction holds mu for writing, a snapshot for reading.
	mu      sync.RWMutex
	counter *clickstore.Counter
	rows    *Rows
	links   *Links
	live    map[terse.LinkID]terse.Link
	last    terse.LinkID

	journals map[string]journal
	keys     map[terse.Day]terse.VisitorKey
	days     map[terse.Day]bool // whether the hashes of a day's visitors are kept
}

// journal is what a Store knows about a journal.
type journal struct {
	position int64
	day      terse.Day // up to which all its clicks are counted
}

// others are the methods that a Store lacks.
type others interface {
	terse.Links
	terse.Domains
	terse.Audit
	terse.Node
	terse.People
	terse.Tokens
	terse.Sessions
	terse.Webhooks
}

// ErrAgain means that a transaction has to be run again, as after a lost connection.
var ErrAgain = errors.New("memrows: run it again")

// NewStore returns an empty Store.
func NewStore() *Store {
	s := &Store{
		counter: clickstore.NewCounter(), rows: New(), links: NewLinks(),
		live: map[terse.LinkID]terse.Link{}, journals: map[string]journal{},
		keys: map[terse.Day]terse.VisitorKey{}, days: map[terse.Day]bool{},
	}
	s.Store = clickstore.NewStore(clicks{s})
	return s
}

// change runs f while nothing else is read or written.
func (s *Store) change(ctx context.Context, f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return f()
}

// read runs f while nothing is written.
func (s *Store) read(ctx context.Context, f func() error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return f()
}

// clicks is a clickstore.Database.
type clicks struct{ *Store }

// Count implements clickstore.Database.
func (s clicks) Count(ctx context.Context,
	f func(*clickstore.Counter, clickstore.Transaction) error,
) error {
	return s.change(ctx, func() (err error) {
		for err = ErrAgain; errors.Is(err, ErrAgain); {
			err = s.count(f)
		}
		return err
	})
}

func (s *Store) count(f func(*clickstore.Counter, clickstore.Transaction) error) error {
	s.rows.Begin()
	undo, journals := s.links.Begin(), maps.Clone(s.journals)
	err := s.counter.Begin(s.rows, s.links, s.keptDays(), time.Now())
	if err == nil {
		err = f(s.counter, snapshot{s.rows, s})
	}
	if err == nil && s.Commit != nil {
		err = s.Commit()
	}
	if s.counter.End(err == nil); err != nil {
		s.rows.Undo()
		undo()
		s.journals = journals
	}
	return err
}

// Read implements clickstore.Database.
func (s clicks) Read(ctx context.Context, f func(clickstore.Snapshot) error) error {
	return s.read(ctx, func() error { return f(snapshot{s.rows, s.Store}) })
}

// Ask implements clickstore.Database.
func (s clicks) Ask(ctx context.Context, f func(clickstore.Snapshot) error) error {
	return s.Read(ctx, f)
}

// snapshot is a clickstore.Snapshot and a clickstore.Transaction.
type snapshot struct {
	*Rows
	s *Store
}

// CheckLink implements clickstore.Snapshot.
func (r snapshot) CheckLink(link terse.LinkRef) error {
	if r.s.live[link.ID].Ref() != link {
		return terse.ErrNotFound
	}
	return nil
}

// Position implements clickstore.Snapshot.
func (r snapshot) Position(journal string) (int64, error) {
	return r.s.journals[journal].position, nil
}

// Note implements clickstore.Transaction. Nothing follows here.
func (snapshot) Note(terse.Caller, terse.Noted) error { return nil }

// Tell implements clickstore.Transaction: nobody waits for clicks here.
func (snapshot) Tell() (func(clickstore.Told) error, error) { return nil, nil }

// SetPosition implements clickstore.Transaction.
func (r snapshot) SetPosition(name string, to int64) error {
	r.s.journals[name] = journal{to, r.s.journals[name].day}
	return nil
}

// Owner implements clickstore.Snapshot.
func (r snapshot) Owner(owner string, some *terse.SomeLinks) (clickstore.Asked, error) {
	tagged, err := r.s.tagged(owner, some.Tags)
	return clickstore.Asked{
		Links: r.s.links.AllOf(owner), Tagged: tagged,
		Exist: func(ids []terse.LinkID) ([]terse.LinkRef, error) {
			refs := make([]terse.LinkRef, len(ids))
			for i, id := range ids {
				if link := r.s.live[id]; isOf(link, owner) {
					refs[i] = link.Ref()
				}
			}
			return refs, nil
		},
		Newest: func(of linkset.Set, after linkset.Ranked, most int) (
			found []linkset.Ranked, err error,
		) {
			top := linkset.Top{Most: most}
			for _, link := range r.s.live {
				at := linkset.Ranked{ID: int64(link.ID), Key: link.CreatedAt.UnixMicro()}
				if isOf(link, owner) && of.Has(at.ID) && after.Before(at) {
					top.Add(at)
				}
			}
			return top.Sorted(), nil
		},
	}, err
}

// isOf reports whether a link is one of an owner, or of terse.AllOwners.
func isOf(link terse.Link, owner string) bool {
	return link.CreatedBy == owner || owner == terse.AllOwners && link.ID != 0
}

// tagged returns the links of an owner, or of terse.AllOwners, that have all of some tags.
func (s *Store) tagged(owner string, tags []string) (tagged linkset.Set, err error) {
	var ids []int64
	for id, link := range s.live {
		o, err := link.Options.Decode()
		if err != nil {
			return nil, err
		}
		if isOf(link, owner) && !slices.ContainsFunc(tags, func(tag string) bool {
			return !slices.ContainsFunc(o.Tags, func(has string) bool {
				return terse.FoldTag(has) == terse.FoldTag(tag)
			})
		}) {
			ids = append(ids, int64(id))
		}
	}
	slices.Sort(ids)
	return linkset.Of(ids), nil
}

// Create implements terse.Links.
func (s *Store) Create(ctx context.Context, _ terse.Caller, l terse.NewLink) (
	link terse.Link, err error,
) {
	err = s.change(ctx, func() error {
		if s.at(l.Code).ID != 0 {
			return terse.ErrCodeTaken
		}
		s.last++
		link = terse.Link{
			ID: s.last, Code: l.Code, URL: l.URL, CreatedBy: l.CreatedBy, Options: l.Options,
			CreatedAt: time.UnixMicro(l.CreatedAt.UnixMicro()).UTC(),
		}
		if l.CreatedAt.IsZero() {
			link.CreatedAt = terse.Version(time.Now(), time.Time{})
		}
		s.live[link.ID] = link
		owner, err := s.links.Owner(link.CreatedBy)
		s.links.All[link.ID] = &Link{Codes: []terse.Code{link.Code}, Owner: owner}
		return err
	})
	return link, err
}

// at returns the link with a code.
func (s *Store) at(code terse.Code) terse.Link {
	for _, link := range s.live {
		if link.Code == code {
			return link
		}
	}
	return terse.Link{}
}

// Link implements terse.Links.
func (s *Store) Link(ctx context.Context, code terse.Code) (link terse.Link, err error) {
	err = s.read(ctx, func() error {
		if link = s.at(code); link.ID == 0 {
			return terse.ErrNotFound
		}
		return nil
	})
	return link, err
}

// version returns terse.ErrNotFound or terse.ErrChanged unless a link is as the caller knows it.
func (s *Store) version(link terse.Link) error {
	switch now := s.live[link.ID]; {
	case now.Ref() != link.Ref():
		return terse.ErrNotFound
	case !now.UpdatedAt.Equal(link.UpdatedAt):
		return terse.ErrChanged
	}
	return nil
}

// Update implements terse.Links.
func (s *Store) Update(ctx context.Context, _ terse.Caller, change terse.LinkChange) (
	link terse.Link, err error,
) {
	err = s.change(ctx, func() error {
		if err := s.version(change.Before); err != nil {
			return err
		}
		link = s.live[change.Before.ID]
		link.Code, link.URL = change.After.Code, change.After.URL
		given := link.CreatedBy != change.After.CreatedBy
		link.CreatedBy, link.Options = change.After.CreatedBy, change.After.Options
		link.UpdatedAt = terse.Version(time.Now(), link.UpdatedAt)
		if given {
			of, err := s.links.Owner(link.CreatedBy)
			if err != nil {
				return err
			}
			s.links.All[link.ID].Owner = of
			s.links.Bury(link.ID, false)
		}
		if link.Code != change.Before.Code {
			if s.at(link.Code).ID != 0 {
				return terse.ErrCodeTaken
			}
			of := s.links.All[link.ID]
			of.Codes = append([]terse.Code{link.Code}, of.Codes...)
			s.links.Bury(link.ID, false)
		}
		s.live[link.ID] = link
		return nil
	})
	return link, err
}

// Delete implements terse.Links.
func (s *Store) Delete(ctx context.Context, _ terse.Caller, link terse.Link) error {
	return s.change(ctx, func() error {
		if err := s.version(link); err != nil {
			return err
		}
		delete(s.live, link.ID)
		s.links.All[link.ID].Deleted = true
		s.links.Bury(link.ID, true)
		return nil
	})
}

// Links implements terse.Links. It knows no filter but tags, and no order but by clicks and newest
// first.
func (s *Store) Links(ctx context.Context, q terse.LinkQuery) (page terse.LinkPage, err error) {
	err = s.read(ctx, func() error {
		all, err := s.listed(q)
		if err != nil {
			return err
		}
		page.Total = int64(len(all))
		from := q.Offset
		if q.After != nil {
			from = 1 + slices.IndexFunc(all, func(l terse.Link) bool { return l.ID == q.After.ID })
		}
		all = all[min(from, len(all)):]
		if page.Links = all[:min(q.Limit, len(all))]; len(all) > q.Limit {
			page.Next = &terse.LinkMark{ID: all[q.Limit-1].ID}
		}
		return nil
	})
	return page, err
}

// listed returns all links of a list, in order.
func (s *Store) listed(q terse.LinkQuery) (all []terse.Link, err error) {
	tagged, err := s.tagged(q.Owner, q.Filter.Tags)
	if err != nil {
		return nil, err
	}
	period := map[int64]int64{}
	if q.Order == terse.MostClickedFirst {
		err := clickstore.Within(s.rows, s.links.AllOf(q.Owner), q.Within, false,
			func(id, clicks, _ int64) { period[id] = clicks })
		if err != nil {
			return nil, err
		}
	}
	for _, id := range tagged.IDs() {
		link := s.live[terse.LinkID(id)]
		total, err := clickstore.TotalOf(s.rows, link.ID)
		if err != nil {
			return nil, err
		}
		link.Clicks, link.PeriodClicks = total.Clicks, period[id]
		all = append(all, link)
	}
	slices.SortFunc(all, func(a, b terse.Link) int {
		return cmp.Or(cmp.Compare(b.PeriodClicks, a.PeriodClicks),
			b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return all, nil
}

// Export implements terse.Archive.
func (s *Store) Export(ctx context.Context, q terse.ExportQuery,
	begin func(links, clicks int64) error,
	each func(terse.Exported) error, _ func(terse.Shared, terse.URL) error,
) error {
	return s.read(ctx, func() error {
		ids, err := s.tagged(q.Owner, nil)
		if err != nil {
			return err
		}
		for _, id := range ids.IDs() {
			on := s.live[terse.LinkID(id)].Code.Domain()
			if q.Domain != nil && on != *q.Domain {
				ids = ids.Without(linkset.Set(nil).With(id))
			}
		}
		clicks, err := clickstore.ClicksOf(s.rows, ids)
		if err != nil {
			return err
		}
		if err := begin(ids.Count(), clicks); err != nil {
			return err
		}
		var links []terse.Link
		for _, id := range ids.IDs() {
			links = append(links, s.live[terse.LinkID(id)])
		}
		slices.SortFunc(links, func(a, b terse.Link) int { return a.Code.Compare(b.Code) })
		past := clickstore.NewPastReader()
		for _, link := range links {
			total, err := clickstore.TotalOf(s.rows, link.ID)
			if err != nil {
				return err
			}
			link.Clicks, link.LastClick = total.Clicks, total.Of(link.Ref()).Last
			if err := each(terse.Exported{
				Link: link,
				Past: func(day func(terse.PastDay) error, click func(terse.PastClick) error) error {
					return past.Read(s.rows, link.ID, day, click)
				},
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// keptDays returns the days whose visitors are kept.
func (s *Store) keptDays() (days []terse.Day) {
	for day, kept := range s.days {
		if kept {
			days = append(days, day)
		}
	}
	return days
}

// VisitorKey implements terse.Visitors.
func (s *Store) VisitorKey(ctx context.Context, day terse.Day) (
	key terse.VisitorKey, err error,
) {
	err = s.change(ctx, func() error {
		if known, ok := s.keys[day]; ok {
			key = known
			return nil
		}
		for of := range s.days {
			if of >= day && (of-day)%2 == 0 {
				return terse.ErrNotFound
			}
		}
		for of := range s.days {
			if (of-day)%2 == 0 {
				delete(s.keys, of)
				s.days[of] = false
			}
		}
		s.wipe()
		rand.Read(key[:])
		s.keys[day], s.days[day] = key, true
		return nil
	})
	return key, err
}

// EndDays implements terse.Visitors.
func (s *Store) EndDays(ctx context.Context, name string, today terse.Day, counted bool) error {
	return s.change(ctx, func() error {
		maps.DeleteFunc(s.keys, func(day terse.Day, _ terse.VisitorKey) bool { return day < today })
		if of, known := s.journals[name]; counted || !known {
			s.journals[name] = journal{of.position, max(of.day, today)}
		}
		for day := range s.days {
			waits := false
			for _, of := range s.journals {
				waits = waits || of.day >= day-2 && of.day <= day
			}
			s.days[day] = s.days[day] && (day >= today || waits)
		}
		s.wipe()
		return nil
	})
}

// wipe forgets the visitors of days that are not kept.
func (s *Store) wipe() {
	days := s.keptDays()
	for _, parity := range []terse.Day{0, 1} {
		if !slices.ContainsFunc(days, func(d terse.Day) bool { return d&1 == parity }) {
			s.rows.Wipe(clickstore.VisitorTable(parity))
		}
	}
	s.counter.WipeVisitors(days)
}
