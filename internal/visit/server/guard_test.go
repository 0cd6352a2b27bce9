package server

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const guarded = "GET /abc HTTP/1.1\r\nHost: x\r\n"

// TestGuard reads heads, whole and byte by byte: what is found is the same.
func TestGuard(t *testing.T) {
	t.Parallel()
	fields := func(n int) string { return strings.Repeat("A: b\r\n", n) }
	for name, c := range map[string]struct {
		head string
		want string
	}{
		"plain":            {guarded + "\r\n", "GET /abc 0"},
		"HTTP/1.0":         {"GET /abc HTTP/1.0\r\n\r\n", "GET /abc 0"},
		"a length":         {guarded + "content-length:\t12 \r\n\r\n", "GET /abc 12"},
		"chunked":          {guarded + "TRANSFER-ENCODING: Chunked\r\n\r\n", "GET /abc chunked"},
		"an empty Host":    {guarded[:len(guarded)-3] + "\r\n", badHost.message},
		"tabs in a value":  {guarded + "A:\tb\tc\t\r\n\r\n", "GET /abc 0"},
		"no ASCII":         {"GET /\xff HTTP/1.1\r\nHost: x\r\nA: \xe4\r\n\r\n", "GET /\xff 0"},
		"an odd method":    {"a!b|c / HTTP/1.1\r\nHost: x\r\n\r\n", "a!b|c / 0"},
		"a space":          {guarded + "A: b\r\n c\r\n", folded.message},
		"no method":        {" / HTTP/1.1\r\n", malformed.message},
		"TLS":              {"\x16\x03\x01", malformed.message},
		"OPTIONS *":        {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * 0"},
		"GET *":            {"GET * HTTP/1.1\r\n", malformed.message},
		"a host":           {"GET a:1 HTTP/1.1\r\n", malformed.message},
		"a proxy's":        {"GET ftp://a HTTP/1.1\r\nHost: x\r\n\r\n", "GET ftp://a 0"},
		"no target":        {"GET  HTTP/1.1\r\n", malformed.message},
		"no version":       {"GET /\r\n", malformed.message},
		"spaces":           {"GET / / HTTP/1.1\r\n", malformed.message},
		"a tab":            {"GET /\t HTTP/1.1\r\n", malformed.message},
		"NUL in a target":  {"GET /\x00 HTTP/1.1\r\n", malformed.message},
		"another protocol": {"GET / HTTPS/1.1\r\n", malformed.message},
		"HTTP/2":           {"PRI / HTTP/2.0\r\n", otherVersion.message},
		"HTTP/1.2":         {"GET / HTTP/1.2\r\n", otherVersion.message},
		"no colon":         {guarded + "A\r\n", malformed.message},
		"no name":          {guarded + ": b\r\n", malformed.message},
		"a space, a colon": {guarded + "Content-Length : 3\r\n", malformed.message},
		"NUL in a value":   {guarded + "A: \x00\r\n", malformed.message},
		"no Host":          {"GET / HTTP/1.1\r\n\r\n", badHost.message},
		"two Hosts":        {guarded + "Host: x\r\n\r\n", badHost.message},
		"100 fields":       {guarded + fields(maxFields-1) + "\r\n", "GET /abc 0"},
		"101 fields":       {guarded + fields(maxFields), tooManyFields.message},
		"100 trailers": {
			guarded + "Trailer: a" + strings.Repeat(",a", maxFields-2) + "\r\n\r\n", "GET /abc 0",
		},
		"101 trailers": {
			guarded + "Trailer: a" + strings.Repeat(",a", maxFields-1) + "\r\n\r\n",
			tooManyFields.message,
		},
		"16 KiB": {
			guarded + "A: " + strings.Repeat("b", maxHeaderBytes-len(guarded)-7) + "\r\n\r\n",
			"GET /abc 0",
		},
		"more than 16 KiB": {
			guarded + "A: " + strings.Repeat("b", maxHeaderBytes-len(guarded)-6) + "\r\n\r\n",
			headTooLong.message,
		},
		"a line without an end": {
			guarded + "A: " + strings.Repeat("b", maxHeaderBytes), headTooLong.message,
		},
		"half a head":         {guarded, "more"},
		"no host name":        {"GET / HTTP/1.0\r\nHost: a b\r\n", badHost.message},
		"an expectation":      {guarded + "expect: 100-Continue\r\n\r\n", "GET /abc 0"},
		"others":              {guarded + "Expect: 100-continue, b\r\n", otherExpectation.message},
		"a framing trailer":   {guarded + "Trailer: a, content-length\r\n", malformed.message},
		"a trailer's trailer": {guarded + "Trailer: Trailer,b\r\n", malformed.message},
	} {
		for _, step := range []int{len(c.head), 1} {
			var h head
			var whole bool
			var refused *refusal
			for n := step; n <= len(c.head) && !whole && refused == nil; n += step {
				whole, refused = h.read([]byte(c.head[:n]))
			}
			if got := found(&h, whole, refused); got != c.want {
				t.Errorf("%s, by %d: %s, want %s", name, step, got, c.want)
			}
			if whole && h.length != len(c.head) {
				t.Errorf("%s, by %d: %d bytes, want %d", name, step, h.length, len(c.head))
			}
		}
	}
}

func found(h *head, whole bool, refused *refusal) string {
	switch {
	case refused != nil:
		return refused.message
	case !whole:
		return "more"
	case h.body == endless:
		return fmt.Sprintf("%s %s chunked", h.method, h.target)
	default:
		return fmt.Sprintf("%s %s %d", h.method, h.target, h.body)
	}
}

// FuzzGuard compares the guard with net/http, which takes all that the guard lets through: it reads
// the same requests, and finds their ends at the same places.
func FuzzGuard(f *testing.F) {
	for _, c := range ambiguous {
		f.Add([]byte("POST /abc" + c.head + c.body))
		f.Add([]byte(guarded + "\r\nPOST /abc" + c.head + c.body))
	}
	f.Add([]byte("\r\n\r\nPUT /a HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc" + guarded +
		"\r\n"))
	f.Add([]byte("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"))
	f.Add([]byte("POST /%zz HTTP/1.1\r\nHost: [::1]:1\r\nTransfer-Encoding: chunked\r\n" +
		"Trailer: a,, b\r\nExpect: 100-continue\r\n\r\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		for rest := input; ; {
			rest = rest[emptyLines(rest):]
			var h head
			if whole, refused := h.read(rest); !whole || refused != nil {
				return
			}
			if !isURL(h.method, h.target) {
				h.hide()
			}
			from := bytes.NewReader(rest)
			in := bufio.NewReaderSize(from, 32<<10)
			r, err := http.ReadRequest(in)
			if err != nil {
				t.Fatalf("%q: the guard reads %s, net/http %v", rest, found(&h, true, nil), err)
			}
			length := h.body
			if length == endless {
				length = -1
			}
			if r.Method != string(h.method) || r.RequestURI != string(h.target) ||
				r.ContentLength != length || len(rest)-in.Buffered()-from.Len() != h.length {
				t.Fatalf("%q: net/http reads %s %s of %d bytes in %d, the guard %s", rest,
					r.Method, r.RequestURI, r.ContentLength, len(rest)-in.Buffered()-from.Len(),
					found(&h, true, nil))
			}
			if length < 0 {
				return
			}
			_, err = io.Copy(io.Discard, r.Body)
			if int64(len(rest)-h.length) < length {
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("%q: a body that ends early: %v", rest, err)
				}
				return
			}
			if next := len(rest) - in.Buffered() - from.Len(); err != nil ||
				int64(next-h.length) != length {
				t.Fatalf("%q: a body of %d bytes, %v, want %d", rest, next-h.length, err, length)
			}
			rest = rest[h.length+int(length):]
		}
	})
}
