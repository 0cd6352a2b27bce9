package httpapi

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"terse"
	"terse/api"
	"terse/internal/click/clickquery"
	"terse/internal/link/manage"
)

// share serves POST /api/urls/{shortCode}/share. The answer kept for an idempotency key omits the
// share, because a revoked share must not be readable any more; a repeated request gets the link's
// current share.
func (s *service) share(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	a, err := s.perform(r, by, body, func(ctx context.Context, c *changes) (answer, error) {
		status, err := c.share(ctx, r.PathValue("shortCode"))
		return answer{status: status}, err
	})
	if err == nil && len(a.Body) == 0 { // not an error
		a.Body, err = s.shareBody(r, by)
	}
	if err != nil {
		return err
	}
	return a.send(w, r)
}

// share shares a link of the caller unless it is shared already. status says which.
func (c *changes) share(ctx context.Context, code string) (status int, err error) {
	link, err := manage.Owned(ctx, c, c.by, code, terse.ErrStatsForbidden)
	if err != nil {
		return 0, err
	}
	fresh := terse.NewShare()
	err = c.within(ctx, func() error {
		share, err := c.tx.Share(ctx, c.by, link.Ref(), fresh)
		if status = http.StatusOK; share == fresh {
			status = http.StatusCreated
		}
		return err
	})
	return status, err
}

// shareBody returns the answer with the share of the link that the path names.
func (s *service) shareBody(r *http.Request, by terse.Caller) ([]byte, error) {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	link, err := s.owned(r.WithContext(ctx), by, terse.ErrStatsForbidden)
	if err != nil {
		return nil, err
	}
	share, err := s.Store.Share(ctx, link.Ref())
	if err != nil {
		return nil, fmt.Errorf("share: %w", err)
	}
	return encode(s.shareAnswer(share))
}

// readShare serves GET /api/urls/{shortCode}/share.
func (s *service) readShare(w http.ResponseWriter, r *http.Request, link terse.Link) error {
	share, err := s.Store.Share(r.Context(), link.Ref())
	if err != nil {
		return fmt.Errorf("share: %w", err)
	}
	return respond(w, r, http.StatusOK, s.shareAnswer(share))
}

func (s *service) shareAnswer(share terse.Share) api.Share {
	return api.Share{URL: s.BaseURL + sharePrefix + share.String()}
}

// unshare serves DELETE /api/urls/{shortCode}/share.
func (s *service) unshare(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	link, err := s.owned(r, by, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	if err := s.Store.Unshare(r.Context(), by, link.Ref()); err != nil {
		return fmt.Errorf("stop sharing link %s: %w", link.Code, err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// sharePage serves GET /ui/share/{share}.
func (s *service) sharePage(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	switch _, err := s.shared(r); {
	case err == nil:
		s.SharePage(w, r, http.StatusOK, "clicks")
	case errors.Is(err, terse.ErrShareNotFound):
		s.SharePage(w, r, http.StatusNotFound, "")
	default:
		return err
	}
	return nil
}

// sharedClicks serves GET /ui/share/{share}/clicks. Everything that is not in this answer stays
// private.
func (s *service) sharedClicks(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
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
		if errors.Is(err, terse.ErrNotFound) { // deleted meanwhile
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

// LoggedPath returns the part of a path, routed or not, that may be logged. Anyone who knows a
// share's path can read the share, so it is left out, however it is spelled: a reader of the log
// could correct a spelling that the server refused. Below the place of shares any word counts as
// one, and elsewhere any that terse may have made (22 characters). Longer ones may be aliases
// there.
func LoggedPath(sent []byte) []byte {
	if len(sent) <= len(sharePrefix) || !namesShare(sent) {
		return sent
	}
	return []byte(sharePrefix + "…")
}

// maxDecodings bounds how often a path that was escaped repeatedly is decoded.
const maxDecodings = 8

func namesShare(path []byte) bool {
	for range maxDecodings {
		inDashboard, named := false, false
		for word := range bytes.FieldsFuncSeq(path, separates) {
			switch {
			case named || holdsOwn(word), inDashboard && followsName(word):
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
	return true // not decoded to the end
}

// separates reports whether a character cannot be part of a share.
func separates(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' &&
		c != '-'
}

// holdsOwn reports whether a word is a share that terse may have made, alone or directly behind
// "share".
func holdsOwn(word []byte) bool {
	isOwn := func(word []byte) bool {
		share, ok := terse.ParseShare(string(word))
		return ok && share.IsOwn()
	}
	rest, ok := behindName(word)
	return isOwn(word) || ok && isOwn(rest)
}

// followsName reports whether a word is a share directly behind "share".
func followsName(word []byte) bool {
	rest, ok := behindName(word)
	if ok {
		_, ok = terse.ParseShare(string(rest))
	}
	return ok
}

func behindName(word []byte) (rest []byte, ok bool) {
	const name = "share"
	if len(word) <= len(name) || !bytes.EqualFold(word[:len(name)], []byte(name)) {
		return nil, false
	}
	return word[len(name):], true
}

// decoded returns a path with its valid escapes decoded.
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
