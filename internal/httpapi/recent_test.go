package httpapi_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"terse/api"
	"terse/internal/httpapi"
)

func TestRecent(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, code := range []string{"launch", "other"} {
		f.do(t, request{
			method: "POST", target: "/api/urls",
			body: `{"original_url":"https://example.com/","short_code":"` + code + `"}`,
		})
	}
	f.createForeign(t, "foreign")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	ages := []int{30, 29, 29, 3, 0}
	for _, age := range ages {
		f.addClicks(t, "other", clickAt(t, today.AddDate(0, 0, -age).Format(time.RFC3339), "SE",
			"direct"))
	}
	got := decodeAs[api.Recent](t, f.do(
		t, request{target: "/api/recent?short_codes=launch,other,other,nothere,foreign,a%2Fb,"}),
		http.StatusOK)
	first, err := time.Parse(time.DateOnly, got.FirstDate)
	if err != nil || len(got.Clicks) != 2 || len(got.Clicks["launch"]) != 30 {
		t.Fatalf("%v, %+v", err, got)
	}
	want := make([]int64, 30)
	for _, age := range ages {
		if at := int(today.AddDate(0, 0, -age).Sub(first) / (24 * time.Hour)); at >= 0 {
			want[at]++
		}
	}
	// 28 when a day has begun
	if age := today.Sub(first) / (24 * time.Hour); age != 29 && age != 28 ||
		!slices.Equal(got.Clicks["other"], want) {
		t.Errorf("from %s: %v, want %v", got.FirstDate, got.Clicks["other"], want)
	}
}

func TestRecentQueriesThatAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const want = "short_codes must be 1-100 short codes, separated by commas"
	for query, want := range map[string]string{
		"": want, "?short_codes=": want, "?short_codes=" + strings.Repeat("abc,", 100): want,
		"?short_codes=%": "malformed query string",
	} {
		wantError(t, f.do(t, request{target: "/api/recent" + query, bad: true}),
			http.StatusBadRequest, want)
	}
	if got := decodeAs[api.Recent](t, f.do(t, request{target: "/api/recent?short_codes=-"}),
		http.StatusOK); len(got.Clicks) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestRecentFailsWithTheStore(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.Store = faulty{Store: o.Store, err: errors.New("broken")}
	})
	answer := f.do(t, request{target: "/api/recent?short_codes=abc,abd,abe,abf,abg"})
	wantError(t, answer, http.StatusInternalServerError, "internal server error")
}
