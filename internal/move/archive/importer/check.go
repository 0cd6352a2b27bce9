package importer

import (
	"context"
	"time"

	"terse"
	"terse/internal/link/manage"
	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
	"terse/internal/move/archive/table"
)

// Check reads the body through. An error says why nothing of it is imported.
func (i *Importer) Check(ctx context.Context, b *Body, r Request) error {
	open := false
	j := &job{Request: r, importer: i, now: time.Now()}
	var rows *table.Reader // nil: it is no table
	tried := newTrial(*j)
	err := b.lines(ctx, r, func(_ *formats.Format, source archive.Source) error {
		rows, _ = source.(*table.Reader)
		return nil
	}, func(line *archive.Line) error {
		if ctx.Err() != nil {
			return errStopped
		}
		if rows != nil && !r.Guess {
			if err := tried.add(ctx, line); err != nil {
				return err
			}
		}
		switch line.Type {
		case archive.TypeExport:
			if open {
				return errNoEnd
			}
			_, _, err := line.Export()
			open = true
			return err
		case archive.TypeEnd:
			open = false
		case archive.TypeLink:
			if r.Conflict == Fail {
				return j.checkConflict(ctx, line)
			}
		}
		return nil
	})
	if err == nil && open {
		err = errNoEnd
	}
	if err == nil {
		err = j.conflictOf(ctx)
	}
	if err == nil && rows != nil && !r.Guess {
		err = tried.doubt(ctx, rows)
	}
	return err
}

// checkConflict finds out whether the address of a link is taken.
func (j *job) checkConflict(ctx context.Context, line *archive.Line) error {
	t := j.parse(line)
	if t.settled { // the line will fail
		return nil
	}
	// Of a line of 1 MiB with a history, the whole task would take some 30 MiB.
	j.batch = append(j.batch, &task{owner: t.owner, link: manage.Imported{
		Domain: t.link.Domain, Code: t.link.Code, Alias: t.link.Alias, URL: t.link.URL,
		CreatedAt: t.link.CreatedAt, Target: t.link.Target,
	}})
	j.bytes += len(line.Text) + linkBytes // the URL may be a part of a longer text
	if len(j.batch) < batchLinks && j.bytes < batchBytes {
		return nil
	}
	return j.conflictOf(ctx)
}

// conflictOf returns the error for the first link of the batch whose address is taken.
func (j *job) conflictOf(ctx context.Context) error {
	found, err := j.find(ctx, j.batch)
	if err != nil {
		return err
	}
	for _, t := range j.batch {
		at := t.link.Key()
		link, taken := found[at]
		conflict := taken && !j.isSame(link, t)
		if t.link.Target != "" {
			conflict = conflictAtTarget(found, t.link)
		}
		if conflict {
			return &terse.Error{
				Kind: terse.Conflict, Message: terse.ErrCodeTaken.Message + ": " + j.textOf(at),
				Field: "short_code",
			}
		}
	}
	j.batch, j.bytes = nil, 0
	return nil
}

// textOf returns the address of a key as people write it, with the host if it is not the default.
func (j *job) textOf(key string) string {
	d, address := terse.SplitKey(key)
	if host := j.importer.Manager.Hosts.Table().Shown(d); host != "" {
		return host + "/" + address
	}
	return address
}
