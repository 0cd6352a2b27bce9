package console

import "strings"

// json paints a JSON text in the colours of gh and jq: names blue, texts green, and true, false and
// null yellow. The text has no escapes of a terminal in it yet.
func (c Colors) json(text string) string {
	if !c {
		return text
	}
	var b strings.Builder
	b.Grow(2 * len(text))
	for text != "" {
		n, code := jsonToken(text)
		token := text[:n]
		text = text[n:]
		if code == jsonText && strings.HasPrefix(strings.TrimLeft(text, " "), ":") {
			code = jsonName
		}
		if code != "" {
			token = c.paint(code, token)
		}
		b.WriteString(token)
	}
	return b.String()
}

// The colours of JSON; others than these are not painted.
const (
	jsonName = "1;34"
	jsonText = "32"
	jsonWord = "33"
)

// jsonToken returns the length of what a JSON text begins with, up to the next text or word, and
// its colour.
func jsonToken(text string) (n int, code string) {
	switch c := text[0]; {
	case c == '"':
		for n = 1; n < len(text) && text[n] != '"'; n++ {
			if text[n] == '\\' {
				n++
			}
		}
		return min(n+1, len(text)), jsonText
	case c >= 'a' && c <= 'z':
		for n < len(text) && text[n] >= 'a' && text[n] <= 'z' {
			n++
		}
		return n, jsonWord
	}
	// Of a number, the exponent is no word.
	for n < len(text) && text[n] != '"' && (text[n] < 'a' || text[n] > 'z' || isExponent(text, n)) {
		n++
	}
	return n, ""
}

func isExponent(text string, i int) bool {
	return text[i] == 'e' && i > 0 && text[i-1] >= '0' && text[i-1] <= '9'
}
