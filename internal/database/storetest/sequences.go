package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"terse"
	"terse/internal/link/derive"
)

// Database is a store with its rows: tests compare these with what follows from its links.
type Database struct {
	Store

	// Compare compares the rows of a snapshot.
	Compare func(derive.Options) (*derive.Found, error)
	// Edited compares the rows as they would be after an edit by SQL.
	Edited func(sql string) (*derive.Found, error)
	// Texts returns the texts that a query finds.
	Texts func(sql string) []string
	// ByHand runs SQL in a transaction, as an operator does.
	ByHand func(sql ...string)
	// Triggers says that triggers keep the rows true when somebody changes links by hand.
	Triggers bool
	// MoveDue moves some links whose status has changed with time, and returns how many.
	MoveDue func(context.Context) (int, error)
	// Fail has the nth write from now on fail, in one of Ways. 0: none does.
	Fail func(nth, way int)
	Ways int
}

// longSequences are those of make test-long.
const longSequences = 10_000

// RunSequences runs random sequences of all that changes links, with statements that fail,
// transactions that are taken back, and edits by hand. After each step the rows are those that
// follow from the links. TERSE_TEST_SEED sets another seed. make test runs short sequences.
func RunSequences(t *testing.T, db *Database, short int) {
	n := longSequences
	if testing.Short() {
		n = short
	}
	seed := uint64(1)
	if text := os.Getenv("TERSE_TEST_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		must(t, err)
	}
	for i := range n {
		s := &sequence{t: t, Database: db, rng: rand.New(rand.NewPCG(seed, uint64(i)))}
		s.note("seed %d, sequence %d:", seed, i)
		s.run()
		if t.Failed() {
			break
		}
	}
}

// sequence is a random sequence of steps.
type sequence struct {
	*Database
	t     *testing.T
	rng   *rand.Rand
	steps []string     // for people
	links []terse.Link // of all owners
	// traces are those that changes have left, by their links.
	traces map[string]terse.LinkID
	traced bool  // those of the last step are there
	failed bool  // an operation of this step may fail
	passed int64 // when the clock last moved all that was due
}

// The owners of the links, and how many codes and aliases these share.
var sequenceOwners = []string{terse.Identity, "alice", "bob"}

const (
	sequenceCodes   = 12
	sequenceAliases = 5
)

// tracesOf are the traces in a database, as derive.Traces writes them.
const tracesOf = `SELECT 'former code ' || code || ' of link ' || link_id FROM former_codes
	UNION ALL SELECT 'tombstone of link ' || link_id || ' (' || code || ')' ||
		CASE WHEN deleted THEN ', deleted' ELSE '' END FROM tombstones`

func (s *sequence) run() {
	defer func() {
		if s.t.Failed() {
			s.t.Log(strings.Join(s.steps, "\n"))
		}
	}()
	s.traces = map[string]terse.LinkID{}
	s.refresh()
	for range 3 + s.rng.IntN(8) {
		s.step()
		if s.t.Failed() {
			return
		}
	}
	s.note("delete all")
	must(s.t, s.Transact(s.t.Context(), func(tx terse.Tx) error {
		return errOf(tx.DeleteAll(s.t.Context(), me, s.links))
	}))
	s.compare()
	s.ByHand("DELETE FROM tombstones WHERE number IS NULL")
}

func (s *sequence) note(format string, args ...any) {
	s.steps = append(s.steps, fmt.Sprintf(format, args...))
}

// step does something, and compares the rows.
func (s *sequence) step() {
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	if s.failed = s.Fail != nil && s.rng.IntN(4) == 0; s.failed {
		nth, way := 1+s.rng.IntN(14), s.rng.IntN(s.Ways)
		s.note("write %d fails in way %d:", nth, way)
		s.Fail(nth, way)
	}
	switch s.rng.IntN(12) {
	case 0, 1, 2:
		s.alone(ctx)
	case 3:
		s.beside(ctx)
	case 4:
		s.pass(ctx)
	case 5, 6:
		s.byHand()
	default:
		s.transact(ctx)
	}
	if s.failed {
		s.Fail(0, 0)
	}
	s.compare()
}

// refresh reads all links.
func (s *sequence) refresh() {
	s.links = nil
	for codes := range slices.Chunk(s.Texts("SELECT code FROM links ORDER BY id"), terse.MaxFind) {
		found, err := s.Find(s.t.Context(), codes)
		must(s.t, err)
		for _, code := range codes {
			s.links = append(s.links, found[code])
		}
	}
}

// compare compares the rows with those that follow from the links.
func (s *sequence) compare() {
	s.t.Helper()
	before := s.links
	s.refresh()
	for _, link := range before {
		if !s.traced { // otherwise the link may have changed more than once
			s.changed(&link, s.now(link.ID))
		}
	}
	s.traced = false
	s.wantTraces()
	found, err := s.Compare(derive.Options{
		Now: time.Now().Add(time.Second).UnixMicro(), Passed: s.passed, Most: 1000,
	})
	must(s.t, err)
	if int(found.Links) != len(s.links) {
		s.t.Errorf("%d links were compared of %d", found.Links, len(s.links))
	}
	for _, line := range found.Lines() {
		s.t.Error(line)
	}
}

// now returns a link as it is now, nil if it is gone.
func (s *sequence) now(id terse.LinkID) *terse.Link {
	i := slices.IndexFunc(s.links, func(l terse.Link) bool { return l.ID == id })
	if i < 0 {
		return nil
	}
	return &s.links[i]
}

// changed notes the traces that a change leaves.
func (s *sequence) changed(before, after *terse.Link) {
	for _, trace := range derive.Traces(before, after) {
		s.traces[trace] = before.ID
	}
}

// wantTraces looks for the traces of all changes. A link's former codes go with it.
func (s *sequence) wantTraces() {
	there := map[string]bool{}
	for _, trace := range s.Texts(tracesOf) {
		there[trace] = true
	}
	for trace, link := range s.traces {
		if !there[trace] && (strings.HasPrefix(trace, "tombstone") || s.now(link) != nil) {
			s.t.Errorf("there is no %s", trace)
		}
	}
}

// wantDone checks the error of an operation: it was done, or refused for a reason that callers see.
func (s *sequence) wantDone(err error) {
	s.t.Helper()
	if _, known := errors.AsType[*terse.Error](err); err != nil && !known && !s.failed {
		s.t.Error(err)
	}
}

// alone does an operation outside of a transaction.
func (s *sequence) alone(ctx context.Context) {
	link := s.some()
	switch kind := s.rng.IntN(6); {
	case kind == 0 || link == nil:
		n := s.newLink()
		s.note("create %v %s", n.Code, n.Options)
		s.wantDone(errOf(s.Create(ctx, me, n)))
	case kind == 1:
		change := s.change(*link)
		s.note("update %v to %v %s", link.Code, change.After.Code, change.After.Options)
		s.wantDone(errOf(s.Update(ctx, me, change)))
	case kind == 2:
		s.note("delete %v", link.Code)
		s.wantDone(s.Delete(ctx, me, *link))
	case kind == 3:
		s.note("unshare %v", link.Code)
		s.wantDone(s.Unshare(ctx, me, terse.ShareOf(link.Ref())))
	default:
		s.note("take %v", link.Code)
		s.wantDone(s.Take(ctx, link.Ref()))
	}
}

// beside does several operations at once.
func (s *sequence) beside(ctx context.Context) {
	var all []terse.NewLink
	for range 4 {
		n := s.newLink()
		s.note("beside others: create %v %s", n.Code, n.Options)
		all = append(all, n)
	}
	link := s.some()
	errs := make([]error, len(all)+1)
	together(len(errs), func(i int) {
		switch {
		case i < len(all):
			errs[i] = errOf(s.Create(ctx, me, all[i]))
		case link != nil:
			errs[i] = s.Take(ctx, link.Ref())
		}
	})
	for _, err := range errs {
		s.wantDone(err)
	}
}

// pass lets the clock move all links whose status has changed.
func (s *sequence) pass(ctx context.Context) {
	s.note("time passes")
	time.Sleep(time.Duration(s.rng.IntN(4)) * time.Millisecond)
	at := time.Now().UnixMicro()
	for moved := 1; moved > 0; {
		var err error
		if moved, err = s.MoveDue(ctx); err != nil {
			s.wantDone(err)
			return
		}
	}
	s.passed = at
}

var errTaken = errors.New("taken back")

// transact does several operations in a transaction, which is committed, taken back or cancelled.
func (s *sequence) transact(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	end := s.rng.IntN(6)
	steps := 1 + s.rng.IntN(6)
	seed := s.rng.Uint64()
	s.note("begin")
	at := len(s.steps)
	var changes [][2]*terse.Link
	err := s.Transact(ctx, func(tx terse.Tx) error {
		do := &within{
			sequence: s, tx: tx, rng: rand.New(rand.NewPCG(seed, 0)),
			links: slices.Clone(s.links),
		}
		s.steps = s.steps[:at] // it may be tried again
		for i := range steps {
			if end == 1 && i == steps/2 {
				s.note("  cancelled")
				cancel()
			}
			if err := do.step(ctx); err != nil {
				return err
			}
		}
		if end == 0 {
			s.note("  taken back")
			return errTaken
		}
		changes = do.changes
		return nil
	})
	switch {
	case end == 0 && errors.Is(err, errTaken), end == 1 && errors.Is(err, context.Canceled):
		return
	case err != nil:
		s.wantDone(err)
		return
	}
	for _, c := range changes {
		s.changed(c[0], c[1])
	}
	s.traced = true
}

// within is operations of a transaction.
type within struct {
	*sequence
	tx      terse.Tx
	rng     *rand.Rand
	links   []terse.Link
	changes [][2]*terse.Link
}

// step does an operation. Refused ones do not end the transaction.
func (w *within) step(ctx context.Context) error {
	err := w.operate(ctx)
	if known, ok := errors.AsType[*terse.Error](err); ok {
		w.note("    refused: %v", known)
		return nil
	}
	return err
}

func (w *within) operate(ctx context.Context) error {
	outer := w.sequence.rng
	w.sequence.rng = w.rng // so that another try does the same
	defer func() { w.sequence.rng = outer }()
	if len(w.links) == 0 {
		return w.create(ctx)
	}
	i := w.rng.IntN(len(w.links))
	link := w.links[i]
	switch w.rng.IntN(10) {
	case 0, 1, 2:
		return w.create(ctx)
	case 3, 4:
		change := w.change(link)
		w.note("  update %v to %v %s", link.Code, change.After.Code, change.After.Options)
		after, err := w.tx.Update(ctx, me, change)
		if err == nil {
			w.links[i] = after
			w.changes = append(w.changes, [2]*terse.Link{&link, &after})
		}
		return err
	case 5, 6:
		w.note("  delete %v", link.Code)
		err := w.tx.Delete(ctx, me, link)
		if err == nil {
			w.links = slices.Delete(w.links, i, i+1)
			w.changes = append(w.changes, [2]*terse.Link{&link, nil})
		}
		return err
	case 7:
		tag := sequenceTags[w.rng.IntN(len(sequenceTags))]
		w.note("  spell %s", tag)
		return w.tx.SpellTag(ctx, link.CreatedBy, tag)
	case 8:
		w.note("  share %v", link.Code)
		return shareErr(w.tx.Share(ctx, me, terse.ShareOf(link.Ref()), terse.NewShare(),
			terse.ShareChange{}))
	default:
		r := w.restored()
		w.note("  restore %v %+v", link.Code, r)
		err := w.tx.Restore(ctx, me, link.Ref(), r)
		if err == nil && !r.UpdatedAt.IsZero() {
			w.links[i].UpdatedAt = r.UpdatedAt
		}
		return err
	}
}

// create creates a link, or imports some.
func (w *within) create(ctx context.Context) error {
	if w.rng.IntN(3) > 0 {
		n := w.newLink()
		w.note("  create %v %s", n.Code, n.Options)
		link, err := w.tx.Create(ctx, me, n)
		if err == nil {
			w.links = append(w.links, link)
		}
		return err
	}
	var all []terse.RestoredLink
	for range 1 + w.rng.IntN(3) {
		l := terse.RestoredLink{Link: w.newLink(), Restored: w.restored()}
		l.Link.CreatedAt = l.Restored.CreatedAt
		w.note("  import %v %s %+v", l.Link.Code, l.Link.Options, l.Restored)
		all = append(all, l)
	}
	created, refused, err := w.tx.CreateAll(ctx, me, all)
	for i := range created {
		if err == nil && refused[i] == nil {
			w.links = append(w.links, created[i])
		}
	}
	return err
}

// byHand changes links by SQL, as the documents allow on this database.
func (s *sequence) byHand() {
	link := s.some()
	if link == nil {
		return
	}
	if s.failed { // it is not about this
		s.Fail(0, 0)
	}
	where := fmt.Sprintf(" WHERE id = %d", link.ID)
	other := sequenceOwners[s.rng.IntN(len(sequenceOwners))]
	kinds := []string{"UPDATE links SET options = '" + damagedText + "'" + where}
	if o, err := link.Options.Decode(); err == nil {
		alias := fmt.Sprintf("hand-%d", s.rng.IntN(sequenceAliases))
		key := link.Code.Domain().Key(alias)
		if !slices.Contains(o.Aliases, alias) && len(s.Texts(
			"SELECT address FROM aliases WHERE address = '"+key+"'")) == 0 {
			o.Aliases = append(o.Aliases, alias)
			kinds = append(kinds, fmt.Sprintf("UPDATE links SET options = '%s'%s;"+
				"INSERT INTO aliases (address, folded, link_id) VALUES ('%s', '%[3]s', %d)",
				encoded(s.t, o), where, key, link.ID))
		}
	}
	if s.Triggers {
		kinds = append(
			kinds,
			fmt.Sprintf("UPDATE links SET code = '%s'%s",
				link.Code.Domain().Key(fmt.Sprint("hand", s.rng.Uint32())), where),
			"UPDATE links SET created_by = '"+other+"'"+where,
			"UPDATE links SET created_by = '"+other+"'",
			"UPDATE links SET code = code || 'x' WHERE length(code) < 15",
			"DELETE FROM links"+where,
			"DELETE FROM links WHERE id % 2 = 0",
			fmt.Sprintf("UPDATE links SET created_at = %d%s", s.rng.Int64N(1e15), where),
			fmt.Sprintf("INSERT INTO links (code, url, created_at, created_by) VALUES "+
				"('hand%d', 'https://example.org/', %d, '%s')", s.rng.Uint32(), s.rng.Int64N(1e15),
				other),
		)
	}
	sql := kinds[s.rng.IntN(len(kinds))]
	s.note("by hand: %s", sql)
	s.ByHand(strings.Split(sql, ";")...)
}

// damagedText is options that can't be read.
const damagedText = `{"tags":["news"`

// some returns one of the links, nil if there are none.
func (s *sequence) some() *terse.Link {
	if len(s.links) == 0 {
		return nil
	}
	return &s.links[s.rng.IntN(len(s.links))]
}

// sequenceTags are tags, of which some are alike.
var sequenceTags = []string{"News", "news", "NEWS", "Sport", "sport", "Ärger", "ärger", "a_%"}

// domain returns a domain, mostly the default.
func (s *sequence) domain() terse.Domain { return pick[terse.Domain](s.rng, 0, 0, 0, 1, 126) }

func (s *sequence) newLink() terse.NewLink {
	return terse.NewLink{
		Code:      code(s.t, fmt.Sprint("code", s.rng.IntN(sequenceCodes))).On(s.domain()),
		URL:       terse.URL(fmt.Sprint("https://example.org/", s.rng.IntN(3))),
		CreatedBy: sequenceOwners[s.rng.IntN(len(sequenceOwners))],
		Options:   s.options(),
	}
}

// change returns a change of a link. It may be of another version.
func (s *sequence) change(link terse.Link) terse.LinkChange {
	c := terse.LinkChange{Before: link, After: link}
	if s.rng.IntN(3) > 0 {
		c.After.Options = s.options()
	}
	if s.rng.IntN(3) == 0 {
		c.After.Code = code(s.t, fmt.Sprint("code", s.rng.IntN(sequenceCodes))).
			On(link.Code.Domain())
	}
	if s.rng.IntN(6) == 0 { // it is given to somebody
		c.After.CreatedBy = sequenceOwners[s.rng.IntN(len(sequenceOwners))]
	}
	if s.rng.IntN(10) == 0 {
		c.Before.UpdatedAt = spring
	}
	return c
}

// options returns some options, seldom damaged ones.
func (s *sequence) options() terse.EncodedOptions {
	var o terse.LinkOptions
	switch s.rng.IntN(16) {
	case 0:
		return damagedText
	case 1, 2:
		return ""
	}
	for range s.rng.IntN(4) {
		tag := sequenceTags[s.rng.IntN(len(sequenceTags))]
		if !slices.ContainsFunc(o.Tags, func(other string) bool {
			return terse.FoldTag(other) == terse.FoldTag(tag)
		}) {
			o.Tags = append(o.Tags, tag)
		}
	}
	slices.SortFunc(o.Tags, func(a, b string) int {
		return strings.Compare(terse.FoldTag(a), terse.FoldTag(b))
	})
	for i := range sequenceAliases {
		if s.rng.IntN(8) == 0 {
			o.Aliases = append(o.Aliases, fmt.Sprintf("Alias/%d", i))
		}
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	o.StartsAt = pick(s.rng, time.Time{}, time.Time{}, now.Add(-time.Hour),
		now.Add(2*time.Millisecond), now.Add(time.Hour))
	o.ExpiresAt = pick(s.rng, time.Time{}, time.Time{}, now.Add(-time.Minute),
		now.Add(3*time.Millisecond), now.Add(2*time.Hour))
	if !o.ExpiresAt.IsZero() && !o.StartsAt.Before(o.ExpiresAt) {
		o.StartsAt = time.Time{}
	}
	o.MaxClicks = pick(s.rng, int64(0), 0, 1, 2)
	o.Disabled = s.rng.IntN(6) == 0
	o.Archived = s.rng.IntN(4) == 0
	o.Title = pick(s.rng, "", "a", "b")
	return encoded(s.t, o)
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// restored returns what an import sets of a link.
func (s *sequence) restored() (r terse.Restored) {
	now := time.Now().UTC().Truncate(time.Microsecond)
	r.CreatedAt = pick(s.rng, time.Time{}, spring, now.Add(-time.Hour), now.Add(time.Hour))
	r.UpdatedAt = pick(s.rng, time.Time{}, spring, now.Add(-time.Minute))
	if s.rng.IntN(2) == 0 {
		used := s.rng.Int64N(3)
		r.Used = &used
	}
	if s.rng.IntN(3) == 0 {
		r.History = []terse.HistoryEntry{{
			Time: spring, By: "me", Fields: terse.FieldChanges{"note": {New: []byte(`"n"`)}},
		}}
	}
	if s.rng.IntN(3) == 0 {
		r.Share = terse.NewShare()
	}
	return r
}
