package cli

import (
	"bytes"
	"context"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

type showCommand struct {
	linkFlags `embed:""`
	webFlags  `embed:""`
}

// Run prints everything about a link.
func (c *showCommand) Run(ctx context.Context, r *remote) error {
	var link api.Link
	err := r.onLink(ctx, &c.Code, func() (err error) {
		link, err = r.LinkWithPeople(ctx, c.Code)
		return err
	})
	if err == nil && c.Web {
		return r.openLink(ctx, link, c.Owner, url.Values{})
	}
	tagged := struct {
		api.Link
		ETag string `json:"etag"`
	}{link, link.ETag}
	return c.answer(r, err, c.Code, tagged, func() error { return r.printLink(link) })
}

// shown is a link in the form for people.
type shown struct {
	ShortURL    string   `json:"short_url"`
	OriginalURL string   `json:"original_url"`
	Aliases     []string `json:"aliases,omitempty"` // their short URLs
	api.LinkDetails
	People     *int64    `json:"people,omitzero"`
	ClickCount int64     `json:"click_count"`
	CreatedAt  time.Time `json:"created_at"`
	CreatedBy  string    `json:"created_by"`
	UpdatedAt  time.Time `json:"updated_at,omitzero"`
	LastClick  time.Time `json:"last_clicked_at,omitzero"`
	ETag       string    `json:"etag,omitzero"`
}

// printLink prints a line for each field of a link.
func (r *remote) printLink(link api.Link) error {
	var aliases []string
	for _, alias := range link.Aliases {
		aliases = append(aliases, r.aliasURL(link, alias))
	}
	details := link.LinkDetails
	details.Status = words.Status(details)
	details.Blocked = details.Blocked && details.Status != "blocked" // said once
	b, err := json.Marshal(shown{
		r.shortURL(link.ShortURL), link.OriginalURL, aliases, details, link.People,
		link.ClickCount, link.CreatedAt, link.CreatedBy, link.UpdatedAt,
		link.LastClickedAt, link.ETag,
	})
	if err != nil {
		return err
	}
	between := "\n"
	if r.Width() == 0 {
		between = "; "
	}
	var entries []console.Entry
	// We encoded this JSON ourselves, so decoding can't fail.
	d := jsontext.NewDecoder(bytes.NewReader(b))
	for _, err = d.ReadToken(); err == nil && d.PeekKind() == '"'; {
		token, _ := d.ReadToken()
		name := token.String()
		value, _ := d.ReadValue()
		entries = append(entries, console.Entry{
			Name: name, Label: words.Label(name), Text: r.words().Value(name, value, between),
		})
	}
	return r.PrintEntries(entries...)
}

// words returns how fields are written: for people on a terminal, for programs elsewhere.
func (r *remote) words() words.In {
	return words.In{Zone: r.Zone(), ForProgram: r.Width() == 0}
}
