package importer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"terse"
	"terse/internal/link/manage"
	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
)

// A row of a table may lead to another short URL of this server. Its code becomes an alias of the
// link there, its target. The target may stand further down, or in such a row itself. So these rows
// come after all others: Run reads the body a second time for them.

// maxTargets bounds the rows that are settled together. These may lead to each other in any order.
// batchBytes bounds what is kept of them.
const maxTargets = 16 << 10

// targetsLater leaves a row with a target, and the lines below it, to the second reading.
func (j *job) targetsLater(t *task) bool {
	if t.link.Target == "" || t.settled {
		return false
	}
	j.targets++
	return true
}

// workTargets handles the rows with a target.
func (j *job) workTargets(ctx context.Context, b *Body) error {
	if j.targets == 0 {
		return nil
	}
	j.current = nil
	begin := func(*formats.Format, archive.Source) error { return nil }
	err := b.lines(ctx, j.Request, begin, func(line *archive.Line) error {
		switch {
		case line.Err != nil:
			j.current = nil
			return nil
		case line.Type != archive.TypeLink:
			if j.current != nil {
				return j.belowTarget(line)
			}
			return nil
		}
		j.current = nil
		t := j.parse(line)
		if t.link.Target == "" || t.settled {
			return nil
		}
		if len(j.batch) >= maxTargets || j.bytes >= batchBytes {
			if err := j.settleTargets(ctx); err != nil {
				return err
			}
		}
		j.current = t
		j.noteAll(line.Notes)
		j.batch = append(j.batch, t)
		j.bytes += len(line.Text) + linkBytes
		return nil
	})
	if err != nil {
		return err
	}
	return j.settleTargets(ctx)
}

// belowTarget handles a line about clicks below a row with a target: it says that they are lost.
func (j *job) belowTarget(line *archive.Line) error {
	if line.Type == "" || len(line.Notes) > 0 {
		j.noteAll(line.Notes)
		return nil
	}
	return j.keepLine(line)
}

// settleTargets settles the batch of rows with a target: first those that lead to what is there.
func (j *job) settleTargets(ctx context.Context) error {
	batch := j.batch
	j.batch, j.bytes, j.current = nil, 0, nil
	key := j.importer.Manager.Key
	for open := batch; len(open) > 0; {
		if ctx.Err() != nil {
			return errStopped
		}
		waiting := map[string]bool{}
		for _, t := range open {
			waiting[key(t.link.Key())] = true
		}
		var ready, later []*task
		for _, t := range open {
			if waiting[key(t.link.Target)] {
				later = append(later, t)
			} else {
				ready = append(ready, t)
			}
		}
		if len(ready) == 0 { // they lead to each other in a circle, or are there already
			ready, later = later, nil
		}
		for some := range slices.Chunk(ready, batchLinks) {
			if err := j.settleLinks(ctx, some); err != nil {
				return err
			}
		}
		open = later
	}
	for _, t := range batch {
		if n := t.clicks(); n > 0 {
			t.note(fmt.Sprintf("%d clicks were dropped: those of the link stay", n))
		}
		if err := j.report(t); err != nil {
			return err
		}
	}
	return j.send()
}

// toTarget makes a row's address an alias of the link at its target.
func (j *job) toTarget(ctx context.Context, tx *recorder, o *outcome) error {
	link, there := o.stored.links[o.task.link.Target]
	if !there {
		_, target := terse.SplitKey(o.task.link.Target)
		o.refuse("failed", terse.Invalidf("", "%s%s", archive.NoLinkAt, target))
		return nil
	}
	if link.CreatedBy != o.owner {
		o.refuse("failed", terse.ErrUpdateForbidden)
		return nil
	}
	at := o.task.link.Key()
	if other, taken := o.stored.links[at]; taken && !sameLink(other, link) {
		o.refuse("skipped", terse.ErrCodeTaken)
		if j.Conflict == Fail {
			o.refuse("failed", terse.ErrCodeTaken)
		}
		return nil
	}
	var more []string
	_, address := terse.SplitKey(at)
	for _, alias := range append([]string{address}, o.task.link.Aliases()...) {
		other, taken := o.stored.links[link.Code.Domain().Key(alias)]
		switch {
		case !taken:
			more = append(more, alias)
		case !sameLink(other, link):
			o.notes = append(o.notes, "alias "+alias+" was dropped: address already exists")
		}
	}
	o.becomes("unchanged", link)
	o.clicks = skipped
	if len(more) == 0 {
		return nil
	}
	after, err := j.importer.Manager.WithAliases(link, more)
	if err != nil {
		return err
	}
	o.becomes("updated", after)
	o.clicks = skipped
	o.notes = append(o.notes, "is an address of "+link.Code.Text()+" now")
	if j.DryRun {
		return nil
	}
	o.link, err = tx.Update(ctx, j.Caller, terse.LinkChange{Before: link, After: after})
	return err
}

// sameLink reports whether two links are one. Those that a dry run has planned have no ID.
func sameLink(a, b terse.Link) bool { return a.ID == b.ID && a.Code == b.Code }

// parseTarget settles a row whose target can't have what the row has, and notes what it drops.
func (t *task) parseTarget() error {
	notes, err := t.link.OfTarget()
	if err != nil {
		return err
	}
	for _, note := range notes {
		t.note(note)
	}
	if strings.ContainsAny(string(t.link.URL), "?#") {
		t.note("query of original_url was dropped: an address leads where its link does")
	}
	for name, given := range map[string]bool{
		"created_at": !t.link.CreatedAt.IsZero(), "updated_at": !t.restored.UpdatedAt.IsZero(),
	} {
		if given {
			t.note(name + " was dropped: that of the link stays")
		}
	}
	return nil
}

// conflictAtTarget reports whether the address of a row with a target is one of another link.
func conflictAtTarget(found map[string]terse.Link, link manage.Imported) bool {
	other, taken := found[link.Key()]
	to, there := found[link.Target]
	return taken && !(there && sameLink(other, to))
}
