package httpapi

import (
	"context"
	"errors"
	"fmt"

	"terse"
)

// giveAll gives all links of an identity to another one, in many transactions. Each takes the
// newest links that are left, so a request that was stopped can be sent again.
func (s *service) giveAll(ctx context.Context, by terse.Caller, from, to string) error {
	by.Owner = from
	c := &changes{service: s, Links: s.Store, by: by}
	for {
		if s.isStopping() {
			return errIsStopping
		}
		given, err := c.givePage(ctx, from, to)
		c.announce()
		c.touched = nil
		if err != nil || given == 0 {
			return err
		}
	}
}

// givePage gives up to linksAtOnce links to another owner, and returns how many it tried.
func (c *changes) givePage(ctx context.Context, from, to string) (tried int, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.StoreTimeout)
	defer cancel()
	page, err := c.Store.Links(ctx, terse.LinkQuery{Owner: from, Limit: linksAtOnce})
	if err != nil {
		return 0, fmt.Errorf("links of %s: %w", from, err)
	}
	err = c.within(ctx, func() error {
		for _, link := range page.Links {
			err := c.manager.Give(ctx, c, c.by, link.Code, to)
			if err != nil && !isGone(err) {
				return fmt.Errorf("give link %s to %s: %w", link.Code, to, err)
			}
		}
		return nil
	})
	return len(page.Links), err
}

// giveShares gives the shares of an identity's tags, and of all its links, to another identity.
// Where that has one, the other ends. Those of single links have gone with these.
func (s *service) giveShares(ctx context.Context, by terse.Caller, from, to string) error {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	shares, err := s.Store.SharesOf(ctx, from)
	if err != nil {
		return fmt.Errorf("shares of %s: %w", from, err)
	}
	err = s.Store.Transact(ctx, func(tx terse.Tx) error {
		for _, shared := range shares {
			if shared.Target.IsLink() {
				continue // made just now
			}
			target := shared.Target
			target.Owner = to
			if err := tx.MoveShare(ctx, by, shared.Target, target); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("give shares of %s to %s: %w", from, to, err)
	}
	return nil
}

// maxGives bounds how often all links of a user are given away, because there are new ones each
// time.
const maxGives = 10

// deleteGiving deletes a user whose links another identity gets.
func (s *service) deleteGiving(ctx context.Context, by terse.Caller, user, to string) error {
	for try := 1; ; try++ {
		err := s.giveAll(ctx, by, user, to)
		if err == nil {
			err = s.giveShares(ctx, by, user, to)
		}
		if err != nil {
			return err
		}
		err = s.deleteUser(ctx, by, user)
		if err == nil {
			s.giveLate(ctx, by, user, to)
			return nil
		}
		known, ok := errors.AsType[*terse.Error](err)
		if !ok || known.Kind != terse.Conflict || try == maxGives {
			return err
		}
	}
}

// giveLate gives away what a deleted user has created since its links were given away. The user is
// gone, so the request has succeeded: what is left after an error is found with terse.AllOwners.
func (s *service) giveLate(ctx context.Context, by terse.Caller, user, to string) {
	s.Gate.Drop() // no more of its requests come in here
	if err := s.giveAll(ctx, by, user, to); err != nil {
		s.Logger.WarnContext(ctx, "a deleted user may own links", "identity", user,
			"request_id", by.RequestID, "error", err)
	}
}

func (s *service) deleteUser(ctx context.Context, by terse.Caller, user string) error {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	if err := s.Store.DeleteUser(ctx, by, user); err != nil {
		return fmt.Errorf("delete user %s: %w", user, err)
	}
	return nil
}
