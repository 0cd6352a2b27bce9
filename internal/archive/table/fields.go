package table

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// field is what a column can stand for.
type field struct {
	name string // as in a link line, if it is in one
	// names are other names of the column, folded, the best first.
	names []string
	// option says that it is an option of the link, which a link with an empty cell does not have.
	option bool
	add    func(l *line, cell string) error // cell is not empty
}

// nothing are words for no time and no number.
var nothing = map[string]bool{
	"never": true, "n/a": true, "null": true, "-": true, "none": true, "unlimited": true,
}

// empty reports whether a cell has no value.
func (f *field) empty(cell string) bool {
	cell = strings.TrimSpace(cell)
	if cell == "" {
		return true
	}
	switch f.name {
	case "created_at", "updated_at", "starts_at", "expires_at", "day", "hour", "clicks",
		"max_clicks", "redirect_status":
		return nothing[strings.ToLower(cell)]
	}
	return false
}

// unread is the field of a column that is left out.
var unread = &field{}

// fields are all fields. The names are those of the exports and tables of other products.
var fields = []*field{
	{"original_url", []string{
		"longurl", "destinationurl", "destination", "targeturl", "target", "longlink", "long",
		"url",
	}, false, trimmed("original_url")},
	{"short_code", []string{
		"code", "slug", "slashtag", "keyword", "customslug", "backhalf", "alias", "path", "short",
		"key", "address", "source",
	}, false, func(l *line, cell string) (err error) {
		l.code, err = pathOf(cell)
		return err
	}},
	{"short_url", []string{"shortlink", "bitlink", "link"}, false, addShortURL},
	{"title", []string{"name"}, true, func(l *line, cell string) error {
		l.quoted("title", strings.Join(strings.Fields(cell), " ")) // pages have line ends in titles
		return nil
	}},
	{"note", []string{"notes", "comment", "comments", "description"}, true, trimmed("note")},
	{"tags", []string{"tag", "labels"}, true, addTags},
	{"aliases", nil, true, addAliases},
	{"created_at", []string{
		"created", "datecreated", "createddate", "creationdate", "createdon", "timestamp",
	}, false, instant("created_at", false)},
	{"updated_at", []string{
		"updated", "lastedit", "modified",
	}, false, instant("updated_at", false)},
	{"starts_at", []string{
		"validsince", "validfrom", "startdate",
	}, true, instant("starts_at", false)},
	{"expires_at", []string{
		"validuntil", "expires", "expirydate", "expirationdate", "expiration", "expirytime",
		"expirein", "expiry",
	}, true, instant("expires_at", true)},
	{"max_clicks", []string{"maxvisits", "clicklimit"}, true, number("max_clicks")},
	{"disabled", []string{"archived", "banned", "status"}, true, addDisabled},
	{"expired_url", nil, true, trimmed("expired_url")},
	{"password", nil, false, addPassword},
	{"redirect_status", nil, true, number("redirect_status")},
	{"forward_query", nil, true, boolean("forward_query")},
	{"forward_path", nil, true, boolean("forward_path")},
	{"rules", nil, true, addRules},
	{"clicks", []string{
		"totalclicks", "hits", "visits", "totalvisits", "visitcount", "visitscount",
		"totalengagements", "engagements",
	}, false, func(l *line, cell string) (err error) {
		l.clicks, err = wholeNumber(cell)
		return err
	}},
	{"day", nil, false, func(l *line, cell string) (err error) {
		l.day, _, err = l.times.parse(cell)
		return err
	}},
	{"hour", nil, false, func(l *line, cell string) (err error) {
		l.hour, _, err = l.times.parse(cell)
		return err
	}},
}

// ranked is a field, and how good a name is for it: 0 is its own.
type ranked struct {
	*field
	rank int
}

// byName finds fields by the folded names of columns.
var byName, maxRank = func() (map[string]ranked, int) {
	all, most := map[string]ranked{}, 0
	for _, f := range fields {
		all[fold(f.name)] = ranked{f, 0}
		for i, name := range f.names {
			all[name] = ranked{f, i + 1}
		}
		most = max(most, len(f.names))
	}
	return all, most
}()

// Fields returns the names of all fields.
func Fields() (names []string) {
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}

func trimmed(name string) func(*line, string) error {
	return func(l *line, cell string) error {
		l.quoted(name, strings.TrimSpace(cell))
		return nil
	}
}

// pathOf returns the path of a short URL, decoded. A path alone is one, too.
func pathOf(cell string) (string, error) {
	path := strings.TrimSpace(cell)
	if scheme, rest, ok := strings.Cut(path, "://"); ok && !strings.ContainsAny(scheme, "/?#") {
		path, _, _ = strings.Cut(rest, "#")
		path, _, _ = strings.Cut(path, "?")
		_, path, _ = strings.Cut(path, "/")
	}
	path = strings.Trim(path, "/")
	if path == "" {
		return "", fmt.Errorf("is %q, which has no short code", cell)
	}
	if decoded, err := url.PathUnescape(path); err == nil {
		path = decoded
	}
	return path, nil
}

// host is a host with a path behind it, as in bit.ly/4kD.
var host = regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:[0-9]+)?/`)

func addShortURL(l *line, cell string) (err error) {
	cell = strings.TrimSpace(cell)
	if host.MatchString(cell) {
		cell = "https://" + cell
	}
	l.urlCode, err = pathOf(cell)
	return err
}

// addTags adds tags, which commas separate if there is one, else bars.
func addTags(l *line, cell string) error {
	separator := "|"
	if strings.Contains(cell, ",") {
		separator = ","
	}
	tags := strings.Split(cell, separator)
	for i := range tags {
		tags[i] = strings.TrimSpace(tags[i])
	}
	tags = slices.DeleteFunc(tags, func(tag string) bool { return tag == "" })
	l.list("tags", tags)
	return nil
}

// addAliases adds aliases, which blanks separate, because they may have commas. They may be whole
// URLs.
func addAliases(l *line, cell string) (err error) {
	aliases := strings.Fields(cell)
	for i := range aliases {
		if aliases[i], err = pathOf(aliases[i]); err != nil {
			return err
		}
	}
	l.list("aliases", aliases)
	return nil
}

// instant returns what adds a time. A day ends with its last microsecond, if its end is meant.
func instant(name string, end bool) func(*line, string) error {
	return func(l *line, cell string) error {
		at, day, err := l.times.parse(cell)
		if err != nil {
			return err
		}
		if day && end {
			at = at.AddDate(0, 0, 1).Add(-time.Microsecond)
		}
		l.quoted(name, at.UTC().Format(microseconds))
		return nil
	}
}

// grouped is a number with commas, blanks, apostrophes or dots between its thousands.
var grouped = regexp.MustCompile(
	`^[0-9]{1,3}(([,'  \x{202f}][0-9]{3})+|(\.[0-9]{3})+)$`)

// wholeNumber parses a number as products and spreadsheets write it.
func wholeNumber(cell string) (int64, error) {
	digits := strings.TrimSpace(cell)
	if grouped.MatchString(digits) {
		digits = strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return r
			}
			return -1
		}, digits)
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("is %q; it must be a whole number", cell)
	}
	return n, nil
}

func number(name string) func(*line, string) error {
	return func(l *line, cell string) error {
		n, err := wholeNumber(cell)
		l.member(name, strconv.AppendInt(nil, n, 10))
		return err
	}
}

// words are the words for yes and no.
var words = map[string]bool{
	"true": true, "yes": true, "y": true, "1": true, "x": true,
	"false": false, "no": false, "n": false, "0": false,
}

// states are states of links in other products and here, and whether such a link is disabled.
var states = map[string]bool{
	"disabled": true, "archived": true, "inactive": true, "banned": true, "paused": true,
	"active": false, "enabled": false, "scheduled": false, "expired": false, "used_up": false,
	"normal": false,
}

func addDisabled(l *line, cell string) error {
	word := strings.ToLower(strings.TrimSpace(cell))
	disabled, known := states[word]
	if !known {
		if disabled, known = words[word]; !known {
			return fmt.Errorf("is %q; it must be true or false", cell)
		}
	}
	l.member("disabled", strconv.AppendBool(nil, disabled))
	return nil
}

func boolean(name string) func(*line, string) error {
	return func(l *line, cell string) error {
		value, known := words[strings.ToLower(strings.TrimSpace(cell))]
		if !known {
			return fmt.Errorf("is %q; it must be true or false", cell)
		}
		l.member(name, strconv.AppendBool(nil, value))
		return nil
	}
}

// addPassword adds a password or the hash of one. Some exports only say whether a link has one.
func addPassword(l *line, cell string) error {
	has, flag := words[strings.ToLower(cell)]
	switch {
	case flag && has:
		return errors.New("is missing: the table only says that the link has one")
	case flag:
	case strings.HasPrefix(cell, "$argon2id$"), strings.HasPrefix(cell, "$2"):
		l.quoted("password_hash", cell)
	default:
		l.quoted("password", cell)
	}
	return nil
}

func addRules(l *line, cell string) error {
	rules := jsontext.Value(cell)
	if !rules.IsValid() || rules.Compact() != nil { // without line ends
		return errors.New("must be a list of rules in JSON")
	}
	l.member("rules", rules)
	return nil
}
