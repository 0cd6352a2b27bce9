package manage

import (
	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/manage/option"
)

// ParseTag returns a tag that links are to have in its one form.
func ParseTag(name string) (string, error) {
	tag, err := parseTag(name)
	if err == nil && option.IsDots(tag) {
		return "", terse.Invalidf("a tag must be neither . nor ..")
	}
	return tag, err
}

// parseTag takes a tag that links may have from before as well.
func parseTag(name string) (string, error) {
	options := terse.LinkOptions{Tags: []string{norm.NFC.String(name)}}
	if !option.SortTags(&options) {
		return "", terse.Invalidf("a tag must be 1 to 40 characters, without commas and control " +
			"characters")
	}
	return options.Tags[0], nil
}

// ParseTags returns the tags that a request filters by in their one form.
func ParseTags(given []string) (tags []string, err error) {
	for _, tag := range given {
		if tag, err = parseTag(tag); err != nil {
			return nil, err
		}
		tags = append(tags, tag)
	}
	if len(tags) > terse.MaxTags {
		return nil, terse.Invalidf("at most %d tags", terse.MaxTags)
	}
	return tags, nil
}
