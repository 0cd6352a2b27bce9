package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moment"
	"terse/internal/cli/words"
)

type meCommand struct {
	clientFlags `embed:""`
}

// Run prints who the token belongs to, and what it may do.
func (c *meCommand) Run(ctx context.Context, r *remote) error {
	me, err := r.Me(ctx)
	return c.answer(r, err, "", me, func() error {
		via := map[string]string{
			"auth_tokens": "a token of the server's settings", "session": "a session",
		}[me.Via]
		entries := []console.Entry{
			{Name: "identity", Label: "identity", Text: me.Identity},
			{Name: "role", Label: "role", Text: me.Role},
		}
		if me.Token != nil {
			via = "the token " + strconv.Quote(me.Token.Name)
			if end := me.Token.ExpiresAt; end != nil {
				via += ", until " + end.In(r.Zone()).Format(time.DateTime)
			}
		}
		return r.PrintEntries(append(entries, console.Entry{
			Name: "via", Label: "by", Text: via,
		})...)
	})
}

// TokenCommands are for named tokens.
type TokenCommands struct {
	Create tokenCreateCommand `cmd:"" help:"Create a named token, and print it this once."`
	List   tokenListCommand   `cmd:"" aliases:"ls" help:"List named tokens, newest first."`
	Delete tokenDeleteCommand `cmd:"" help:"Delete a named token. It is refused at once."`
}

type tokenCreateCommand struct {
	clientFlags `embed:""`

	Name     string  `arg:"" help:"What it is for, such as ci."`
	Role     *string `help:"What it may do at most: viewer, editor, auditor or admin; default editor, or your own role if that is less." enum:"viewer,editor,auditor,admin" placeholder:"ROLE" variable:""`
	Identity string  `help:"For whom it acts; default you. Only admins name another. A new name makes a service." placeholder:"IDENTITY" variable:""`
	Expires  string  `short:"e" help:"When it ends: a date (2026-11-01) means the end of that day, or today, tomorrow, a time from now (24h, 30d, 12w) or RFC 3339. Default never." placeholder:"TIME" variable:""`
}

// Help implements kong.HelpProvider.
func (*tokenCreateCommand) Help() string {
	return "The server keeps only a hash of the token, so it can't show it again. Without a " +
		"terminal the token is all that is printed."
}

// Run creates the token.
func (c *tokenCreateCommand) Run(ctx context.Context, r *remote) (err error) {
	req := api.TokenRequest{Name: c.Name, Role: text(c.Role), Identity: c.Identity}
	if c.Expires != "" {
		now := time.Now().In(r.Zone()).Truncate(time.Second)
		req.ExpiresAt, err = moment.Future.Parse("--expires", c.Expires, now, true)
		if err != nil {
			return usage(err)
		}
	}
	token, err := r.CreateToken(ctx, req)
	if answer, ok := errors.AsType[*api.Error](err); ok && errors.Is(answer, api.ErrConflict) &&
		answer.Field == "name" {
		return fail(ExitFailure, "A token named %q already exists.", c.Name)
	}
	return c.answer(r, inFlags(err, ""), "", token, func() error {
		if _, err := fmt.Fprintln(r.Out, console.Printable(token.Text)); err != nil {
			return err
		}
		if r.Width() > 0 {
			fmt.Fprintf(r.Err, "The token %s of %s (%s). It is shown only now.\n",
				console.Printable(strconv.Quote(token.Name)), console.Printable(token.Identity),
				token.Role)
		}
		return nil
	})
}

type tokenListCommand struct {
	ownerFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*tokenListCommand) Help() string {
	return "In a pipe each line has the name, identity, role, last characters, time of creation, " +
		"time of the end, time of the last use and ID, with tabs between them."
}

// Run lists the tokens.
func (c *tokenListCommand) Run(ctx context.Context, r *remote) error {
	tokens, err := r.Tokens(ctx)
	return c.answer(r, err, "", api.Tokens{Tokens: tokens}, func() error {
		rows := [][]string{{"NAME", "IDENTITY", "ROLE", "TOKEN", "CREATED", "EXPIRES", "LAST USED"}}
		for _, t := range tokens {
			rows = append(rows, []string{
				t.Name, t.Identity, t.Role, "…" + t.Hint, r.day(&t.CreatedAt), r.day(t.ExpiresAt),
				r.day(t.LastUsedAt),
			})
			if r.Width() == 0 {
				rows[len(rows)-1] = []string{
					t.Name, t.Identity, t.Role, t.Hint, rfc3339(&t.CreatedAt), rfc3339(t.ExpiresAt),
					rfc3339(t.LastUsedAt), t.ID,
				}
			}
		}
		below := words.Count(int64(len(tokens)), "token")
		if c.Owner == "" {
			below += " of yours"
		}
		return r.printTable(rows, below)
	})
}

type tokenDeleteCommand struct {
	ownerFlags `embed:""`
	yesFlags   `embed:""`

	Token string `arg:"" help:"Its name, or its ID."`
}

// Run deletes the token after confirmation.
func (c *tokenDeleteCommand) Run(ctx context.Context, r *remote) error {
	token, err := c.find(ctx, r)
	if err != nil {
		return err
	}
	if err := c.confirm(ctx, r.Env, "Not deleted.", func() (string, error) {
		return fmt.Sprintf("Delete the token %s of %s (…%s)?", console.Printable(
			strconv.Quote(token.Name)), console.Printable(token.Identity), token.Hint), nil
	}); err != nil {
		return err
	}
	return c.done(r, r.DeleteToken(ctx, token.ID), c.Token, "deleted", "Deleted")
}

// find returns the token with a name or an ID. With --owner '*', several may have the name. A token
// may not list others, but it may be deleted with itself.
func (c *tokenDeleteCommand) find(ctx context.Context, r *remote) (found api.Token, err error) {
	tokens, err := r.Tokens(ctx)
	if errors.Is(err, api.ErrForbidden) {
		me, wrong := r.Me(ctx)
		own := me.Token
		if wrong == nil && own != nil && (c.Token == own.ID || c.Token == own.Name) {
			return *own, nil
		}
	}
	if err != nil {
		return found, r.explain(err, "")
	}
	n := 0
	for _, t := range tokens {
		switch c.Token {
		case t.ID:
			return t, nil
		case t.Name:
			found, n = t, n+1
		}
	}
	switch n {
	case 0:
		return found, fail(ExitNotFound, "No token %q.", c.Token)
	case 1:
		return found, nil
	}
	return found, fail(ExitFailure, "%d tokens are named %q. Name one by its ID: see terse token "+
		"list --json.", n, c.Token)
}

type userCommand struct {
	List    userListCommand    `cmd:"" aliases:"ls" help:"List everybody who may own links: people and services."`
	Edit    userEditCommand    `cmd:"" help:"Change what somebody may do."`
	SignOut userSignOutCommand `cmd:"" help:"End all sessions of somebody in browsers."`
	Delete  userDeleteCommand  `cmd:"" help:"Delete somebody, with all tokens and sessions."`
}

type userListCommand struct {
	clientFlags `embed:""`
}

// Help implements kong.HelpProvider.
func (*userListCommand) Help() string {
	return "In a pipe each line has the identity, role, disabled or nothing, numbers of links " +
		"and tokens, time when last seen, time of creation and name, with tabs between them."
}

// Run lists the users.
func (c *userListCommand) Run(ctx context.Context, r *remote) error {
	users, err := r.Users(ctx)
	return c.answer(r, err, "", api.Users{Users: users}, func() error {
		rows := [][]string{{"IDENTITY", "ROLE", "STATE", "LINKS", "TOKENS", "LAST SEEN", "NAME"}}
		for _, u := range users {
			state := ""
			if u.Disabled {
				state = "disabled"
			}
			seen, rest := r.day(u.LastSeenAt), []string{text(u.Name)}
			if r.Width() == 0 {
				seen, rest = rfc3339(u.LastSeenAt), []string{rfc3339(&u.CreatedAt), text(u.Name)}
			}
			rows = append(rows, append([]string{
				u.Identity, u.Role, state, strconv.FormatInt(u.Links, 10),
				strconv.FormatInt(u.Tokens, 10), seen,
			}, rest...))
		}
		return r.printTable(rows, words.Count(int64(len(users)), "user"))
	})
}

// userFlags name a user.
type userFlags struct {
	clientFlags `embed:""`

	Identity string `arg:"" help:"An email address, or the name of a service."`
}

type userEditCommand struct {
	userFlags `embed:""`

	Role    *string `help:"viewer, editor, auditor or admin." enum:"viewer,editor,auditor,admin" placeholder:"ROLE" variable:""`
	Disable bool    `help:"Refuse its tokens and end its sessions; its links keep working." xor:"disabled" variable:""`
	Enable  bool    `help:"Accept its tokens again." xor:"disabled" variable:""`
}

// Run changes the user.
func (c *userEditCommand) Run(ctx context.Context, r *remote) error {
	changes := api.UserChanges{Role: c.Role}
	if c.Disable || c.Enable {
		changes.Disabled = &c.Disable
	}
	if changes == (api.UserChanges{}) {
		return misuse("--role, --disable or --enable is required")
	}
	user, err := r.UpdateUser(ctx, c.Identity, changes)
	return c.answer(r, err, c.Identity, user, func() error {
		state := ""
		if user.Disabled {
			state = "disabled"
		}
		return r.PrintRow(user.Identity, user.Role, state)
	})
}

type userSignOutCommand struct {
	userFlags `embed:""`
}

// Run ends the user's sessions.
func (c *userSignOutCommand) Run(ctx context.Context, r *remote) error {
	return c.done(r, r.EndSessions(ctx, c.Identity), c.Identity, "signed_out", "Signed out")
}

type userDeleteCommand struct {
	userFlags `embed:""`
	yesFlags  `embed:""`

	MoveTo string `help:"Who gets the links. Required if there are any." placeholder:"IDENTITY" variable:""`
}

// Run deletes the user after confirmation.
func (c *userDeleteCommand) Run(ctx context.Context, r *remote) error {
	err := c.confirm(ctx, r.Env, "Not deleted.", func() (string, error) {
		links := ""
		if c.MoveTo != "" {
			links = " and give all links to " + console.Printable(c.MoveTo)
		}
		return "Delete " + console.Printable(c.Identity) + links + "?", nil
	})
	if err != nil {
		return err
	}
	err = c.remove(ctx, r)
	if answer, ok := errors.AsType[*api.Error](err); ok && errors.Is(answer, api.ErrConflict) &&
		strings.HasPrefix(answer.Message, "still owns ") {
		return fail(ExitFailure, "%s %s. --move-to says who gets the links.",
			console.Printable(c.Identity), console.Printable(answer.Message))
	}
	return c.done(r, err, c.Identity, "deleted", "Deleted")
}

func (c *userDeleteCommand) remove(ctx context.Context, r *remote) error {
	if c.MoveTo == "" {
		return r.DeleteUser(ctx, c.Identity)
	}
	return r.DeleteUserMovingTo(ctx, c.Identity, c.MoveTo)
}

// day returns the date of a time for people, and a dash for none.
func (r *remote) day(at *time.Time) string {
	if at == nil {
		return "-"
	}
	return at.In(r.Zone()).Format(time.DateOnly)
}

// rfc3339 returns a time for programs, "" for none.
func rfc3339(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// printTable prints rows: for people in columns below headings, which are the first row, with a
// line below them; for programs without both.
func (r *remote) printTable(rows [][]string, below string) error {
	if r.Width() == 0 {
		for _, row := range rows[1:] {
			if err := r.PrintRow(row...); err != nil {
				return err
			}
		}
		return nil
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], console.Cells.StringWidth(console.Printable(cell)))
		}
	}
	for n, row := range rows {
		for i := range row {
			row[i] = r.Pad(row[i], widths[i])
		}
		var err error
		if n == 0 {
			err = r.PrintHeading(row...)
		} else {
			err = r.PrintRow(row...)
		}
		if err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(r.Out, r.Colors().Dim(below))
	return err
}
