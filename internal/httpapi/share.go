package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"terse"
	"terse/api"
	"terse/internal/clickquery"
)

// share serves POST /api/urls/{shortCode}/share.
func (s *service) share(w http.ResponseWriter, r *http.Request, identity string) error {
	fresh := terse.NewShare()
	share, err := s.shareOf(r, identity, fresh)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if share == fresh {
		status = http.StatusCreated
	}
	return respond(w, r, status, s.shareAnswer(share))
}

// readShare serves GET /api/urls/{shortCode}/share.
func (s *service) readShare(w http.ResponseWriter, r *http.Request, identity string) error {
	share, err := s.shareOf(r, identity, terse.Share{})
	if err != nil {
		return err
	}
	return respond(w, r, http.StatusOK, s.shareAnswer(share))
}

func (s *service) shareAnswer(share terse.Share) api.Share {
	return api.Share{URL: s.BaseURL + sharePrefix + share.String()}
}

// shareOf returns the share of the link that the path names. One that has none gets fresh.
func (s *service) shareOf(r *http.Request, identity string, fresh terse.Share) (
	share terse.Share, err error,
) {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(ctx, r, identity, terse.ErrStatsForbidden)
	if err != nil {
		return share, err
	}
	if share, err = s.Store.Share(ctx, link.Ref(), fresh); err != nil {
		return share, fmt.Errorf("share of link %s: %w", link.Code, err)
	}
	return share, nil
}

// unshare serves DELETE /api/urls/{shortCode}/share.
func (s *service) unshare(w http.ResponseWriter, r *http.Request, identity string) error {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(ctx, r, identity, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	if err := s.Store.Unshare(ctx, link.Ref()); err != nil {
		return fmt.Errorf("stop sharing link %s: %w", link.Code, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// sharePage serves GET /ui/share/{share}.
func (s *service) sharePage(w http.ResponseWriter, r *http.Request, _ string) error {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	switch _, err := s.shared(ctx, r); {
	case err == nil:
		s.SharePage(w, r, http.StatusOK)
	case errors.Is(err, terse.ErrShareNotFound):
		s.SharePage(w, r, http.StatusNotFound)
	default:
		return err
	}
	return nil
}

// sharedClicks serves GET /ui/share/{share}/clicks. Whatever is not in this answer stays private.
func (s *service) sharedClicks(w http.ResponseWriter, r *http.Request, _ string) error {
	q, err := clickquery.Parse(r.URL.RawQuery, clickquery.Strangers)
	if err != nil {
		return err
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.shared(ctx, r)
	if err != nil {
		return err
	}
	series, err := q.Ask(ctx, s.Store, link.Ref())
	if errors.Is(err, terse.ErrNotFound) { // it is gone meanwhile
		err = terse.ErrShareNotFound
	}
	if err != nil {
		return fmt.Errorf("shared clicks of link %s: %w", link.Code, err)
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	return respond(w, r, http.StatusOK, api.SharedClicks{
		ShortCode: link.Code.String(), Title: s.details(link).Title,
		CreatedAt: link.CreatedAt.UTC(), Clicks: q.Answer(series),
	})
}

// shared returns the link of the share that the path names.
func (s *service) shared(ctx context.Context, r *http.Request) (terse.Link, error) {
	share, ok := terse.ParseShare(r.PathValue("share"))
	if !ok {
		return terse.Link{}, terse.ErrShareNotFound // no such share can exist
	}
	link, err := s.Store.Shared(ctx, share)
	if err != nil {
		return link, fmt.Errorf("look up a share: %w", err)
	}
	return link, nil
}

// LoggedPath returns what logs may have of a path. Who knows the path of a share can read it, so it
// is left out, however it is spelled.
func LoggedPath(sent []byte) []byte {
	plain, err := url.PathUnescape(string(sent))
	if err != nil {
		plain = string(sent)
	}
	if strings.HasPrefix(path.Clean(plain), sharePrefix) {
		return []byte(sharePrefix + "…")
	}
	return sent
}
