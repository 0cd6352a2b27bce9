package cli

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"terse/api"
)

// onLink does something with the link that a code names. If there is none, it may be the one that
// has it as an alias, or one that is given as its short URL: then code becomes that link's.
func (r *remote) onLink(ctx context.Context, code *string, do func() error) error {
	if *code == "" || *code == "." || *code == ".." { // they would be parts of another path
		return fail(ExitNotFound, "No link %q.", *code)
	}
	err := do()
	answer, ok := errors.AsType[*api.Error](err)
	if !ok || !errors.Is(answer, api.ErrNotFound) || answer.Field != "short_code" {
		return err
	}
	found := r.codeAt(ctx, *code)
	if found == "" || found == *code {
		return err
	}
	*code = found
	return do()
}

// codeAt returns the code of the caller's link at an address, which may be a short URL; "" if none
// is found.
func (r *remote) codeAt(ctx context.Context, address string) string {
	short := r.url + (&url.URL{Path: "/" + address}).EscapedPath()
	if u, err := url.Parse(address); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		short, address = address, strings.TrimPrefix(u.Path, "/")
		if server, err := url.Parse(r.url); err == nil {
			address = strings.TrimPrefix(u.Path, server.Path+"/")
		}
	}
	address = norm.NFC.String(address)
	// A server whose BASE_URL is another one looks for the words of it.
	for _, text := range []string{short, address} {
		page, err := r.Search(ctx, api.Search{Text: text, Limit: maxListed})
		if err != nil {
			return ""
		}
		for _, link := range page.URLs {
			if link.ShortCode == address || slices.Contains(link.Aliases, address) {
				return link.ShortCode
			}
		}
	}
	return ""
}

// maxListed is the largest page of a list.
const maxListed = 100

// explainTaken is explain for a change that asks for a code. If one of the caller's links has that
// as an alias, it names the link.
func (r *remote) explainTaken(ctx context.Context, err error, code string) error {
	answer, ok := errors.AsType[*api.Error](err)
	if ok && errors.Is(answer, api.ErrConflict) && answer.Field == "short_code" {
		if owner := r.codeAt(ctx, code); owner != "" && owner != code {
			return fail(ExitFailure, "The code %q is taken: it is an alias of %q.", code, owner)
		}
	}
	return r.explain(err, code)
}
