package httpapi

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

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
	series, err := q.Ask(r.Context(), s.Store, link.Ref())
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
func (s *service) shared(r *http.Request) (terse.Link, error) {
	share, ok := terse.ParseShare(r.PathValue("share"))
	if !ok {
		return terse.Link{}, terse.ErrShareNotFound // no such share can exist
	}
	link, err := s.Store.Shared(r.Context(), share)
	if err != nil {
		return link, fmt.Errorf("look up a share: %w", err)
	}
	return link, nil
}

// LoggedPath returns what logs may have of a path, routed or not. Who knows the path of a share can
// read it, so it is left out, however it is spelled: who reads a log can mend what the server
// refused.
func LoggedPath(sent []byte) []byte {
	if len(sent) <= len(sharePrefix) || !namesShare(sent) {
		return sent
	}
	return []byte(sharePrefix + "…")
}

// maxDecodings bounds how often a path is decoded that is escaped again and again.
const maxDecodings = 8

func namesShare(path []byte) bool {
	for range maxDecodings {
		inDashboard, named := false, false
		for word := range bytes.FieldsFuncSeq(path, separates) {
			switch {
			case named || holdsShare(word):
				return true
			case bytes.EqualFold(word, []byte("ui")):
				inDashboard = true
			case bytes.EqualFold(word, []byte("share")):
				named = inDashboard
			}
		}
		plain := decoded(path)
		if len(plain) == len(path) {
			return false
		}
		path = plain
	}
	return true // nobody can tell
}

// separates reports whether a character is none of a share.
func separates(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' &&
		c != '-'
}

// holdsShare reports whether a word is a share, alone or behind "share" without a slash.
func holdsShare(word []byte) bool {
	const name = len("share")
	if len(word) > name && bytes.EqualFold(word[:name], []byte("share")) {
		if _, ok := terse.ParseShare(string(word[name:])); ok {
			return true
		}
	}
	_, ok := terse.ParseShare(string(word))
	return ok
}

// decoded returns a path with its escapes decoded, where they are any.
func decoded(path []byte) []byte {
	if bytes.IndexByte(path, '%') < 0 {
		return path
	}
	plain := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			if b, err := hex.DecodeString(string(path[i+1 : i+3])); err == nil {
				c, i = b[0], i+2
			}
		}
		plain = append(plain, c)
	}
	return plain
}
