package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"terse"
)

// update serves PATCH /api/urls/{shortCode}: a JSON Merge Patch (RFC 7396).
func (s *service) update(w http.ResponseWriter, r *http.Request, identity string) error {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(ctx, r, identity, terse.ErrUpdateForbidden)
	if err != nil {
		return err
	}
	fields, err := decodeMembers(w, r, knownIn("original_url"))
	if err == nil {
		err = s.parseOptions(fields)
	}
	if err != nil {
		return err
	}
	for {
		changed, err := s.patch(link, maps.Clone(fields))
		if err != nil {
			return err
		}
		if !mayChange(r, link) {
			return terse.ErrChanged
		}
		if changed == link {
			return s.respondLink(ctx, w, r, link)
		}
		updated, err := s.Store.Update(ctx, terse.LinkChange{
			Link: changed, By: identity, RequestID: r.Header.Get("X-Request-ID"),
		})
		s.Changed(link.Code) // also after an error: what was written is not known then
		if err == nil {
			return s.respondLink(ctx, w, r, updated)
		}
		if !errors.Is(err, terse.ErrChanged) {
			return fmt.Errorf("update link %s: %w", link.Code, err)
		}
		// Another caller was first: the patch is for what the link is now.
		if link, err = s.owned(ctx, r, identity, terse.ErrUpdateForbidden); err != nil {
			return err
		}
	}
}

// patch returns a link as the fields of a request change it. It empties them.
func (s *service) patch(link terse.Link, fields members) (terse.Link, error) {
	if _, ok := fields["original_url"]; ok {
		target, err := fields.takeString("original_url")
		if err != nil {
			return link, err
		}
		if target == nil {
			return link, terse.ErrURLRequired
		}
		if link.URL, err = s.parseTarget(*target); err != nil {
			return link, err
		}
	}
	var err error
	link.Options, err = s.patchOptions(link.Options, fields)
	return link, err
}

// etag returns the entity tag of a link's version (RFC 9110, 8.8.3). Clicks are no change.
func etag(link terse.Link) string {
	version := int64(0)
	if !link.UpdatedAt.IsZero() {
		version = link.UpdatedAt.UnixMicro()
	}
	return `"` + strconv.FormatInt(int64(link.ID), 36) + "-" + strconv.FormatInt(version, 36) + `"`
}

// mayChange reports whether a request may change this version of a link (RFC 9110, 13.1.1).
func mayChange(r *http.Request, link terse.Link) bool {
	tags := r.Header["If-Match"]
	return len(tags) == 0 || matches(tags, link)
}

// isKnown reports whether the caller has this version of a link (RFC 9110, 13.1.2). Weak tags are
// compared like strong ones here, and only here.
func isKnown(r *http.Request, link terse.Link) bool {
	tags := strings.Join(r.Header["If-None-Match"], ",")
	return matches([]string{strings.ReplaceAll(tags, "W/", "")}, link)
}

// matches reports whether one of the entity tags in header fields is the link's.
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
