// Package words has what pages for visitors say, in several languages. Each language is a file in
// this folder, such as de.json. To add one, copy en.json, translate its values and keep what is in
// braces; no other file has to change. The tests say what is wrong with it.
//
// The file's name is the language in lower case (BCP 47), to which a visitor's Accept-Language
// leads (RFC 4647, 3.4), as do the languages in "also".
package words

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Words are the texts of one language. They are plain text, not HTML.
type Words struct {
	Language  string   `json:"-"`
	Also      []string `json:"also"`      // other languages, in lower case, whose readers get it
	Direction string   `json:"direction"` // ltr or rtl

	TitleNotFound   string `json:"title_not_found"` // titles are those of tabs
	NotFound        string `json:"not_found"`
	Mistyped        string `json:"mistyped"`
	MistypedAnyCase string `json:"mistyped_any_case"` // where capitals don't matter

	TitleOver string `json:"title_over"`
	Over      string `json:"over"`
	OverWhy   string `json:"over_why"`

	TitlePassword    string `json:"title_password"`
	NeedsPassword    string `json:"needs_password"`
	Password         string `json:"password"` // labels the field
	Continue         string `json:"continue"`
	WrongPassword    string `json:"wrong_password"`
	TooManyPasswords string `json:"too_many_passwords"` // were wrong
	Busy             string `json:"busy"`

	LeadsTo   string     `json:"leads_to"`   // {url}
	ASCIIHost string     `json:"ascii_host"` // {host}
	Hidden    string     `json:"hidden"`
	MayDiffer string     `json:"may_differ"`
	Created   string     `json:"created"` // {date}
	Date      string     `json:"date"`    // {day}, {month}, {year}
	Months    [12]string `json:"months"`
}

//go:embed *.json
var files embed.FS

// English is the language of visitors who understand none of the others.
const English = "en"

var all = func() []Words {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // can't happen: the folder is in the program
	}
	list := make([]Words, 0, len(entries))
	for _, entry := range entries {
		w, err := read(entry.Name())
		if err != nil {
			panic(err) // the tests read all files
		}
		list = append(list, w)
	}
	slices.SortStableFunc(list, func(a, b Words) int {
		switch {
		case a.Language == English:
			return -1
		case b.Language == English:
			return 1
		}
		return 0
	})
	return list
}()

// All returns the words of all languages, English first.
func All() []Words { return slices.Clone(all) }

func read(name string) (w Words, err error) {
	text, err := files.ReadFile(name)
	if err != nil {
		return w, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&w); err != nil {
		return w, fmt.Errorf("%s: %w", name, err)
	}
	w.Language = strings.TrimSuffix(path.Base(name), ".json")
	return w, nil
}

// CreatedOn says on which UTC day something was created.
func (w *Words) CreatedOn(t time.Time) string {
	year, month, day := t.UTC().Date()
	date := strings.NewReplacer("{day}", strconv.Itoa(day), "{month}", w.Months[month-1],
		"{year}", strconv.Itoa(year)).Replace(w.Date)
	return strings.ReplaceAll(w.Created, "{date}", date)
}
