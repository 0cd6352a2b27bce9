package cli

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse/api"
	"terse/internal/cli/words"
)

// onLink does something with the link that a code names. If there is none, it may be the one that
// has it as an alias, or one that is given as its short URL: then code becomes that link's. At
// another domain than the default one code is its code there while do runs, and its name after.
func (r *remote) onLink(ctx context.Context, code *string, do func() error) error {
	if *code == "" || *code == "." || *code == ".." { // they would be parts of another path
		return fail(ExitNotFound, "No link %q.", *code)
	}
	domain, address, named := r.place(ctx, *code)
	if named {
		before := r.Client
		defer func() {
			r.Client, *code = before, words.Link(domain, *code)
		}()
		r.Client, *code = r.At(domain), address
	}
	err := do()
	answer, ok := errors.AsType[*api.Error](err)
	if !ok || !errors.Is(answer, api.ErrNotFound) || answer.Field != "short_code" {
		return err
	}
	found := r.codeAt(ctx, cmp.Or(domain, r.domain), *code)
	if found == "" || found == *code {
		return err
	}
	*code = found
	return do()
}

// place returns the domain and the address there, if a text names a domain: go.example/launch, or a
// short URL that is not at the server's own address. The default domain is "".
func (r *remote) place(ctx context.Context, text string) (domain, address string, named bool) {
	host, address, found := strings.Cut(text, "/")
	if u, err := url.Parse(text); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if server, err := url.Parse(r.url); err != nil || server.Host == u.Host {
			return "", "", false
		}
		host, address, found = u.Hostname(), strings.TrimPrefix(u.Path, "/"), true
	}
	if !found {
		return "", "", false
	}
	for _, known := range r.domains(ctx) {
		if !strings.EqualFold(known.Domain, strings.TrimSuffix(host, ".")) {
			continue
		}
		if known.Default {
			return "", address, true
		}
		return known.Domain, address, true
	}
	return "", "", false // it may be an alias with a slash
}

// domains returns the server's domains. It is empty if the server can't be asked, or does not know
// of any, as older ones: then a text names no domain.
func (r *remote) domains(ctx context.Context) []api.Domain {
	if r.known == nil {
		r.known, _ = r.Of("").At("").Domains(ctx)
	}
	return r.known
}

// codeAt returns the code of the caller's link at an address of a domain, which may be a short URL
// of the default one; "" if none is found.
func (r *remote) codeAt(ctx context.Context, domain, address string) string {
	short := r.url + (&url.URL{Path: "/" + address}).EscapedPath()
	if u, err := url.Parse(address); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		short, address = address, strings.TrimPrefix(u.Path, "/")
		if server, err := url.Parse(r.url); err == nil {
			address = strings.TrimPrefix(u.Path, server.Path+"/")
		}
	}
	address = norm.NFC.String(address)
	// A server whose BASE_URL is another one looks for the words of it. Short URLs of other domains
	// are not known here.
	texts, client := []string{short, address}, r.Client
	if domain != "" {
		texts, client = []string{address}, r.At(domain)
	}
	for _, text := range texts {
		page, err := client.Search(ctx, api.Search{Text: text, Limit: maxListed})
		if err != nil {
			return ""
		}
		for _, link := range page.URLs {
			isThere := domain != "" || link.Domain == "" // without a name it lists all domains
			if isThere && (link.ShortCode == address || slices.Contains(link.Aliases, address)) {
				return link.ShortCode
			}
		}
	}
	return ""
}

// maxListed is the largest page of a list.
const maxListed = 100

// explainTaken is explain for a change that asks for a code. If one of the caller's links has that
// as an alias, it names the link. domain is where the code was to be.
func (r *remote) explainTaken(ctx context.Context, err error, domain, code string) error {
	answer, ok := errors.AsType[*api.Error](err)
	if ok && errors.Is(answer, api.ErrConflict) && answer.Field == "short_code" {
		if owner := r.codeAt(ctx, domain, code); owner != "" && owner != code {
			return fail(ExitFailure, "The code %q is taken: it is an alias of %q.", code, owner)
		}
	}
	return r.explain(err, code)
}
