package redirect

import (
	"encoding/hex"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"terse"
	"terse/internal/link/weburl"
	"terse/internal/text/visible"
	"terse/internal/visit/redirect/urls"
)

// leadsTo says as HTML where a link leads, with the host in bold. An international host is in its
// own script, where it may look like another one, so its ASCII form follows. Letters of the path
// are decoded; everything else is as browsers get it. Each part that may be written from right to
// left is isolated, so that it reverses nothing around it.
func (p *pages) leadsTo(u terse.URL) string {
	location := urls.Location(u)
	parts, ok := weburl.Split(location)
	if !ok {
		return p.with(p.LeadsTo, "{url}", html.EscapeString(location))
	}
	beforeHost := location[:strings.Index(location, "://")+len("://")] + parts.User
	port := ""
	if parts.Port != "" {
		port = ":" + parts.Port
	}
	host, ascii := html.EscapeString(parts.Host), ""
	if name, ok := weburl.Unicode(parts.Host); ok && visible.Text(name) == name {
		ascii = p.with(p.ASCIIHost, "{host}", "<b>"+host+"</b>")
		host = "<bdi>" + html.EscapeString(name) + "</bdi>"
	}
	return p.with(p.LeadsTo, "{url}", html.EscapeString(beforeHost)+"<b>"+host+
		html.EscapeString(port)+"</b>"+readable(parts.Rest)) + ascii
}

// with returns a text as a paragraph with a URL or a part of one, which is HTML, in place of a
// name.
func (p *pages) with(text, name, shown string) string {
	return strings.ReplaceAll(paragraph(text), name, p.isolated(shown))
}

// readable returns what follows a URL's host as HTML.
func readable(rest string) string {
	end := strings.IndexAny(rest, "?#")
	if end < 0 {
		end = len(rest)
	}
	segments := strings.Split(rest[:end], "/")
	for i, segment := range segments {
		decoded := decodeLetters(segment)
		segments[i] = html.EscapeString(decoded)
		if decoded != segment {
			segments[i] = "<bdi>" + segments[i] + "</bdi>"
		}
	}
	return strings.Join(segments, "/") + html.EscapeString(rest[end:])
}

// decodeLetters decodes the letters, marks and digits beyond ASCII that a segment has in
// percent-encoding.
func decodeLetters(segment string) string {
	var b strings.Builder
	for segment != "" {
		c, n := encodedRune(segment)
		switch {
		case n == 0:
			b.WriteByte(segment[0])
			n = 1
		case unicode.In(c, unicode.L, unicode.M, unicode.N) && visible.Text(string(c)) == string(c):
			b.WriteRune(c)
		default:
			b.WriteString(segment[:n])
		}
		segment = segment[n:]
	}
	return b.String()
}

// encodedRune returns the character beyond ASCII that a text begins with in percent-encoding, and
// the length of that; 0 if there is none.
func encodedRune(text string) (c rune, n int) {
	var b [utf8.UTFMax]byte
	for size := range b {
		escape := text[min(3*size, len(text)):]
		if len(escape) < 3 || escape[0] != '%' {
			return 0, 0
		}
		value, err := hex.DecodeString(escape[1:3])
		if err != nil || value[0] < utf8.RuneSelf {
			return 0, 0
		}
		b[size] = value[0]
		if c, n := utf8.DecodeRune(b[:size+1]); c != utf8.RuneError && n == size+1 {
			return c, 3 * n
		}
	}
	return 0, 0
}
