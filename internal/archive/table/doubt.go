package table

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Doubt says why a table should not be imported before somebody has answered a question.
type Doubt struct {
	problem string
	answers []string // COLUMN=FIELD and what that says
	yes     string   // what it says that the table is meant so
}

// Ask returns the question. mapping stands in front of COLUMN=FIELD, and yes says that the table is
// meant so.
func (d *Doubt) Ask(mapping, yes string) string {
	var answers []string
	for _, answer := range d.answers {
		answers = append(answers, mapping+answer)
	}
	return fmt.Sprintf("%s: %s, or %s %s", d.problem, strings.Join(answers, ", "), yes, d.yes)
}

// Doubt returns the doubt that the columns and the sample raise, or nil.
func (r *Reader) Doubt() *Doubt { return r.doubt }

// findDoubt looks for codes that would be lost: in a column that is not read, or because others
// have them already.
func (r *Reader) findDoubt() {
	if !r.HasCodes() {
		r.doubt = r.doubtUnread()
		return
	}
	r.doubt = r.doubtRepeated()
}

// minCodes is how many cells a column of codes has at least.
const minCodes = 3

func (r *Reader) doubtUnread() *Doubt {
	var columns []string
	for i, f := range r.columns {
		if f != nil {
			continue
		}
		seen, all := map[string]bool{}, 0
		possible := true
		r.sampled(i, func(cell string) {
			cell = strings.TrimSpace(cell)
			all++
			possible = possible && !seen[cell] && couldBeCode(cell)
			seen[cell] = true
		})
		if possible && all >= minCodes {
			columns = append(columns, r.names[i])
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return &Doubt{
		"no column is known to have short codes, but " + inWords(columns) + " could",
		[]string{
			columns[0] + "=short_code if it has them", columns[0] + "= if it has none",
		},
		"if each new link is to get a code of its own",
	}
}

// inWords quotes and joins the names of columns.
func inWords(names []string) string {
	text := make([]string, len(names))
	for i, name := range names {
		text[i] = strconv.Quote(name)
	}
	return strings.Join(text, " or ")
}

// doubtRepeated looks for codes that rows before have with other URLs.
func (r *Reader) doubtRepeated() *Doubt {
	type urls struct {
		first string
		more  bool
	}
	seen, again := map[string]urls{}, 0
	to := slices.Index(r.columns, byName["originalurl"].field)
	for _, record := range r.ahead {
		row := Row{Err: record.err}
		if row.Err == nil {
			row = r.row(record.cells)
		}
		if row.Err != nil || row.Code == "" {
			continue
		}
		url := strings.TrimSpace(record.cells[to])
		before, known := seen[row.Code]
		if known && (before.more || before.first != url) {
			again++
			before.more = true
		} else if !known {
			before.first = url
		}
		seen[row.Code] = before
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
		[]string{columns[0] + "= if these are no codes"},
		"if they are to be imported as they are",
	}
}

// Trial counts what would become of the first rows.
type Trial struct {
	rows, lost int
	reasons    map[string]int
}

// TrialRows is how many rows are tried.
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
		[]string{"COLUMN=FIELD to say what a column is", "COLUMN= not to read one"},
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
