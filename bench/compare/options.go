package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"terse/api"
)

const (
	// optionLinks is how many links the scenarios of options have, which are made over HTTP.
	optionLinks = 1000
	// wrongPasswords is how many a second come, from as many clients.
	wrongPasswords = 64
)

// rules are five of different kinds, of which the last draws.
var rules = []api.Rule{
	{Name: "a", URL: "https://a.example/", When: api.RuleConditions{Device: []string{"ios"}}},
	{Name: "b", URL: "https://b.example/", When: api.RuleConditions{
		Language: []string{"de", "fr"},
	}},
	{Name: "c", URL: "https://c.example/", When: api.RuleConditions{Country: []string{"DE", "AT"}}},
	{Name: "d", URL: "https://d.example/", When: api.RuleConditions{
		Query: map[string]*string{"x": nil},
	}},
	{Name: "e", URL: "https://e.example/", Share: 50},
}

// options compares links with options with plain ones, both asked for as a browser does.
func (b *bench) options(ctx context.Context) (rows []row, err error) {
	start, end := time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	for _, s := range []struct {
		name    string
		options api.LinkOptions
		least   float64
	}{
		{"links with dates, status and query, beside plain ones", api.LinkOptions{
			StartsAt: start, ExpiresAt: end, RedirectStatus: http.StatusFound, ForwardQuery: true,
		}, 0.9},
		{"links with five rules, beside plain ones", api.LinkOptions{Rules: rules}, 0.6},
	} {
		ours, err := b.startWith(ctx, s.options)
		if err != nil {
			return nil, err
		}
		other, err := b.startWith(ctx, api.LinkOptions{})
		if err != nil {
			return nil, err
		}
		of, beside, err := b.interleave(ctx, target{ours, browser, optionLinks},
			target{other, browser, optionLinks})
		if err != nil {
			return nil, err
		}
		rows = append(rows, of.rows(s.name, beside,
			bars{rate: atLeast(s.least).quietly(of, beside)})...)
		if err := b.finish(ctx); err != nil {
			return nil, err
		}
	}
	counted, err := b.maxClicks(ctx)
	if err != nil {
		return nil, err
	}
	attacked, err := b.passwords(ctx)
	return append(append(rows, counted), attacked...), err
}

// maxClicks has links whose redirects are counted in the database before they are answered.
func (b *bench) maxClicks(ctx context.Context) (row, error) {
	server, err := b.startWith(ctx, api.LinkOptions{MaxClicks: 1_000_000_000})
	if err != nil {
		return row{}, err
	}
	var of measured
	for range b.runs {
		if err := b.measure(ctx, target{server, browser, optionLinks}, b.seconds,
			&of); err != nil {
			return row{}, err
		}
	}
	return single("links with max_clicks", "requests/s", whole, of.rate, atLeast(5000)),
		b.finish(ctx)
}

// passwords compares a server to which wrong passwords come with one that is left alone.
func (b *bench) passwords(ctx context.Context) ([]row, error) {
	ours, err := b.startWith(ctx, api.LinkOptions{}, "TRUSTED_PROXIES=127.0.0.1")
	if err != nil {
		return nil, err
	}
	other, err := b.startWith(ctx, api.LinkOptions{}, "TRUSTED_PROXIES=127.0.0.1")
	if err != nil {
		return nil, err
	}
	code := "locked"
	if _, err := ours.client().Create(ctx, api.CreateRequest{
		OriginalURL: urlOf(1), ShortCode: &code, Password: "right",
	}); err != nil {
		return nil, err
	}
	attack, stop := context.WithCancel(ctx)
	var guessing sync.WaitGroup
	for client := range wrongPasswords {
		guessing.Go(func() { guess(attack, "http://"+ours.addr+"/"+code, client) })
	}
	of, beside, err := b.interleave(ctx, target{ours, browser, optionLinks},
		target{other, browser, optionLinks})
	stop()
	guessing.Wait()
	if err != nil { // such as the end of ctx, before there was a run
		return nil, err
	}
	name := fmt.Sprintf("%d wrong passwords a second, beside none", wrongPasswords)
	return of.rows(name, beside, bars{rate: atLeast(0.95).quietly(of, beside)}), nil
}

// guess sends a wrong password a second, each from another address, so that none is refused for
// the number of its tries.
func guess(ctx context.Context, link string, client int) {
	for n := 0; ctx.Err() == nil; n++ {
		form := url.Values{"password": {fmt.Sprint("wrong ", client, n)}}.Encode()
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, link,
			strings.NewReader(form))
		if err != nil {
			return
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", client, n>>8&255, n&255))
		if answer, err := http.DefaultTransport.RoundTrip(request); err == nil {
			_ = answer.Body.Close()
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// startWith starts a server and makes optionLinks with the same options.
func (b *bench) startWith(ctx context.Context, options api.LinkOptions, env ...string,
) (*terseServer, error) {
	server, err := b.startSeeded(ctx, 1, env...)
	if err != nil {
		return nil, err
	}
	client := server.client()
	first := codeOf(1)
	if err := client.Delete(ctx, first); err != nil {
		return nil, err
	}
	var errs []error
	for i := range optionLinks {
		code := codeOf(i + 1)
		_, err := client.Create(ctx, api.CreateRequest{
			OriginalURL: urlOf(i + 1), ShortCode: &code, LinkOptions: options,
		})
		errs = append(errs, err)
	}
	return server, errors.Join(errs...)
}
