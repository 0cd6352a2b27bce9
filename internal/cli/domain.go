package cli

import (
	"context"
	"strconv"
	"strings"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/words"
)

type domainCommand struct {
	List domainListCommand `cmd:"" aliases:"ls" help:"List the hosts of links, and where each leads."`
	Edit domainEditCommand `cmd:"" help:"Change where a host leads visitors for whom it has no link."`
}

type domainListCommand struct {
	clientFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*domainListCommand) Help() string {
	return "A host that is not served any more has links from before. In a pipe each line has " +
		"the host, default, served or not served, the number of links, and where /, unknown " +
		"addresses and ended links lead, with tabs between them."
}

// Run lists the domains.
func (c *domainListCommand) Run(ctx context.Context, r *remote) error {
	domains, err := r.Domains(ctx)
	return c.answer(r, err, "", api.Domains{Domains: domains}, func() error {
		rows := [][]string{{"HOST", "", "LINKS", "/", "UNKNOWN", "ENDED"}}
		for _, d := range domains {
			rows = append(rows, []string{
				d.Domain, domainState(d), strconv.FormatInt(d.Links, 10),
				text(d.RootURL), text(d.UnknownURL), text(d.EndedURL),
			})
		}
		return r.printTable(rows, words.Count(int64(len(domains)), "host"))
	})
}

func domainState(d api.Domain) string {
	switch {
	case d.Default:
		return "default"
	case d.Configured:
		return "served"
	}
	return "not served"
}

type domainEditCommand struct {
	clientFlags `embed:""`

	Host    string  `arg:"" help:"The host." complete:"domains"`
	Root    *string `name:"root-url" help:"Where / leads; none for nowhere." placeholder:"URL" variable:""`
	Unknown *string `name:"unknown-url" help:"Where addresses without a link lead, and scheduled links; none for the page that says so." placeholder:"URL" variable:""`
	Ended   *string `name:"ended-url" help:"Where links lead that have ended and have no --expired-url; none for the page that says so." placeholder:"URL" variable:""`
}

// Help implements kong.HelpProvider.
func (*domainEditCommand) Help() string {
	return "It takes the role admin. The setting DOMAINS says which hosts there are."
}

// Run changes the domain, then prints it.
func (c *domainEditCommand) Run(ctx context.Context, r *remote) error {
	changes := api.Changes{}
	for name, value := range map[string]*string{
		"root_url": c.Root, "unknown_url": c.Unknown, "ended_url": c.Ended,
	} {
		switch {
		case value == nil:
		case *value == "none":
			changes[name] = nil
		default:
			changes[name] = *value
		}
	}
	if len(changes) == 0 {
		return misuse("nothing to change")
	}
	domain, err := r.UpdateDomain(ctx, strings.ToLower(c.Host), changes)
	return c.answer(r, inFlags(err, ""), c.Host, domain, func() error {
		return r.PrintEntries(
			console.Entry{Name: "domain", Label: "host", Text: domain.Domain},
			console.Entry{Name: "root_url", Label: "/ leads to", Text: text(domain.RootURL)},
			console.Entry{
				Name: "unknown_url", Label: "unknown addresses", Text: text(domain.UnknownURL),
			},
			console.Entry{Name: "ended_url", Label: "ended links", Text: text(domain.EndedURL)},
		)
	})
}
