package importer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"terse"
	"terse/internal/link/manage"
)

const (
	// transactTime bounds how long a transaction keeps others from the store.
	transactTime = 50 * time.Millisecond
	// maxTries bounds the transactions that settle no link of a batch, because others take its
	// addresses at the same time.
	maxTries = 20
)

// settleLinks makes the links of a batch what their lines say, in a few transactions. It looks up
// their addresses before each one. If somebody takes an address meanwhile, the store refuses the
// link, and the next transaction tries it again. Of links with the same address, or with common
// candidates for one, a transaction tries only the first. A link that was overwritten without all
// of its aliases is tried once more after the others, which may have given them up. Between the
// transactions passwords are hashed, unless ctx ends. An error ends the import.
func (j *job) settleLinks(ctx context.Context, batch []*task) error {
	if err := j.checkOwners(ctx, batch); err != nil {
		return fmt.Errorf("look up owners: %w", err)
	}
	for {
		var open, last []*task
		at := map[string]bool{}
		for _, t := range batch {
			address := j.importer.Manager.Key(t.link.Key())
			if j.Conflict == Rename && t.link.Alias == "" { // alike codes have the same candidates
				d, text := terse.SplitKey(address)
				text = text[:min(len(text), terse.MaxCodeLength-len("-99"))]
				if text != "" {
					address = d.Key(text)
				}
			}
			target := ""
			if t.link.Target != "" { // the link there is changed
				target = "\x00" + j.importer.Manager.Key(t.link.Target)
			}
			if t.settled || address != "" && at[address] || target != "" && at[target] {
				continue
			}
			at[address], at[target] = true, true
			if t.firstResult == "" {
				open = append(open, t)
			} else {
				last = append(last, t)
			}
		}
		if len(open) == 0 {
			open = last
		}
		if len(open) == 0 {
			return nil
		}
		tried, err := j.transact(context.WithoutCancel(ctx), open)
		if errors.Is(err, terse.ErrNoRoom) {
			j.importer.Logger.Error("import links",
				slog.String("request_id", j.Caller.RequestID), slog.Any("error", err))
			for _, t := range open[:tried] {
				t.settle("failed", noRoomForLink)
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("import links: %w", err)
		}
		if err := j.hash(ctx, open[:tried]); err != nil {
			return err
		}
		if slices.ContainsFunc(open[:tried], func(t *task) bool { return t.settled }) {
			continue // the others may have lost to that one
		}
		for _, t := range open[:tried] {
			if t.tries++; t.tries == maxTries {
				t.settle("failed", terse.ErrCodeTaken.Message)
			}
		}
	}
}

// errUndo undoes the transaction of a dry run.
var errUndo = errors.New("nothing is to be changed")

// transact settles links in one transaction, and returns how many it has tried.
func (j *job) transact(ctx context.Context, open []*task) (tried int, err error) {
	found, err := j.lookUp(ctx, open)
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	tx := &recorder{}
	var settled []*outcome
	noting := false
	err = j.importer.Store.Transact(ctx, func(fresh terse.Tx) error {
		var began time.Time
		*tx = recorder{Tx: fresh, touched: tx.touched, created: map[terse.LinkID]bool{}}
		settled = settled[:0]
		for i, t := range open {
			if i > 0 && time.Since(began) > transactTime {
				break
			}
			tried = i + 1
			o := &outcome{task: t, stored: found}
			if err := j.settle(ctx, tx, o); err != nil {
				return err
			}
			settled = append(settled, o)
			if i == 0 {
				began = time.Now() // the first one may have waited for the store
			}
		}
		if err := j.createAll(ctx, tx); err != nil {
			return err
		}
		if j.DryRun {
			return errUndo
		}
		if noting = !j.noted && (tx.changed || len(tx.created) > 0); noting {
			return tx.Note(ctx, j.Caller, j.noteworthy())
		}
		return nil
	})
	for _, address := range tx.touched {
		j.importer.Changed(address)
	}
	if err != nil && !errors.Is(err, errUndo) {
		return tried, err
	}
	j.noted = j.noted || noting
	for _, o := range settled {
		if o.result != "" {
			j.apply(o, tx.created[o.link.ID])
		}
	}
	return tried, nil
}

// recorder is a transaction under way. It records the addresses of links that may have changed.
type recorder struct {
	terse.Tx
	touched  []string
	created  map[terse.LinkID]bool
	creating []*outcome // links that are created together
	waiting  bool       // a link waits for its hash
	changed  bool       // a link was changed
}

func (r *recorder) Update(ctx context.Context, by terse.Caller, change terse.LinkChange) (
	terse.Link, error,
) {
	r.touched = append(r.touched, change.Before.Addresses()...)
	r.touched = append(r.touched, change.After.Addresses()...)
	link, err := r.Tx.Update(ctx, by, change)
	r.changed = r.changed || err == nil
	return link, err
}

func (r *recorder) Restore(
	ctx context.Context, by terse.Caller, link terse.LinkRef, what terse.Restored,
) error {
	err := r.Tx.Restore(ctx, by, link, what)
	r.changed = r.changed || err == nil
	return err
}

// outcome is what becomes of a link if its transaction is committed.
type outcome struct {
	*task
	stored          stored
	result, problem string        // no result: it must be tried again
	fresh           terse.NewLink // to be created
	link            terse.Link
	clicks          clicksTo
	notes           []string
	lost            bool // aliases, which others have
}

func (o *outcome) becomes(result string, link terse.Link) {
	o.result, o.link, o.clicks = result, link, toStore
}

func (o *outcome) refuse(result string, err error) { o.result, o.problem = result, err.Error() }

// apply settles a link. created says that the transaction created it.
func (j *job) apply(o *outcome, created bool) {
	t := o.task
	switch {
	case t.firstResult == "" && j.Conflict == Overwrite && o.lost:
		t.firstResult = o.result
		return
	case t.firstResult == "created", t.firstResult != "" && o.result == "unchanged":
		o.result = t.firstResult
	}
	t.settle(o.result, o.problem)
	for _, note := range o.notes {
		t.note(note)
	}
	if t.clicksGo = o.clicks; t.clicksGo == skipped {
		if j.DryRun && o.result == "updated" {
			j.planAliases(o)
		}
		return
	}
	t.ref, t.created = o.link.Ref(), o.link.CreatedAt
	if at := o.restored.CreatedAt; !at.IsZero() { // it was overwritten
		t.created = at
	}
	code := o.link.Code.Text()
	if t.result.ShortCode == "" {
		t.result.ShortCode = code
	} else if !j.importer.Manager.Same(code, t.result.ShortCode) {
		t.result.NewShortCode = code
	}
	if j.DryRun && (created || o.link.ID == 0) {
		t.clicksGo = toNowhere
		j.plan(o)
	}
}

// stored is what the store has at the addresses of links.
type stored struct {
	links  map[string]terse.Link        // by the keys of addresses
	shares map[terse.LinkID]terse.Share // of links that may get another one
}

// lookUp returns what the store has at the addresses of tasks, and at those that they may get.
func (j *job) lookUp(ctx context.Context, tasks []*task) (stored, error) {
	found, err := j.find(ctx, tasks)
	if err != nil {
		return stored{}, err
	}
	t := stored{links: found, shares: map[terse.LinkID]terse.Share{}}
	var more []string
	for _, task := range tasks {
		link, taken := found[task.link.Key()]
		switch {
		case !taken, task.link.Target != "":
		case j.Conflict == Rename && !j.isSame(link, task):
			for _, code := range j.importer.Manager.Candidates(task.link.Code) {
				more = append(more, code.String())
			}
		case j.Conflict == Overwrite && task.restored.Share != "" && link.ID != 0:
			share, err := j.share(ctx, link.Ref())
			if err != nil {
				return t, err
			}
			t.shares[link.ID] = share
		}
	}
	others, err := j.findAt(ctx, more)
	maps.Copy(t.links, others)
	return t, err
}

// share returns a link's share, or the zero share.
func (j *job) share(ctx context.Context, link terse.LinkRef) (terse.Share, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	shared, err := j.importer.Store.Share(ctx, terse.ShareOf(link))
	if errors.Is(err, terse.ErrShareNotFound) || errors.Is(err, terse.ErrNotFound) {
		return "", nil
	}
	return shared.Share, err
}

// find returns the links at the addresses that tasks have, by the keys of these.
func (j *job) find(ctx context.Context, tasks []*task) (map[string]terse.Link, error) {
	var addresses []string
	for _, t := range tasks {
		if at := t.link.Key(); at != "" {
			addresses = append(addresses, at)
		}
		if t.link.Target != "" {
			addresses = append(addresses, t.link.Target)
		}
		addresses = append(addresses, t.link.Domain.Keys(t.link.Aliases())...)
	}
	return j.findAt(ctx, addresses)
}

// findAt returns the links at addresses, by their keys.
func (j *job) findAt(ctx context.Context, addresses []string) (map[string]terse.Link, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	all := map[string]terse.Link{}
	for len(addresses) > 0 {
		n := min(len(addresses), terse.MaxFind)
		found, err := j.importer.Store.Find(ctx, addresses[:n])
		if err != nil {
			return nil, fmt.Errorf("look up addresses: %w", err)
		}
		for _, address := range addresses[:n] {
			if link, ok := found[address]; ok {
				if options, grown := j.grown[link.ID]; grown {
					link.Options = options
				}
				all[address] = link
			} else if link, ok := j.planned[j.importer.Manager.Key(address)]; ok {
				all[address] = link
			}
		}
		addresses = addresses[n:]
	}
	return all, nil
}

// isSame reports whether a link is the one of a line.
func (j *job) isSame(link terse.Link, t *task) bool {
	return link.CreatedBy == t.owner && link.URL == t.link.URL &&
		(t.link.CreatedAt.IsZero() || t.link.CreatedAt.Equal(link.CreatedAt))
}

// settle decides what becomes of a link, and does it. Without a result the link must be tried
// again.
func (j *job) settle(ctx context.Context, tx *recorder, o *outcome) error {
	err := j.decide(ctx, tx, o)
	known, ok := errors.AsType[*terse.Error](err)
	switch {
	case errors.Is(err, errNotHashed):
		o.result, tx.waiting = "", true
	case !ok:
		return err
	case known.Kind == terse.Conflict, known.Kind == terse.Changed, known.Kind == terse.NotFound:
		o.result = "" // others were faster
	default:
		o.refuse("failed", known)
	}
	return nil
}

func (j *job) decide(ctx context.Context, tx *recorder, o *outcome) error {
	at := o.task.link.Key()
	switch {
	case o.task.link.Target != "":
		return j.toTarget(ctx, tx, o)
	case at == "":
		return j.decideByURL(ctx, tx, o)
	}
	link, taken := o.stored.links[at]
	switch {
	case !taken:
		return j.create(tx, o, o.task.link.Code, "created")
	case j.isSame(link, o.task), j.Conflict == Overwrite && link.CreatedBy == o.owner:
		return j.takeExisting(ctx, tx, o, link)
	case j.Conflict == Fail:
		o.refuse("failed", terse.ErrCodeTaken)
		return nil
	case j.Conflict == Rename && o.task.link.Alias == "":
		return j.rename(tx, o)
	}
	o.refuse("skipped", terse.ErrCodeTaken)
	return nil
}

// decideByURL is decide for a line without a code.
func (j *job) decideByURL(ctx context.Context, tx *recorder, o *outcome) error {
	if tx.waiting {
		return nil // for one before, which may be to the same URL
	}
	url := o.task.link.URL
	if link, ok := j.planned[newest(o.owner, o.task.link.Domain, url)]; ok {
		return j.takeExisting(ctx, tx, o, link)
	}
	// An end that has passed makes no difference.
	if slices.ContainsFunc(tx.creating, func(c *outcome) bool {
		return c.fresh.URL == url && c.owner == o.owner &&
			c.task.link.Domain == o.task.link.Domain
	}) {
		if err := j.createAll(ctx, tx); err != nil {
			return err
		}
	}
	link, err := tx.NewestTo(ctx, o.owner, o.task.link.Domain, url, time.Time{})
	switch {
	case errors.Is(err, terse.ErrNotFound):
		return j.create(tx, o, terse.Code{}, "created")
	case err != nil:
		return err
	}
	return j.takeExisting(ctx, tx, o, link)
}

// takeExisting settles a line whose link exists already.
func (j *job) takeExisting(ctx context.Context, tx *recorder, o *outcome, link terse.Link) error {
	o.becomes("unchanged", link)
	if j.Conflict != Overwrite {
		return nil
	}
	after, err := j.importer.Manager.Overwritten(link, j.without(o, link.Code), o.secret.find)
	if err != nil {
		return err
	}
	r := terse.Restored{Share: o.restored.Share}
	if at := o.restored.CreatedAt; !at.Equal(link.CreatedAt) {
		r.CreatedAt = at
	}
	if link.ID == 0 { // a dry run would have created it
		if after != link || !r.CreatedAt.IsZero() {
			o.becomes("updated", after)
		}
		return nil
	}
	if used := o.restored.Used; used != nil && *used != link.Used {
		r.Used = used
	}
	if r.Share == o.stored.shares[link.ID] {
		r.Share = ""
	}
	if after != link {
		o.result = "updated"
		o.link, err = tx.Update(ctx, j.Caller, terse.LinkChange{Before: link, After: after})
		if err != nil {
			return err
		}
	}
	if isSet(r) {
		o.result = "updated"
		return j.restore(ctx, tx, o, r)
	}
	return nil
}

// create adds a link to those that the transaction creates: with a code, or with a new one.
func (j *job) create(tx *recorder, o *outcome, code terse.Code, result string) (err error) {
	imported := j.without(o, terse.Code{})
	imported.Code = code
	o.fresh, err = j.importer.Manager.NewLink(o.owner, imported, o.secret.find)
	if err != nil {
		return err
	}
	o.becomes(result, terse.Link{})
	tx.creating = append(tx.creating, o)
	tx.touched = append(tx.touched, terse.Addresses(o.fresh.Code, o.fresh.Options)...)
	return nil
}

// createAll creates the links that create has added.
func (j *job) createAll(ctx context.Context, tx *recorder) error {
	if len(tx.creating) == 0 {
		return nil
	}
	all := make([]terse.RestoredLink, len(tx.creating))
	for i, o := range tx.creating {
		all[i] = terse.RestoredLink{Link: o.fresh, Restored: o.restored}
	}
	created, refused, err := tx.CreateAll(ctx, j.Caller, all)
	if err != nil {
		return err
	}
	for i, o := range tx.creating {
		if refused[i] != nil {
			o.result = "" // others were faster
			continue
		}
		o.link = created[i]
		tx.created[o.link.ID] = true
		if err := j.restore(ctx, tx, o, terse.Restored{Share: o.restored.Share}); err != nil {
			return err
		}
	}
	tx.creating = nil
	return nil
}

// rename gives a link the first candidate that is free, unless it has one already.
func (j *job) rename(tx *recorder, o *outcome) error {
	for _, code := range j.importer.Manager.Candidates(o.task.link.Code) {
		link, taken := o.stored.links[code.String()]
		switch {
		case !taken:
			return j.create(tx, o, code, "renamed")
		case j.isSame(link, o.task):
			o.becomes("unchanged", link)
			return nil
		}
	}
	o.refuse("failed", terse.ErrCodeTaken)
	return nil
}

// without returns a link without the aliases that are addresses of other links. The link of a code
// is no other one.
func (j *job) without(o *outcome, this terse.Code) manage.Imported {
	var taken []string
	for _, alias := range o.task.link.Aliases() {
		key := o.task.link.Domain.Key(alias)
		if link, ok := o.stored.links[key]; ok && link.Code != this {
			taken = append(taken, alias)
			o.notes = append(o.notes, "alias "+alias+" was dropped: address already exists")
		}
	}
	o.lost = len(taken) > 0
	return o.task.link.Without(taken)
}

// restore sets what a link has beside its options.
func (j *job) restore(ctx context.Context, tx *recorder, o *outcome, r terse.Restored) error {
	if !isSet(r) {
		return nil
	}
	err := tx.Restore(ctx, j.Caller, o.link.Ref(), r)
	if !errors.Is(err, terse.ErrShareTaken) {
		return err
	}
	o.notes = append(o.notes, "share was dropped: another link has it")
	r.Share = ""
	return j.restore(ctx, tx, o, r)
}

// isSet reports whether r restores anything.
func isSet(r terse.Restored) bool {
	return !r.CreatedAt.IsZero() || !r.UpdatedAt.IsZero() || r.Used != nil ||
		r.Share != "" || len(r.History) > 0
}
