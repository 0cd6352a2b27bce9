package table

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"terse/internal/move/sheet"
)

// Doubt is a question about a table that somebody should answer before it is imported.
type Doubt struct {
	problem string
	answers []answer
	yes     string // what it says that the table is meant so
}

// answer is COLUMN=FIELD and what that says.
type answer struct{ pair, says string }

// Ask returns the question. mapping returns how COLUMN=FIELD is given, and yes says that the table
// is meant so.
func (d *Doubt) Ask(mapping func(pair string) string, yes string) string {
	var answers []string
	for _, a := range d.answers {
		answers = append(answers, mapping(a.pair)+" "+a.says)
	}
	return fmt.Sprintf("%s: %s, or %s %s", d.problem, strings.Join(answers, ", "), yes, d.yes)
}

// Doubt returns the doubt that the columns and the sample raise, or nil.
func (r *Reader) Doubt() *Doubt { return r.doubt }

// findDoubt looks for codes that would be lost, in a column that is not read, or because others
// have them already, and for links that would be open though the table closes them.
func (r *Reader) findDoubt() {
	if !r.someCodes() {
		r.doubt = r.doubtUnread()
	}
	if r.doubt == nil {
		r.doubt = r.doubtAliases()
	}
	if r.doubt == nil {
		r.doubt = r.doubtStates()
	}
	if r.doubt == nil {
		r.doubt = r.doubtClosing()
	}
	if r.doubt == nil {
		r.doubt = r.doubtRepeated()
	}
}

// someCodes reports whether a column is read for codes, and has some or was given.
func (r *Reader) someCodes() bool {
	for i, f := range r.columns {
		if f == nil || !f.codes {
			continue
		}
		if r.isGiven(i) || r.examples[i] != "" {
			return true
		}
	}
	return false
}

// minCodes is how many different cells a column of codes has at least, if its name is none that
// such a column has.
const minCodes = 3

// kinds of columns that could have codes, the likeliest first
const (
	shortURLs = iota // most cells are
	codeName         // the name is one of such columns
	someText
	plain // numbers or dates
)

// suspect is a column that could have codes.
type suspect struct {
	column, kind int
}

// doubtUnread looks for codes in columns that are not read.
func (r *Reader) doubtUnread() *Doubt {
	var suspects []suspect
	for i, f := range r.columns {
		if f != nil {
			continue
		}
		if s, ok := r.suspect(i); ok {
			suspects = append(suspects, s)
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	slices.SortStableFunc(suspects, func(a, b suspect) int { return cmp.Compare(a.kind, b.kind) })
	best := suspects[0]
	var columns []string
	for _, s := range suspects {
		if s.kind < plain || best.kind == plain {
			columns = append(columns, r.names[s.column])
		}
	}
	name, known := columns[0], r.known(columns[0]).field
	field := "short_code"
	if best.kind == shortURLs || known != nil && known.name == "short_url" {
		field = "short_url"
	}
	return &Doubt{
		"no column is known to have short codes, but " + inWords(columns) + " could",
		[]answer{{name + "=" + field, "if it has them"}, {name + "=", "if it has none"}},
		"if each new link is to get a code of its own",
	}
}

// suspect returns what a column that is not read could be, if it could have codes. One whose name
// is that of a code or a short URL could as soon as a cell of it is one; another if at least three
// different ones are, and these are at least eight in ten of its cells.
func (r *Reader) suspect(column int) (s suspect, ok bool) {
	s = suspect{column, someText}
	name, own := fold(r.names[column]), r.known(r.names[column]).field
	known := own != nil && own.codes
	isCode := couldBeCode
	switch {
	case sourceNames[name]:
		isCode = func(cell string) bool { return isPath(cell) || !known && couldBeCode(cell) }
	case known:
		isCode = func(cell string) bool { return isAddress(withScheme(cell)) }
	}
	all, possible, statuses, urls, plains, different := 0, 0, 0, 0, 0, map[string]bool{}
	r.sampled(column, func(cell string) {
		cell = strings.TrimSpace(cell)
		if nothing[strings.ToLower(cell)] {
			return
		}
		all++
		if !isCode(cell) {
			return
		}
		possible++
		different[cell] = true
		if isStatus(cell) {
			statuses++
		}
		if isShortURL(cell) {
			urls++
		}
		if r.isPlain(cell) {
			plains++
		}
	})
	if possible == 0 || nearly(statuses, all) && !(known && statuses < possible) {
		return s, false // those that say how to redirect are none
	}
	switch {
	case 2*urls > possible:
		s.kind = shortURLs
	case known:
		s.kind = codeName
	case nearly(plains, all):
		s.kind = plain
	}
	return s, known || len(different) >= minCodes && 10*len(different) >= 8*all
}

// isPlain reports whether a cell is a number or a time, which codes seldom are.
func (r *Reader) isPlain(cell string) bool {
	if _, err := wholeNumber(cell); err == nil {
		return true
	}
	_, _, err := r.times.parse(cell)
	return err == nil || errors.Is(err, errAmbiguous)
}

// inWords quotes and joins the names of columns.
func inWords(names []string) string { return strings.Join(quotedAll(names), " or ") }

func quotedAll(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = strconv.Quote(text)
	}
	return all
}

// doubtAliases looks for a column of aliases that is not read though it has some.
func (r *Reader) doubtAliases() *Doubt {
	known := byName["aliases"].field
	for i, f := range r.columns {
		if f != nil || r.known(r.names[i]).field != known {
			continue
		}
		some := false
		r.sampled(i, func(cell string) { some = some || known.reads(r.times, cell) })
		if !some {
			continue
		}
		name := r.names[i]
		return &Doubt{
			fmt.Sprintf("%q is not read, for %s", name, r.whyUnread(i)),
			[]answer{
				{name + "=aliases", "if rows that can't be read are to fail"},
				{name + "=", "if it has no aliases"},
			},
			"if it is not to be read",
		}
	}
	return nil
}

// doubtStates looks for a column of states that is not read though it switches links off.
func (r *Reader) doubtStates() *Doubt {
	for i, f := range r.columns {
		if known := r.known(r.names[i]).field; f != nil || known == nil ||
			known != byName["status"].field {
			continue
		}
		var off, unknown []string
		r.sampled(i, func(cell string) {
			cell = strings.TrimSpace(cell)
			if byName["status"].empty(cell) {
				return
			}
			switches, known := states[strings.ToLower(cell)]
			switch {
			case !known:
				unknown = addWord(unknown, cell)
			case switches:
				off = addWord(off, cell)
			}
		})
		if len(off) == 0 {
			continue
		}
		name := r.names[i]
		return &Doubt{
			fmt.Sprintf("%q switches links off (%s), but it is not read, for it has unknown words "+
				"(%s)", name, someWords(off), someWords(unknown)),
			[]answer{
				{name + "=status", "if rows with these are to fail"},
				{name + "=", "if it says something else"},
			},
			"if it is not to be read",
		}
	}
	return nil
}

// maxWords bounds the words that a question has as examples.
const maxWords = 3

// addWord adds a word to examples, of which someWords knows whether there are too many.
func addWord(examples []string, word string) []string {
	word = cutExample(word)
	if len(examples) > maxWords || slices.Contains(examples, word) {
		return examples
	}
	return append(examples, word)
}

func someWords(examples []string) string {
	text := strings.Join(quotedAll(examples[:min(len(examples), maxWords)]), ", ")
	if len(examples) > maxWords {
		text += " and more"
	}
	return text
}

// doubtClosing looks for starts, ends, limits and passwords in a column that is not read because
// another one is that field, which has something else.
func (r *Reader) doubtClosing() *Doubt {
	for i, f := range r.columns {
		known := r.known(r.names[i]).field
		if f != nil || known == nil || !known.byName {
			continue
		}
		read := slices.Index(r.columns, known)
		if read < 0 || !r.saysMore(i, read, known) {
			continue
		}
		name := r.names[i]
		return &Doubt{
			fmt.Sprintf("%q has cells, but it is not read, for %q is %s", name, r.names[read],
				known.name),
			[]answer{
				{name + "=" + known.name, "to read it in its place"},
				{name + "=", "if it says nothing more"},
			},
			"if it is not to be read",
		}
	}
	return nil
}

// saysMore reports whether a column has a cell in the sample that another one lacks.
func (r *Reader) saysMore(column, other int, f *field) bool {
	return slices.ContainsFunc(r.ahead, func(record Record) bool {
		cells := r.cut(record.Cells)
		if len(cells) != len(r.columns) {
			return false
		}
		cell := strings.TrimSpace(sheet.Plain(cells[column]))
		return !f.empty(cell) && cell != strings.TrimSpace(sheet.Plain(cells[other]))
	})
}

// doubtRepeated looks for codes that rows before have with other URLs.
func (r *Reader) doubtRepeated() *Doubt {
	type urls struct {
		first string
		more  bool
	}
	seen, again := map[[2]string]urls{}, 0
	to := slices.Index(r.columns, byName["originalurl"].field)
	for _, record := range r.ahead {
		row := row{err: record.Err}
		if row.err == nil {
			row = r.read(record.Cells, nil)
		}
		if row.err != nil || row.elsewhere || row.code == "" {
			continue
		}
		url := strings.TrimSpace(record.Cells[to])
		at := [2]string{row.domain, row.code}
		before, known := seen[at]
		if known && (before.more || before.first != url) {
			again++
			before.more = true
		} else if !known {
			before.first = url
		}
		seen[at] = before
	}
	if again == 0 || 5*again < len(r.ahead) {
		return nil
	}
	var columns []string
	for i, f := range r.columns {
		if f != nil && f.codes {
			columns = append(columns, r.names[i])
		}
	}
	return &Doubt{
		fmt.Sprintf("%d of the first %d rows have a short code (%s) that a row before has with "+
			"another URL", again, len(r.ahead), inWords(columns)),
		[]answer{{columns[0] + "=", "if these are no codes"}},
		"if they are to be imported as they are",
	}
}

// Trial counts what would become of the first rows.
type Trial struct {
	rows, lost int
	reasons    map[string]int
}

// TrialRows bounds the rows that are tried.
const TrialRows = sampleRows

// Add counts a row. problem says why it would fail or be skipped; "": it would not. It begins with
// the name of a field if field is empty.
func (t *Trial) Add(field, problem string) {
	t.rows++
	if problem == "" {
		return
	}
	t.lost++
	if field == "" {
		field = FieldOf(problem)
	}
	if t.reasons == nil {
		t.reasons = map[string]int{}
	}
	if field == "" {
		field = "other reasons"
	}
	t.reasons[field]++
}

// Doubt returns a doubt if more than half of the rows would be lost, or nil.
func (t *Trial) Doubt() *Doubt {
	if 2*t.lost <= t.rows {
		return nil
	}
	fields := slices.SortedFunc(maps.Keys(t.reasons), func(a, b string) int {
		if n := t.reasons[b] - t.reasons[a]; n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	for i, field := range fields {
		fields[i] = fmt.Sprintf("%s %d", field, t.reasons[field])
	}
	return &Doubt{
		fmt.Sprintf("%d of the first %d rows would fail or be skipped (%s)", t.lost, t.rows,
			strings.Join(fields, ", ")),
		[]answer{{"COLUMN=FIELD", "to say what a column is"}, {"COLUMN=", "not to read one"}},
		"if the others are to be imported",
	}
}

// FieldOf returns the field that a message of the server is about, "" if it is about none: such a
// message begins with its name.
func FieldOf(message string) string {
	for words, name := range map[string]string{
		"original URL": "original_url", "short code": "short_code", "address": "short_code",
		"at most 20 aliases": "aliases",
	} {
		if strings.HasPrefix(message, words) {
			return name
		}
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(message, `field "`), " ")
	name, _, _ = strings.Cut(strings.TrimSuffix(name, `"`), "[")
	if lineFields[name] {
		return name
	}
	return ""
}

// lineFields are the fields of lines.
var lineFields = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range append(Fields(), "password_hash", "clicks_used", "share", "history",
		"last_clicked_at", "domain", "date", "dimension", "counts", "people", "visitors", "time",
		"count", "firsts") {
		names[name] = true
	}
	return names
}()
