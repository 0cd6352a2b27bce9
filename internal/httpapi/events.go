package httpapi

import (
	"context"
	"io"
	"net/http"
	"time"

	"terse"
	"terse/internal/click/clickquery"
)

// events serves GET /api/urls/{shortCode}/events.
func (s *service) events(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	q, err := clickquery.ParseEvents(r.URL.RawQuery)
	if err != nil {
		return err
	}
	link, err := s.owned(r, by, terse.ErrStatsForbidden)
	if err != nil {
		return err
	}
	return s.answerEvents(w, r, link.Ref(), q)
}

// allEvents serves GET /api/events.
func (s *service) allEvents(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	q, err := clickquery.ParseEvents(r.URL.RawQuery)
	if err != nil {
		return err
	}
	if q.Some.Tags, err = askedTags(r); err != nil {
		return err
	}
	q.Owner, q.Some.Domain = by.Asks(), domainOf(r)
	return s.answerEvents(w, r, terse.AllLinks, q)
}

func (s *service) answerEvents(w http.ResponseWriter, r *http.Request, link terse.LinkRef,
	q clickquery.Events,
) error {
	q.Host, q.Several = s.shownDomain, s.Hosts.Table().Several()
	if q.Format == "json" {
		return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
			return q.Page(ctx, s.Store, link, time.Now().Add(s.StoreTimeout/2))
		})
	}
	stream := clickquery.NewStream(s.Store, s.questions.ask, link, q)
	if r.Method != http.MethodHead {
		if err := stream.Next(r.Context()); err != nil {
			return err
		}
	}
	w.Header().Set("Content-Type", stream.ContentType())
	if r.Method != http.MethodHead {
		send(w, stream)
	}
	return nil
}

// send sends an answer of any length. If the stream fails, the answer is cut off, so that the
// client does not take a part for the whole.
func send(w http.ResponseWriter, stream io.Reader) {
	if _, err := io.Copy(w, stream); err != nil {
		panic(http.ErrAbortHandler)
	}
}
