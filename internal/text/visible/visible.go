// Package visible spells out characters that are invisible or change the order of others, so that
// they deceive nobody. It does not know where a text comes from or goes.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a text in which [U+202E] and the like replace such characters: controls, bidi
// controls, invisible spaces and letters. The dashboard has the same rule, in format.js. Invalid
// UTF-8 becomes U+FFFD.
func Text(s string) string {
	return Replace(s, func(c rune) string { return fmt.Sprintf("[U+%04X]", c) })
}

// Replace returns a text in which such characters are replaced by the result of as.
func Replace(s string, as func(rune) string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	tags := 0 // that may follow: a flag such as Scotland's includes tags, which show as the flag
	for _, c := range s {
		switch {
		case c == blackFlag:
			tags = maxTags
		case tags > 0 && firstTag <= c && c <= lastTag:
			tags--
		default:
			tags = 0
			if hidden(c) {
				b.WriteString(as(c))
				continue
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}

// A region's flag is a black flag followed by tags (UTS 51, annex C).
const (
	blackFlag = '\U0001F3F4'
	firstTag  = '\U000E0020'
	lastTag   = '\U000E007F'
	maxTags   = 6
)

// hidden reports whether a character is a control, ends a line, or is ignored by default where it
// can't be shown (UAX 44). Joiners and variation selectors are excluded, because scripts and emoji
// need them.
func hidden(c rune) bool {
	const nonJoiner, joiner = '\u200C', '\u200D'
	const firstHieroglyph, lastHieroglyph = '\U00013430', '\U0001343F' // they arrange visible ones
	switch {
	case c < ' ':
		return true
	case c < '\u007F', c == nonJoiner, c == joiner, firstHieroglyph <= c && c <= lastHieroglyph:
		return false
	}
	return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.In(c, unicode.Variation_Selector, unicode.Prepended_Concatenation_Mark)
}
