package mcp

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"terse/api"
)

// transportFunc is an http.RoundTripper.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A call waits for the rate limit for a minute in all, and for an answer until two are over.
func TestCallsEnd(t *testing.T) {
	t.Parallel()
	hang := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	limited := func(waits ...int) transportFunc {
		return func(*http.Request) (*http.Response, error) {
			resp := &http.Response{
				StatusCode: http.StatusOK, Header: http.Header{},
				Body: io.NopCloser(strings.NewReader(`{"tags":[]}`)),
			}
			if len(waits) > 0 {
				resp.StatusCode = http.StatusTooManyRequests
				resp.Header.Set("Retry-After", fmt.Sprint(waits[0]))
				resp.Body = io.NopCloser(strings.NewReader(`{"error":"rate limit exceeded"}`))
				waits = waits[1:]
			}
			return resp, nil
		}
	}
	for _, tt := range []struct {
		answers transportFunc
		want    string
		after   time.Duration
	}{
		{limited(), `{"tags":[]}`, 0},
		{limited(45, 15), `{"tags":[]}`, time.Minute},
		{limited(45, 16), "rate limit exceeded; try again in 16s", 45 * time.Second},
		{limited(61), "rate limit exceeded; try again in 1m1s", 0},
		{hang, "no answer within 2 minutes", 2 * time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			client := api.New("https://sho.rt", "secret")
			client.HTTPClient, client.MaxWait = &http.Client{Transport: tt.answers}, maxWait
			o := Options{Client: client, Explain: func(error) error { return errors.New("?") }}
			listTags := tools()[4]
			began := time.Now()
			result, err := o.handler(t.Context(), listTags)(t.Context(),
				&sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: listTags.name}})
			if err != nil {
				t.Fatal(err)
			}
			text, _ := result.Content[0].(*sdk.TextContent)
			took := time.Since(began)
			if text == nil || text.Text != tt.want || took != tt.after {
				t.Errorf("%+v after %s, want %s after %s", text, took, tt.want, tt.after)
			}
		})
	}
}
