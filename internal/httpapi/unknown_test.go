package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"

	"terse"
	"terse/api"
	"terse/internal/httpapi"
)

func day(back int) terse.Day {
	return terse.DayOf(time.Now().UnixMicro()) - terse.Day(back)
}

// keepUnknown has a node keep codes of a day some days back.
func (f *fixture) keepUnknown(t *testing.T, node string, day terse.Day, total int64,
	codes ...string,
) {
	t.Helper()
	u := terse.UnknownCodes{Total: total}
	for i, text := range codes {
		code, err := terse.ParseCode(text)
		if err != nil {
			t.Fatal(err)
		}
		u.Codes = append(u.Codes, terse.UnknownCode{Code: code, Count: int64(12 - i)})
	}
	if err := f.store.KeepUnknown(t.Context(), node, day, u); err != nil {
		t.Fatal(err)
	}
}

func TestUnknownCodes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	today := day(0)
	f.keepUnknown(t, "a", today, 20, "lanch", "laucnh")
	f.keepUnknown(t, "b", today, 13, "lunch", "lanch", "Lanch")
	f.keepUnknown(t, "a", today-3, 12, "gone")
	for query, want := range map[string]string{
		"": `{"date":"` + today.String() + `","total":33,"codes":[` +
			`{"short_code":"lanch","count":23,"error":0},` +
			`{"short_code":"lunch","count":12,"error":0},` +
			`{"short_code":"laucnh","count":11,"error":0},` +
			`{"short_code":"Lanch","count":10,"error":0}]}`,
		"?date=&limit=": "",
		"?limit=1&x=y&limit=5000": `{"date":"` + today.String() + `","total":33,"codes":[` +
			`{"short_code":"lanch","count":23,"error":0}]}`,
		"?limit=1000&date=" + (today - 3).String(): `{"date":"` + (today - 3).String() +
			`","total":12,"codes":[{"short_code":"gone","count":12,"error":0}]}`,
		"?date=" + (today - 1).String(): `{"date":"` + (today - 1).String() +
			`","total":0,"codes":[]}`,
		"?date=0000-01-01":         `{"date":"0000-01-01","total":0,"codes":[]}`,
		"?days=1&date=0000-01-01":  `{"date":"0000-01-01","total":0,"codes":[]}`,
		"?days=30&date=0000-01-01": `{"date":"0000-01-01","total":0,"by_date":{},"codes":[]}`,
		"?days=2&limit=1": `{"date":"` + today.String() + `","total":33,"by_date":{"` +
			today.String() + `":33},"codes":[{"short_code":"lanch","count":23,"error":0,` +
			`"by_date":{"` + today.String() + `":23}}]}`,
		"?date=9999-12-31": `{"date":"9999-12-31","total":0,"codes":[]}`,
	} {
		if want == "" {
			want = f.do(t, request{target: "/api/unknown"}).body
		}
		got := f.do(t, request{target: "/api/unknown" + query, bad: query == "?date=&limit="})
		if got.status != http.StatusOK || got.body != want {
			t.Errorf("%s: %d %s\nwant %s", query, got.status, got.body, want)
		}
	}
}

func TestUnknownCodesOfSeveralDays(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	today := day(0)
	full := make([]string, terse.MaxUnknownCodes)
	for i := range full {
		full[i] = fmt.Sprintf("code%04d", i)
	}
	f.keepFull(t, today-1, full)
	f.keepUnknown(t, "a", today, 20, "lanch", "laucnh")
	f.keepUnknown(t, "b", today-29, 12, "lanch")
	f.keepUnknown(t, "b", today-30, 12, "lanch")
	got := decodeAs[api.Unknown](t, f.do(t, request{
		target: "/api/unknown?days=30&limit=2",
	}), http.StatusOK)
	// The full day lacks "lanch", which was requested at most twice on it.
	want := api.Unknown{
		Date: today.String(), Total: 20 + 3000 + 12,
		ByDate: map[string]int64{
			today.String(): 20, (today - 1).String(): 3000, (today - 29).String(): 12,
		},
		Codes: []api.UnknownCode{
			{
				ShortCode: "lanch", Count: 12 + 12 + 2, Error: 2,
				ByDate: map[string]int64{today.String(): 12, (today - 29).String(): 12},
			},
			{
				ShortCode: "laucnh", Count: 11 + 2, Error: 2,
				ByDate: map[string]int64{today.String(): 11},
			},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	client, err := api.New(f.server.URL, token).Unknown(t.Context(), time.Time{}, 30, 2)
	if err != nil || !reflect.DeepEqual(client, want) {
		t.Errorf("%+v, %v", client, err)
	}
}

// Addresses that only an alias could be are listed with the codes; each kind has bounds of its own.
func TestUnknownAliasesAreListed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	full := make([]string, terse.MaxUnknownCodes)
	for i := range full {
		full[i] = fmt.Sprintf("code%04d", i)
	}
	f.keepFull(t, day(1), full) // does not say anything about aliases
	code, _ := terse.ParseCode("lanch")
	kept := terse.UnknownCodes{
		Total: 40, Codes: []terse.UnknownCode{{Code: code, Count: 5}},
		Aliases: []terse.UnknownCode{
			{Alias: "gr\u00fc\u00dfe", Count: 5}, {Alias: "docs/instal", Count: 9, Error: 1},
		},
		AliasRest: 1,
	}
	if err := f.store.KeepUnknown(t.Context(), "a", day(0), kept); err != nil {
		t.Fatal(err)
	}
	got := decodeAs[api.Unknown](t, f.do(t, request{target: "/api/unknown"}), http.StatusOK)
	if want := fmt.Sprintf("{%v 40 map[] [{docs/instal 9 1 map[]} {gr\u00fc\u00dfe 5 0 map[]} "+
		"{lanch 5 0 map[]}]}", day(0)); fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	got = decodeAs[api.Unknown](t, f.do(t, request{
		target: "/api/unknown?days=2&limit=1",
	}), http.StatusOK)
	if len(got.Codes) != 1 || got.Codes[0].Count != 9 || got.Codes[0].Error != 1 ||
		got.Codes[0].ByDate[day(0).String()] != 9 || got.Total != 3040 {
		t.Errorf("%+v", got)
	}
}

// keepFull has a node keep as many codes of a day as it can, each of them requested twice.
func (f *fixture) keepFull(t *testing.T, day terse.Day, codes []string) {
	t.Helper()
	u := terse.UnknownCodes{Total: 3000}
	for _, text := range codes {
		code, err := terse.ParseCode(text)
		if err != nil {
			t.Fatal(err)
		}
		u.Codes = append(u.Codes, terse.UnknownCode{Code: code, Count: 2})
	}
	if err := f.store.KeepUnknown(t.Context(), "full", day, u); err != nil {
		t.Fatal(err)
	}
}

// What nodes do not list they may have met, up to their rest.
func TestErrorsOfUnknownCodesAddUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	code, _ := terse.ParseCode("lanch")
	for node, u := range map[string]terse.UnknownCodes{
		"a": {Total: 90, Rest: 4, Codes: []terse.UnknownCode{{Code: code, Count: 12, Error: 1}}},
		"b": {Total: 20, Rest: 3},
	} {
		if err := f.store.KeepUnknown(t.Context(), node, day(0), u); err != nil {
			t.Fatal(err)
		}
	}
	got := decodeAs[api.Unknown](t, f.do(t, request{target: "/api/unknown"}), http.StatusOK)
	if fmt.Sprint(got) != fmt.Sprintf("{%v 110 map[] [{lanch 15 4 map[]}]}", day(0)) {
		t.Errorf("%+v", got)
	}
}

// Today and the 29 days before are shown, even when no node has had the store forget it.
func TestOldUnknownCodesAreNotShown(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for back := 40; back >= 0; back-- {
		f.keepUnknown(t, fmt.Sprint(back), day(back), 1, "abc")
	}
	for _, back := range []int{0, 1, 29, 30, 31, 32, 40} {
		f.keepUnknown(t, "late", day(back), 1, "abc")
		want := int64(2)
		if back > 29 {
			want = 0
		}
		got := decodeAs[api.Unknown](t, f.do(t, request{
			target: "/api/unknown?date=" + day(back).String(),
		}), http.StatusOK)
		if got.Total != want {
			t.Errorf("%d days ago: %+v, want %d", back, got, want)
		}
	}
}

func TestUnknownQueriesThatAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const badDate, badLimit = "date must be a day such as 2026-01-31", "limit must be 1 to 1000"
	const badDays = "days must be 1 to 30"
	for query, want := range map[string]string{
		"date=2026-02-30": badDate, "date=2026-1-3": badDate, "date=today": badDate,
		"date=2026-01-30T00:00:00Z": badDate, "date=20260130": badDate, "date=+2026-01-3": badDate,
		"limit=0": badLimit, "limit=1001": badLimit, "limit=-1": badLimit, "limit=ten": badLimit,
		"days=0": badDays, "days=31": badDays, "days=-1": badDays, "days=x": badDays,
		"days=0&limit=0": badDays, "limit=1e2": badLimit, "limit=99999999999999999999": badLimit,
		"date=%": "malformed query string", "date=x&limit=0": badDate,
	} {
		wantError(t, f.do(t, request{target: "/api/unknown?" + query, bad: true}),
			http.StatusBadRequest, want)
	}
	got := f.do(t, request{target: "/api/unknown?date=x", header: http.Header{
		"Authorization": nil,
	}, bad: true})
	wantError(t, got, http.StatusUnauthorized, "Unauthorized: missing authorization header")
}

func TestUnknownCodesWithoutTheStore(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(o *httpapi.Options) {
		o.Store = faulty{Store: o.Store, err: errors.New("away")}
	})
	wantError(t, f.do(t, request{target: "/api/unknown"}), http.StatusInternalServerError,
		"internal server error")
}
