package fastpath

import (
	"bufio"
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"terse/internal/visit/redirect"
)

// Of any two bytes at any two places the first control character is found.
func TestNextControl(t *testing.T) {
	t.Parallel()
	is := func(c int) bool { return c < ' ' || c == 0x7F }
	for n := range 20 {
		for first := range n {
			for second := first + 1; second < n; second++ {
				for c := range 256 {
					for _, d := range []int{0, ' ' - 1, ' ', 0x7E, 0x7F, 0x80, 0xFF} {
						b := bytes.Repeat([]byte{'a'}, n)
						b[first], b[second] = byte(c), byte(d)
						want := n
						if is(d) {
							want = second
						}
						if is(c) {
							want = first
						}
						if got := nextControl(b, 0); got != want {
							t.Fatalf("in %q at %d, want %d", b, got, want)
						}
					}
				}
			}
		}
	}
}

// FuzzParse compares the parser with that of net/http: what it takes for a request, the other takes
// for the same, but for a bad escape in a path, which is refused there.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"GET /abc HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /abc?q HTTP/1.1\r\nHost: x\r\nReferer: https://a.example/\r\nX-Request-ID: " +
			"1\r\nConnection: close\r\n\r\n",
		"GET /abc HTTP/1.1\r\nHost: x\r\nCF-IPCountry: DE\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n",
		"GET /abc HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\nGET /",
		"GET /abc?a?b=%zz&+ HTTP/1.1\r\nHost: x\r\nUser-Agent: Mozilla/5.0\r\n\r\n",
		"GET /abc HTTP/1.1\r\nHost: x\r\nA: b\nContent-Length: 3\r\n\r\nabc",
		"GET /abc HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n",
		"GET /abc HTTP/1.1\r\nHost: x\r\n A: b\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	fields := newFieldTable(redirect.HeaderNames{
		redirect.Referrer:  "Referer",
		redirect.Country:   "CF-IPCountry",
		redirect.UserAgent: "User-Agent",
		redirect.Password:  "X-Link-Password",
	})
	f.Fuzz(func(t *testing.T, input []byte) {
		var p fastRequest
		if !fields.parse(input, &p) {
			return
		}
		if _, err := url.ParseRequestURI(string(p.path)); err != nil {
			return
		}
		from := bytes.NewReader(input)
		in := bufio.NewReaderSize(from, 16<<10)
		r, err := http.ReadRequest(in)
		if err != nil {
			t.Fatalf("%q is a request, but %v", input, err)
		}
		if rest := in.Buffered() + from.Len(); rest != len(input)-p.length {
			t.Fatalf("%q: %d bytes behind the request, want %d", input, len(input)-p.length, rest)
		}
		path, query, _ := strings.Cut(r.RequestURI, "?")
		if r.Method != http.MethodGet || !r.ProtoAtLeast(1, 1) || r.ContentLength != 0 ||
			r.Close != p.close || path != string(p.path) || query != string(p.query) ||
			r.Header.Get("Referer") != string(p.header[redirect.Referrer]) ||
			r.Header.Get("CF-IPCountry") != string(p.header[redirect.Country]) ||
			r.Header.Get("User-Agent") != string(p.header[redirect.UserAgent]) ||
			r.Header.Get("X-Link-Password") != string(p.header[redirect.Password]) ||
			r.Header.Get("X-Request-Id") != string(p.requestID) ||
			r.Header.Get("X-Forwarded-For") != string(p.forwarded) {
			t.Fatalf("%q is %+v, but %+v", input, p, r)
		}
	})
}
