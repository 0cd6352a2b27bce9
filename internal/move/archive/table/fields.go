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
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse/internal/move/archive"
	"terse/internal/move/archive/sources"
)

// field is what a column can stand for.
type field struct {
	name string // as in a link line, if it is in one
	// names are other names of the column, folded, the best first.
	names []string
	kind
	add func(l *line, cell string) error // cell is not empty
	is  func(cell string) bool           // whether it can be added; nil: add says so
}

// kind says how a field is read.
type kind struct {
	option   bool // it is an option of the link, which a link with an empty cell does not have
	byName   bool // a column is known by its name, whatever is in it: what can't be read fails
	optional bool // what can't be read is left out
	codes    bool // it has addresses of the link
	text     bool // it is any text, even one that stands for no value elsewhere
	state    bool // it says whether the link is switched off
}

// unread is the field of a column that is left out.
var unread = &field{}

// codeOfBareURL is the field of a column of codes that has short URLs without a scheme.
var codeOfBareURL = &field{
	"short_code", nil,
	kind{codes: true, text: true},
	func(l *line, cell string) (err error) {
		l.code, err = placeOf(withScheme(strings.TrimSpace(cell)))
		return err
	}, nil,
}

// fields are all fields. The names are those of the exports and tables of other products.
var fields = []*field{
	{"original_url", []string{
		"longurl", "destinationurl", "destination", "targeturl", "target", "redirecturl",
		"longlink", "long", "url",
	}, kind{}, trimmed("original_url"), isMeantAsURL},
	{"short_code", []string{
		"code", "slug", "slashtag", "keyword", "customslug", "custombackhalf", "backhalf", "alias",
		"shortid", "hash", "path", "short", "key", "address", "sourceurl", "source",
	}, kind{codes: true, text: true}, func(l *line, cell string) (err error) {
		l.code, err = placeOf(cell)
		return err
	}, isAddress},
	{
		"short_url",
		[]string{"shortlink", "bitlink", "tinyurl", "prettylink", "link"},
		kind{codes: true, text: true},
		addShortURL, func(cell string) bool {
			return isAddress(withScheme(strings.TrimSpace(cell)))
		},
	},
	{"domain", []string{"host", "hostname"}, kind{text: true}, addDomain, isDomain},
	{"title", []string{"name"}, kind{option: true, text: true}, func(l *line, cell string) error {
		title := strings.Join(strings.Fields(cell), " ") // pages have line ends in titles
		l.AddString("title", title)
		return nil
	}, nil},
	{
		"note",
		[]string{"notes", "comment", "comments", "description"},
		kind{option: true, text: true},
		func(l *line, cell string) error { // as it is: a note may begin and end with line breaks
			l.AddString("note", cell)
			return nil
		}, nil,
	},
	{"tags", []string{"tag", "labels"}, kind{option: true, text: true}, addTags, nil},
	{"aliases", nil, kind{text: true}, addAliases, nil},
	{"created_at", []string{
		"created", "datecreated", "createddate", "creationdate", "createdon", "timestamp",
		"timeadded",
	}, kind{optional: true}, instant("created_at", false), nil},
	{"created_by", nil, kind{text: true}, trimmed("created_by"), nil},
	{"updated_at", []string{
		"updated", "lastedit", "modified",
	}, kind{optional: true}, instant("updated_at", false), nil},
	{"starts_at", []string{
		"validsince", "validfrom", "startdate",
	}, kind{option: true, byName: true}, instant("starts_at", false), nil},
	{"expires_at", []string{
		"validuntil", "expires", "expirydate", "expirationdate", "expiration", "expirytime",
		"expirein", "expiry",
	}, kind{option: true, byName: true}, func(l *line, cell string) (err error) {
		l.end, err = addInstant(l, "expires_at", cell, true)
		return err
	}, nil},
	{
		"max_clicks",
		[]string{"maxvisits", "clicklimit"},
		kind{option: true, byName: true},
		func(l *line, cell string) (err error) {
			l.limit, err = wholeNumber(cell)
			l.AddInt("max_clicks", l.limit)
			return err
		}, nil,
	},
	{"disabled", []string{"banned", "inactive"}, kind{byName: true, state: true}, addOff, nil},
	{"archived", nil, kind{byName: true}, func(l *line, cell string) error {
		is, err := yesOrNo(cell)
		l.archived = l.archived || is
		return err
	}, nil},
	{"status", []string{"state"}, kind{state: true}, addState, nil},
	{"expired_url", nil, kind{option: true}, trimmed("expired_url"), isURL},
	{"password", nil, kind{byName: true}, addPassword, nil},
	{"redirect_status", nil, kind{option: true}, number("redirect_status"), nil},
	{"forward_query", nil, kind{option: true}, boolean("forward_query"), nil},
	{"forward_path", nil, kind{option: true}, boolean("forward_path"), nil},
	{"rules", nil, kind{option: true}, addRules, nil},
	{"clicks", []string{
		"totalclicks", "clickstotal", "hits", "visits", "totalvisits", "visitcount", "visitscount",
		"totalengagements", "engagements",
	}, kind{optional: true}, func(l *line, cell string) (err error) {
		l.clicks, err = wholeNumber(cell)
		return err
	}, nil},
	{"day", nil, kind{}, func(l *line, cell string) (err error) {
		l.day, _, err = l.times.parse(cell)
		return err
	}, nil},
	{"hour", nil, kind{}, func(l *line, cell string) (err error) {
		l.hour, _, err = l.times.parse(cell)
		return err
	}, nil},
}

// nothing are words that stand for no value.
var nothing = map[string]bool{
	"": true, "null": true, `\n`: true,
	"none": true, "nan": true, "n/a": true, "-": true, "never": true, "unlimited": true,
}

// zeroDate is what MySQL has for no time.
var zeroDate = regexp.MustCompile(`^0000-00-00([ T]00:00(:00(\.0+)?)?Z?)?$`)

// isNothing reports whether a cell has no value, whatever its column is.
func isNothing(cell string) bool {
	switch strings.ToLower(strings.TrimSpace(cell)) {
	case "", "null", `\n`:
		return true
	}
	return false
}

// empty reports whether a cell has no value.
func (f *field) empty(cell string) bool {
	if f.text {
		return isNothing(cell)
	}
	cell = strings.TrimSpace(cell)
	if nothing[strings.ToLower(cell)] || zeroDate.MatchString(cell) {
		return true
	}
	n, err := wholeNumber(cell)
	return f.name == "expires_at" && err == nil && n == 0
}

// reads reports whether a cell, which is not empty, can be read as the field. A time of which only
// the order of its parts is unknown is one.
func (f *field) reads(times times, cell string) bool {
	if f.is != nil {
		return f.is(cell)
	}
	err := f.try(times, cell)
	return err == nil || errors.Is(err, errAmbiguous)
}

// try says why a cell, which is not empty, can't be added.
func (f *field) try(times times, cell string) error {
	return f.add(&line{Builder: &archive.Builder{}, times: times}, cell)
}

// whyNot says why a cell can't be read as the field.
func (f *field) whyNot(times times, cell string) string {
	short := cutExample(cell)
	if err := f.try(times, short); err != nil && short == cell {
		return f.name + " " + err.Error()
	}
	return fmt.Sprintf("%s can't be %q", f.name, short)
}

// ranked is a field, and how good a name is for it: 0 is its own.
type ranked struct {
	*field
	rank int
}

// byName finds fields by the folded names of columns.
var byName = func() map[string]ranked {
	all := map[string]ranked{}
	for _, f := range fields {
		all[fold(f.name)] = ranked{f, 0}
		for i, name := range f.names {
			all[name] = ranked{f, i + 1}
		}
	}
	return all
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
		l.AddString(name, strings.TrimSpace(cell))
		return nil
	}
}

// place is an address of a link.
type place struct {
	host string // "": not known
	path string // decoded
}

// placeOf returns the place of a short URL. A path alone is one, too.
func placeOf(cell string) (p place, err error) {
	path := strings.TrimSpace(cell)
	if scheme, rest, ok := strings.Cut(path, "://"); ok && !strings.ContainsAny(scheme, "/?#") {
		path, _, _ = strings.Cut(rest, "#")
		path, _, _ = strings.Cut(path, "?")
		p.host, path, _ = strings.Cut(path, "/")
		if p.host = strings.ToLower(p.host); p.host != "" {
			if name, ok := sources.HostName(p.host); ok {
				p.host = name
			}
		}
	}
	p.path = strings.Trim(path, "/")
	if p.path == "" {
		return p, fmt.Errorf("is %q, which has no short code", cell)
	}
	if decoded, err := url.PathUnescape(p.path); err == nil {
		p.path = decoded
	}
	return p, nil
}

// hostOf returns the host in a cell, also of a URL without a path. ok is false if it is none.
func hostOf(cell string) (name string, ok bool) {
	cell = strings.TrimSpace(cell)
	if _, rest, found := strings.Cut(cell, "://"); found {
		cell = strings.TrimSuffix(rest, "/")
	}
	if strings.ContainsAny(cell, "/ ?#@") {
		return "", false
	}
	return sources.HostName(cell)
}

// isDomain reports whether a cell is the name of a host below another one. A single word is more
// likely something else, until the column is known.
func isDomain(cell string) bool {
	name, ok := hostOf(cell)
	return ok && strings.Contains(name, ".")
}

// addDomain adds the host of the code. One that can't be read could be that of another domain.
func addDomain(l *line, cell string) (err error) {
	var ok bool
	if l.host, ok = hostOf(cell); !ok {
		return fmt.Errorf("is %q; it must be a host, such as go.example", cell)
	}
	return nil
}

// host is a host with a path behind it, as in bit.ly/4kD.
var host = regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+(:[0-9]+)?/`)

func addShortURL(l *line, cell string) (err error) {
	l.urlCode, err = placeOf(withScheme(strings.TrimSpace(cell)))
	return err
}

// withScheme returns a short URL with a scheme, which many products leave out.
func withScheme(cell string) string {
	if host.MatchString(cell) {
		return "https://" + cell
	}
	return cell
}

// addTags adds tags: a list in JSON, or what commas separate if there is one, else bars, else
// semicolons.
func addTags(l *line, cell string) error {
	cell = strings.TrimSpace(cell)
	var tags []string
	if cell[0] != '[' || json.Unmarshal([]byte(cell), &tags) != nil {
		separator := ";"
		for _, s := range []string{"|", ","} {
			if strings.Contains(cell, s) {
				separator = s
			}
		}
		tags = strings.Split(cell, separator)
	}
	for i := range tags {
		tags[i] = strings.TrimSpace(tags[i])
	}
	tags = slices.DeleteFunc(tags, func(tag string) bool { return tag == "" })
	l.AddStrings("tags", tags)
	return nil
}

// addAliases adds aliases: a JSON list, or parted by blanks, commas, bars or semicolons. They may
// be whole URLs.
func addAliases(l *line, cell string) error {
	cell = strings.TrimSpace(cell)
	var aliases []string
	if cell[0] != '[' || json.Unmarshal([]byte(cell), &aliases) != nil {
		parts := func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",|;", c) }
		aliases = strings.FieldsFunc(cell, parts)
	}
	for _, alias := range aliases {
		if l.atHosts {
			alias = withScheme(strings.TrimSpace(alias))
		}
		p, err := placeOf(alias)
		if err != nil {
			return err
		}
		l.aliases = append(l.aliases, p)
	}
	return nil
}

func instant(name string, end bool) func(*line, string) error {
	return func(l *line, cell string) error {
		_, err := addInstant(l, name, cell, end)
		return err
	}
}

// addInstant adds a time. A day ends with its last microsecond, if its end is meant.
func addInstant(l *line, name, cell string, end bool) (time.Time, error) {
	at, day, err := l.times.parse(cell)
	if err != nil {
		return at, err
	}
	if day && end {
		at = at.AddDate(0, 0, 1).Add(-time.Microsecond)
	}
	l.AddTime(name, at)
	return at, nil
}

// grouped is a number with commas, dots, blanks or apostrophes between its thousands.
var grouped = regexp.MustCompile(
	`^[0-9]{1,3}((,[0-9]{3})*|(\.[0-9]{3})*|(\p{Zs}[0-9]{3})*|(['\x{2019}\x{2bc}][0-9]{3})*)$`)

// wholeNumber parses a number as products and spreadsheets write it.
func wholeNumber(cell string) (int64, error) {
	digits := strings.TrimSpace(cell)
	for _, fraction := range []string{".00", ".0"} {
		digits = strings.TrimSuffix(digits, fraction)
	}
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
		l.AddInt(name, n)
		return err
	}
}

// words are the words for yes and no.
var words = map[string]bool{
	"true": true, "yes": true, "y": true, "1": true, "x": true,
	"false": false, "no": false, "n": false, "0": false,
}

// states are the states of links in other products and here, and whether they switch a link off. An
// archived link redirects in the products that have such links.
// Where the table has the start of a scheduled link, the end of an expired one or the limit of a
// used_up one, that says more than the state.
var states = map[string]bool{
	"disabled": true, "inactive": true, "expired": true, "banned": true, "off": true,
	"used_up": true,
	"active":  false, "enabled": false, "on": false, "ok": false, "published": false, "live": false,
	"unread": false, "read": false, "scheduled": false,
	"archived": false,
}

func addState(l *line, cell string) error {
	word := strings.ToLower(strings.TrimSpace(cell))
	off, known := states[word]
	switch {
	case !known:
		return fmt.Errorf("is %q, which is no state that is known", cell)
	case word == "expired":
		l.ended = true
	case word == "used_up":
		l.usedUp = true
	case word == "archived":
		l.archived = true
		l.setOff(false)
	default:
		l.setOff(off)
	}
	return nil
}

func addOff(l *line, cell string) error {
	off, err := yesOrNo(cell)
	if err != nil {
		return err
	}
	l.setOff(off)
	return nil
}

func yesOrNo(cell string) (bool, error) {
	is, known := words[strings.ToLower(strings.TrimSpace(cell))]
	if !known {
		return false, fmt.Errorf("is %q; it must be true or false", cell)
	}
	return is, nil
}

func boolean(name string) func(*line, string) error {
	return func(l *line, cell string) error {
		value, err := yesOrNo(cell)
		if err != nil {
			return err
		}
		l.AddBool(name, value)
		return nil
	}
}

// addPassword adds a password or the hash of one. Some exports only say whether a link has one.
func addPassword(l *line, cell string) error {
	has, flag := words[strings.ToLower(strings.TrimSpace(cell))]
	switch {
	case flag && has:
		l.setOff(true)
		l.notes = append(l.notes, errors.New("password is missing, for the table only says that "+
			"there is one; so the link is disabled"))
	case flag:
	case strings.HasPrefix(cell, "$argon2id$"), strings.HasPrefix(cell, "$2"):
		l.AddString("password_hash", cell)
	default:
		l.AddString("password", cell)
	}
	return nil
}

func addRules(l *line, cell string) error {
	rules := jsontext.Value(cell)
	if !rules.IsValid() || rules.Compact() != nil { // without line ends
		return errors.New("must be a list of rules in JSON")
	}
	l.Add("rules", rules)
	return nil
}
