package archive

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"terse"
	"terse/internal/visit/password"
)

// LinkLine is what a link line says, except the options of the link. A field that is null counts as
// absent, and so do those below that are zero. A PasswordHash is one that imports may bring.
type LinkLine struct {
	Domain       string // "": the default
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
			line.Domain, err = f.text()
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
