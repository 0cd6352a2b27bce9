package cli

import (
	"context"
	"fmt"

	"terse/api"
)

// linkFlags are the options of a link. Those that are not given are nil.
type linkFlags struct {
	Title *string `help:"A name for people; for edit, an empty one takes it away." variable:""`
}

// options returns what a new link has.
func (f *linkFlags) options() (o api.LinkOptions) {
	if f.Title != nil {
		o.Title = *f.Title
	}
	return o
}

// changes returns what is to change of a link. An empty value takes an option away.
func (f *linkFlags) changes() api.Changes {
	changes := api.Changes{}
	for name, value := range map[string]*string{"title": f.Title} {
		switch {
		case value == nil:
		case *value == "":
			changes[name] = nil
		default:
			changes[name] = *value
		}
	}
	return changes
}

type editCommand struct {
	clientFlags `embed:""`

	Code    string    `arg:"" help:"The short code."`
	URL     *string   `name:"to" help:"The URL where it is to lead." variable:""`
	Options linkFlags `embed:""`
}

// Run changes the link, and prints what it is now.
func (c *editCommand) Run(ctx context.Context, r *remote) error {
	changes := c.Options.changes()
	if c.URL != nil {
		changes["original_url"] = *c.URL
	}
	if len(changes) == 0 {
		return misuse("nothing to change")
	}
	link, err := r.Update(ctx, c.Code, "", changes)
	if err != nil {
		return r.explain(err, c.Code)
	}
	if c.JSON {
		return r.printJSON(link)
	}
	_, err = fmt.Fprintf(r.Out, "%s  %s\n", r.colors().accent(printable(r.shortURL(link.ShortURL))),
		printable(link.OriginalURL))
	if err == nil && link.Title != "" {
		_, err = fmt.Fprintln(r.Out, printable(link.Title))
	}
	return err
}
