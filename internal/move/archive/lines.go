package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/link/address"
	"terse/internal/link/manage"
	"terse/internal/text/jsonbody"
	"terse/internal/visit/password"
)

// The times of clicks may lie between these bounds, the second of which counts from now.
var (
	firstTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	ahead     = 24 * time.Hour
)

// ClickTimes returns the first and last time that clicks may have now.
func ClickTimes(now time.Time) (first, last time.Time) { return firstTime, now.Add(ahead) }

// maxDayClicks bounds the dropped clicks and the visitors of a day, so that sums do not overflow.
const maxDayClicks = terse.MaxOwnerClicks

// LinkLine is what a link line says, except the options of the link. A field that is null counts as
// absent, and so do those below that are zero. A PasswordHash is one that imports may bring.
type LinkLine struct {
	ShortCode    string
	OriginalURL  string
	PasswordHash string
	terse.Restored
	LastClick time.Time
	// Part says that fields which the line lacks are not known, as in a row of a table.
	Part bool
	// Options are all other fields: those of a link's options, and unknown ones. They are valid as
	// long as the line.
	Options []Field
	// Notes say which values were dropped, and why.
	Notes []string
	// CreatedBy is whose link it was; Owner reads it. It is zero if the line does not say.
	CreatedBy Field
}

// Owner returns whose link it was, "" if the line does not say. A line whose Owner can't be read
// fails only if that is asked for.
func (l *LinkLine) Owner() (identity string, err error) {
	if l.CreatedBy.Name == "" {
		return "", nil
	}
	return l.CreatedBy.text()
}

// Link reads a link line of an import that runs now. Its error is an *terse.Error of kind Invalid,
// as are those of the other methods: the line fails.
func (l *Line) Link(now time.Time) (line LinkLine, err error) {
	for _, f := range l.Fields {
		switch f.Name {
		case "short_code":
			line.ShortCode, err = f.text()
		case "original_url":
			line.OriginalURL, err = f.text()
		case "created_at":
			line.CreatedAt = line.timeOrNote(f)
		case "updated_at":
			line.UpdatedAt = line.timeOrNote(f)
		case "last_clicked_at":
			line.LastClick, err = f.time()
		case "password_hash":
			if line.PasswordHash, err = f.text(); err == nil && !f.isNull() {
				err = checkHash(line.PasswordHash)
			}
		case "clicks_used":
			if f.isNull() {
				continue
			}
			var used int64
			used, err = f.whole(0, terse.MaxMaxClicks)
			line.Used = &used
		case "part":
			line.Part = string(f.Value) == "true"
		case "share":
			err = line.setShare(f)
		case "history":
			line.setHistory(f, now)
		case "domain":
			if !f.isNull() && string(f.Value) != `""` {
				line.Notes = append(line.Notes, "domain was dropped: this server has only one")
			}
		case "created_by":
			line.CreatedBy = f
		case "click_count": // follows from the clicks
		default:
			line.Options = append(line.Options, f)
		}
		if err != nil {
			return line, err
		}
	}
	return line, nil
}

// checkHash refuses what is no hash of a password, so that its link does not open without one.
func checkHash(hash string) error {
	if password.Check(hash) == nil {
		return nil
	}
	return terse.Invalidf("password_hash", "password_hash must be argon2id, of at most 64 MiB, "+
		"4 passes and 4 lanes, or bcrypt, of a cost of at most 12")
}

// timeOrNote returns a time that the link can do without.
func (l *LinkLine) timeOrNote(f Field) time.Time {
	at, err := f.time()
	if err != nil {
		l.Notes = append(l.Notes, f.Name+" was left out: "+err.Error())
		return time.Time{}
	}
	return at
}

func (l *LinkLine) setShare(f Field) error {
	text, err := f.text()
	if err != nil || text == "" {
		return err
	}
	var ok bool
	if l.Share, ok = terse.ParseShare(text); !ok {
		l.Notes = append(l.Notes, "share was dropped: it is not 22 to 64 characters of base64url")
	}
	return nil
}

func (l *LinkLine) setHistory(f Field, now time.Time) {
	var values []jsontext.Value
	if jsonv2.Unmarshal(f.Value, &values) != nil {
		l.Notes = append(l.Notes, "history was dropped: it is not a list")
		return
	}
	var changes []Change
	for _, value := range values {
		var c Change
		err := jsonv2.Unmarshal(value, &c, jsonv2.RejectUnknownMembers(true))
		if err == nil && c.isValid(now) {
			changes = append(changes, c)
		}
	}
	if dropped := len(values) - len(changes); dropped > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("%d changes of history were dropped: they must be "+
			"as the API has them, by and request_id plain text, and not from after tomorrow",
			dropped))
	}
	l.History = entries(changes)
	if len(l.History) > terse.MaxHistory {
		l.Notes = append(l.Notes, fmt.Sprintf("history was cut to %d changes", terse.MaxHistory))
		l.History = slices.Clone(l.History[:terse.MaxHistory]) // frees the others
	}
}

// maxName bounds who made a change, and the ID of the request.
const maxName = 256

// isValid reports whether a change can be one of a link's, and can be shown.
func (c Change) isValid(now time.Time) bool {
	plain := func(text string) bool {
		return len(text) <= maxName && !strings.ContainsFunc(text, unicode.IsControl)
	}
	for name, field := range c.Fields {
		field = terse.FieldChange{Old: notNull(field.Old), New: notNull(field.New)}
		if !terse.ValidChange(name, field) {
			return false
		}
	}
	return len(c.Fields) > 0 && isShown(c.Time.UTC()) && !c.Time.After(now.Add(ahead)) &&
		plain(c.By) && plain(c.RequestID)
}

// isShown reports whether a time in UTC can be shown (RFC 3339).
func isShown(t time.Time) bool { return !t.IsZero() && t.Year() >= 1 && t.Year() <= 9999 }

// Export reads an export line.
func (l *Line) Export() (links, clicks int64, err error) {
	version := Field{Name: "version"}
	for _, f := range l.Fields {
		switch f.Name {
		case "version":
			version = f
		case "links":
			links, err = f.whole(0, math.MaxInt64)
		case "clicks":
			clicks, err = f.whole(0, math.MaxInt64)
		}
		if err != nil {
			return links, clicks, err
		}
	}
	if version.isNull() {
		return links, clicks, terse.Invalidf("version", "the export has no version")
	}
	n, err := version.whole(math.MinInt64, math.MaxInt64)
	if err == nil && n != Version {
		err = terse.Invalidf("version", "export version %d is not supported", n)
	}
	return links, clicks, err
}

// End reads an end line.
func (l *Line) End() (links, clicks int64, err error) {
	for _, f := range l.Fields {
		switch f.Name {
		case "links":
			links, err = f.whole(0, math.MaxInt64)
		case "clicks":
			clicks, err = f.whole(0, math.MaxInt64)
		}
		if err != nil {
			return links, clicks, err
		}
	}
	return links, clicks, nil
}

// DayLine is what a day line says.
type DayLine struct {
	Day      terse.Day
	Clicks   int64
	Visitors int64
	Notes    []string
}

// Day reads a day line.
func (l *Line) Day(now time.Time) (line DayLine, err error) {
	dated := false
	for _, f := range l.Fields {
		switch f.Name {
		case "date":
			line.Day, err = f.day(now)
			dated = true
		case "clicks":
			line.Clicks, err = f.count(0, maxDayClicks)
		case "visitors":
			line.Visitors, err = f.count(0, maxDayClicks)
		default:
			line.Notes = append(line.Notes, unknown(f))
		}
		if err != nil {
			return line, err
		}
	}
	if !dated {
		return line, terse.Invalidf("date", "date is required")
	}
	return line, nil
}

// CountsLine is what a counts line says.
type CountsLine struct {
	Day terse.Day
	// PastCounts are without the default value of the dimension.
	terse.PastCounts
	Notes []string
}

// Counts reads a counts line. Of a dimension that this version does not know there are no Values.
func (l *Line) Counts(now time.Time) (line CountsLine, err error) {
	dated := false
	dimension, counts := "", Field{}
	people, visitors := Field{}, Field{}
	for _, f := range l.Fields {
		switch f.Name {
		case "date":
			line.Day, err = f.day(now)
			dated = true
		case "dimension":
			dimension, err = f.text()
		case "counts":
			counts = f
		case "people":
			people = f
		case "visitors":
			visitors = f
		default:
			line.Notes = append(line.Notes, unknown(f))
		}
		if err != nil {
			return line, err
		}
	}
	switch {
	case !dated:
		return line, terse.Invalidf("date", "date is required")
	case dimension == "":
		return line, terse.Invalidf("dimension", "dimension is required")
	case counts.isNull():
		return line, terse.Invalidf("counts", "counts is required")
	}
	d, ok := dimensionsByName[dimension]
	if !ok {
		line.Notes = append(line.Notes, fmt.Sprintf("dimension %s was dropped: it is not known",
			jsonbody.Quote(dimension)))
		return line, nil
	}
	line.Dimension = d
	return line, line.setValues(counts, people, visitors)
}

func (l *CountsLine) setValues(counts, people, visitors Field) error {
	of, err := counts.counts()
	if err != nil {
		return err
	}
	ofPeople := of
	if !people.isNull() {
		if ofPeople, err = people.counts(); err != nil {
			return err
		}
	}
	firsts, err := visitors.counts()
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name   string
		counts map[string]int64
	}{{"people", ofPeople}, {"visitors", firsts}} {
		for value, n := range part.counts {
			if n > of[value] {
				return terse.Invalidf(part.name, "%s of %s must be at most its counts", part.name,
					jsonbody.Quote(value))
			}
		}
	}
	for value, n := range of {
		parsed, ok := valueOf(l.Dimension, value)
		switch {
		case !ok:
			l.Notes = append(l.Notes, dropped(l.Dimension, value))
		case parsed != "" && n > 0:
			l.Values = append(l.Values, terse.PastValue{
				Value: parsed, Clicks: n, People: ofPeople[value], Firsts: firsts[value],
			})
		}
	}
	slices.Sort(l.Notes)
	slices.SortFunc(l.Values, func(a, b terse.PastValue) int {
		return cmp.Compare(a.Value, b.Value)
	})
	return nil
}

// ClickLine is what a click line says.
type ClickLine struct {
	terse.PastClick
	// Undated says that the line has no time: the clicks count where the link was created.
	Undated bool
	// UserAgent and Address are those of the visitor, from which missing values can be derived; "":
	// not given.
	UserAgent, Address string
	Notes              []string
}

// Click reads a click line.
func (l *Line) Click(now time.Time) (line ClickLine, err error) {
	line.Count = 1
	timed := false
	for _, f := range l.Fields {
		switch f.Name {
		case "time":
			line.Time, err = f.clickTime(now)
			timed = true
		case "count":
			line.Count, err = f.count(1, MaxCount)
		case "firsts":
			line.Firsts, err = f.count(0, MaxCount)
		case "user_agent":
			line.UserAgent, err = f.text()
		case "address":
			line.Address, err = f.text()
		default:
			err = line.setValue(f)
		}
		if err != nil {
			return line, err
		}
	}
	line.Undated = !timed
	if line.Firsts > line.Count {
		return line, terse.Invalidf("firsts", "firsts must be at most count")
	}
	return line, nil
}

func (l *ClickLine) setValue(f Field) error {
	d, ok := dimensionsByName[f.Name]
	if !ok {
		l.Notes = append(l.Notes, unknown(f))
		return nil
	}
	text, err := f.text()
	if err != nil {
		return err
	}
	if _, derived := d.From(); derived || text == "" {
		return nil
	}
	value, ok := valueOf(d, text)
	if !ok {
		l.Notes = append(l.Notes, dropped(d, text))
		return nil
	}
	l.Values[d] = value
	return nil
}

func unknown(f Field) string {
	return fmt.Sprintf("field %s was dropped: it is not known", jsonbody.Quote(f.Name))
}

func dropped(d terse.Dimension, value string) string {
	return fmt.Sprintf("%s was dropped: it can not be %s", d, jsonbody.Quote(value))
}

// dimensionsByName are all dimensions.
var dimensionsByName = func() map[string]terse.Dimension {
	named := map[string]terse.Dimension{}
	for d := range terse.NumDimensions {
		named[d.String()] = d
	}
	return named
}()

// valueOf returns a value as clicks have it, "" for the default. It fails if the dimension can't
// have it, and returns no value then.
func valueOf(d terse.Dimension, text string) (value string, ok bool) {
	switch d {
	case terse.ByCountry, terse.ByDevice, terse.ByVisitor:
		parsed, err := d.ParseFilter(d.String(), text)
		if err != nil {
			return "", false
		}
		text = parsed
	default:
		if text != d.Unknown() && text != terse.OtherValue && (text == "" ||
			len(text) > d.MaxBytes() || strings.ContainsFunc(text, unicode.IsControl) ||
			!fits(d, text)) {
			return "", false
		}
	}
	if text == d.Unknown() {
		return "", true
	}
	return text, true
}

// fits reports whether a text has the form of a dimension's values.
func fits(d terse.Dimension, text string) bool {
	switch d {
	case terse.ByReferrer:
		return terse.ParseReferrer([]byte(text)) == text
	case terse.ByLanguage:
		return len(text) >= 2 && !strings.ContainsFunc(text, func(r rune) bool {
			return r < 'a' || r > 'z'
		})
	case terse.BySource, terse.ByMedium, terse.ByCampaign:
		return utf8.RuneCountInString(text) <= terse.MaxUTMChars &&
			strings.TrimSpace(text) == text
	case terse.ByRule:
		return utf8.RuneCountInString(text) <= terse.MaxRuleName
	case terse.ByAlias:
		return text[0] == '/' && address.Valid(text[1:])
	}
	return true
}

func (f Field) isNull() bool {
	return f.Value == nil || f.Value.Kind() == jsontext.KindNull
}

// text returns a string, "" for null.
func (f Field) text() (string, error) {
	switch {
	case f.isNull():
		return "", nil
	case f.Value.Kind() != jsontext.KindString:
		return "", f.mustBe("a string")
	}
	return textOf(f.Value), nil
}

func (f Field) mustBe(what string) error {
	return terse.Invalidf(f.Name, "field %s must be %s", jsonbody.Quote(f.Name), what)
}

// time returns a time that can be shown, or zero for null.
func (f Field) time() (t time.Time, err error) {
	text, err := f.text()
	if err != nil || f.isNull() {
		return t, err
	}
	t, err = terse.ParseTime(f.Name, text)
	if err == nil && !isShown(t) {
		err = terse.Invalidf(f.Name, "%s must be in the years 1 to 9999, in UTC", f.Name)
	}
	return t, err
}

// clickTime returns the time of a click in microseconds since 1970.
func (f Field) clickTime(now time.Time) (int64, error) {
	text, err := f.text()
	if err != nil {
		return 0, err
	}
	t, err := terse.ParseTime(f.Name, text)
	if first, last := ClickTimes(now); err == nil && (t.Before(first) || t.After(last)) {
		err = f.outside()
	}
	return t.UnixMicro(), err
}

// day returns the day of clicks.
func (f Field) day(now time.Time) (terse.Day, error) {
	text, err := f.text()
	if err != nil {
		return 0, err
	}
	day, err := terse.ParseDay(f.Name, text)
	if err == nil && (day < terse.DayOf(firstTime.UnixMicro()) ||
		day > terse.DayOf(now.Add(ahead).UnixMicro())) {
		err = f.outside()
	}
	return day, err
}

func (f Field) outside() error {
	return terse.Invalidf(f.Name, "%s must be from the year 2000 to one day ahead", f.Name)
}

// count is like whole, and returns the least value for null.
func (f Field) count(least, most int64) (int64, error) {
	if f.isNull() {
		return least, nil
	}
	return f.whole(least, most)
}

// whole returns a number without a fraction. It may be written in any form: 5.0 is 5.
func (f Field) whole(least, most int64) (int64, error) {
	if f.Value.Kind() != jsontext.KindNumber {
		return 0, f.mustBe("a whole number")
	}
	n, err := strconv.ParseInt(string(f.Value), 10, 64)
	if err != nil {
		var number float64
		if json.Unmarshal(f.Value, &number) != nil || number != math.Trunc(number) ||
			math.Abs(number) > 1<<53 {
			return 0, f.mustBe("a whole number")
		}
		n = int64(number)
	}
	if n < least || n > most {
		return 0, terse.Invalidf(f.Name, "%s must be %d to %d", f.Name, least, most)
	}
	return n, nil
}

// counts returns an object of counts, nil for null.
func (f Field) counts() (counts map[string]int64, err error) {
	if f.isNull() {
		return nil, nil
	}
	var numbers map[string]jsontext.Value
	if jsonv2.Unmarshal(f.Value, &numbers) != nil {
		return nil, f.mustBe("an object of counts")
	}
	if len(numbers) > MaxCounts {
		return nil, terse.Invalidf(f.Name, "%s must have at most %d values", f.Name, MaxCounts)
	}
	counts = make(map[string]int64, len(numbers))
	for name, number := range numbers {
		counts[name], err = Field{f.Name, number}.whole(0, maxDayClicks)
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// ShareLine is what a share line says. It is about one of ShortCode, Tag and the overview.
type ShareLine struct {
	Share                terse.Share
	ShortCode            string
	OriginalURL          string // of the link; "": the line does not say
	Tag                  string
	Title                string
	CreatedBy            string // whose it is; "": the line does not say
	CreatedAt, ExpiresAt time.Time
	PasswordHash         string
	Notes                []string
}

// Share reads a share line. What could open the share to more people than before fails it.
func (l *Line) Share() (line ShareLine, err error) {
	overview := false
	for _, f := range l.Fields {
		switch f.Name {
		case "share":
			var text string
			if text, err = f.text(); err == nil {
				var ok bool
				if line.Share, ok = terse.ParseShare(text); !ok {
					err = terse.Invalidf(f.Name, "share must be 22 to 64 characters of base64url")
				}
			}
		case "short_code":
			line.ShortCode, err = f.text()
		case "original_url":
			line.OriginalURL, err = f.text()
		case "tag":
			if line.Tag, err = f.text(); err == nil && line.Tag != "" {
				line.Tag, err = manage.ParseTag(f.Name, line.Tag)
			}
		case "overview":
			overview = string(f.Value) == "true"
			if !overview && !f.isNull() && string(f.Value) != "false" {
				err = f.mustBe("true or false")
			}
		case "domain":
			if !f.isNull() && string(f.Value) != `""` {
				line.Notes = append(line.Notes, "domain was dropped: this server has only one")
			}
		case "title":
			line.Title, err = f.text()
		case "created_by":
			line.CreatedBy, err = f.text()
		case "created_at":
			line.CreatedAt, err = f.time()
		case "expires_at":
			line.ExpiresAt, err = f.time()
		case "password_hash":
			if line.PasswordHash, err = f.text(); err == nil && !f.isNull() {
				err = checkHash(line.PasswordHash)
			}
		default:
			line.Notes = append(line.Notes, unknown(f))
		}
		if err != nil {
			return line, err
		}
	}
	about := 0
	for _, given := range []bool{line.ShortCode != "", line.Tag != "", overview} {
		if given {
			about++
		}
	}
	switch {
	case line.Share == "":
		err = terse.Invalidf("share", "share is required")
	case about != 1:
		err = terse.Invalidf("", "a share must have one of short_code, tag and overview")
	}
	return line, err
}
