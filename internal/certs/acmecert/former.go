package acmecert

import (
	"bytes"
	"context"
	"path"
	"strings"
	"time"
)

const (
	// keptFormer is how long the certificate of a host that was taken away is kept when it has
	// ended, and its last failure after that. Until then the host can come back without an order.
	keptFormer = 30 * 24 * time.Hour
	// formerInterval is how often the node that orders looks for them.
	formerInterval = 24 * time.Hour
)

// deleteFormer deletes what is left of hosts that were taken away long ago, so that it does not
// grow for ever. What this package did not write stays.
func (k *Keeper) deleteFormer(ctx context.Context) error {
	versions, err := k.o.Storage.Versions(ctx)
	if err != nil {
		return err
	}
	for file := range versions {
		kind := path.Ext(file)
		host := strings.TrimSuffix(file, kind)
		if k.byName[host] != nil {
			continue
		}
		over, err := k.over(ctx, host, kind)
		if err == nil && over {
			err = k.o.Storage.Delete(ctx, file)
		}
		if err != nil {
			return err
		}
		if !over {
			continue
		}
		k.o.Logger.Info("a value of a former host was deleted", "name", file)
	}
	return nil
}

// over reports whether nobody can need a value of a former host any more.
func (k *Keeper) over(ctx context.Context, host, kind string) (bool, error) {
	switch kind {
	case certificateName:
		value, err := k.o.Storage.Load(ctx, host+kind)
		if err != nil || !bytes.HasPrefix(value, []byte(directoryLine)) {
			return false, err
		}
		cert, _, err := parse(value, host)
		return err == nil && time.Since(cert.Leaf.NotAfter) > keptFormer, nil
	case failureName:
		failure, err := loadFailure(ctx, k.o.Storage, host)
		return failure != nil && time.Since(failure.Time) > keptFormer, err
	case challengeName:
		return true, nil // left by a node that was killed: only the one that orders has any
	}
	return false, nil
}
