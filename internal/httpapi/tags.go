package httpapi

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/api"
	"terse/internal/link/manage"
	"terse/internal/text/jsonbody"
)

// tags serves GET /api/tags.
func (s *service) tags(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	tags, err := s.Store.Tags(r.Context(), by.Asks())
	if err != nil {
		return fmt.Errorf("tags of %s: %w", by.Asks(), err)
	}
	list := api.Tags{Tags: make([]api.Tag, len(tags))}
	for i, tag := range tags {
		list.Tags[i] = api.Tag{Tag: tag.Name, Links: tag.Links}
	}
	return respond(w, r, http.StatusOK, list)
}

// renameTag serves PATCH /api/tags/{tag} in many transactions. With an idempotency key, the first
// one records that the renaming has begun, so that a repeated request resumes it, and the last one
// keeps the answer.
func (s *service) renameTag(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	name, invalid := parseRename(body)
	_, release, err := s.holdKey(r, by)
	if err != nil {
		return err
	}
	defer release()
	old := pathTag(r)
	a, err := s.perform(r, by, body, func(ctx context.Context, _ *changes) (answer, error) {
		tag, err := s.findTag(ctx, by, old)
		if err != nil {
			return answer{}, err
		}
		old = tag.Name // as it is spelled
		return answer{status: terse.Unfinished}, invalid
	})
	if err == nil && a.Status == terse.Unfinished {
		if err = s.retag(r, by, old, name); err == nil {
			a, err = s.renamed(r, by, body, name)
		}
	}
	if err != nil {
		return err
	}
	return a.send(w, r)
}

// renamed returns the answer to a finished renaming and keeps it, unless another request with the
// same idempotency key has done so.
func (s *service) renamed(r *http.Request, by terse.Caller, body []byte, name string) (
	finalAnswer, error,
) {
	tag, err := s.findTag(r.Context(), by, name)
	a := answer{status: http.StatusOK, body: api.Tag{Tag: tag.Name, Links: tag.Links}}
	key, _ := idempotencyKey(r, by)
	if key == nil {
		if err != nil {
			return finalAnswer{}, err
		}
		kept, err := a.encode()
		return finalAnswer{Answer: kept}, err
	}
	done, err := final(sha256.Sum256(body), a, err)
	if err != nil {
		return finalAnswer{}, err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	repeated := false
	err = s.Store.Transact(ctx, func(tx terse.Tx) error {
		kept, err := tx.Answer(ctx, *key)
		if repeated = err == nil && kept.Status != terse.Unfinished; repeated {
			done = kept
			return nil
		}
		if err != nil && !errors.Is(err, terse.ErrNotFound) {
			return err
		}
		return tx.KeepAnswer(ctx, *key, done)
	})
	return finalAnswer{done, repeated}, err
}

// parseRename returns the new name of a tag.
func parseRename(body []byte) (string, error) {
	fields, err := jsonbody.Object(body, jsonbody.Known("name"))
	if err != nil {
		return "", err
	}
	name, err := fields.TakeString("name")
	if err != nil {
		return "", err
	}
	if name == nil {
		return "", terse.Invalidf("name", "name is required")
	}
	return manage.ParseTag("name", *name)
}

// removeTag serves DELETE /api/tags/{tag}.
func (s *service) removeTag(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	tag, err := s.tag(r, by)
	if err != nil {
		return err
	}
	if err := s.retag(r, by, tag.Name, ""); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// pathTag returns the tag that the path names, composed like stored tags.
func pathTag(r *http.Request) string { return norm.NFC.String(r.PathValue("tag")) }

// tag returns the caller's tag that the path names.
func (s *service) tag(r *http.Request, by terse.Caller) (terse.Tag, error) {
	return s.findTag(r.Context(), by, pathTag(r))
}

func (s *service) findTag(ctx context.Context, by terse.Caller, name string) (terse.Tag, error) {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	tags, err := s.Store.Tags(ctx, by.Asks())
	if err != nil {
		return terse.Tag{}, fmt.Errorf("tags of %s: %w", by.Asks(), err)
	}
	i := slices.IndexFunc(tags, func(tag terse.Tag) bool {
		return terse.FoldTag(tag.Name) == terse.FoldTag(name)
	})
	if i < 0 {
		return terse.Tag{}, terse.ErrTagNotFound
	}
	return tags[i], nil
}

// linksAtOnce bounds how many links one transaction retags, so that others get their turn.
const linksAtOnce = 200

// retag replaces a tag on all links of the caller, or removes it if name is "". Each page is a
// transaction. Links that get the tag meanwhile may be on a page that was read already, so retag
// starts over until it finds none to change. Each page takes the tag's share along, which may have
// been made meanwhile, too.
func (s *service) retag(r *http.Request, by terse.Caller, old, name string) error {
	by.Cause = terse.CauseTag
	c := s.changesBy(r, by)
	noted := &terse.Noted{Action: terse.ActionDeleteTag, Target: old, Details: map[string]any{}}
	if name != "" {
		noted.Action, noted.Details["name"] = terse.ActionRenameTag, name
	}
	if owner := by.Others(); owner != "" {
		noted.Details["owner"] = owner
	}
	for changed := true; changed; {
		changed = false
		q := terse.LinkQuery{
			Owner: by.Asks(), Limit: linksAtOnce, Filter: terse.LinkFilter{Tags: []string{old}},
		}
		for more := true; more; more = q.After != nil {
			var err error
			q.After, err = c.retagPage(r.Context(), q, name, noted)
			c.announce()
			if len(c.touched) > 0 {
				changed, noted = true, nil
			}
			c.touched = nil
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// isGone reports whether a link was deleted and its code possibly reused by someone else.
func isGone(err error) bool {
	return errors.Is(err, terse.ErrNotFound) || errors.Is(err, terse.ErrUpdateForbidden)
}

// retagPage replaces the tag on one page of links, and returns where the next page begins. noted is
// what is to be noted if that changes any link; nil: nothing.
func (c *changes) retagPage(
	ctx context.Context, q terse.LinkQuery, name string, noted *terse.Noted,
) (next *terse.LinkMark, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.StoreTimeout)
	defer cancel()
	page, err := c.Store.Links(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("links with a tag: %w", err)
	}
	err = c.within(ctx, func() error {
		before := len(c.touched)
		if terse.FoldTag(name) == terse.FoldTag(q.Filter.Tags[0]) {
			if err := c.tx.SpellTag(ctx, q.Owner, name); err != nil {
				return err
			}
		}
		for _, link := range page.Links {
			patch := manage.ReplaceTag(q.Filter.Tags[0], name)
			if _, err := c.manager.Update(ctx, c, c.by, link.Code, patch,
				anyVersion); err != nil && !isGone(err) {
				return err
			}
		}
		if err := c.retagShare(ctx, q.Owner, q.Filter.Tags[0], name); err != nil {
			return err
		}
		if noted == nil || len(c.touched) == before {
			return nil
		}
		return c.tx.Note(ctx, c.by, *noted)
	})
	return page.Next, err
}

// retagShare makes the share of an owner's tag that of another one, or revokes it if name is "".
func (c *changes) retagShare(ctx context.Context, owner, tag, name string) error {
	from := terse.ShareTarget{Owner: owner, Tag: tag}
	if name != "" {
		return c.tx.MoveShare(ctx, c.by, from, terse.ShareTarget{Owner: owner, Tag: name})
	}
	err := c.tx.Unshare(ctx, c.by, from)
	if errors.Is(err, terse.ErrShareNotFound) || errors.Is(err, terse.ErrTagNotFound) {
		return nil
	}
	return err
}

// askedTags returns the tags that a request about clicks filters by. Empty ones are ignored.
func askedTags(r *http.Request) ([]string, error) {
	query := strings.Clone(r.URL.RawQuery) // a stream outlives the request
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, terse.Invalidf("", "malformed query string")
	}
	empty := func(tag string) bool { return tag == "" }
	return manage.ParseTags(slices.DeleteFunc(values["tag"], empty))
}
