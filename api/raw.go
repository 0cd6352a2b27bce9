package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"
)

// Request is a request of the API in the form in which it is sent.
type Request struct {
	Method string
	Path   string // with escaped segments, such as /api/urls/launch
	Query  url.Values
	// Body is what the body encodes; nil: no body.
	Body any
	// IfMatch is the ETag of the version that is meant, for others it is ErrChanged; empty: any.
	IfMatch string
	// MaxBytes bounds the answer: a longer one is ErrTooLong. 0: 256 MiB.
	MaxBytes int64
}

// Answer is an answer as the server sent it, with the fields that this package does not know.
type Answer struct {
	JSON jsontext.Value // nil for an answer without a body, such as that to DELETE
	ETag string         // of a link's version; empty: none
}

// ErrTooLong means that an answer has more bytes than its request allows.
var ErrTooLong = errors.New("the answer is too long")

// Do sends a request, for programs that pass JSON on without reading it. All others have a method
// for each route.
func (c *Client) Do(ctx context.Context, req Request) (answer Answer, err error) {
	most := req.MaxBytes
	if most == 0 {
		most = maxResponseBytes
	}
	body, err := encode(req.Body)
	if err != nil {
		return answer, err
	}
	path := withQuery(req.Path, req.Query)
	c = c.with("If-Match", req.IfMatch)
	err = c.exchange(ctx, req.Method, path, body, func(resp *http.Response) error {
		b, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
		if err != nil {
			return fmt.Errorf("%s %s: %w", req.Method, path, err)
		}
		if int64(len(b)) > most {
			return ErrTooLong
		}
		answer = Answer{ETag: resp.Header.Get("ETag")}
		if resp.StatusCode == http.StatusNoContent {
			return nil
		}
		if answer.JSON = b; !answer.JSON.IsValid() {
			return fmt.Errorf("%s %s: the answer is no JSON", req.Method, path)
		}
		return nil
	})
	return answer, err
}
