package table

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"terse/internal/link/address"
	"terse/internal/link/weburl"
	"terse/internal/move/sheet"
)

// Column is a column of a table.
type Column struct {
	Name    string
	Field   string // that it stands for; "": it is not read
	Example string // its first cell in the sample that is not empty, at most 60 characters of it
	// Why says why a column that has the name of a field is not read.
	Why string
}

// Columns returns all columns in their order.
func (r *Reader) Columns() []Column {
	columns := make([]Column, len(r.names))
	for i, name := range r.names {
		columns[i] = Column{Name: name, Example: r.examples[i]}
		if f := r.columns[i]; f != nil {
			columns[i].Field = f.name
		} else {
			columns[i].Why = r.whyUnread(i)
		}
	}
	return columns
}

// whyUnread returns why a column that has the name of a field is not read.
func (r *Reader) whyUnread(column int) string {
	known := r.known(r.names[column]).field
	if known == nil || r.wrong[column] != "" {
		return r.wrong[column]
	}
	if i := slices.Index(r.columns, known); i >= 0 {
		return fmt.Sprintf("%q is %s", r.names[i], known.name)
	}
	return ""
}

// HasCodes reports whether a column has short codes or short URLs.
func (r *Reader) HasCodes() bool {
	return slices.ContainsFunc(r.columns, func(f *field) bool { return f != nil && f.codes })
}

// Unread returns the names of the columns that stand for no field, but for those that Options left
// out.
func (r *Reader) Unread() (names []string) {
	for i, f := range r.columns {
		if f == nil && r.names[i] != "" {
			names = append(names, r.names[i])
		}
	}
	return names
}

// MaxExample bounds the example of a column in characters.
const MaxExample = 60

func cutExample(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), MaxExample)])
}

// sampled calls f with the cells of a column in the sample that are not empty.
func (r *Reader) sampled(column int, f func(cell string)) {
	for _, record := range r.ahead {
		cells := r.cut(record.Cells)
		if len(cells) != len(r.columns) || r.records.CheckText(cells[column]) != nil {
			continue // the row fails
		}
		if cell := sheet.Plain(cells[column]); !isNothing(cell) {
			f(cell)
		}
	}
}

// choose finds the fields of the columns.
func (r *Reader) choose(given []Field) error {
	r.columns = make([]*field, len(r.names))
	r.examples, r.wrong = make([]string, len(r.names)), make([]string, len(r.names))
	r.given = given
	for i := range r.names {
		r.sampled(i, func(cell string) {
			if r.examples[i] == "" {
				r.examples[i] = cutExample(strings.TrimSpace(cell))
			}
		})
	}
	for _, f := range given {
		if err := r.use(f.Column, f.Field); err != nil {
			return OptionsError{err}
		}
	}
	r.chooseByName()
	r.chooseSource()
	r.readBareURLs()
	if !slices.Contains(r.columns, byName["originalurl"].field) {
		return &NoURLsError{r.names, r.couldBeURLs()}
	}
	r.dropTargetHosts()
	return nil
}

// dropTargetHosts leaves out a column of hosts that was not given, if it has those of the URLs
// where links lead.
func (r *Reader) dropTargetHosts() {
	to := slices.Index(r.columns, byName["originalurl"].field)
	for i, f := range r.columns {
		if f != byName["domain"].field || r.isGiven(i) {
			continue
		}
		same, all := 0, 0
		for _, record := range r.ahead {
			cells := r.cut(record.Cells)
			if len(cells) != len(r.columns) || isNothing(cells[i]) {
				continue
			}
			all++
			target, _ := weburl.Split(strings.TrimSpace(sheet.Plain(cells[to])))
			name, _ := hostOf(sheet.Plain(cells[i]))
			at, _ := weburl.Host(target.Host)
			if at == name || strings.HasSuffix(at, "."+name) {
				same++
			}
		}
		if all > 0 && nearly(same, all) {
			r.columns[i] = nil
			r.wrong[i] = fmt.Sprintf("%q is the host of %s", r.examples[i], r.names[to])
		}
	}
}

// isGiven reports whether it was said what a column stands for.
func (r *Reader) isGiven(column int) bool {
	return slices.ContainsFunc(r.given, func(g Field) bool {
		return fold(g.Column) == fold(r.names[column])
	})
}

// use makes a column stand for a field, or for none.
func (r *Reader) use(column, name string) error {
	i := slices.IndexFunc(r.names, func(have string) bool { return fold(have) == fold(column) })
	if i < 0 {
		return fmt.Errorf("no column %q; it has %s", column, strings.Join(r.names, ", "))
	}
	if name == "" {
		r.columns[i] = unread
		return nil
	}
	known := byName[fold(name)]
	switch {
	case known.field == nil || known.field.name != name:
		return fmt.Errorf("no field %q; there are %s", name, strings.Join(Fields(), ", "))
	case r.columns[i] != known.field && r.taken(known.field):
		return fmt.Errorf("two columns are %s", name)
	}
	r.columns[i] = known.field
	return nil
}

// taken reports whether a field can't have another column. What switches links off may stand in
// several.
func (r *Reader) taken(f *field) bool { return !f.state && slices.Contains(r.columns, f) }

// couldBeURLs returns the names of columns that have URLs and no other use, those with more hosts
// and then those with longer URLs first: short URLs are of few hosts, and shorter than where they
// lead. If there are none, those are it that were taken for short URLs by their names.
func (r *Reader) couldBeURLs() (names []string) {
	hosts, size := make([]map[string]bool, len(r.names)), make([]int, len(r.names))
	for _, codes := range []bool{false, true} {
		var columns []int
		for i, f := range r.columns {
			if (f == nil && !codes || f != nil && f.codes && codes) && r.nearlyAll(i, isURL) {
				columns = append(columns, i)
				hosts[i] = map[string]bool{}
				r.sampled(i, func(cell string) {
					_, rest, _ := strings.Cut(cell, "//")
					name, _, _ := strings.Cut(rest, "/")
					hosts[i][name] = true
					size[i] += len(strings.TrimSpace(cell))
				})
			}
		}
		slices.SortStableFunc(columns, func(a, b int) int {
			return cmp.Or(cmp.Compare(len(hosts[b]), len(hosts[a])), cmp.Compare(size[b], size[a]))
		})
		for _, i := range columns {
			names = append(names, r.names[i])
		}
		if len(names) > 0 {
			break
		}
	}
	return names
}

// chooseByName gives the other columns the fields that they are by name and by what is in them. Of
// several for a field, one with cells goes before one without, a field's own name before those that
// other products have for it, an earlier one of these before a later one, and the column further
// left before others.
func (r *Reader) chooseByName() {
	type candidate struct {
		ranked
		column int
		empty  int
	}
	var all []candidate
	for i, name := range r.names {
		known := r.known(name)
		if known.field == nil || r.columns[i] != nil || sourceNames[fold(name)] {
			continue
		}
		if n, fits := r.fits(i, known.field); fits {
			c := candidate{known, i, 0}
			if n == 0 {
				c.empty = 1
			}
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.empty, b.empty), cmp.Compare(a.rank, b.rank))
	})
	for _, c := range all {
		if !r.taken(c.field) {
			r.columns[c.column] = c.field
		}
	}
}

// sourceNames are the folded names of columns that have the addresses of links or where they lead,
// depending on the product.
var sourceNames = map[string]bool{"source": true, "sourceurl": true}

// chooseSource takes a column that is called Source for the codes, if no other one has them, its
// cells are paths or short URLs, and another column has URLs. That one is where links lead,
// whatever it is called.
func (r *Reader) chooseSource() {
	if r.HasCodes() {
		return
	}
	code, target := byName["shortcode"].field, byName["originalurl"].field
	for i, name := range r.names {
		if r.columns[i] != nil || !sourceNames[fold(name)] || !r.nearlyAll(i, isPath) {
			continue
		}
		if !slices.Contains(r.columns, target) {
			to := r.urlsBeside(i)
			if to < 0 {
				continue
			}
			r.columns[to] = target
		}
		r.columns[i] = code
		return
	}
}

// readBareURLs reads the codes of short URLs without a scheme, such as bit.ly/4kD, from columns of
// codes, too. Each alone could be a path.
func (r *Reader) readBareURLs() {
	for i, f := range r.columns {
		if f == byName["shortcode"].field && r.nearlyAll(i, bareURL.MatchString) {
			r.columns[i] = codeOfBareURL
		}
	}
}

// bareURL is a short URL without a scheme, under a name that ends in letters.
var bareURL = regexp.MustCompile(`^\s*([A-Za-z0-9-]+\.)+[A-Za-z]{2,}(:[0-9]+)?/`)

// urlsBeside returns the first column beside another one that has URLs and no use yet, or -1. It
// may have any name but a field's own.
func (r *Reader) urlsBeside(column int) int {
	for i, name := range r.names {
		own := r.known(name)
		if i != column && r.columns[i] == nil && (own.field == nil || own.rank > 0) &&
			r.nearlyAll(i, isURL) {
			return i
		}
	}
	return -1
}

// fits reports whether a column can be a field by what is in it, and how many of its cells in the
// sample are not empty.
func (r *Reader) fits(column int, f *field) (cells int, fits bool) {
	readable, statuses, wrong := 0, 0, ""
	r.sampled(column, func(cell string) {
		if f.empty(cell) {
			return
		}
		cells++
		if f.reads(r.times, cell) {
			readable++
		} else if wrong == "" {
			wrong = f.whyNot(r.times, cell)
		}
		if isStatus(cell) {
			statuses++
		}
	})
	if f.codes && cells > 0 && nearly(statuses, cells) {
		r.wrong[column] = fmt.Sprintf("%q says how to redirect", r.examples[column])
		return cells, false
	}
	if f.byName || nearly(readable, cells) {
		return cells, true
	}
	r.wrong[column] = wrong
	return cells, false
}

// isStatus reports whether a cell is a number like 301 and 404, which says how to redirect.
func isStatus(cell string) bool {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	return err == nil && n >= 200 && http.StatusText(n) != ""
}

// nearly reports whether nine in ten are.
func nearly(some, all int) bool { return 10*some >= 9*all }

// nearlyAll reports whether a column has cells, of which nine in ten are so.
func (r *Reader) nearlyAll(column int, is func(cell string) bool) bool {
	some, all := 0, 0
	r.sampled(column, func(cell string) {
		all++
		if is(cell) {
			some++
		}
	})
	return all > 0 && nearly(some, all)
}

// isURL reports whether a cell is a URL to which a link can lead.
func isURL(cell string) bool {
	_, err := weburl.Parse(strings.TrimSpace(cell))
	return err == nil
}

// isMeantAsURL reports whether a cell is a URL or lacks only the scheme. A link may not be able to
// lead there: then its row fails, which is better than to miss the column.
func isMeantAsURL(cell string) bool {
	cell = strings.TrimSpace(cell)
	return isURL(cell) || scheme.MatchString(cell) || host.MatchString(cell)
}

// scheme is the beginning of a URL of any kind.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:\S`)

// isAddress reports whether a cell could be a code or an alias, or is the short URL of one.
func isAddress(cell string) bool {
	p, err := placeOf(cell)
	return err == nil && address.Valid(norm.NFC.String(p.path))
}

// isPath reports whether a cell is a path of an address, such as /spring, or a short URL.
func isPath(cell string) bool {
	return (strings.HasPrefix(strings.TrimSpace(cell), "/") || isShortURL(cell)) && isAddress(cell)
}

// isShortURL reports whether a cell could be a short URL, with or without its scheme.
func isShortURL(cell string) bool {
	cell = strings.TrimSpace(cell)
	return host.MatchString(cell) || isURL(cell)
}

// couldBeCode reports whether a cell could be a code, an alias without blanks, or a short URL.
func couldBeCode(cell string) bool {
	cell = strings.TrimSpace(cell)
	if strings.ContainsFunc(cell, unicode.IsSpace) {
		return false
	}
	if isShortURL(cell) {
		cell = withScheme(cell)
	}
	return isAddress(cell)
}

// fold returns the form in which names of columns are compared.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
