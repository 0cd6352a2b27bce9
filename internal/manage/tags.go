package manage

import (
	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/manage/option"
)

// ParseTag returns a tag that links are to have in its one form. field is where it stands.
func ParseTag(field, tag string) (string, error) {
	tag, err := parseTag(field, tag)
	if err == nil && option.IsDots(tag) {
		return "", terse.Invalidf(field, "a tag must be neither . nor ..")
	}
	return tag, err
}

// parseTag takes a tag that links may have from before as well.
func parseTag(field, tag string) (string, error) {
	options := terse.LinkOptions{Tags: []string{norm.NFC.String(tag)}}
	if !option.SortTags(&options) {
		return "", terse.Invalidf(field,
			"a tag must be 1 to 40 characters, without commas and control characters")
	}
	return options.Tags[0], nil
}

// ParseTags returns the tags that a request filters by in their one form: those of the parameter
// tag.
func ParseTags(given []string) (tags []string, err error) {
	for _, tag := range given {
		if tag, err = parseTag("tag", tag); err != nil {
			return nil, err
		}
		tags = append(tags, tag)
	}
	if len(tags) > terse.MaxTags {
		return nil, terse.Invalidf("tag", "at most %d tags", terse.MaxTags)
	}
	return tags, nil
}
