package api_test

import (
	"errors"
	"testing"

	"terse/api"
)

// A client is told which field an error is about, of a call and of each operation of many.
func TestErrorField(t *testing.T) {
	t.Parallel()
	server, token := exampleServer()
	t.Cleanup(server.Close)
	client := api.New(server.URL, token)
	bad := api.CreateRequest{
		OriginalURL: "https://example.com/", LinkOptions: api.LinkOptions{Tags: []string{"a", ","}},
	}
	_, created := client.Create(t.Context(), bad)
	_, found := client.Link(t.Context(), "nothere")
	_, searched := client.Search(t.Context(), api.Search{Period: "24h"})
	_, address := api.New(server.URL+"/api", token).Health(t.Context())
	for want, err := range map[string]error{
		"tags[1]": created, "short_code": found, "period": searched, "": address,
	} {
		if got, ok := errors.AsType[*api.Error](err); !ok || got.Field != want {
			t.Errorf("the field of %+v is not %q", err, want)
		}
	}
	results, err := client.Bulk(t.Context(), api.Bulk{Operations: []api.Operation{
		{Op: "create", Link: bad}, {Op: "delete", ShortCode: "nothere"}, {Op: "update"},
	}})
	if err != nil || len(results) != 3 || results[0].Field != "tags[1]" ||
		results[1].Field != "short_code" || results[2].Field != "short_code" {
		t.Errorf("bulk: %+v, %v", results, err)
	}
}
