package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terse/api"
)

// serve starts a server that answers everything alike. That the client and the real server
// understand each other is tested in internal/httpapi.
func serve(t *testing.T, handler http.HandlerFunc) *api.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return api.New(server.URL, "secret")
}

func TestClientRequests(t *testing.T) {
	t.Parallel()
	var got string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = strings.Join([]string{
			r.Method, r.RequestURI, r.Header.Get("Authorization"),
			r.Header.Get("Content-Type"), string(body),
		}, "|")
		switch r.Method {
		case http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
			return
		case http.MethodPost:
			w.WriteHeader(http.StatusCreated)
		}
		_, _ = io.WriteString(w, `{}`)
	})
	ctx := t.Context()
	at := time.Date(2026, 1, 31, 12, 0, 0, 0, time.FixedZone("", 3600))
	const (
		post   = "POST|/api/urls|Bearer secret|application/json|"
		noBody = "|Bearer secret||"
		end    = "end_time=2026-01-31T12%3A00%3A01%2B01%3A00"
		start  = "start_time=2026-01-31T12%3A00%3A00%2B01%3A00"
	)
	for want, call := range map[string]func() error{
		post + `{"original_url":"https://example.com/?a&b"}`: func() error {
			_, err := client.Create(ctx, api.CreateRequest{OriginalURL: "https://example.com/?a&b"})
			return err
		},
		post + `{"original_url":"https://example.com/","short_code":""}`: func() error {
			_, err := client.Create(ctx, api.CreateRequest{
				OriginalURL: "https://example.com/",
				ShortCode:   new(""),
			})
			return err
		},
		"GET|/api/urls?limit=5&offset=-1" + noBody: func() error {
			_, err := client.List(ctx, 5, -1)
			return err
		},
		"DELETE|/api/urls/a%2Fb%3F" + noBody: func() error {
			return client.Delete(ctx, "a/b?")
		},
		"GET|/api/urls/abc/analytics" + noBody: func() error {
			_, err := client.Stats(ctx, "abc", api.Range{})
			return err
		},
		"GET|/api/urls/abc/analytics?" + end + "&" + start + noBody: func() error {
			_, err := client.Stats(ctx, "abc", api.Range{Start: at, End: at.Add(time.Second)})
			return err
		},
		"GET|/api/urls?cursor=x%2By&limit=7&search=a%26b&sort=clicks" + noBody: func() error {
			search := api.Search{Text: "a&b", Sort: "clicks", Cursor: "x+y", Limit: 7}
			_, err := client.Search(ctx, search)
			return err
		},
		"GET|/api/urls?limit=0&sort=newest" + noBody: func() error {
			_, err := client.Search(ctx, api.Search{})
			return err
		},
		"GET|/api/urls/abc?owner=ann%2Bx%40example.com" + noBody: func() error {
			_, err := client.Of("ann+x@example.com").Link(ctx, "abc")
			return err
		},
		"GET|/api/urls?limit=0&sort=newest&owner=%2A" + noBody: func() error {
			_, err := client.Of(api.AllOwners).Search(ctx, api.Search{})
			return err
		},
		"GET|/api/urls/abc/clicks?owner=%2A&domain=go.example" + noBody: func() error {
			_, err := client.Of(api.AllOwners).At("go.example").Clicks(ctx, "abc",
				api.ClicksQuery{})
			return err
		},
		`POST|/api/urls?domain=go.example|Bearer secret|application/json|` +
			`{"original_url":"https://example.com/","domain":"go.example"}`: func() error {
			_, err := client.At("go.example").Create(ctx,
				api.CreateRequest{OriginalURL: "https://example.com/"})
			return err
		},
		"GET|/api/domains" + noBody: func() error { _, err := client.Domains(ctx); return err },
		`PATCH|/api/domains/go.example|Bearer secret|application/json|` +
			`{"root_url":null}`: func() error {
			_, err := client.UpdateDomain(ctx, "go.example", api.Changes{"root_url": nil})
			return err
		},
		"DELETE|/api/urls/abc?owner=ci" + noBody: func() error {
			return client.Of("ci").Delete(ctx, "abc")
		},
		"DELETE|/api/users/ann@example.com?move_to=ci" + noBody: func() error {
			return client.DeleteUserMovingTo(ctx, "ann@example.com", "ci")
		},
		"GET|/api/urls/abc" + noBody: func() error {
			_, err := client.Link(ctx, "abc")
			return err
		},
		"GET|/api/urls/abc/clicks" + noBody: func() error {
			_, err := client.Clicks(ctx, "abc", api.ClicksQuery{})
			return err
		},
		"GET|/api/overview?country=DE&" + end + "&interval=hour&referrer=direct&" + start +
			"&time_zone=Europe%2FBerlin" + noBody: func() error {
			_, err := client.Overview(ctx, api.ClicksQuery{
				Range:    api.Range{Start: at, End: at.Add(time.Second)},
				Interval: "hour", TimeZone: "Europe/Berlin",
				Only: map[string][]string{"country": {"DE"}, "referrer": {"direct"}},
			})
			return err
		},
		"GET|/api/recent?short_codes=abc%2Cdef" + noBody: func() error {
			_, err := client.Recent(ctx, "abc", "def")
			return err
		},
		"GET|/api/unknown" + noBody: func() error {
			_, err := client.Unknown(ctx, time.Time{}, 0, 0)
			return err
		},
		"GET|/api/unknown?date=2026-01-30&days=30&limit=7" + noBody: func() error {
			_, err := client.Unknown(ctx, time.Date(2026, 1, 31, 1, 0, 0, 0,
				time.FixedZone("", 2*60*60)), 30, 7)
			return err
		},
		"GET|/api/audit" + noBody: func() error {
			_, err := client.Audit(ctx, api.AuditQuery{})
			return err
		},
		"GET|/api/audit?by=a%40example.org&cursor=7&limit=2&target=launch" + noBody: func() error {
			_, err := client.Audit(ctx, api.AuditQuery{
				By: "a@example.org", Target: "launch", Limit: 2, Cursor: "7",
			})
			return err
		},
		"GET|/health" + noBody: func() error {
			_, err := client.Health(ctx)
			return err
		},
	} {
		if err := call(); err != nil || got != want {
			t.Errorf("sent %s, %v\nwant %s", got, err, want)
		}
	}
}

// No name leads to another path: neither one that climbs nor one that is empty.
func TestNamesThatClimb(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("sent %s %s", r.Method, r.RequestURI)
		w.WriteHeader(http.StatusNoContent)
	})
	ctx := t.Context()
	for _, name := range []string{"", ".", ".."} {
		for what, call := range map[string]func() error{
			"Link":        func() error { _, err := client.Link(ctx, name); return err },
			"Update":      func() error { _, err := client.Update(ctx, name, "", nil); return err },
			"Delete":      func() error { return client.Delete(ctx, name) },
			"History":     func() error { _, err := client.History(ctx, name); return err },
			"ClearClicks": func() error { return client.ClearClicks(ctx, name) },
			"Stats": func() error {
				_, err := client.Stats(ctx, name, api.Range{})
				return err
			},
			"Share":     func() error { _, err := client.Share(ctx, name); return err },
			"Unshare":   func() error { return client.Unshare(ctx, name) },
			"RenameTag": func() error { _, err := client.RenameTag(ctx, name, "a"); return err },
			"DeleteTag": func() error { return client.DeleteTag(ctx, name) },
			"SharedClicks": func() error {
				_, err := client.SharedClicks(ctx, name, api.ClicksQuery{})
				return err
			},
		} {
			if call() == nil {
				t.Errorf("%s of %q", what, name)
			}
		}
	}
}

// Pages end, whatever cursors a server names.
func TestCursorsThatRepeat(t *testing.T) {
	t.Parallel()
	for _, circle := range []int{1, 2, 7} {
		asked := 0
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			_, _ = fmt.Fprintf(w, `{"urls":[{}],"events":[{}],"next_cursor":"c%d"}`, asked%circle)
		})
		var err, eventsErr error
		for _, err = range client.All(t.Context(), api.Search{}) {
			if asked > 100 {
				break
			}
		}
		listed := asked
		asked = 0
		for _, eventsErr = range client.AllEvents(t.Context(), "", api.EventsQuery{}) {
			if asked > 100 {
				break
			}
		}
		if !errors.Is(err, api.ErrRepeatedPage) || !errors.Is(eventsErr, api.ErrRepeatedPage) ||
			listed > 4*circle || asked > 4*circle {
			t.Errorf("a circle of %d: %v after %d pages, %v after %d", circle, err, listed,
				eventsErr, asked)
		}
	}
	asked := 0
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 100 {
			_, _ = io.WriteString(w, `{"urls":[{}]}`)
			return
		}
		_, _ = fmt.Fprintf(w, `{"urls":[{}],"next_cursor":"c%d"}`, asked)
	})
	links := 0
	for _, err := range client.All(t.Context(), api.Search{}) {
		if links++; err != nil {
			t.Fatal(err)
		}
	}
	if links != 100 {
		t.Errorf("%d links", links)
	}
}

func TestClientErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		want   api.Error
	}{
		{
			"over the limit",
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "12")
				w.Header().Set("X-Request-ID", "some-id")
				w.WriteHeader(http.StatusTooManyRequests)
				_, _ = io.WriteString(w, `{"error":"rate limit exceeded"}`)
			},
			api.Error{
				Status: 429, Message: "rate limit exceeded", RetryAfter: 12 * time.Second,
				RequestID: "some-id",
			},
		},
		{
			"a proxy's page",
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "Fri, 31 Dec 2026 23:59:59 GMT")
				w.WriteHeader(http.StatusBadGateway)
				_, _ = io.WriteString(w, `<html>`)
			},
			api.Error{Status: 502, Message: "Bad Gateway"},
		},
		{
			"an endless error",
			func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w, `{"error":"`+strings.Repeat("a", 1<<20)+`"}`)
			},
			api.Error{Status: 500, Message: "Internal Server Error"},
		},
		{
			"a redirect, which is not followed",
			func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "/elsewhere", http.StatusFound)
			},
			api.Error{Status: 302, Message: "Found"},
		},
		{
			"another success than the interface's",
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
			api.Error{Status: 202, Message: "Accepted"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, tt.answer)
			client.MaxWait = 0
			_, err := client.Health(t.Context())
			var got *api.Error
			if !errors.As(err, &got) || *got != tt.want {
				t.Errorf("error %+v, want %+v", err, tt.want)
			}
		})
	}
	if text := (&api.Error{
		Status:  404,
		Message: "URL not found",
	}).Error(); text != "404: URL not found" {
		t.Errorf("an error says %q", text)
	}
}

func TestClientFailures(t *testing.T) {
	t.Parallel()
	var failure *api.Error
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"status":`)
	})
	if _, err := client.Health(t.Context()); err == nil || errors.As(err, &failure) ||
		!strings.Contains(err.Error(), "GET /health: decode answer") {
		t.Errorf("an answer that is cut off: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Health(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
	if _, err := api.New("http://[", "").Health(t.Context()); err == nil {
		t.Error("a base URL that is none is accepted")
	}
	if _, err := client.Create(t.Context(), api.CreateRequest{OriginalURL: "\xff"}); err == nil ||
		!strings.Contains(err.Error(), "encode request") {
		t.Errorf("a URL that JSON can't hold: %v", err)
	}
}
