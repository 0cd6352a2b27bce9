package httpapi

import (
	"io"
	"net/http"
	"time"

	"terse"
	"terse/internal/clickquery"
)

// events serves GET /api/urls/{shortCode}/events.
func (s *service) events(w http.ResponseWriter, r *http.Request, identity string) error {
	q, err := clickquery.ParseEvents(r.URL.RawQuery)
	if err != nil {
		return err
	}
	link, err := s.owned(r, identity, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	return s.answerEvents(w, r, link.Ref(), q)
}

// allEvents serves GET /api/events.
func (s *service) allEvents(w http.ResponseWriter, r *http.Request, identity string) error {
	q, err := clickquery.ParseEvents(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if q.Tags, err = askedTags(r); err != nil {
		return err
	}
	q.Owner = identity
	return s.answerEvents(w, r, terse.AllLinks, q)
}

func (s *service) answerEvents(w http.ResponseWriter, r *http.Request, link terse.LinkRef,
	q clickquery.Events,
) error {
	if q.Format == "json" {
		page, err := q.Page(r.Context(), s.Store, link, time.Now().Add(s.StoreTimeout/2))
		if err != nil {
			return err
		}
		return respond(w, r, http.StatusOK, page)
	}
	stream := clickquery.NewStream(s.Store, s.StoreTimeout, link, q)
	w.Header().Set("Content-Type", stream.ContentType())
	if r.Method == http.MethodHead {
		return nil
	}
	return send(w, stream)
}

// send sends an answer of any length. A server that sends answers when they are complete takes it
// as its body.
func send(w http.ResponseWriter, stream io.Reader) error {
	if server, ok := w.(interface{ SendStream(body io.Reader) }); ok {
		server.SendStream(stream)
		return nil
	}
	_, err := io.Copy(w, stream)
	return err
}
