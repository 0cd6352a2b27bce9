package api_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"terse/api"
)

func Example() {
	server, token := exampleServer()
	defer server.Close()
	client, ctx := api.New(server.URL, token), context.Background()

	code := "spring"
	link, err := client.Create(ctx, api.CreateRequest{
		OriginalURL: "https://example.com/a/long/path", ShortCode: &code,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	stats, err := client.Stats(ctx, link.ShortCode, api.Range{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(link.ShortURL, stats.TotalClicks)
	// Output: https://sho.rt/spring 0
}

// Errors are compared by what they mean; the details are in an *Error.
func ExampleError() {
	server, token := exampleServer()
	defer server.Close()
	client := api.New(server.URL, token)

	err := client.Delete(context.Background(), "nothere")
	fmt.Println(errors.Is(err, api.ErrNotFound))
	if refused, ok := errors.AsType[*api.Error](err); ok {
		fmt.Println(refused.Status, refused.Message)
	}
	// Output:
	// true
	// 404 URL not found
}

// Another code leaves the old one as an alias.
func ExampleClient_Update() {
	server, token := exampleServer()
	defer server.Close()
	client, ctx := api.New(server.URL, token), context.Background()
	code := "install"
	link, err := client.Create(ctx, api.CreateRequest{
		OriginalURL: "https://example.com/docs", ShortCode: &code,
		LinkOptions: api.LinkOptions{Aliases: []string{"1", "docs/install"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	changed, err := client.Update(ctx, link.ShortCode, "", api.Changes{"short_code": "setup"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(changed.ShortURL, changed.Aliases)
	_, err = client.Create(ctx, api.CreateRequest{
		OriginalURL: "https://example.com/", ShortCode: &code,
	})
	fmt.Println(errors.Is(err, api.ErrConflict))
	// Output:
	// https://sho.rt/setup [1 docs/install install]
	// true
}

func ExampleClient_All() {
	server, token := exampleServer("https://example.com/a", "https://go.dev/doc/",
		"https://go.dev/blog/")
	defer server.Close()
	client := api.New(server.URL, token)

	for link, err := range client.All(context.Background(),
		api.Search{Text: "go.dev", Sort: "oldest"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(link.OriginalURL)
	}
	// Output:
	// https://go.dev/doc/
	// https://go.dev/blog/
}

// A range needs one end only: this one is the last seven days.
func ExampleClient_Clicks() {
	server, token := exampleServer()
	defer server.Close()
	client, ctx := api.New(server.URL, token), context.Background()
	link, err := client.Create(ctx, api.CreateRequest{OriginalURL: "https://example.com/"})
	if err != nil {
		fmt.Println(err)
		return
	}

	clicks, err := client.Clicks(ctx, link.ShortCode, api.ClicksQuery{
		Range:    api.Range{Start: time.Now().AddDate(0, 0, -7)},
		Interval: "week",
		TimeZone: "Europe/Berlin",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, week := range clicks.Series {
		if week.Clicks > 0 {
			fmt.Println(week.Time.Format(time.DateOnly), week.Clicks)
		}
	}
	fmt.Println(clicks.TotalClicks, "clicks")
	// Output: 0 clicks
}
