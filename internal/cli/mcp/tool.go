package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"terse/api"
)

// tool is a request of the API, and how arguments fill it in.
type tool struct {
	name, title, about string

	// method and path are the request's. A POST has the arguments as its body, a PATCH those in
	// "changes"; what else there is are parameters.
	method, path string

	input *jsonschema.Schema
	names map[string]string // of parameters that are not called as their arguments
	limit int               // the parameter limit without the argument; 0: none
}

// linkPath is the path of one link.
const linkPath = "/api/urls/{short_code}"

func (t *tool) writes() bool { return t.method != http.MethodGet }

// describe returns what clients see of the tool.
func (t *tool) describe() *sdk.Tool {
	// All hints are set, because the defaults are those of the most dangerous tool.
	destructive, openWorld := t.writes() && t.method != http.MethodPost, false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: t.input,
		Annotations: &sdk.ToolAnnotations{
			Title: t.title, ReadOnlyHint: !t.writes(), DestructiveHint: &destructive,
			IdempotentHint: t.method != http.MethodPost, OpenWorldHint: &openWorld,
		},
	}
}

// arguments are the JSON values of arguments by their names.
type arguments map[string]jsontext.Value

// arguments reads the arguments of a call. Each is one that the tool has, and none is missing.
func (t *tool) arguments(given []byte) (args arguments, err error) {
	if len(given) > 0 {
		if err := json.Unmarshal(given, &args); err != nil {
			return nil, fmt.Errorf("the arguments must be an object whose names differ: %w", err)
		}
	}
	if err := onlyKnown(t.input, args, "argument", t.name); err != nil {
		return nil, err
	}
	maps.DeleteFunc(args, func(_ string, value jsontext.Value) bool { return value.Kind() == 'n' })
	for _, name := range t.input.Required {
		if args[name] == nil {
			return nil, fmt.Errorf("the argument %s is missing", name)
		}
	}
	return args, nil
}

// onlyKnown refuses names that the schema of an object does not have.
func onlyKnown(s *jsonschema.Schema, object arguments, what, of string) error {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if s.Properties[name] == nil {
			return fmt.Errorf("unknown %s %q; %s takes %s", what, name, of,
				cmp.Or(strings.Join(s.PropertyOrder, ", "), "none"))
		}
	}
	return nil
}

// request returns the request for arguments.
func (t *tool) request(args arguments) (req api.Request, err error) {
	req = api.Request{Method: t.method, Path: t.path, Query: url.Values{}}
	if t.method == http.MethodPost {
		req.Body = args
		return req, nil
	}
	if t.limit > 0 {
		req.Query.Set("limit", strconv.Itoa(t.limit))
	}
	for name, value := range args {
		switch name {
		case "short_code":
			code, err := textOf(name, value)
			if err != nil {
				return req, err
			}
			if code == "" || code == "." || code == ".." { // they would be parts of another path
				return req, wrong(name, "the short code of a link")
			}
			req.Path = strings.Replace(t.path, "{short_code}", url.PathEscape(code), 1)
		case "changes":
			var changes arguments
			if json.Unmarshal(value, &changes) != nil || changes == nil {
				return req, wrong(name, "an object whose names differ")
			}
			req.Body, err = changes, onlyKnown(t.input.Properties[name], changes, "field", name)
		case "if_match":
			req.IfMatch, err = textOf(name, value)
			if err == nil && strings.ContainsFunc(req.IfMatch, unicode.IsControl) {
				err = wrong(name, "the etag that get_link answered")
			}
		default:
			err = t.addTo(req.Query, name, value)
		}
		if err != nil {
			return req, err
		}
	}
	if req.Query.Has("start_time") && !req.Query.Has("end_time") { // the API wants both
		req.Query.Set("end_time", time.Now().UTC().Format(time.RFC3339Nano))
	}
	return req, nil
}

// addTo adds an argument to the parameters of a request.
func (t *tool) addTo(query url.Values, name string, value jsontext.Value) error {
	parameter := name
	if other, ok := t.names[name]; ok {
		parameter = other
	}
	switch s := t.input.Properties[name]; s.Type {
	case "integer":
		n, err := strconv.Atoi(string(value))
		if least, most := int(*s.Minimum), int(*s.Maximum); err != nil || n < least || n > most {
			return wrong(name, fmt.Sprintf("a whole number from %d to %d", least, most))
		}
		query.Set(parameter, strconv.Itoa(n))
	case "array":
		var list []string
		if err := json.Unmarshal(value, &list); err != nil {
			return wrong(name, "an array of strings")
		}
		for _, one := range list {
			if !slices.Contains(s.Items.Enum, any(one)) { // only by is a list
				return fmt.Errorf("unknown value %q of %s; there are %s", one, name,
					strings.Join(api.Dimensions(), ", "))
			}
		}
		query.Set(parameter, strings.Join(list, ","))
	case "object":
		return addFilters(query, name, value, s.PropertyNames.Enum)
	default:
		one, err := textOf(name, value)
		if err != nil {
			return err
		}
		query.Set(parameter, one)
	}
	return nil
}

// addFilters adds a parameter for each value of each filter. The API passes over parameters that it
// does not know, and would answer as if such a filter were not there.
func addFilters(query url.Values, name string, value jsontext.Value, known []any) error {
	var all map[string][]string
	if err := json.Unmarshal(value, &all); err != nil {
		return wrong(name, `an object of arrays of strings, such as {"country": ["DE"]}`)
	}
	for _, filter := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(known, any(filter)) {
			return fmt.Errorf("unknown filter %q; there are %s, and the same with %s before them",
				filter, strings.Join(api.Dimensions(), ", "), notPrefix)
		}
		if len(all[filter]) == 0 {
			return fmt.Errorf("the filter %s has no values", filter)
		}
		if slices.Contains(all[filter], "") { // the API passes over it, too
			return fmt.Errorf("the filter %s has an empty value", filter)
		}
		query[filter] = all[filter]
	}
	return nil
}

// named puts the names of arguments in the place of the API's into a message. What it says of query
// strings is left out: a call has none.
func (t *tool) named(message string) string {
	message, _, _ = strings.Cut(message, "; a + in a query string")
	for argument, parameter := range t.names {
		message = strings.ReplaceAll(message, parameter, argument)
	}
	return message
}

func textOf(name string, value jsontext.Value) (s string, err error) {
	if json.Unmarshal(value, &s) != nil {
		err = wrong(name, "a string")
	}
	return s, err
}

func wrong(name, must string) error { return fmt.Errorf("%s must be %s", name, must) }

// result returns the JSON that a model gets of an answer.
func (t *tool) result(answer api.Answer) (jsontext.Value, error) {
	text := answer.JSON
	switch {
	case text == nil:
		text = jsontext.Value("{}")
	case text.Kind() != '{':
		return nil, errors.New("the server's answer is no JSON object; is it a terse server?")
	case answer.ETag != "":
		text = withETag(text, answer.ETag)
	}
	if len(text) > maxAnswer {
		if t.writes() {
			return nil, changed(text)
		}
		return nil, t.tooLong()
	}
	return text, nil
}

// withETag adds a member to an object, which the API answers in a header field.
func withETag(object jsontext.Value, etag string) jsontext.Value {
	member, _ := jsontext.AppendQuote([]byte(`,"etag":`), etag)
	open := strings.TrimSuffix(strings.TrimSpace(string(object)), "}")
	return append(append([]byte(open), member...), '}')
}

// tooLong says that an answer does not fit, and what to do about it.
func (t *tool) tooLong() error {
	advice := "it takes no limit; search_links does, and may do instead"
	if limited := t.input.Properties["limit"] != nil; limited && t.limit > 0 {
		advice = "ask with a smaller limit, a shorter range of time or a longer interval"
	} else if limited {
		advice = "ask with a smaller limit"
	}
	return fmt.Errorf("the answer of %s has more than %d KiB of JSON: %s", t.name, maxAnswer>>10,
		advice)
}

// changed says what was done, for an answer that does not fit.
func changed(answer jsontext.Value) error {
	var link struct {
		ShortCode string `json:"short_code"`
	}
	if err := json.Unmarshal(answer, &link); err != nil {
		link.ShortCode = "of it"
	}
	return fmt.Errorf("this was done, but the link has more than %d KiB of JSON to show, and no "+
		"limit makes it less; its short code is %s", maxAnswer>>10, link.ShortCode)
}
