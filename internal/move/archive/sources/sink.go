package sources

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/api"
	"terse/internal/link/weburl"
	"terse/internal/text/jsonbody"
)

// notAsExpected says where a link has a value of another kind. The library words its own errors
// differently in each process.
func notAsExpected(err error) error {
	if kind, ok := errors.AsType[*json.SemanticError](err); ok {
		return fmt.Errorf("the link is not as expected at %q", kind.JSONPointer)
	}
	return fmt.Errorf("the link is not as expected: %w", err)
}

// sinkLink is a link as Sink 0.3.0 exports it.
type sinkLink struct {
	Slug              string            `json:"slug"`
	URL               string            `json:"url"`
	Comment           string            `json:"comment"`
	Created           int64             `json:"createdAt"` // seconds, as all times
	Updated           int64             `json:"updatedAt"`
	Expiration        int64             `json:"expiration"`
	Title             string            `json:"title"`
	Description       string            `json:"description"`
	Image             string            `json:"image"`
	Apple             string            `json:"apple"`
	Google            string            `json:"google"`
	Cloaking          bool              `json:"cloaking"`
	RedirectWithQuery *bool             `json:"redirectWithQuery"` // nil: as the server is set
	Password          string            `json:"password"`
	Unsafe            bool              `json:"unsafe"`
	Geo               map[string]string `json:"geo"`
	Tags              []string          `json:"tags"`
}

// ReadSink reads an export of Sink: pages of links, one behind the other.
func ReadSink(text io.Reader, to *Out) error {
	from := newJSONText(text)
	for pages := 0; ; pages++ {
		from.next()
		kind := from.PeekKind()
		if _, err := from.ReadToken(); errors.Is(err, io.EOF) && pages > 0 {
			return nil
		} else if err != nil {
			return sinkError(err)
		}
		if kind != jsontext.KindBeginObject {
			return errors.New("it is no export of Sink")
		}
		if err := from.readPage(to); err != nil {
			return sinkError(err)
		}
	}
}

// sinkError says why a text can't be read any further.
func sinkError(err error) error {
	syntax, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the export has no end")
	case errors.Is(err, errLongJSON):
		return errLongJSON
	case isSyntax:
		return jsonbody.DescribeSyntax(syntax)
	}
	return err
}

// readPage reads the members of a page and its end.
func (t jsonText) readPage(to *Out) error {
	hasLinks, isLast := false, true
	for t.next(); t.PeekKind() != jsontext.KindEndObject; t.next() {
		name, err := t.ReadToken()
		if err != nil {
			return err
		}
		switch name.String() {
		case "links":
			hasLinks = true
			err = t.readLinks(to)
		case "list_complete":
			var value jsontext.Value
			value, err = t.ReadValue()
			isLast = string(value) != "false"
		default:
			err = t.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	if _, err := t.ReadToken(); err != nil {
		return err
	}
	t.next()
	switch {
	case !hasLinks:
		return errors.New("it is no export of Sink: it has no links")
	case !isLast && t.PeekKind() == jsontext.KindInvalid: // it is the end, or the next one says so
		return to.Fail("", "", errors.New("this is not the last page of the export: ask for the "+
			"next one with its cursor, and put it behind this one"))
	}
	return nil
}

// readLinks reads the links of a page.
func (t jsonText) readLinks(to *Out) error {
	if token, err := t.ReadToken(); err != nil {
		return err
	} else if token.Kind() != jsontext.KindBeginArray {
		return errors.New("it is no export of Sink: links is no list")
	}
	for t.next(); t.PeekKind() != jsontext.KindEndArray; t.next() {
		value, err := t.ReadValue()
		if err != nil {
			return err
		}
		var l sinkLink
		err = json.Unmarshal(value, &l, jsontext.AllowInvalidUTF8(true),
			jsontext.AllowDuplicateNames(true))
		if err != nil {
			err = to.Fail(l.Slug, "", notAsExpected(err))
		} else {
			err = l.read(to)
		}
		if err != nil {
			return err
		}
	}
	_, err := t.ReadToken()
	return err
}

// read hands the link over.
func (l *sinkLink) read(to *Out) error {
	to.Once("short_code: Sink ignores case unless it is set otherwise; IGNORE_CASE=true does so " +
		"here")
	link := Link{
		Code: l.Slug, URL: l.URL, Created: unix(l.Created), Updated: unix(l.Updated),
		LinkOptions: api.LinkOptions{
			Title: l.Title, Note: l.Comment, Tags: l.Tags, ExpiresAt: unix(l.Expiration),
			Disabled: l.Password != "",
		},
	}
	if l.Expiration != 0 && link.ExpiresAt.IsZero() {
		return to.Fail(l.Slug, "expires_at", errYearOne)
	}
	if link.Updated.Equal(link.Created) {
		link.Updated = time.Time{}
	}
	if l.RedirectWithQuery != nil {
		link.ForwardQuery, link.SaysQuery = *l.RedirectWithQuery, true
	}
	if l.Password != "" {
		to.Note("password can't be kept, for its hash is of another kind, so the link is disabled")
	}
	if l.Description != "" || l.Image != "" {
		to.Once("description and image are left out: they are for previews of links elsewhere")
	}
	if l.Cloaking {
		to.Note("cloaking is left out: visitors are redirected")
	}
	if l.Unsafe {
		to.Note("unsafe is left out: visitors are not warned")
	}
	link.Rules = l.rules(to)
	if link.ForwardQuery && l.Apple+l.Google != "" {
		to.Note("forward_query: the targets of apple and google get the visitor's query, too, " +
			"which Sink keeps from them")
	}
	return to.Link(link)
}

// rules are the link's targets by device, which win, and by country.
func (l *sinkLink) rules(to *Out) (rules []api.Rule) {
	add := func(field, name, target string, when api.RuleConditions) {
		_, err := weburl.Parse(target)
		switch {
		case err != nil:
			to.Note("rules: %s is left out: %q is no http or https URL", field, target)
		case len(rules) == terse.MaxRules:
			to.Note("rules: %s is left out: at most %d rules", field, terse.MaxRules)
		default:
			rules = append(rules, api.Rule{Name: name, When: when, URL: target})
		}
	}
	for _, d := range []struct{ field, target, device string }{
		{"google", l.Google, "android"}, {"apple", l.Apple, "ios"},
	} {
		if d.target != "" {
			add(d.field, d.field, d.target, api.RuleConditions{Device: []string{d.device}})
		}
	}
	countries := map[string][]string{} // by target
	for _, country := range slices.Sorted(maps.Keys(l.Geo)) {
		target := l.Geo[country]
		countries[target] = append(countries[target], strings.ToUpper(country))
	}
	targets := slices.SortedFunc(maps.Keys(countries), func(a, b string) int {
		return cmp.Compare(countries[a][0], countries[b][0])
	})
	for _, target := range targets {
		in := countries[target]
		add("geo of "+strings.Join(in, ", "), "geo-"+in[0], target,
			api.RuleConditions{Country: in})
	}
	return rules
}

// unix returns a time in seconds, of which 0 is none.
func unix(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}
