package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"terse"
	"terse/internal/link/manage"
)

// update serves PATCH /api/urls/{shortCode}: a JSON Merge Patch (RFC 7396).
func (s *service) update(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	patch := s.manager.ParsePatch(body)
	return s.change(w, r, by, body, func(ctx context.Context, c *changes) (answer, error) {
		link, err := c.update(ctx, codeOf(r), patch, wantedBy(r))
		return c.linkAnswer(link), err
	})
}

// update changes a link, and returns it with its clicks.
func (c *changes) update(
	ctx context.Context, code terse.Code, patch manage.Patch, wanted func(terse.Link) bool,
) (terse.Link, error) {
	link, err := c.manager.Update(ctx, c, c.by, code, patch, wanted)
	if err != nil {
		return link, err
	}
	clicks, err := c.Store.Clicks(ctx, link.Ref())
	link.Clicks, link.LastClick = clicks.Clicks, clicks.Last
	if c.tx != nil && errors.Is(err, terse.ErrNotFound) {
		return link, nil // created in this transaction, so without clicks
	}
	return link, err
}

// etag returns the entity tag of a link's version (RFC 9110, 8.8.3). Clicks do not change it.
func etag(link terse.Link) string {
	version := int64(0)
	if !link.UpdatedAt.IsZero() {
		version = link.UpdatedAt.UnixMicro()
	}
	return `"` + strconv.FormatInt(int64(link.ID), 36) + "-" + strconv.FormatInt(version, 36) + `"`
}

// wantedBy returns a function that reports whether a request's conditions allow changing a version
// of a link (RFC 9110, 13.1.1).
func wantedBy(r *http.Request) func(terse.Link) bool {
	tags := r.Header["If-Match"]
	return func(link terse.Link) bool { return len(tags) == 0 || matches(tags, link) }
}

// isKnown reports whether the caller has this version of a link (RFC 9110, 13.1.2). Only here are
// weak tags compared like strong ones.
func isKnown(r *http.Request, link terse.Link) bool {
	tags := strings.Join(r.Header["If-None-Match"], ",")
	return matches([]string{strings.ReplaceAll(tags, "W/", "")}, link)
}

// matches reports whether header fields contain the link's entity tag.
func matches(fields []string, link terse.Link) bool {
	for _, field := range fields {
		for tag := range strings.SplitSeq(field, ",") {
			if tag = strings.TrimSpace(tag); tag == "*" || tag == etag(link) {
				return true
			}
		}
	}
	return false
}
