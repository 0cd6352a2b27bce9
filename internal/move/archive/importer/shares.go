package importer

import (
	"cmp"
	"context"
	"errors"

	"terse"
	"terse/api"
	"terse/internal/link/manage"
	"terse/internal/move/archive"
	"terse/internal/text/jsonbody"
)

// shareLine restores the share of a line, after all links above it. A share that can't be restored
// because it, or what it shows, has another one is left out, which is no failure.
func (j *job) shareLine(ctx context.Context, line *archive.Line) error {
	if err := j.work(ctx); err != nil {
		return err
	}
	read, err := line.Share()
	if err == nil {
		err = manage.CheckShareTitle(read.Title)
	}
	var target terse.ShareTarget
	planned := false
	if err == nil {
		target, planned, err = j.shareTarget(ctx, &read)
	}
	if err == nil && !planned {
		err = j.restoreShare(ctx, terse.Shared{
			Share: read.Share, Target: target, Title: read.Title, CreatedAt: read.CreatedAt,
			CreatedBy: target.Owner, ExpiresAt: read.ExpiresAt, Password: read.PasswordHash,
		})
	}
	known, ok := errors.AsType[*terse.Error](err)
	switch {
	case err == nil && len(read.Notes) == 0:
		return nil
	case err == nil:
		return j.result(api.ImportResult{
			Line: line.Number, ShortCode: read.ShortCode, Result: "unchanged", Notes: read.Notes,
		})
	case !ok:
		return err
	case known.Kind == terse.Invalid:
		return j.failLine(line.Number, known.Message)
	}
	return j.result(api.ImportResult{
		Line: line.Number, ShortCode: read.ShortCode, Result: "skipped",
		Error: "share was left out: " + known.Message,
	})
}

// shareTarget returns what a share line is about. planned says that it is a link that a dry run
// would have created.
func (j *job) shareTarget(ctx context.Context, line *archive.ShareLine) (
	target terse.ShareTarget, planned bool, err error,
) {
	target = terse.ShareTarget{Owner: j.Caller.Gives(), Tag: line.Tag}
	if j.Caller.Owner == terse.KeepOwners {
		target.Owner = cmp.Or(line.CreatedBy, j.Caller.Identity)
		if err := j.knowOwner(ctx, target.Owner); err != nil {
			return target, false, err
		}
	}
	if line.ShortCode == "" {
		return target, false, nil
	}
	code, err := terse.ParseCode(line.ShortCode)
	if err != nil {
		return target, false, terse.ErrNotFound
	}
	if line.Domain != "" {
		on, err := j.importer.Manager.Hosts.Table().DomainOf(line.Domain)
		if err != nil {
			return target, false, err
		}
		code = code.On(on)
	}
	// The link may have been renamed. One with the code that leads elsewhere is another link, whose
	// owner shared nothing.
	addresses := []string{code.String()}
	if j.Conflict == Rename {
		for _, other := range j.importer.Manager.Candidates(code) {
			addresses = append(addresses, other.String())
		}
	}
	found, err := j.findAt(ctx, addresses)
	if err != nil {
		return target, false, err
	}
	for _, address := range addresses {
		link, ok := found[address]
		if ok && link.CreatedBy == target.Owner &&
			(line.OriginalURL == "" || string(link.URL) == line.OriginalURL) {
			target.Link = link.Ref()
			return target, link.ID == 0, nil
		}
	}
	return target, false, terse.ErrNotFound
}

// knowOwner makes sure that there is a user with an identity.
func (j *job) knowOwner(ctx context.Context, identity string) error {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	err := j.makeOwner(ctx, identity)
	if known, ok := errors.AsType[*terse.Error](err); ok {
		return terse.Invalidf("created_by", "%s: %s", known.Message, jsonbody.Quote(identity))
	}
	return err
}

func (j *job) restoreShare(ctx context.Context, shared terse.Shared) error {
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	err := j.importer.Store.Transact(ctx, func(tx terse.Tx) error {
		_, err := tx.RestoreShare(ctx, j.Caller, shared)
		if err == nil && j.DryRun {
			err = errUndo
		}
		return err
	})
	if errors.Is(err, errUndo) {
		return nil
	}
	return err
}
