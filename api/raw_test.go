package api_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"terse/api"
)

// Do passes on what the server says, also what the client does not know.
func TestDo(t *testing.T) {
	t.Parallel()
	var got string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.RequestURI + " " + r.Header.Get("If-Match") + " " + string(body)
		switch r.Method {
		case http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		case http.MethodPatch:
			w.WriteHeader(http.StatusPreconditionFailed)
			_, _ = io.WriteString(w, `{"error":"URL was changed meanwhile"}`)
		default:
			w.Header().Set("ETag", `"1-0"`)
			_, _ = io.WriteString(w, `{"new":[1,"&"]}`)
		}
	})
	for _, tt := range []struct {
		req          api.Request
		sent, answer string
		err          error
	}{
		{
			api.Request{
				Method: http.MethodGet, Path: "/api/urls/a%2Fb", MaxBytes: 15,
				Query: url.Values{"by": {"os", "a&b"}},
			},
			"GET /api/urls/a%2Fb?by=os&by=a%26b&domain=go.example  ", `{"new":[1,"&"]}`, nil,
		},
		{
			api.Request{Method: http.MethodGet, Path: "/api/tags", MaxBytes: 14},
			"GET /api/tags?domain=go.example  ", "", api.ErrTooLong,
		},
		{
			api.Request{
				Method: http.MethodPatch, Path: "/api/urls/abc", IfMatch: `"2-0"`,
				Body: map[string]any{"title": nil},
			},
			`PATCH /api/urls/abc?domain=go.example "2-0" {"title":null}`, "", api.ErrChanged,
		},
		{
			api.Request{Method: http.MethodDelete, Path: "/api/urls/abc"},
			"DELETE /api/urls/abc?domain=go.example  ", "", nil,
		},
	} {
		answer, err := client.At("go.example").Do(t.Context(), tt.req)
		if !errors.Is(err, tt.err) || got != tt.sent || string(answer.JSON) != tt.answer {
			t.Errorf("%+v: sent %s; got %s, %v", tt.req, got, answer.JSON, err)
		}
		if strings.HasPrefix(tt.answer, "{") && answer.ETag != `"1-0"` {
			t.Errorf("%+v: the ETag is %s", tt.req, answer.ETag)
		}
	}
	page := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<!DOCTYPE html>")
	})
	answer, err := page.Do(t.Context(), api.Request{Method: http.MethodGet, Path: "/api/tags"})
	if err == nil {
		t.Errorf("a page is %s", answer.JSON)
	}
}
