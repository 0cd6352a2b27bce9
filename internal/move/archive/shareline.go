package archive

import (
	"time"

	"terse"
	"terse/internal/link/manage"
)

// ShareLine is what a share line says. It is about one of ShortCode, Tag and the overview.
type ShareLine struct {
	Share                terse.Share
	Domain               string // of the link; "": the default
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
			line.Domain, err = f.text()
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
