// Package visible spells out the characters of a text that don't show, or that change the order in
// which others show, so that they fool no one. It knows nothing of where a text comes from or goes.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a text with such characters as [U+202E]: controls, bidi controls, invisible spaces
// and letters. The dashboard has the same rule, in format.js. Bytes that are no UTF-8 become
// U+FFFD.
func Text(s string) string {
	return Replace(s, func(c rune) string { return fmt.Sprintf("[U+%04X]", c) })
}

// Replace returns a text with such characters replaced by what as returns of each.
func Replace(s string, as func(rune) string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	tags := 0 // that may follow: those of a flag, as Scotland has one, show as the flag
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

// A flag of a region is a black flag with tags behind it (UTS 51, annex C).
const (
	blackFlag = '\U0001F3F4'
	firstTag  = '\U000E0020'
	lastTag   = '\U000E007F'
	maxTags   = 6
)

// hidden reports whether a character is a control, ends a line, or is ignored by default where it
// can't be shown (UAX 44). Joiners and variation selectors are not among them, because scripts and
// emoji need them.
func hidden(c rune) bool {
	const nonJoiner, joiner = '\u200C', '\u200D'
	const firstHieroglyph, lastHieroglyph = '\U00013430', '\U0001343F' // they show what they join
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
