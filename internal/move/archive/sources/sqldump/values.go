package sqldump

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// MaxValue bounds a value, in bytes: what a column of type text has at most. The rest of a longer
// one is passed over.
const MaxValue = 1<<16 - 1

// rows reads what is behind VALUES.
func (d *Dump) rows(name string, of *table, f func(*Row) error) error {
	for more := true; more; {
		d.row.Kind, d.row.Table = of.kind, name
		if err := d.readRow(of); err != nil {
			return err
		}
		if err := f(&d.row); err != nil {
			return err
		}
		var err error
		if more, err = d.is(','); err != nil {
			return err
		}
	}
	return d.pass() // ON DUPLICATE KEY UPDATE may follow
}

// readRow reads a row with its brackets.
func (d *Dump) readRow(of *table) error {
	if is, err := d.is('('); err != nil {
		return err
	} else if !is {
		return d.errorf("a row of table %q was expected", d.row.Table)
	}
	d.row.Line = d.line
	all := len(of.kind.Needs) + len(of.kind.May)
	for len(d.row.values) < all {
		d.row.values = append(d.row.values, nil)
	}
	for i := range d.row.values {
		d.row.values[i] = d.row.values[i][:0]
	}
	for column := 0; ; column++ {
		if column == len(of.fields) {
			return d.errorf("a row of table %q has more than %d values", d.row.Table, column)
		}
		var to *[]byte
		if at := of.fields[column]; at >= 0 {
			to = &d.row.values[at]
		}
		if err := d.value(to); err != nil {
			return err
		}
		if end, err := d.is(')'); err != nil {
			return err
		} else if end {
			if column+1 < len(of.fields) {
				return d.errorf("a row of table %q has only %d values", d.row.Table, column+1)
			}
			return nil
		}
		if comma, err := d.is(','); err != nil {
			return err
		} else if !comma {
			return d.errorf("a value of table %q is neither a text nor a number", d.row.Table)
		}
	}
}

// isToken are the bytes of values that are not in quotes.
func isToken(c byte) bool { return isWord(c) || c == '.' || c == '+' || c == '-' }

// noToken are the others.
var noToken = func() (stops [256]bool) {
	for i := range stops {
		stops[i] = !isToken(byte(i))
	}
	return stops
}()

// token appends the first bytes of a value that is not in quotes to kept, up to a number.
func (d *Dump) token(kept []byte, bytes int) []byte {
	for {
		text := d.run(&noToken)
		if len(text) == 0 {
			return kept
		}
		kept = append(kept, text[:min(len(text), bytes-len(kept))]...)
	}
}

// value reads a value. to is nil if nobody wants it.
func (d *Dump) value(to *[]byte) (err error) {
	if err := d.blank(nil); err != nil {
		return err
	}
	most := MaxValue
	if to == nil {
		to, most = new([]byte), 0
	}
	const hexDigits = 2*MaxValue + len("0x")
	charset := d.charset
	*to = d.token(*to, hexDigits)
	if len(*to) > 1 && (*to)[0] == '_' { // the character set of the text
		charset = strings.ToLower(string((*to)[1:]))
		if err := d.blank(nil); err != nil {
			return err
		}
		*to = d.token((*to)[:0], hexDigits)
	}
	word := strings.ToUpper(string((*to)[:min(len(*to), len("NULL")+1)]))
	switch c := d.peekByte(); {
	case (c == '\'' || c == '"') && (word == "" || word == "N" || word == "X"):
		if word == "X" {
			*to, err = d.quoted((*to)[:0], min(most, 1)*hexDigits)
			return d.unhex(to, err)
		}
		if *to, err = d.quoted((*to)[:0], most); err == nil {
			*to, err = d.decoded(*to, charset)
		}
		return err
	case word == "":
		return d.errorf("a value of table %q is missing", d.row.Table)
	case word == "NULL":
		*to = (*to)[:0]
	case strings.HasPrefix(word, "0X"):
		*to = append((*to)[:0], (*to)[2:]...)
		return d.unhex(to, nil)
	case !strings.Contains("+-.0123456789", word[:1]):
		return d.errorf("a value of table %q is neither a text nor a number", d.row.Table)
	}
	return nil
}

// unhex decodes hexadecimal digits, if there is no error yet.
func (d *Dump) unhex(v *[]byte, err error) error {
	if err != nil {
		return err
	}
	n, err := hex.Decode(*v, *v)
	if err != nil {
		return d.errorf("a value of table %q has wrong hexadecimal digits", d.row.Table)
	}
	*v = (*v)[:n]
	return nil
}

// decoded returns a text of a character set in UTF-8.
func (d *Dump) decoded(text []byte, charset string) ([]byte, error) {
	latin := false
	switch charset {
	case "utf8", "utf8mb3", "utf8mb4", "ascii", "binary":
	case "": // old versions of both said nothing
		latin = !utf8.Valid(text)
	case "latin1": // which is Windows-1252 for MySQL
		latin = true
	default:
		return nil, d.errorf("texts are in the character set %q, which is not read: "+
			"dump with --default-character-set=utf8mb4", charset)
	}
	if !latin {
		return text, nil
	}
	return charmap.Windows1252.NewDecoder().Bytes(text)
}
