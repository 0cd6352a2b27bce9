package manage

import (
	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/manage/option"
)

// ParseTag normalizes a tag that links will get. Errors refer to it as field.
func ParseTag(field, tag string) (string, error) {
	tag, err := parseTag(field, tag)
	if err == nil && option.IsDots(tag) {
		return "", terse.Invalidf(field, "a tag must be neither . nor ..")
	}
	return tag, err
}

// parseTag also accepts tags that old links may have.
func parseTag(field, tag string) (string, error) {
	options := terse.LinkOptions{Tags: []string{norm.NFC.String(tag)}}
	if !option.SortTags(&options) {
		return "", terse.Invalidf(field,
			"a tag must be 1 to 40 characters, without commas and control characters")
	}
	return options.Tags[0], nil
}

// ParseTagList parses a list of tags in a field of a request, as a link may have them.
func ParseTagList(field string, value []byte) ([]string, error) {
	var options terse.LinkOptions
	err := option.Set(&options, field, value)
	return options.Tags, err
}

// ParseTags normalizes the tags that a request filters by, in the parameter tag.
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
