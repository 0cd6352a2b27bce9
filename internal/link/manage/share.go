package manage

import (
	"maps"
	"slices"
	"time"

	"terse"
	"terse/internal/link/manage/option"
	"terse/internal/text/jsonbody"
)

// ParseShare parses a merge patch of a share. Its fields have the bounds of a link's options, but
// an end must be in the future.
func (m *Manager) ParseShare(text []byte) (change terse.ShareChange, err error) {
	fields, err := jsonbody.Object(text, jsonbody.Known("title", "expires_at", "password"))
	if err != nil {
		return change, err
	}
	var o terse.LinkOptions
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := fields[name]
		if name == "password" {
			value = composed(value)
		}
		if err := option.Set(&o, name, value); err != nil {
			return change, err
		}
		switch name {
		case "title":
			change.Title = &o.Title
		case "expires_at":
			change.ExpiresAt = &o.ExpiresAt
			if !o.ExpiresAt.IsZero() && !o.ExpiresAt.After(time.Now()) {
				return change, terse.Invalidf(name, "expires_at must be in the future")
			}
		case "password":
			change.Password = &o.Password
		}
	}
	if o.Password != "" {
		o.Password = m.Hash(o.Password)
	}
	return change, nil
}

// CheckShareTitle returns an error unless a share may have a title, or none.
func CheckShareTitle(title string) error {
	if title == "" {
		return nil
	}
	return option.Set(&terse.LinkOptions{}, "title", encode(title))
}
