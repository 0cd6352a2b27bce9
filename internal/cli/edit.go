package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/moment"
)

// optionFlags are a link's options, by their names in the API; nil if not given.
type optionFlags struct {
	Title          *string  `json:"title,omitzero" short:"t" help:"A name for people." placeholder:"TEXT" variable:""`
	Note           *string  `json:"note,omitzero" short:"n" help:"A note that only its owner sees." placeholder:"TEXT" variable:""`
	Tags           []string `json:"tags,omitempty" name:"tag" short:"l" help:"A tag, or several with commas between them; repeatable. edit replaces the tags that are there." placeholder:"TAG" variable:""`
	Aliases        []string `json:"aliases,omitempty" name:"alias" sep:"none" help:"A further address, such as docs/install; repeatable. edit replaces those that are there." placeholder:"ADDRESS" variable:""`
	Starts         *string  `json:"starts_at,omitzero" help:"When it begins to redirect: a date (2026-11-01), today, tomorrow, a time from now (12h, 7d, 2w) or RFC 3339." placeholder:"TIME" variable:""`
	Expires        *string  `json:"expires_at,omitzero" short:"e" help:"When it ends, in the same forms; a date means the end of that day." placeholder:"TIME" variable:""`
	MaxClicks      *int64   `json:"max_clicks,omitzero" help:"How many redirects it answers." placeholder:"N" variable:""`
	Disabled       *bool    `json:"disabled,omitzero" help:"Don't redirect, but keep the statistics." variable:""`
	ExpiredURL     *string  `json:"expired_url,omitzero" name:"expired-url" help:"Where it leads when it is over, instead of a page saying so." placeholder:"URL" variable:""`
	Password       *string  `json:"password,omitzero" help:"The password that visitors must enter; - asks you for it, or reads a line of standard input." type:"dash" placeholder:"TEXT" xor:"password" variable:""`
	PasswordFile   string   `json:"-" help:"A file with the password." complete:"files" placeholder:"FILE" xor:"password" variable:""`
	RedirectStatus *int     `json:"redirect_status,omitzero" help:"301, 302, 307 or 308; default 302." placeholder:"N" variable:""`
	ForwardQuery   *bool    `json:"forward_query,omitzero" help:"Pass the visitor's query parameters on." variable:""`
	ForwardPath    *bool    `json:"forward_path,omitzero" help:"Pass on what follows the short code in the path." variable:""`
	Archived       *bool    `json:"archived,omitzero" help:"Leave it out of lists. It works on." variable:""`
	Rules          []string `json:"-" name:"rule" sep:"none" help:"Where some visitors go instead: a rule or a list of rules as JSON, or @FILE; repeatable, in order." placeholder:"JSON" variable:""`
}

// fields returns the given options in the form that the server takes.
func (f *optionFlags) fields(ctx context.Context, e Env) (fields api.Changes, err error) {
	if err := f.readPassword(ctx, e); err != nil {
		return nil, err
	}
	b, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(b, &fields)
	}
	if err != nil {
		return nil, err
	}
	now := time.Now().In(e.Zone()).Truncate(time.Second)
	for _, flag := range []struct {
		name, field string
		value       *string
		end         bool
	}{
		{"--starts", "starts_at", f.Starts, false},
		{"--expires", "expires_at", f.Expires, true},
	} {
		if flag.value == nil {
			continue
		}
		if fields[flag.field], err = moment.Future.Parse(
			flag.name, *flag.value, now, flag.end); err != nil {
			return nil, usage(err)
		}
	}
	if len(f.Rules) > 0 {
		fields["rules"], err = rules(f.Rules)
	}
	return fields, err
}

// rules joins rules and lists of rules. The server judges their contents.
func rules(given []string) (all []jsontext.Value, err error) {
	for _, text := range given {
		if path, ok := strings.CutPrefix(text, "@"); ok {
			if text, err = readFile(path); err != nil {
				return nil, err
			}
		}
		value := jsontext.Value(text)
		list := []jsontext.Value{value}
		if value.Kind() == '[' {
			err = json.Unmarshal(value, &list)
		}
		if err != nil || !value.IsValid() {
			return nil, misuse("--rule must be JSON such as " +
				`{"name": "phones", "when": {"device": ["mobile"]}, "url": "https://m.example/"}`)
		}
		all = append(all, list...)
	}
	return all, nil
}

// readFile reads a short file that is named on the command line.
func readFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return console.ReadAll(f, path)
}

// readPassword asks for the password, or reads its file.
func (f *optionFlags) readPassword(ctx context.Context, e Env) (err error) {
	password := ""
	switch {
	case f.PasswordFile != "":
		password, err = readFile(f.PasswordFile)
		password = strings.TrimRight(password, "\r\n")
	case f.Password == nil || *f.Password != "-":
		return nil
	case e.CanAsk():
		password, err = e.AskTwice(ctx, "Password")
	default:
		password, err = e.FirstLine(ctx)
	}
	if err == nil || password != "" { // the last line need not end
		f.Password, err = &password, nil
	}
	return err
}

// onceFlags are for programs that may have to repeat a command.
type onceFlags struct {
	IdempotencyKey string `help:"The server does it once, however often the command is repeated with this key within 24 hours. Give times in full then: 7d means another time in each run." placeholder:"KEY" variable:""`
}

type editCommand struct {
	linkFlags `embed:""`

	URL         *string     `name:"to" help:"The new target URL." placeholder:"URL" variable:""`
	NewCode     *string     `name:"code" short:"c" help:"Another short code. The old one stays as an alias, unless --alias, --clear aliases or --remove-alias say otherwise." placeholder:"CODE" variable:""`
	GiveTo      *string     `help:"Give it to another owner; takes the role admin." placeholder:"IDENTITY" variable:""`
	Options     optionFlags `embed:""`
	Add         []string    `name:"add-tag" help:"Add a tag, or several with commas between them, and keep the others; repeatable." placeholder:"TAG" variable:""`
	Remove      []string    `name:"remove-tag" help:"Remove a tag, or several with commas between them, and keep the others; repeatable." placeholder:"TAG" variable:""`
	AddAlias    []string    `name:"add-alias" sep:"none" help:"Add an address, and keep the others; repeatable." placeholder:"ADDRESS" variable:""`
	RemoveAlias []string    `name:"remove-alias" sep:"none" help:"Remove an address, and keep the others; repeatable." placeholder:"ADDRESS" variable:""`
	Clear       []string    `help:"Remove options, such as note,tags,expires. Rules that you set replace all others." placeholder:"OPTION" variable:""`
	IfMatch     string      `help:"Change nothing unless the link still has this ETag, which show prints." placeholder:"ETAG" variable:""`
	Once        onceFlags   `embed:""`
}

// flagNames are the flags whose names differ from the API's fields.
var flagNames = map[string]string{
	"starts": "starts_at", "expires": "expires_at", "tag": "tags", "rule": "rules",
	"alias": "aliases", "event": "events",
	"code": "short_code", "give-to": "owner",
}

// inFlags names flags in the server's error about an option, as they were typed, and target for the
// URL. Paths into rules stay: they were typed, too.
func inFlags(err error, target string) error {
	answer, ok := errors.AsType[*api.Error](err)
	if !ok || !errors.Is(answer, api.ErrInvalid) {
		return err
	}
	field, _, _ := strings.Cut(answer.Field, "[")
	if field == "" || field == "rules" {
		return err
	}
	said := *answer
	for _, name := range []string{answer.Field, field, spoken[field], strconv.Quote(field)} {
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(said.Message, "field "), name+" "); ok {
			// A flag names one alias.
			rest = strings.Replace(rest, "must each be", "must be", 1)
			// The one message about two fields is about times.
			rest = strings.ReplaceAll(rest, "expires_at", "--expires")
			said.Message = flagOf(field) + " " + rest
			if field == "original_url" || field == "url" {
				said.Message = target + " " + rest
			}
			break
		}
	}
	return &said
}

// spoken are the fields that the server's messages write as words.
var spoken = map[string]string{"original_url": "original URL", "short_code": "short code"}

// flagOf returns the flag of a field.
func flagOf(field string) string {
	for flag, name := range flagNames {
		if name == field {
			return "--" + flag
		}
	}
	return "--" + strings.ReplaceAll(field, "_", "-")
}

// Run changes the link, then prints it.
func (c *editCommand) Run(ctx context.Context, r *remote) error {
	changes, err := c.Options.fields(ctx, r.Env)
	if err != nil {
		return err
	}
	if c.URL != nil {
		changes["original_url"] = *c.URL
	}
	if c.NewCode != nil {
		changes["short_code"] = *c.NewCode
	}
	if c.GiveTo != nil {
		changes["owner"] = *c.GiveTo
	}
	for _, name := range c.Clear {
		field := strings.ReplaceAll(name, "-", "_")
		if long, ok := flagNames[field]; ok {
			field = long
		}
		if _, set := changes[field]; set {
			return misuse("--clear %s is not for what is set as well", name)
		}
		changes[field] = nil
	}
	retags, readdresses := len(c.Add)+len(c.Remove) > 0, len(c.AddAlias)+len(c.RemoveAlias) > 0
	_, tags := changes["tags"]
	_, aliases := changes["aliases"]
	switch {
	case retags && tags:
		return misuse("--add-tag and --remove-tag don't go with --tag and --clear tags")
	case readdresses && aliases:
		return misuse("--add-alias and --remove-alias don't go with --alias and --clear aliases")
	case retags && c.Once.IdempotencyKey != "":
		return misuse("--idempotency-key doesn't go with --add-tag and --remove-tag, " +
			"which do no harm when they are repeated")
	case readdresses && c.Once.IdempotencyKey != "":
		return misuse("--idempotency-key doesn't go with --add-alias and --remove-alias")
	case !retags && !readdresses && len(changes) == 0:
		return misuse("nothing to change")
	}
	var link api.Link
	err = r.onLink(ctx, &c.Code, func() (err error) {
		if retags || readdresses {
			link, err = r.amend(ctx, c.Code, c.IfMatch, changes,
				func(link api.Link, to api.Changes) error { return c.amend(r, link, to) })
			return err
		}
		link, err = r.Once(c.Once.IdempotencyKey).Update(ctx, c.Code, c.IfMatch, changes)
		return err
	})
	err = inFlags(err, "--to")
	if c.NewCode != nil && errors.Is(err, api.ErrConflict) {
		domain, _, named := strings.Cut(c.Code, "/") // onLink made it so
		if !named {
			domain = c.Domain
		}
		return r.explainTaken(ctx, err, domain, *c.NewCode)
	}
	return c.answer(r, err, c.Code, link, func() error { return r.printLink(link) })
}

// amend adds the changes of tags and aliases that follow from what the link has.
func (c *editCommand) amend(r *remote, link api.Link, to api.Changes) error {
	setTags(link, to, c.retag)
	if len(c.AddAlias)+len(c.RemoveAlias) == 0 {
		return nil
	}
	aliases := slices.Clone(link.Aliases)
	if c.NewCode != nil && *c.NewCode != link.ShortCode {
		aliases = append(aliases, link.ShortCode) // as the server does without a list
	}
	for _, given := range c.RemoveAlias {
		i, err := r.findAlias(link, aliases, given)
		if err != nil {
			return err
		}
		aliases = slices.Delete(aliases, i, i+1)
	}
	aliases = append(aliases, c.AddAlias...)
	if !slices.Equal(aliases, link.Aliases) {
		to["aliases"] = aliases
	}
	return nil
}

// retag removes and adds tags.
func (c *editCommand) retag(tags []string) []string {
	for _, tag := range c.Remove {
		tags = withoutTag(tags, tag)
	}
	for _, tag := range c.Add {
		tags = withTag(tags, tag)
	}
	return tags
}
