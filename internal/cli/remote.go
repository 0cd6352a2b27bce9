package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"terse/api"
	"terse/internal/cli/console"
	"terse/internal/cli/login"
	"terse/internal/cli/words"
)

// defaultServer is the address of a server without settings.
const defaultServer = "http://localhost:8080"

// serverFlags name a server.
type serverFlags struct {
	URL   string `name:"url" help:"The server's base URL; default that of terse login, else http://localhost:8080." variable:"TERSE_URL"`
	Token string `help:"An access token; default that of terse login." variable:"TERSE_TOKEN" secret:""`
}

// clientFlags are the flags of every command that shows a server's answers.
type clientFlags struct {
	serverFlags `embed:""`

	JSON     bool   `name:"json" help:"Print the server's answers as JSON." xor:"web-json" variable:""`
	JQ       string `name:"jq" short:"q" help:"Print what a jq expression makes of each answer; texts without quotes. Implies --json." placeholder:"EXPRESSION" xor:"web-jq,made" variable:""`
	Template string `short:"T" help:"Print what a Go template makes of each answer. Implies --json." placeholder:"TEMPLATE" xor:"web-template,made" variable:""`
}

// ownerFlags are the flags of every command that may be about the links of others.
type ownerFlags struct {
	clientFlags `embed:""`

	Owner string `help:"Whose links it is about: an identity, or * for all. Default your own. Those of others take the role auditor, or admin to change them." placeholder:"IDENTITY" variable:""`
}

// ProvideRemote is that of clientFlags, about the links of the owner.
func (f *ownerFlags) ProvideRemote(ctx context.Context, e Env) (*remote, error) {
	r, err := f.clientFlags.ProvideRemote(ctx, e)
	if err == nil {
		r.Client = r.Of(f.Owner)
	}
	return r, err
}

// domainFlags are the flags of every command about links, of which a server may have some at each
// of several hosts.
type domainFlags struct {
	ownerFlags `embed:""`

	Domain string `help:"At which of the server's hosts, such as go.example. Default that of its base URL for a link, and all for many links." complete:"domains" placeholder:"HOST" variable:""`
}

// ProvideRemote is that of ownerFlags, about the links of the domain.
func (f *domainFlags) ProvideRemote(ctx context.Context, e Env) (*remote, error) {
	r, err := f.ownerFlags.ProvideRemote(ctx, e)
	if err == nil {
		r.Client, r.domain = r.At(f.Domain), f.Domain
	}
	return r, err
}

// linkFlags are the flags of every command about one link.
type linkFlags struct {
	domainFlags `embed:""`

	Code string `arg:"" help:"The short code, an alias or the short URL; go.example/launch names a code at another host." complete:"codes"`
}

// link returns the link.
func (f *linkFlags) link(ctx context.Context, r *remote) (link api.Link, err error) {
	err = r.onLink(ctx, &f.Code, func() (err error) {
		link, err = r.Link(ctx, f.Code)
		return err
	})
	return link, err
}

// remote is the server that a command talks to.
type remote struct {
	*api.Client
	Env

	url    string // without secrets, for messages
	made   filter // nil without --jq and --template
	domain string // that the command names; "": none

	known []api.Domain // what domains returns, once it was asked
}

// ProvideRemote returns the server, and prints its answers as the flags say, for the Run methods of
// commands that embed the flags.
func (f *clientFlags) ProvideRemote(ctx context.Context, e Env) (*remote, error) {
	made, err := f.filter(ctx, e)
	if err != nil {
		return nil, err
	}
	r, err := f.remote(e)
	if err != nil {
		return nil, err
	}
	r.made = made
	return r, nil
}

// server returns the address and the token that flags, environment or login name. A login's token
// is used only for the login's server.
func (f *serverFlags) server(e Env) (address, token string, err error) {
	address, token = f.URL, f.Token
	if address == "" || token == "" {
		saved, err := login.Load(e.Vars)
		if err != nil {
			return "", "", UsageError{Err: err}
		}
		address = cmp.Or(address, saved.URL, defaultServer)
		if token == "" && strings.TrimRight(address, "/") == strings.TrimRight(saved.URL, "/") {
			token = saved.Token
		}
	}
	return address, token, nil
}

// remote returns the server to talk to.
func (f *serverFlags) remote(e Env) (*remote, error) {
	address, token, err := f.server(e)
	if err != nil {
		return nil, err
	}
	r, err := newRemote(e, address, token)
	if err == nil && token == "" {
		err = fail(ExitUsage, "No token for %s. Set TERSE_TOKEN, or run terse login.", r.url)
	}
	return r, err
}

// filter returns the filter of --jq or --template, nil without them.
func (f *clientFlags) filter(ctx context.Context, e Env) (filter, error) {
	f.JSON = f.JSON || f.JQ != "" || f.Template != ""
	switch {
	case f.JQ != "":
		return newFilter(ctx, e, f.JQ)
	case f.Template != "":
		return newTemplate(ctx, e, f.Template)
	}
	return nil, nil
}

// PrintJSON prints an answer as JSON, or what --jq or --template makes of it.
func (r *remote) PrintJSON(answer any, options ...json.Options) error {
	if r.made == nil {
		return r.Env.PrintJSON(answer, options...)
	}
	b, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	return r.made(b, options...)
}

// JSONLines returns a writer that does the same with answers of one line each.
func (r *remote) JSONLines() io.Writer {
	if r.made == nil {
		return r.Env.JSONLines()
	}
	return console.LineWriter(func(line string) error {
		return r.made([]byte(line), jsontext.Multiline(false))
	})
}

// unsendable reports whether a character can't occur in a token (RFC 6750, section 2.1).
func unsendable(r rune) bool { return r <= ' ' || r > '~' }

func newRemote(e Env, address, token string) (*remote, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		err = fmt.Errorf("TERSE_URL is %q; it must be an http or https URL", address)
		return nil, UsageError{Err: err}
	}
	if strings.ContainsFunc(token, unsendable) { // its last characters may be the only mistake
		return nil, fail(ExitUsage,
			"The token is malformed: it has a blank, a line end (CR) or another character that "+
				"no token has.")
	}
	r := &remote{
		Client: api.New(address, token), Env: e, url: strings.TrimRight(u.Redacted(), "/"),
	}
	r.UserAgent = "terse/" + e.Version
	if console.IsTerminal(e.Err) {
		r.OnWait = func(d time.Duration) {
			fmt.Fprintf(e.Err, "Too many requests. Waiting %s.\n", d)
		}
	}
	return r, nil
}

// answer prints the result of a call about a link, as JSON or with text, or explains its error.
func (f *clientFlags) answer(
	r *remote, err error, code string, answer any, text func() error,
) error {
	switch {
	case err != nil:
		return r.explain(err, code)
	case f.JSON:
		return r.PrintJSON(answer)
	}
	return text()
}

// done is like answer, for a call that changed something with a name; key is its name in JSON.
func (f *clientFlags) done(r *remote, err error, name, key, text string) error {
	return f.answer(r, err, name, map[string]string{key: name}, func() error {
		_, err := fmt.Fprintln(r.Out, text, console.Printable(name))
		return err
	})
}

// explain turns the error of a call into words for people. Commands about one link pass its code.
func (r *remote) explain(err error, code string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, console.ErrInterrupted) {
		return console.ErrInterrupted
	}
	if failed, ok := errors.AsType[failure](err); ok { // of what reads the answer
		return failed
	}
	if answer, ok := errors.AsType[*api.Error](err); ok {
		return r.refusal(answer, code)
	}
	if network, ok := errors.AsType[*url.Error](err); ok {
		return Unreachable(r.url, network, " Set TERSE_URL.")
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fail(ExitUnreachable, "The answer of %s was cut off.", r.url)
	}
	return fail(ExitUnreachable, "%s doesn't answer like a terse server. Check TERSE_URL.", r.url)
}

// notFound says what does not exist, by the field of a 404. A 404 without such a field means that
// the address is wrong.
var notFound = map[string]string{
	"short_code": "No link %q.", "tag": "No tag %q.", "share": "%q is not shared.",
	"id": "No token %q.", "identity": "No user %q.",
	"domain": "No domain %q.", "webhook": "No webhook %q.", "delivery": "No delivery %q.",
}

func (r *remote) refusal(answer *api.Error, code string) error {
	said := console.Printable(answer.Message)
	missing, known := notFound[answer.Field]
	switch {
	case answer.Status == http.StatusNotFound && known:
		return fail(ExitNotFound, missing, code)
	case answer.Status == http.StatusNotFound || answer.Status < http.StatusBadRequest:
		return fail(ExitUnreachable, "%s is not a terse server (%d %s). Check TERSE_URL.", r.url,
			answer.Status, said)
	case errors.Is(answer, api.ErrUnauthorized):
		return fail(ExitDenied, "%s refuses the token. Set TERSE_TOKEN, or run terse login.", r.url)
	case errors.Is(answer, api.ErrForbidden):
		return notAllowed(said, code)
	case errors.Is(answer, api.ErrInvalid) && answer.Field == "owner" && said == "unknown owner":
		return fail(ExitFailure, "Unknown owner. terse user list names all.")
	case errors.Is(answer, api.ErrConflict) && answer.Field == "short_code":
		return fail(ExitFailure, "The code %q is taken.", code)
	case errors.Is(answer, api.ErrChanged):
		return fail(ExitFailure, "%q has changed meanwhile. See terse show %[1]s.", code)
	case errors.Is(answer, api.ErrRateLimited):
		return fail(ExitLimited, "Rate limit exceeded. Try again in %s.",
			max(answer.RetryAfter, time.Second))
	case errors.Is(answer, api.ErrBusy):
		return fail(ExitLimited, "The server is busy. Try again in %s.", answer.RetryAfter)
	case errors.Is(answer, api.ErrServer):
		return fail(ExitFailure,
			"The server failed (%d %s). Its log says more under the request ID %s.", answer.Status,
			said, console.Printable(cmp.Or(answer.RequestID, "unknown")))
	}
	return fail(ExitFailure, "%s", sentence(said))
}

// notAllowed says what a caller may not do, and where to look.
func notAllowed(said, code string) error {
	switch {
	case strings.HasPrefix(said, "unauthorized to ") && code != "": // do something with this URL
		return fail(ExitDenied, "Not allowed: %s belongs to somebody else. Auditors and admins "+
			"reach it with --owner '*'.", console.Printable(code))
	case strings.HasPrefix(said, "needs the role "):
		return fail(ExitDenied, "Not allowed: %s. terse me says which one you have.", said)
	}
	return fail(ExitDenied, "%s", sentence("Not allowed: "+said))
}

// sentence adds a full stop to a server's message, and capitalizes it unless it begins with the
// name of a field, a flag or a user, or with a URL.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	s = strings.TrimSuffix(s, ".") + "."
	first, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(first, "_[.-@") || strings.Contains(first, "://") {
		return s
	}
	r, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + s[n:]
}

// Unreachable returns the error that no server answers at an address, with advice.
func Unreachable(address string, err *url.Error, advice string) error {
	return fail(ExitUnreachable, "Can't reach %s (%s). Is it running?%s", address, reason(err),
		advice)
}

// reason returns why a server could not be reached, without the errors wrapped around it.
func reason(err *url.Error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err
	}
	return console.Printable(err.Err.Error())
}

// shortURL returns the URL of a link. A server without BASE_URL says localhost, which is right only
// on its own machine.
func (r *remote) shortURL(said string) string {
	short, err := url.Parse(said)
	server, err2 := url.Parse(r.url)
	if err != nil || err2 != nil || !isLocal(short.Hostname()) || isLocal(server.Hostname()) {
		return said
	}
	if rest, both := strings.CutPrefix(short.Path, server.Path+"/"); both {
		return r.url + "/" + rest
	}
	return r.url + short.Path
}

// baseURL returns what a link's addresses follow in its short URLs, with a slash at the end.
func (r *remote) baseURL(link api.Link) string {
	return strings.TrimSuffix(r.shortURL(link.ShortURL), link.ShortCode)
}

// aliasURL returns the short URL of an alias.
func (r *remote) aliasURL(link api.Link, alias string) string {
	return r.baseURL(link) + (&url.URL{Path: "/" + alias}).EscapedPath()[1:]
}

// findAlias returns the index of an alias that is given by itself or as its short URL, which show
// prints.
func (r *remote) findAlias(link api.Link, aliases []string, given string) (int, error) {
	alias := given
	if path, ours := strings.CutPrefix(given, r.baseURL(link)); ours {
		if decoded, err := url.PathUnescape(path); err == nil {
			alias = decoded
		}
	}
	i := slices.Index(aliases, norm.NFC.String(alias))
	if i < 0 {
		return i, fail(ExitFailure, "%q is no alias of %q. See terse show %[2]s.", given,
			words.Link(link.Domain, link.ShortCode))
	}
	return i, nil
}

// text returns the value of a flag, "" if it was not given.
func text(flag *string) string {
	if flag == nil {
		return ""
	}
	return *flag
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
