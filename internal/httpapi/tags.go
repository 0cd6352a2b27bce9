package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/api"
	"terse/internal/jsonbody"
	"terse/internal/manage"
)

// tags serves GET /api/tags.
func (s *service) tags(w http.ResponseWriter, r *http.Request, identity string) error {
	tags, err := s.Store.Tags(r.Context(), identity)
	if err != nil {
		return fmt.Errorf("tags of %s: %w", identity, err)
	}
	list := api.Tags{Tags: make([]api.Tag, len(tags))}
	for i, tag := range tags {
		list.Tags[i] = api.Tag{Tag: tag.Name, Links: tag.Links}
	}
	return respond(w, r, http.StatusOK, list)
}

// renameTag serves PATCH /api/tags/{tag}.
func (s *service) renameTag(w http.ResponseWriter, r *http.Request, identity string) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	if _, err := s.tag(r, identity); err != nil {
		return err
	}
	name, err := parseRename(body)
	if err != nil {
		return err
	}
	if err := s.retag(r, identity, r.PathValue("tag"), name); err != nil {
		return err
	}
	renamed, err := s.findTag(r.Context(), identity, name)
	if err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, api.Tag{Tag: renamed.Name, Links: renamed.Links})
}

// parseRename returns the name that a tag is to have.
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
		return "", terse.Invalidf("name is required")
	}
	return manage.ParseTag(*name)
}

// removeTag serves DELETE /api/tags/{tag}.
func (s *service) removeTag(w http.ResponseWriter, r *http.Request, identity string) error {
	tag, err := s.tag(r, identity)
	if err != nil {
		return err
	}
	if err := s.retag(r, identity, tag.Name, ""); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// tag returns the tag that the path names.
func (s *service) tag(r *http.Request, identity string) (terse.Tag, error) {
	return s.findTag(r.Context(), identity, norm.NFC.String(r.PathValue("tag")))
}

func (s *service) findTag(ctx context.Context, identity, name string) (terse.Tag, error) {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	tags, err := s.Store.Tags(ctx, identity)
	if err != nil {
		return terse.Tag{}, fmt.Errorf("tags of %s: %w", identity, err)
	}
	i := slices.IndexFunc(tags, func(tag terse.Tag) bool {
		return terse.FoldTag(tag.Name) == terse.FoldTag(name)
	})
	if i < 0 {
		return terse.Tag{}, terse.ErrTagNotFound
	}
	return tags[i], nil
}

// linksAtOnce bounds how many links one transaction gives other tags, so that others have their
// turn.
const linksAtOnce = 200

// retag replaces a tag on all links of the caller by another, or takes it off when that is "". Each
// step is a transaction. A link that another request changes meanwhile has its turn with the next
// page.
func (s *service) retag(r *http.Request, identity, old, name string) error {
	c := &changes{
		service: s, Links: s.Store,
		caller: manage.Caller{Identity: identity, RequestID: r.Header.Get("X-Request-ID")},
	}
	q := terse.LinkQuery{
		Owner: identity, Limit: linksAtOnce, Filter: terse.LinkFilter{Tags: []string{old}},
	}
	for {
		next, err := c.retagPage(r.Context(), q, name)
		c.announce()
		c.touched = nil
		if err != nil || next == nil {
			return err
		}
		q.After = next
	}
}

// isGone reports whether a link was deleted, and maybe its code chosen by someone else.
func isGone(err error) bool {
	return errors.Is(err, terse.ErrNotFound) || errors.Is(err, terse.ErrUpdateForbidden)
}

// retagPage gives the links of a page another tag, and returns where the next one begins.
func (c *changes) retagPage(ctx context.Context, q terse.LinkQuery, name string) (
	next *terse.LinkMark, err error,
) {
	ctx, cancel := context.WithTimeout(ctx, c.StoreTimeout)
	defer cancel()
	page, err := c.Store.Links(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("links with a tag: %w", err)
	}
	err = c.within(ctx, func() error {
		if terse.FoldTag(name) == terse.FoldTag(q.Filter.Tags[0]) {
			if err := c.tx.SpellTag(ctx, q.Owner, name); err != nil {
				return err
			}
		}
		for _, link := range page.Links {
			patch := manage.ReplaceTag(q.Filter.Tags[0], name)
			if _, err := c.manager.Update(ctx, c, c.caller, link.Code.String(), patch,
				anyVersion); err != nil && !isGone(err) {
				return err
			}
		}
		return nil
	})
	return page.Next, err
}

// askedTags returns the tags that a request about clicks asks for. An empty one is as good as none.
func askedTags(r *http.Request) ([]string, error) {
	query := strings.Clone(r.URL.RawQuery) // a stream outlives the request
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, terse.Invalidf("malformed query string")
	}
	empty := func(tag string) bool { return tag == "" }
	return manage.ParseTags(slices.DeleteFunc(values["tag"], empty))
}
