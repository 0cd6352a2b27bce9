// Package words describes the fields of links, and changes of them, in words for people.
package words

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/api"
)

// labels are the labels of fields whose names are not clear enough.
var labels = map[string]string{
	"short_url": "short URL", "original_url": "destination", "etag": "ETag",
	"expired_url": "destination afterwards", "starts_at": "start", "expires_at": "end",
	"max_clicks": "click limit", "created_at": "created", "created_by": "by",
	"updated_at": "changed", "last_clicked_at": "last click",
	"people": "clicks", "click_count": "clicks with bots",
	"forward_query": "query forwarding", "forward_path": "path forwarding",
}

// Label returns a field's label.
func Label(name string) string {
	return cmp.Or(labels[name], strings.ReplaceAll(name, "_", " "))
}

// In is the context of words: the time zone, and whether a program reads them. Programs get times
// and numbers as the server writes them.
type In struct {
	Zone       *time.Location
	ForProgram bool
}

// Value returns a field's value in words, with between between two rules or aliases.
func (in In) Value(name string, value jsontext.Value, between string) string {
	switch value.Kind() {
	case 't', 'f', '0':
		return in.plain(value)
	case '"':
		var text string
		_ = json.Unmarshal(value, &text) // always a string
		if at, err := time.Parse(time.RFC3339, text); err == nil && strings.HasSuffix(name, "_at") {
			return in.time(at)
		}
		return text
	case '[':
		var texts []string
		if json.Unmarshal(value, &texts) == nil {
			if name != "aliases" {
				between = ", "
			}
			return strings.Join(texts, between)
		}
		var rules []api.Rule
		if json.Unmarshal(value, &rules) == nil {
			texts := make([]string, len(rules))
			for i, rule := range rules {
				texts[i] = in.rule(rule)
			}
			return strings.Join(texts, between)
		}
	}
	return string(value)
}

// plain returns a number or a bool.
func (in In) plain(value jsontext.Value) string {
	var n int64
	switch {
	case in.ForProgram:
	case value.Kind() == 't':
		return "yes"
	case value.Kind() == 'f':
		return "no"
	case json.Unmarshal(value, &n) == nil:
		return humanize.Comma(n)
	}
	return string(value)
}

// time formats a time for people, with seconds only if they are not zero.
func (in In) time(at time.Time) string {
	if in.ForProgram {
		return at.UTC().Format(time.RFC3339Nano)
	}
	layout := "2006-01-02 15:04"
	if at.Second() != 0 {
		layout += ":05"
	}
	return at.In(in.Zone).Format(layout)
}

// rule says whom a rule is for and where it leads.
func (in In) rule(rule api.Rule) string {
	when := rule.When
	var parts []string
	add := func(name string, values ...string) {
		if len(values) > 0 {
			parts = append(parts, name+" "+strings.Join(values, " or "))
		}
	}
	add("device", when.Device...)
	add("browser", when.Browser...)
	add("language", when.Language...)
	add("country", when.Country...)
	add("address", when.Address...)
	for _, name := range slices.Sorted(maps.Keys(when.Query)) {
		if value := when.Query[name]; value != nil {
			name += "=" + *value
		}
		add("query", name)
	}
	if !when.After.IsZero() {
		add("from", in.time(when.After))
	}
	if !when.Before.IsZero() {
		add("until", in.time(when.Before))
	}
	if rule.Share != 0 {
		parts = append(parts, fmt.Sprintf("%d%% of visitors", rule.Share))
	}
	if len(parts) == 0 {
		parts = []string{"everyone"}
	}
	return rule.Name + ": " + strings.Join(parts, ", ") + " → " + rule.URL
}

// Changes says what was done to a link's fields, but not by whom.
func (in In) Changes(fields map[string]api.FieldChange) (said []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "aliases" {
			said = append(said, in.change(name, fields[name]))
		} else if text := aliasChange(fields); text != "" {
			said = append(said, text)
		}
	}
	return said
}

// aliasChange says which aliases were added and removed, "" if another code explains it: that one
// may have been an alias, and the old code became one.
func aliasChange(fields map[string]api.FieldChange) string {
	var before, after []string
	// We know the types of these fields, and null leaves nothing.
	_ = json.Unmarshal(fields["aliases"].Old, &before)
	_ = json.Unmarshal(fields["aliases"].New, &after)
	code, recoded := fields["short_code"]
	if recoded {
		var was, is string
		_ = json.Unmarshal(code.Old, &was)
		_ = json.Unmarshal(code.New, &is)
		if slices.Contains(after, was) || !strings.EqualFold(was, is) {
			before = append(before, was) // not where case is ignored, and only the case changed
		}
		before = slices.DeleteFunc(before, func(alias string) bool { return alias == is })
	}
	added, removed := missing(after, before), missing(before, after)
	switch {
	case added != "" && removed != "":
		return "added " + added + ", and removed " + removed + "."
	case added != "":
		return "added " + added + "."
	case removed != "":
		return "removed " + removed + "."
	case recoded:
		return ""
	}
	return "changed the order of the aliases."
}

// missing names the aliases that others lack, "" if there are none.
func missing(aliases, others []string) string {
	var quoted []string
	for _, alias := range aliases {
		if !slices.Contains(others, alias) {
			quoted = append(quoted, "“"+alias+"”")
		}
	}
	switch len(quoted) {
	case 0:
		return ""
	case 1:
		return "the alias " + quoted[0]
	}
	return "the aliases " + strings.Join(quoted, ", ")
}

// change says what was done to one field.
func (in In) change(name string, change api.FieldChange) string {
	was, is := change.Old.Kind() != 'n', change.New.Kind() != 'n'
	quoted := func(value jsontext.Value) string {
		if value.Kind() == '"' && name != "starts_at" && name != "expires_at" {
			return "“" + in.Value(name, value, "; ") + "”"
		}
		return in.Value(name, value, "; ")
	}
	what := Label(name)
	switch isFlag := change.Old.Kind() == 't' || change.New.Kind() == 't'; {
	case name == "password" && was && is:
		return "changed the password."
	case name == "password" && is:
		return "set a password."
	case name == "password":
		return "took the password away."
	case name == "disabled" && is:
		return "disabled the link."
	case name == "disabled":
		return "enabled the link."
	case name == "archived" && is:
		return "archived the link."
	case name == "archived":
		return "took the link out of the archive."
	case isFlag && is:
		return "turned " + what + " on."
	case isFlag:
		return "turned " + what + " off."
	case !was:
		return fmt.Sprintf("set the %s to %s.", what, quoted(change.New))
	case !is:
		return fmt.Sprintf("took the %s %s away.", what, quoted(change.Old))
	}
	return fmt.Sprintf("changed the %s from %s to %s.", what, quoted(change.Old),
		quoted(change.New))
}

// Status returns the status of a link. A blocked one is active to the server, but not to visitors.
func Status(link api.LinkDetails) string {
	if link.Blocked && (link.Status == "" || link.Status == "active") {
		return "blocked"
	}
	return link.Status
}

// Link returns the name of a link: its code, at another domain than the default one behind the
// domain, as in go.example/launch.
func Link(domain, code string) string {
	if domain == "" {
		return code
	}
	return domain + "/" + code
}

// Count returns a number and the noun it counts.
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return humanize.Comma(n) + " " + noun + "s"
}
