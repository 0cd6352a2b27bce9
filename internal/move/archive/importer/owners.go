package importer

import (
	"cmp"
	"context"
	"errors"

	"terse"
	"terse/internal/move/archive"
	"terse/internal/text/jsonbody"
)

// maxOwners bounds the owners that an import remembers: all that a server can have. Others it asks
// for again.
const maxOwners = terse.MaxUsers

// ownerOf returns to whom a link is to belong.
func (j *job) ownerOf(line *archive.LinkLine) (string, error) {
	if j.Caller.Owner != terse.KeepOwners {
		return j.Caller.Gives(), nil
	}
	owner, err := line.Owner()
	return cmp.Or(owner, j.Caller.Identity), err
}

// checkOwners fails the tasks whose owners are unknown. An owner whose name may be that of a
// service becomes one. Who could be a person does not: nobody could tell whose links these are.
func (j *job) checkOwners(ctx context.Context, batch []*task) error {
	if j.Caller.Owner != terse.KeepOwners {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	for _, t := range batch {
		if t.settled {
			continue
		}
		err, known := j.owners[t.owner]
		if !known {
			if err = j.makeOwner(ctx, t.owner); err != nil {
				if _, shown := errors.AsType[*terse.Error](err); !shown {
					return err
				}
			}
			if j.owners == nil {
				j.owners = map[string]error{}
			}
			if len(j.owners) < maxOwners && len(t.owner) <= terse.MaxIdentity {
				j.owners[t.owner] = err
			}
		}
		if err != nil {
			t.settle("failed", err.Error()+": "+jsonbody.Quote(t.owner))
		}
	}
	return nil
}

// makeOwner makes a service of an identity that nobody has.
func (j *job) makeOwner(ctx context.Context, identity string) error {
	if len(identity) > terse.MaxIdentity {
		return terse.ErrUnknownOwner
	}
	err := j.importer.Manager.KnowsOwner(ctx, identity)
	if !errors.Is(err, terse.ErrUnknownOwner) {
		return err
	}
	if _, invalid := terse.ParseService(identity); invalid != nil {
		return err
	}
	if j.DryRun {
		return nil
	}
	return j.importer.Manager.Users.CreateService(ctx, j.Caller, identity)
}
