package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
)

// defaultServer is where a server listens that was started without settings.
const defaultServer = "http://localhost:8080"

// clientFlags are what every command that talks to a server takes.
type clientFlags struct {
	URL   string `name:"url" help:"The server's base URL; default that of terse login, else http://localhost:8080." variable:"TERSE_URL"`
	Token string `help:"An access token; default that of terse login." variable:"TERSE_TOKEN" secret:""`
	JSON  bool   `name:"json" help:"Print the server's answers as JSON." variable:""`
}

// remote is the server that a command talks to.
type remote struct {
	*api.Client
	url string // as it may be shown
}

// connect returns the server that flags, environment or login name. The token of a login is for
// its own server only.
func (f *clientFlags) connect(to streams) (remote, error) {
	address, token := f.URL, f.Token
	if address == "" || token == "" {
		saved, err := loadLogin(to.env)
		if err != nil {
			return remote{}, err
		}
		address = cmp.Or(address, saved.URL, defaultServer)
		if token == "" && strings.TrimRight(address, "/") == strings.TrimRight(saved.URL, "/") {
			token = saved.Token
		}
	}
	r, err := newRemote(to, address, token)
	if err == nil && token == "" {
		err = failure{
			fmt.Sprintf("No token for %s. Set TERSE_TOKEN, or run terse login.", r.url),
			exitUsage,
		}
	}
	return r, err
}

func newRemote(to streams, address, token string) (remote, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return remote{}, usageError{fmt.Errorf("TERSE_URL is %q; it must be an http or https URL",
			address)}
	}
	r := remote{api.New(address, token), strings.TrimRight(u.Redacted(), "/")}
	r.UserAgent = "terse/" + version
	if isTerminal(to.err) {
		r.OnWait = func(d time.Duration) {
			fmt.Fprintf(to.err, "Rate limit reached. Waiting %s.\n", d)
		}
	}
	return r, nil
}

// printJSON prints a server's answer for programs. What a terminal must not get raw is escaped as
// JSON allows: it is the same text for who reads it.
func (to streams) printJSON(answer any) error {
	b, err := json.Marshal(answer, json.Deterministic(true), jsontext.Multiline(true))
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	var escaped strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch high, low := utf16.EncodeRune(r); {
		case r < 0x7F || !hidden(r):
			escaped.Write(b[:n])
		case high == utf8.RuneError:
			fmt.Fprintf(&escaped, `\u%04x`, r)
		default:
			fmt.Fprintf(&escaped, `\u%04x\u%04x`, high, low)
		}
		b = b[n:]
	}
	_, err = fmt.Fprintln(to.out, escaped.String())
	return err
}

// failure is what went wrong in a sentence for people, and in an exit code for scripts.
type failure struct {
	text string
	code int
}

func (f failure) Error() string { return f.text }

var errInterrupted = failure{"Interrupted.", exitFailure}

// explain says in words what a call failed with. A command about one link gives its code.
func (r remote) explain(err error, code string) error {
	answer, isAnswer := errors.AsType[*api.Error](err)
	network, isNetwork := errors.AsType[*url.Error](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return errInterrupted
	case isAnswer:
		return r.refusal(answer, code)
	case isNetwork:
		text := fmt.Sprintf("Can't reach %s (%s). Is it running? Set TERSE_URL.", r.url,
			reason(network))
		return failure{text, exitUnreachable}
	}
	text := fmt.Sprintf("%s doesn't answer like a terse server. Check TERSE_URL.", r.url)
	return failure{text, exitUnreachable}
}

// linkNotFound is the contract's text. Another 404 is not about a link: the address is wrong.
const linkNotFound = "URL not found"

func (r remote) refusal(answer *api.Error, code string) failure {
	said := printable(answer.Message)
	switch {
	case answer.Status == http.StatusNotFound && answer.Message == linkNotFound:
		return failure{fmt.Sprintf("No link %q.", code), exitNotFound}
	case answer.Status == http.StatusNotFound || answer.Status < http.StatusBadRequest:
		text := fmt.Sprintf("%s is not a terse server (%d %s). Check TERSE_URL.", r.url,
			answer.Status, said)
		return failure{text, exitUnreachable}
	case errors.Is(answer, api.ErrUnauthorized):
		return failure{
			r.url + " refuses the token. Set TERSE_TOKEN, or run terse login.",
			exitDenied,
		}
	case errors.Is(answer, api.ErrForbidden):
		return failure{sentence("Not allowed: " + said), exitDenied}
	case errors.Is(answer, api.ErrConflict):
		return failure{fmt.Sprintf("The code %q is taken.", code), exitFailure}
	case errors.Is(answer, api.ErrRateLimited):
		after := max(answer.RetryAfter, time.Second)
		return failure{fmt.Sprintf("Rate limit exceeded. Try again in %s.", after), exitLimited}
	case errors.Is(answer, api.ErrServer):
		text := fmt.Sprintf("The server failed (%d %s). Its log says more under the request ID %s.",
			answer.Status, said, printable(cmp.Or(answer.RequestID, "unknown")))
		return failure{text, exitFailure}
	}
	return failure{sentence(said), exitFailure}
}

// sentence gives a server's message a capital letter and a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(string(r)) + strings.TrimSuffix(s[n:], ".") + "."
}

// reason is why a server could not be reached, without the layers around it.
func reason(err *url.Error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.Err
	}
	return printable(err.Err.Error())
}

// shortURL returns where a link can be reached. A server that was not told its BASE_URL says
// localhost, which is right on its own machine only.
func (f *clientFlags) shortURL(r remote, said string) string {
	short, err := url.Parse(said)
	server, err2 := url.Parse(r.url)
	if err != nil || err2 != nil || !isLocal(short.Hostname()) || isLocal(server.Hostname()) {
		return said
	}
	return r.url + short.Path
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
