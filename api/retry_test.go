package api_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terse/api"
)

// answers is a transport that gives one answer after the other, the last one for ever: a status,
// and a Retry-After if there is one, such as "429 7".
type answers struct {
	list     []string
	requests []*http.Request
	bodies   []string
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := a.list[min(len(a.requests), len(a.list)-1)]
	body, _ := io.ReadAll(r.Body)
	a.requests, a.bodies = append(a.requests, r), append(a.bodies, string(body))
	status, after, _ := strings.Cut(answer, " ")
	resp := &http.Response{
		Header: http.Header{}, Request: r,
		Body: io.NopCloser(strings.NewReader(`{"status":"ok"}`)),
	}
	resp.StatusCode, _ = strconv.Atoi(status)
	if after != "" {
		resp.Header.Set("Retry-After", after)
	}
	if status == "302" {
		resp.Header.Set("Location", "https://elsewhere.example/")
	}
	return resp, nil
}

// clientOf returns a client that gets answers from a list and what it waited for.
func clientOf(list ...string) (*api.Client, *answers, *[]time.Duration) {
	transport, waits := &answers{list: list}, &[]time.Duration{}
	client := api.New("https://sho.rt", "secret")
	client.HTTPClient = &http.Client{Transport: transport}
	client.OnWait = func(d time.Duration) { *waits = append(*waits, d) }
	return client, transport, waits
}

// A call that the rate limit refuses waits for as long as the server says, in all for no longer
// than MaxWait.
func TestClientWaitsForTheRateLimit(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		name    string
		answers []string
		waits   []time.Duration
		err     error
	}{
		{"not refused", []string{"200"}, nil, nil},
		{"refused once", []string{"429 7", "200"}, []time.Duration{7 * s}, nil},
		{"refused twice", []string{"429 7", "429 53", "200"}, []time.Duration{7 * s, 53 * s}, nil},
		{
			"refused until the bound",
			[]string{"429 50"},
			[]time.Duration{50 * s, 50 * s},
			api.ErrRateLimited,
		},
		{"a wait beyond the bound", []string{"429 121"}, nil, api.ErrRateLimited},
		{
			"a date",
			[]string{"429 Sat, 01 Jan 2000 00:00:09 GMT", "200"},
			[]time.Duration{10 * s},
			nil,
		},
		{
			"too many questions",
			[]string{"503 5", "429 7", "503 5", "200"},
			[]time.Duration{5 * s, 7 * s, 5 * s},
			nil,
		},
		{"too many questions for too long", []string{"503 121"}, nil, api.ErrBusy},
		{"another 503", []string{"503"}, nil, api.ErrServer},
		{
			"a date that is past",
			[]string{"429 Fri, 31 Dec 1999 00:00:00 GMT", "200"},
			[]time.Duration{s},
			nil,
		},
		{"without a time", []string{"429"}, []time.Duration{
			s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s,
			32 * s,
		}, api.ErrRateLimited},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, transport, waits := clientOf(tt.answers...)
				began := time.Now() // synctest's clock begins with the year 2000
				_, err := client.Health(t.Context())
				if !errors.Is(err, tt.err) || !slices.Equal(*waits, tt.waits) {
					t.Errorf("%v after waiting %v, want %v after %v", err, *waits, tt.err, tt.waits)
				}
				total := time.Duration(0)
				for _, wait := range tt.waits {
					total += wait
				}
				if took := time.Since(began); took != total ||
					len(transport.requests) != len(tt.waits)+1 {
					t.Errorf("%d requests in %v, want %d in %v", len(transport.requests), took,
						len(tt.waits)+1, total)
				}
			})
		})
	}
}

func TestClientWaitsWithinItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, transport, waits := clientOf("429 30")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		began := time.Now()
		if _, err := client.Health(ctx); !errors.Is(err, api.ErrRateLimited) ||
			time.Since(began) != 0 {
			t.Errorf("a deadline before the end of the wait: %v after %v", err, time.Since(began))
		}
		cancelled, stop := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, stop)
		if _, err := client.Health(cancelled); !errors.Is(err, context.Canceled) ||
			time.Since(began) != 5*time.Second {
			t.Errorf("cancelled while it waits: %v after %v", err, time.Since(began))
		}
		if len(transport.requests) != 2 || len(*waits) != 1 {
			t.Errorf("%d requests, waits %v", len(transport.requests), *waits)
		}
		client.MaxWait = 0
		if _, err := client.Health(t.Context()); !errors.Is(err, api.ErrRateLimited) ||
			len(*waits) != 1 {
			t.Errorf("a client that must not wait: %v, waits %v", err, *waits)
		}
	})
}

// The body is sent again with the request.
func TestClientRepeatsTheWholeRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client, transport, _ := clientOf("429 1", "201")
		if _, err := client.Create(t.Context(), api.CreateRequest{
			OriginalURL: "https://example.com/",
		}); err != nil {
			t.Error(err)
		}
		want := `{"original_url":"https://example.com/"}`
		if !slices.Equal(transport.bodies, []string{want, want}) {
			t.Errorf("sent %q", transport.bodies)
		}
	})
}

func TestClientUsesItsHTTPClient(t *testing.T) {
	t.Parallel()
	client, transport, _ := clientOf("302", "200")
	if _, err := client.Health(t.Context()); err == nil || len(transport.requests) != 1 {
		t.Errorf("a redirect was followed: %v, %d requests", err, len(transport.requests))
	}
	client.UserAgent = "launcher/2.0"
	if _, err := client.Health(t.Context()); err != nil {
		t.Error(err)
	}
	for i, want := range []string{"terse-go", "launcher/2.0"} {
		if got := transport.requests[i].UserAgent(); got != want {
			t.Errorf("request %d has the user agent %q, want %q", i, got, want)
		}
	}
	if client.HTTPClient.CheckRedirect != nil {
		t.Error("the caller's HTTP client was changed")
	}
}

func TestErrorsAreComparable(t *testing.T) {
	t.Parallel()
	all := map[int]error{
		400: api.ErrInvalid, 401: api.ErrUnauthorized, 403: api.ErrForbidden, 404: api.ErrNotFound,
		409: api.ErrConflict, 429: api.ErrRateLimited, 500: api.ErrServer, 503: api.ErrServer,
		418: nil,
	}
	for status, want := range all {
		err := error(&api.Error{Status: status})
		for _, target := range all {
			if target != nil && errors.Is(err, target) != (target == want) {
				t.Errorf("%d is %q: %t", status, target, target != want)
			}
		}
	}
}
