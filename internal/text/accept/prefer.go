package accept

import (
	"net/http"
	"strings"
)

// Prefers reports whether a request's header has a preference (RFC 7240) with this name, in any
// case, and without a value. If it is repeated, the first one counts. Its parameters are ignored.
func Prefers(header http.Header, name string) bool {
	for _, rest := range header["Prefer"] {
		for rest != "" {
			var preference string
			preference, rest = cut(rest, ',')
			preference, _ = cut(preference, ';')
			sent, value, _ := strings.Cut(preference, "=")
			if strings.EqualFold(strings.TrimSpace(sent), name) {
				value = strings.TrimSpace(value)
				return value == "" || value == `""`
			}
		}
	}
	return false
}

// cut is like strings.Cut, but ignores separators within quoted strings (RFC 9110, 5.6.4).
func cut(s string, separator byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == separator && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
