package option

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"terse"
)

// Cut brings a value into the bounds of an option that decides nothing about visits: titles, notes
// and tags are worth less than their link. It returns what is left, null if that is nothing, and
// what was lost. Other values, and those of other options, stay as they are.
func Cut(name string, value []byte) (left []byte, lost []string) {
	switch name {
	case "title":
		return cutText(name, value, terse.MaxTitle, "")
	case "note":
		return cutText(name, value, terse.MaxNote, "\t\r\n")
	case "tags":
		return cutTags(value)
	}
	return value, nil
}

func cutText(name string, value []byte, most int, allowed string) (left []byte, lost []string) {
	var text string
	if json.Unmarshal(value, &text) != nil || isText(text, most, allowed) {
		return value, nil
	}
	plain := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !strings.ContainsRune(allowed, r) {
			return -1
		}
		return r
	}, text)
	if plain != text {
		lost = append(lost, "control characters of "+name+" were dropped")
	}
	if utf8.RuneCountInString(plain) > most {
		plain = string([]rune(plain)[:most])
		lost = append(lost, fmt.Sprintf("%s was cut to %d characters", name, most))
	}
	if strings.TrimSpace(plain) == "" {
		if string(value) != "null" {
			lost = append(lost, name+" was dropped: it is blank")
		}
		return []byte("null"), lost
	}
	return encode(plain), lost
}

func cutTags(value []byte) (left []byte, lost []string) {
	var all []string
	if json.Unmarshal(value, &all) != nil || all == nil {
		return value, nil
	}
	var tags []string
	seen := map[string]bool{}
	for _, tag := range all {
		tag = norm.NFC.String(tag)
		fold := terse.FoldTag(strings.TrimSpace(tag))
		short := []rune(tag)[:min(utf8.RuneCountInString(tag), terse.MaxTag)]
		switch {
		case seen[fold]:
		case !isTag(tag) || IsDots(tag):
			lost = append(lost, fmt.Sprintf("tag %q was dropped: it is not 1 to %d characters "+
				"without commas and control characters", string(short), terse.MaxTag))
		case len(tags) == terse.MaxTags:
			lost = append(lost, fmt.Sprintf("tag %q was dropped: a link has at most %d",
				string(short), terse.MaxTags))
		default:
			seen[fold] = true
			tags = append(tags, tag)
		}
	}
	if len(lost) == 0 {
		return value, nil
	}
	return encode(slices.Clip(tags)), lost
}

// encode encodes valid UTF-8 as JSON.
func encode[T string | []string](v T) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
