package fastpath

import (
	"bufio"
	"bytes"
	"io"
	"testing"

	"github.com/valyala/fasthttp"

	"terse/internal/redirect"
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

// FuzzParse compares the parser with fasthttp's: what it takes for a request, the other takes for
// the same.
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
		var h fasthttp.RequestHeader
		in := bufio.NewReaderSize(bytes.NewReader(input), 16<<10)
		if err := h.Read(in); err != nil {
			t.Fatalf("%q is a request, but %v", input, err)
		}
		rest, err := io.ReadAll(in)
		if err != nil || len(rest) != len(input)-p.length {
			t.Fatalf("%q: %d bytes behind the request, want %d", input, len(input)-p.length,
				len(rest))
		}
		path, query, _ := bytes.Cut(h.RequestURI(), []byte("?"))
		if !h.IsGet() || !h.IsHTTP11() || h.ContentLength() > 0 || h.ConnectionClose() &&
			!p.close ||
			!bytes.Equal(path, p.path) || !bytes.Equal(query, p.query) ||
			!bytes.Equal(h.Referer(), p.header[redirect.Referrer]) ||
			!bytes.Equal(h.Peek("CF-IPCountry"), p.header[redirect.Country]) ||
			!bytes.Equal(h.Peek("User-Agent"), p.header[redirect.UserAgent]) ||
			!bytes.Equal(h.Peek("X-Link-Password"), p.header[redirect.Password]) ||
			!bytes.Equal(h.Peek("X-Request-Id"), p.requestID) ||
			!bytes.Equal(h.Peek("X-Forwarded-For"), p.forwarded) {
			t.Fatalf("%q is %+v, but\n%s", input, p, h.String())
		}
	})
}
