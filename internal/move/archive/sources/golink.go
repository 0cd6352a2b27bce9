package sources

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"terse/api"
	"terse/internal/link/address"
	"terse/internal/move/archive"
	"terse/internal/move/archive/sources/webapi"
)

// golinkLink is a link as golink exports it, a line each.
type golinkLink struct {
	Short    string
	Long     string // a URL, or a template of one
	Created  string
	LastEdit string
	Owner    string
}

// AskGolink reads the export of a golink server.
func AskGolink(ctx context.Context, from *webapi.Client, to *Out) error {
	text, err := from.Fetch(ctx, ".export", nil, http.Header{"Accept": {"*/*"}})
	if err != nil {
		return err
	}
	return ReadGolink(bytes.NewReader(text), to)
}

// ReadGolink reads what golink answers at /.export.
func ReadGolink(text io.Reader, to *Out) error {
	for line, err := range archive.NewReader(text).Lines() {
		if err != nil {
			return err
		}
		var l golinkLink
		if err = line.Err; err == nil {
			err = json.Unmarshal(line.Text, &l)
		}
		switch {
		case err != nil:
			err = to.Fail("", "", fmt.Errorf("the line is no link of golink: %w", err))
		case l.Short == "" && l.Long == "":
			err = to.Fail("", "", errors.New("the line is no link of golink"))
		default:
			err = l.read(to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read hands the link over.
func (l *golinkLink) read(to *Out) error {
	link := Link{Code: l.Short, LinkOptions: api.LinkOptions{ForwardQuery: true}}
	var err error
	if link.URL, link.ForwardPath, err = l.target(); err != nil {
		return to.Fail(l.Short, "original_url", fmt.Errorf("original_url %w", err))
	}
	to.Once("short_code: golink ignores case and dashes. The usual spellings are aliases; " +
		"IGNORE_CASE=true ignores case here, too")
	if l.Owner != "" {
		to.noOwner()
	}
	if !link.ForwardPath {
		link.SaysPath = true
		to.Note("forward_path is not set, for golink appends the path to the query or the part " +
			"behind # of this link")
	}
	link.Aliases = l.spellings(to)
	link.Created = l.time(to, "created_at", l.Created)
	if link.Updated = l.time(to, "updated_at", l.LastEdit); link.Updated.Equal(link.Created) {
		link.Updated = time.Time{}
	}
	return to.Link(link)
}

// time returns a time of the link, of which the year 1 is none.
func (l *golinkLink) time(to *Out, field, text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case text != "" && err != nil:
		to.Note("%s was left out: it is %q", field, text)
		return time.Time{}
	case at.Year() <= 1:
		return time.Time{}
	}
	return at
}

// pathAtEnd are the templates that append the path as all links do that have none.
var pathAtEnd = regexp.MustCompile(`(/\{\{\s*\.Path\s*\}\}|` +
	`\{\{\s*with\s+\.Path\s*\}\}/\{\{\s*\.\s*\}\}\{\{\s*end\s*\}\})$`)

// target returns where the link leads, and whether it hands on the path.
func (l *golinkLink) target() (target string, path bool, err error) {
	target = l.Long
	if at := pathAtEnd.FindStringIndex(target); at != nil {
		slash := ""
		if target[at[0]] == '/' {
			slash = "/"
		}
		target = target[:at[0]] + slash
	}
	if strings.Contains(target, "{{") {
		return "", false, fmt.Errorf("is the template %q, which no link can be here", l.Long)
	}
	at, err := url.Parse(target)
	if err == nil && (at.Scheme == "" || at.Host == "" && at.Opaque == "") {
		return "", false, fmt.Errorf("is %q, which is relative to golink", l.Long)
	}
	return target, !strings.ContainsAny(target, "?#"), nil // the importer judges the rest
}

// routes are names that no link can have, for the server needs them. It refuses a link with one.
var routes = []string{
	"api", "health", "livez", "metrics", "openapi.yaml", "ready", "robots.txt", "favicon.ico", "ui",
}

// spellings returns other names of the link: those without capitals, without dashes, and without
// both.
func (l *golinkLink) spellings(to *Out) (names []string) {
	seen := map[string]bool{l.Short: true}
	lower := strings.ToLower(l.Short)
	for _, name := range []string{
		lower, strings.ReplaceAll(l.Short, "-", ""), strings.ReplaceAll(lower, "-", ""),
	} {
		known := seen[name]
		seen[name] = true
		switch {
		case known || !address.Valid(name):
		case slices.Contains(routes, name):
			to.Note("aliases lacks %q, which is reserved", name)
		default:
			names = append(names, name)
		}
	}
	return names
}
