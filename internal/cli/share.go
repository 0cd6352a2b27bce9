package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moment"
	"terse/internal/cli/words"
)

// sharedFlags say what is shared: a link, the links with a tag, or all of them.
type sharedFlags struct {
	domainFlags `embed:""`

	Code string `arg:"" optional:"" help:"The short code, an alias or the short URL." complete:"codes"`
	Tag  string `short:"l" help:"All links with this tag, instead of one link." placeholder:"TAG" variable:""`
	All  bool   `help:"All links, instead of one." variable:""`
}

// check returns an error unless the flags name one thing.
func (f *sharedFlags) check() error {
	given := 0
	for _, is := range []bool{f.Code != "", f.Tag != "", f.All} {
		if is {
			given++
		}
	}
	if given != 1 {
		return misuse("name a link, or --tag, or --all")
	}
	return nil
}

// on calls do with what is shared. name is for people.
func (f *sharedFlags) on(ctx context.Context, r *remote, do func(api.Shareable) error) (
	name string, err error,
) {
	switch {
	case f.All:
		return "all links", do(api.ShareableOverview())
	case f.Tag != "":
		return f.Tag, do(api.ShareableTag(f.Tag))
	}
	err = r.onLink(ctx, &f.Code, func() error { return do(api.ShareableLink(f.Code)) })
	return f.Code, err
}

type shareCommand struct {
	sharedFlags `embed:""`

	Title        string   `short:"t" help:"The heading of the page, instead of the link's title or the tag." variable:""`
	Expires      string   `short:"e" help:"When the page ends: a date (2026-11-01) means the end of that day, or today, tomorrow, a time from now (24h, 30d, 12w) or RFC 3339." placeholder:"TIME" variable:""`
	PasswordFile string   `help:"A file with a password that readers have to know." complete:"files" placeholder:"FILE" variable:""`
	Clear        []string `help:"Take away title, expires or password." placeholder:"OPTION" variable:""`
	Stop         bool     `help:"Stop sharing: the page is gone, and sharing again makes another one." variable:""`
}

// Help implements kong.HelpProvider.
func (*shareCommand) Help() string {
	return "Prints the address of a page with the clicks of a link, of all links with a tag, or " +
		"of all links, for people without a token. What was not shared before is from then on. " +
		"Of a link the page has title and code, of many links those that are clicked most. " +
		"terse shares lists what is shared, terse unshare ends it."
}

// Run prints the address of the shared page, after changing it, or stops sharing.
func (c *shareCommand) Run(ctx context.Context, r *remote) error {
	if err := c.check(); err != nil {
		return err
	}
	if c.Stop {
		return c.stop(ctx, r)
	}
	options := api.ShareOptions{Title: c.Title}
	var err error
	if c.Expires != "" {
		now := time.Now().In(r.Zone()).Truncate(time.Second)
		options.ExpiresAt, err = moment.Future.Parse("--expires", c.Expires, now, true)
		if err != nil {
			return usage(err)
		}
	}
	if c.PasswordFile != "" {
		if options.Password, err = readFile(c.PasswordFile); err != nil {
			return err
		}
		if options.Password = strings.TrimRight(options.Password, "\r\n"); options.Password == "" {
			return misuse("the file of --password-file is empty")
		}
	}
	cleared := api.Changes{}
	for _, name := range c.Clear {
		field := map[string]string{
			"title": "title", "expires": "expires_at", "password": "password",
		}[name]
		if field == "" {
			return misuse("--clear takes title, expires and password")
		}
		cleared[field] = nil
	}
	var share api.Share
	name, err := c.on(ctx, r, func(what api.Shareable) (err error) {
		share, err = r.ShareWith(ctx, what, options)
		if err == nil && len(cleared) > 0 {
			share, err = r.UpdateShare(ctx, what, cleared)
		}
		return err
	})
	return c.answer(r, inFlags(err, ""), name, share, func() error {
		_, err := fmt.Fprintln(r.Out, console.Printable(r.shortURL(share.URL)))
		return err
	})
}

func (f *sharedFlags) stop(ctx context.Context, r *remote) error {
	name, err := f.on(ctx, r, func(what api.Shareable) error { return r.UnshareOf(ctx, what) })
	return f.done(r, err, name, "stopped", "Stopped sharing")
}

type unshareCommand struct {
	sharedFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*unshareCommand) Help() string {
	return "The page is gone at once, on all nodes. Sharing again makes another one."
}

// Run stops sharing.
func (c *unshareCommand) Run(ctx context.Context, r *remote) error {
	if err := c.check(); err != nil {
		return err
	}
	return c.stop(ctx, r)
}

type sharesCommand struct {
	ownerFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*sharesCommand) Help() string {
	return "In a pipe each line has what is shared, the title, the time of the end, whether it " +
		"has a password, the time of creation and the address, with tabs between them."
}

// Run lists what is shared.
func (c *sharesCommand) Run(ctx context.Context, r *remote) error {
	shares, err := r.Shares(ctx)
	return c.answer(r, err, "", api.Shares{Shares: shares}, func() error {
		rows := [][]string{{"SHARED", "TITLE", "EXPIRES", "PASSWORD", "CREATED", "PAGE"}}
		for _, s := range shares {
			what, password := words.Link(s.Domain, s.ShortCode), ""
			switch {
			case s.Tag != "":
				what = "#" + s.Tag
			case s.Overview:
				what = "all links"
			}
			if s.Password {
				password = "yes"
			}
			rows = append(rows, []string{
				what, s.Title, r.day(s.ExpiresAt), password, r.day(s.CreatedAt), r.shortURL(s.URL),
			})
			if last := rows[len(rows)-1]; r.Width() == 0 {
				last[2], last[4] = rfc3339(s.ExpiresAt), rfc3339(s.CreatedAt)
			}
		}
		return r.printTable(rows, words.Count(int64(len(shares)), "share"))
	})
}
