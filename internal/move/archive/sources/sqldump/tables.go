package sqldump

import (
	"slices"
	"strings"
)

const (
	// maxColumns is how many columns MySQL lets a table have.
	maxColumns = 4096
	// maxTables bounds the tables that are read.
	maxTables = 100
)

// nameAfter reads the name of a table, behind some words.
func (d *Dump) nameAfter(words ...string) (string, error) {
	for {
		if err := d.blank(nil); err != nil {
			return "", err
		}
		start := strings.ToUpper(string(d.peek(maxWord)))
		end := strings.IndexFunc(start, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) })
		if end < 0 || !slices.Contains(words, start[:end]) {
			return d.name()
		}
		if _, err := d.word(); err != nil {
			return "", err
		}
	}
}

// is passes over blanks and then a byte, if it comes.
func (d *Dump) is(c byte) (bool, error) {
	if err := d.blank(nil); err != nil {
		return false, err
	}
	text := d.peek(1)
	if len(text) == 0 {
		return false, errCut
	}
	if text[0] != c {
		return false, nil
	}
	d.skip(text)
	return true, nil
}

// kindOf returns a table of these columns, nil if it is of no kind.
func (d *Dump) kindOf(columns []string) *table {
	for _, kind := range d.kinds {
		if fields, ok := kind.match(columns); ok {
			return &table{kind: kind, fields: fields}
		}
	}
	return nil
}

// noColumns are the words with which parts of CREATE TABLE begin that are no columns.
var noColumns = []string{
	"PRIMARY", "KEY", "INDEX", "UNIQUE", "CONSTRAINT", "FOREIGN", "FULLTEXT", "SPATIAL", "CHECK",
	"PERIOD",
}

// create reads the columns of CREATE TABLE.
func (d *Dump) create() error {
	start := strings.Fields(strings.ToUpper(string(d.peek(maxWord))))
	if at := slices.Index(start, "TABLE"); at < 0 || at > 2 { // OR REPLACE, TEMPORARY
		return d.pass()
	}
	name, err := d.nameAfter("OR", "REPLACE", "TEMPORARY", "TABLE", "IF", "NOT", "EXISTS")
	if err != nil {
		return err
	}
	if is, err := d.is('('); err != nil || !is { // LIKE another one
		if err == nil {
			err = d.pass()
		}
		return err
	}
	var columns []string
	for more := true; more; {
		if err := d.blank(nil); err != nil {
			return err
		}
		quoted := quotes[d.peekByte()] != nil
		column, err := d.name()
		if err != nil {
			return err
		}
		if quoted || !slices.Contains(noColumns, strings.ToUpper(column)) {
			columns = append(columns, column)
		}
		if len(columns) > maxColumns {
			return d.errorf("table %q has more than %d columns", name, maxColumns)
		}
		if more, err = d.passColumn(); err != nil {
			return err
		}
	}
	if before := d.tables[name]; before != nil && before.filled {
		return d.errorf("the dump has two tables %q: dump one database alone", name)
	}
	delete(d.tables, name)
	if of := d.kindOf(columns); of != nil {
		if len(d.tables) == maxTables {
			return d.errorf("there are more than %d tables like %q", maxTables, name)
		}
		d.tables[name] = of
	}
	return d.pass()
}

// passColumn passes over what is said of a column, and the comma or the bracket behind it. more
// says that it was a comma.
func (d *Dump) passColumn() (more bool, err error) {
	for depth := 0; ; {
		if err := d.blank(nil); err != nil {
			return false, err
		}
		c := d.peekByte()
		if quotes[c] != nil {
			_, err = d.quoted(nil, 0)
		} else {
			_, err = d.next()
		}
		switch {
		case err != nil:
			return false, err
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return false, nil
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			return true, nil
		}
	}
}

// insert reads INSERT or REPLACE.
func (d *Dump) insert(f func(*Row) error) error {
	name, err := d.nameAfter("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO")
	if err != nil {
		return err
	}
	of := d.tables[name]
	listed, err := d.is('(')
	if err != nil {
		return err
	}
	if listed {
		columns, err := d.columns(name)
		if err != nil {
			return err
		}
		named := d.kindOf(columns)
		switch {
		case of == nil && named != nil:
			if len(d.tables) == maxTables {
				return d.errorf("there are more than %d tables like %q", maxTables, name)
			}
			d.tables[name] = named
		case of != nil && (named == nil || named.kind != of.kind):
			return d.errorf("the INSERT lacks columns of table %q", name)
		}
		if of = named; of != nil {
			d.tables[name].filled = true
		}
	}
	if of == nil {
		return d.pass()
	}
	word, err := d.keyword()
	if err != nil {
		return err
	}
	if word != "VALUES" && word != "VALUE" {
		return d.errorf("the INSERT into table %q has no VALUES", name)
	}
	of.filled = true
	return d.rows(name, of, f)
}

// columns reads a list of columns, behind its first bracket.
func (d *Dump) columns(of string) (names []string, err error) {
	for {
		name, err := d.name()
		if err != nil {
			return nil, err
		}
		if names = append(names, name); len(names) > maxColumns {
			return nil, d.errorf("table %q has more than %d columns", of, maxColumns)
		}
		if end, err := d.is(')'); err != nil || end {
			return names, err
		}
		if comma, err := d.is(','); err != nil {
			return nil, err
		} else if !comma {
			return nil, d.errorf("a comma was expected between the columns of table %q", of)
		}
	}
}
