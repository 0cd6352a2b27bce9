package redirect

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/address"
)

// readPath returns the addresses that a path begins with, each with the path behind it, as
// Handler.read finds them. A page's suffix is in brackets.
func readPath(h *Handler, path string) (read []string) {
	var r addresses
	r.read([]byte(path))
	for i := range r.n {
		if !h.possible(r.at(i)) {
			continue
		}
		s := string(r.at(i)) + " " + path[r.ends[i].rest:]
		if r.whole && i == r.n-1 {
			s = string(r.at(i)) + " [" + r.page + "]"
		}
		read = append(read, s)
	}
	return read
}

func TestReadPath(t *testing.T) {
	t.Parallel()
	h := &Handler{}
	long := strings.Repeat("a", terse.MaxAlias)
	for path, want := range map[string]string{
		"/launch":                           "launch []",
		"/launch/":                          "launch []",
		"/l%61unch":                         "launch []",
		"/launch+":                          "launch [+]",
		"/launch%2b":                        "launch [+]",
		"/launch.svg":                       "launch [.svg]",
		"/launch%2Epn%67":                   "launch [.png]",
		"/launch.SVG":                       "launch.SVG []",
		"/launch+/":                         "",
		"/launch++":                         "",
		"/launch//":                         "launch //",
		"/launch//x":                        "launch //x",
		"/docs/install":                     "docs /install, docs/install []",
		"/docs/install/":                    "docs /install/, docs/install []",
		"/docs/install+":                    "docs /install+, docs/install [+]",
		"/docs/install+/":                   "docs /install+/",
		"/docs/install%2B":                  "docs /install%2B, docs/install [+]",
		"/docs/+":                           "docs /+",
		"/docs/.svg":                        "docs /.svg",
		"/docs%2Finstall":                   "",
		"/docs/a%2Fb":                       "docs /a%2Fb",
		"/docs/a%2fb/c":                     "docs /a%2fb/c",
		"/docs/%zz/c":                       "docs /%zz/c",
		"/docs/../launch":                   "docs /../launch",
		"/docs/%2e%2E/launch":               "docs /%2e%2E/launch",
		"/docs/./launch":                    "docs /./launch",
		"/a.svg/b":                          "a.svg/b []",
		"/gr%C3%BC%c3%9fe":                  "grüße []",
		"/grüße":                            "grüße []",
		"/gru\u0308ße":                      "grüße []",
		"/gru%CC%88%C3%9Fe":                 "grüße []",
		"/%E2%84%AA":                        "K []", // the Kelvin sign
		"/\u1100\u1161/x":                   "\uac00 /x, \uac00/x []",
		"/gr\xfc\xdfe":                      "",
		"/docs/\xff/x":                      "docs /\xff/x",
		"/%C0%AF":                           "", // overlong
		"/%ED%A0%80":                        "", // a surrogate
		"/%F4%90%80%80":                     "", // beyond Unicode
		"/%E2%82":                           "", // cut short
		"/%C3/%BC":                          "", // a slash within a character
		"/a%20b":                            "a b []",
		"/a b":                              "a b []",
		"/a+b":                              "a+b []",
		"/%20a":                             "",
		"/a%00":                             "",
		"/a%0D%0Ab":                         "",
		"/a%25b":                            "",
		"/a%2561b":                          "",
		"/a%":                               "",
		"/a%4":                              "",
		"/a%3Fb":                            "",
		"/a%5Cb":                            "",
		"/%E2%80%8Ba":                       "", // of no width
		"/a;b=c,d":                          "a;b=c,d []",
		"/" + long:                          long + " []",
		"/" + long + "a":                    "",
		"/" + long + ".svg":                 long + " [.svg]",
		"/docs/" + long:                     "docs /" + long,
		"/" + long[2:] + "/b":               long[2:] + " /b, " + long[2:] + "/b []",
		"/" + long[1:] + "/b":               long[1:] + " /b",
		"/" + strings.Repeat("u%cc%88", 64): strings.Repeat("ü", 64) + " []",
		"/" + strings.Repeat("ü", 65):       "",
		"/" + strings.Repeat("%61", 5000):   "",
		"/" + strings.Repeat("%CC%88", 500): "",
		"":                                  "",
		"/":                                 "",
		"//":                                "",
		"//launch":                          "",
		"/+":                                "",
		"*":                                 "",
		"launch":                            "",
	} {
		if got := strings.Join(readPath(h, path), ", "); got != want {
			t.Errorf("%.60q: %q, want %q", path, got, want)
		}
	}
	if got := readPath(h, strings.Repeat("/a", 100)); len(got) != terse.MaxFind {
		t.Errorf("%d addresses in a path, want %d", len(got), terse.MaxFind)
	}
}

// FuzzReadPath compares the reader of paths with a simple one that uses net/url.
func FuzzReadPath(f *testing.F) {
	for _, path := range []string{
		"/launch/", "/docs/install%2B", "/gru%CC%88%C3%9Fe/x+", "/a%2Fb/c", "/docs//x", "/%zz",
		"/\u1100\u1161\u11a8/%cc%b8=.svg", "/%E2%84%AA/" + strings.Repeat("%e1%84%80", 70),
		"/" + strings.Repeat("\u0300", 40) + "/a",
	} {
		f.Add(path)
	}
	h := &Handler{}
	f.Fuzz(func(t *testing.T, path string) {
		if len(path) > 16<<10 {
			t.Skip()
		}
		if got, want := readPath(h, path), readSimply(path); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", path, got, want)
		}
	})
}

func readSimply(path string) (read []string) {
	sent, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil
	}
	whole := strings.TrimSuffix(sent, "/")
	for i := range len(sent) + 1 {
		if i < len(sent) && sent[i] != '/' || i > len(whole) {
			continue
		}
		text, err := url.PathUnescape(sent[:i])
		if err != nil || strings.Count(text, "/") > strings.Count(sent[:i], "/") ||
			!utf8.ValidString(text) {
			return read
		}
		text = norm.NFC.String(text)
		page := ""
		if i == len(sent) {
			for _, suffix := range address.Suffixes {
				if before, ok := strings.CutSuffix(text, suffix); ok && page == "" {
					text, page = before, suffix
				}
			}
		}
		if _, err := terse.ParseCode(text); err != nil && !address.Valid(text) {
			continue
		}
		if i == len(whole) {
			read = append(read, fmt.Sprintf("%s [%s]", text, page))
		} else {
			read = append(read, text+" "+sent[i:])
		}
	}
	return read
}
