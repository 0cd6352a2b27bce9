package cli

import (
	"context"
	"strings"
	"time"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
	"terse/internal/text/visible"
)

// Suggest asks a server for what a shell may complete. Somebody waits at a prompt, so it never
// waits long, and an error is only nothing to suggest.
type Suggest struct {
	clientFlags `embed:""`
}

// Suggestion is a word for the command line, and what it means.
type Suggestion struct{ Word, Help string }

// Bounds of what the server is asked for.
const (
	suggestTimeout = time.Second
	suggestCodes   = 50
	suggestPages   = 5  // of links that a search finds, most of them by other fields perhaps
	suggestColumns = 60 // of a title
)

// Codes returns codes that begin with a prefix, and the titles of their links.
func (s *Suggest) Codes(ctx context.Context, e Env, prefix string) (codes []Suggestion) {
	r, err := s.ProvideRemote(ctx, e)
	if err != nil {
		return nil
	}
	r.MaxWait = 0
	ctx, cancel := context.WithTimeout(ctx, suggestTimeout)
	defer cancel()
	client, text := r.Client, prefix
	if host, begun, ok := strings.Cut(prefix, "/"); ok {
		client, text = r.At(host), begun
	}
	pages := 0
	for page, err := range client.Pages(ctx, api.Search{Text: text}) {
		if err != nil {
			break // what was found is of use
		}
		for _, link := range page.URLs {
			code := plainText(words.Link(link.Domain, link.ShortCode))
			switch {
			case code == "" || !strings.HasPrefix(code, prefix):
				continue // it was found by its URL, its title or a tag
			case strings.HasPrefix(code, "-") && prefix == "":
				continue // there it would be a flag
			}
			title := console.Cells.Truncate(plainText(link.Title), suggestColumns, "…")
			codes = append(codes, Suggestion{Word: code, Help: title})
			if len(codes) == suggestCodes {
				return codes
			}
		}
		if pages++; pages == suggestPages {
			break
		}
	}
	return codes
}

// Domains returns the hosts of links that begin with a prefix.
func (s *Suggest) Domains(ctx context.Context, e Env, prefix string) (hosts []Suggestion) {
	r, err := s.ProvideRemote(ctx, e)
	if err != nil {
		return nil
	}
	r.MaxWait = 0
	ctx, cancel := context.WithTimeout(ctx, suggestTimeout)
	defer cancel()
	for _, known := range r.domains(ctx) {
		if host := plainText(known.Domain); host != "" && strings.HasPrefix(host, prefix) {
			hosts = append(hosts, Suggestion{Word: host})
		}
	}
	return hosts
}

// plainText drops characters that could steer the terminal or mislead its reader.
func plainText(s string) string {
	return visible.Replace(s, func(rune) string { return "" })
}
