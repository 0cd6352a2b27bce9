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
func (s *service) share(w http.ResponseWriter, r *http.Request, link terse.Link) error {
	fresh := terse.NewShare()
	share, err := s.Store.Share(r.Context(), link.Ref(), fresh)
	if err != nil {
		return fmt.Errorf("share: %w", err)
	}
	status := http.StatusOK
	if share == fresh {
		status = http.StatusCreated
	}
	return respond(w, r, status, s.shareAnswer(share))
}

// readShare serves GET /api/urls/{shortCode}/share.
func (s *service) readShare(w http.ResponseWriter, r *http.Request, link terse.Link) error {
	share, err := s.Store.Share(r.Context(), link.Ref(), terse.Share{})
	if err != nil {
		return fmt.Errorf("share: %w", err)
	}
	return respond(w, r, http.StatusOK, s.shareAnswer(share))
}

func (s *service) shareAnswer(share terse.Share) api.Share {
	return api.Share{URL: s.BaseURL + sharePrefix + share.String()}
}

// unshare serves DELETE /api/urls/{shortCode}/share.
func (s *service) unshare(w http.ResponseWriter, r *http.Request, link terse.Link) error {
	if err := s.Store.Unshare(r.Context(), link.Ref()); err != nil {
		return fmt.Errorf("stop sharing: %w", err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// sharePage serves GET /ui/share/{share}.
func (s *service) sharePage(w http.ResponseWriter, r *http.Request, _ string) error {
	switch _, err := s.shared(r); {
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
	link, err := s.shared(r)
	if err != nil {
		return err
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
		series, err := q.Ask(ctx, s.Store, link.Ref())
		if errors.Is(err, terse.ErrNotFound) { // it is gone meanwhile
			err = terse.ErrShareNotFound
		}
		if err != nil {
			return nil, fmt.Errorf("shared clicks of link %s: %w", link.Code, err)
		}
		return api.SharedClicks{
			ShortCode: link.Code.String(), Title: s.details(link).Title,
			CreatedAt: link.CreatedAt.UTC(), Clicks: q.Answer(series),
		}, nil
	})
}

// shared returns the link of the share that the path names.
func (s *service) shared(r *http.Request) (terse.Link, error) {
	share, ok := terse.ParseShare(r.PathValue("share"))
	if !ok {
		return terse.Link{}, terse.ErrShareNotFound // no such share can exist
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
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
