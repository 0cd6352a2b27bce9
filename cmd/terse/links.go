package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
)

// clientFlags are what every command that talks to a server takes.
type clientFlags struct {
	URL   string `name:"url" help:"The server's base URL." default:"http://localhost:8080" variable:"TERSE_URL"`
	Token string `help:"An access token." variable:"TERSE_TOKEN" secret:""`
	JSON  bool   `name:"json" help:"Print the server's answer as JSON." variable:""`
}

func (f *clientFlags) client() (*api.Client, error) {
	u, err := url.Parse(f.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, usageError{fmt.Errorf("TERSE_URL is %q; it must be an http or https URL", f.URL)}
	}
	if f.Token == "" {
		return nil, usageError{errors.New("no token; set TERSE_TOKEN or TERSE_TOKEN_FILE")}
	}
	return api.New(f.URL, f.Token), nil
}

// show prints an answer: for programs as JSON, for people as text prints it.
func (f *clientFlags) show(w io.Writer, answer any, text func(io.Writer) error) error {
	if !f.JSON {
		return text(w)
	}
	if err := json.MarshalWrite(w, answer, json.Deterministic(true), jsontext.Multiline(true)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// exitCode tells scripts what sort of failure it was.
func exitCode(err error) int {
	var usage usageError
	var answer *api.Error
	var network *url.Error
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &answer) && answer.Status == http.StatusNotFound:
		return exitNotFound
	case errors.As(err, &answer) && (answer.Status == http.StatusUnauthorized || answer.Status == http.StatusForbidden):
		return exitDenied
	case errors.As(err, &network):
		return exitUnreachable
	}
	return exitFailure
}

type createCommand struct {
	clientFlags `embed:""`
	OriginalURL string  `arg:"" name:"url" help:"Where the short URL leads."`
	Code        *string `help:"The short code to use; default a random one." variable:""`
}

func (c *createCommand) run(ctx context.Context, to streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	created, err := client.Create(ctx, api.CreateRequest{OriginalURL: c.OriginalURL, ShortCode: c.Code})
	if err != nil {
		return err
	}
	return c.show(to.out, created, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, created.ShortURL)
		return err
	})
}

type listCommand struct {
	clientFlags `embed:""`
	Limit       int `help:"How many, at most 100." default:"20" variable:""`
	Offset      int `help:"How many to skip." default:"0" variable:""`
}

func (c *listCommand) run(ctx context.Context, to streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	page, err := client.List(ctx, c.Limit, c.Offset)
	if err != nil {
		return err
	}
	return c.show(to.out, page, func(w io.Writer) error {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "CODE\tCLICKS\tCREATED\tURL")
		for _, u := range page.URLs {
			fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", u.ShortCode, u.ClickCount, u.CreatedAt.Local().Format(time.DateTime), u.OriginalURL)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "%d of %d\n", len(page.URLs), page.Total)
		return err
	})
}

type deleteCommand struct {
	clientFlags `embed:""`
	Code        string `arg:"" help:"The short code."`
}

func (c *deleteCommand) run(ctx context.Context, to streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	if err := client.Delete(ctx, c.Code); err != nil {
		return err
	}
	return c.show(to.out, map[string]string{"deleted": c.Code}, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "Deleted", c.Code)
		return err
	})
}

type statsCommand struct {
	clientFlags `embed:""`
	Code        string    `arg:"" help:"The short code."`
	Start       time.Time `help:"First instant that counts, RFC 3339; with --end." variable:""`
	End         time.Time `help:"Last instant that counts, RFC 3339; with --start." variable:""`
}

func (c *statsCommand) run(ctx context.Context, to streams) error {
	client, err := c.client()
	if err != nil {
		return err
	}
	if c.Start.IsZero() != c.End.IsZero() {
		return usageError{errors.New("give both --start and --end, or neither")}
	}
	stats, err := client.Stats(ctx, c.Code, api.Range{Start: c.Start, End: c.End})
	if err != nil {
		return err
	}
	return c.show(to.out, stats, func(w io.Writer) error { return printStats(w, stats) })
}

func printStats(w io.Writer, stats api.Analytics) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s -> %s\n%d clicks", stats.ShortCode, stats.OriginalURL, stats.TotalClicks)
	if stats.StartTime != "" {
		fmt.Fprintf(&b, " from %s to %s", stats.StartTime, stats.EndTime)
	}
	b.WriteByte('\n')
	writeBars(&b, "Days (UTC)", lastDays(stats.ByDate))
	writeBars(&b, "Countries", largest(stats.ByCountry))
	writeBars(&b, "Referrers", largest(stats.ByReferrer))
	_, err := io.WriteString(w, b.String())
	return err
}

func ready(ctx context.Context, target string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // only read
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s answered %s", target, resp.Status)
	}
	return nil
}

// printable keeps what others sent from steering the terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
