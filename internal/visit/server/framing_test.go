package server

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

const (
	smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	chunked  = " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
	chunks   = "5\r\nhello\r\n0\r\n\r\n" + smuggled
)

// ambiguous are requests that a proxy may read in another way: what follows the target.
var ambiguous = map[string]struct {
	head, body string
	status     int
}{
	"length and chunked": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n",
		chunks, 400,
	},
	"chunked and length": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\nContent-Length: 0\r\n\r\n",
		chunks, 400,
	},
	"HTTP/1.0, chunked": {
		" HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
		chunks, 400,
	},
	"identity": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
		smuggled, 501,
	},
	"identity and length": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\nContent-Length: 3\r\n\r\n",
		"abc" + smuggled, 501,
	},
	"gzip": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
		smuggled, 501,
	},
	"chunked twice": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", chunks, 501,
	},
	"chunked, then identity": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: " +
			"identity\r\n\r\n", chunks, 501,
	},
	"two lengths": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
		"abcd" + smuggled, 400,
	},
	"a list of lengths": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"a signed length": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"space before the colon": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"folded coding": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n", chunks, 501,
	},
	"folded field": {" HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", smuggled, 400},
	"bare LF":      {" HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", smuggled, 400},
	"bare LF before the length": {
		" HTTP/1.1\r\nHost: x\r\nA: b\nContent-Length: 3\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"bare LF ends the request": {" HTTP/1.1\nHost: x\r\n\r\n", smuggled, 400},
	"bare LF hides the length": {
		" HTTP/1.1\nContent-Length: 3\r\nHost: x\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"bare LF hides the coding": {
		" HTTP/1.1\nTransfer-Encoding: chunked\r\nHost: x\r\n\r\n",
		chunks, 400,
	},
	"bare LF ends the coding": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\nA: b\r\n\r\n", chunks, 400,
	},
	"bare LF ends the headers": {" HTTP/1.1\r\nHost: x\r\n\n", smuggled, 400},
	"bare LF everywhere":       {" HTTP/1.1\nHost: x\n\n", smuggled, 400},
	"bare CR ends the request": {
		" HTTP/1.1\rContent-Length: 3\r\nHost: x\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"bare CR ends a field": {
		" HTTP/1.1\r\nHost: x\rContent-Length: 3\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"bare LF behind a size":   {chunked, "5\nhello\r\n0\r\n\r\n" + smuggled, 400},
	"bare LF in an extension": {chunked, "5;a\nb\r\nhello\r\n0\r\n\r\n" + smuggled, 400},
	"bare LF behind a chunk":  {chunked, "5\r\nhello\n0\r\n\r\n" + smuggled, 400},
	"bare LF behind the last": {chunked, "5\r\nhello\r\n0\n\r\n" + smuggled, 400},
	"bare CR behind a size":   {chunked, "5\rhello\r\n0\r\n\r\n" + smuggled, 400},
	"the same length twice": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"an empty length": {" HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n", smuggled, 400},
	"a hexadecimal length": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length: 0x3\r\n\r\n", "abc" + smuggled, 400,
	},
	"a length beyond 64 bits": {
		" HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551619\r\n\r\n",
		"abc" + smuggled, 400,
	},
	"chunked in two fields": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n", chunks, 400,
	},
	"chunked with a parameter": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked;q=1\r\n\r\n", chunks, 501,
	},
	"a vertical tab before the coding": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \vchunked\r\n\r\n", chunks, 400,
	},
	"a space before the first field": {
		" HTTP/1.1\r\n Content-Length: 3\r\nHost: x\r\n\r\n", "abc" + smuggled, 400,
	},
	"a tab before the colon": {
		" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding\t: chunked\r\n\r\n", chunks, 400,
	},
	"no colon": {" HTTP/1.1\r\nHost: x\r\nContent-Length\r\n\r\n", smuggled, 400},
	"NUL in a name": {
		" HTTP/1.1\r\nHost: x\r\nContent-\x00Length: 3\r\n\r\n", "abc" + smuggled, 400,
	},
	"two hosts":          {" HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", smuggled, 400},
	"no host":            {" HTTP/1.1\r\nA: b\r\n\r\n", smuggled, 400},
	"a signed size":      {chunked, "+5\r\nhello\r\n0\r\n\r\n" + smuggled, 400},
	"a hexadecimal size": {chunked, "0x5\r\nhello\r\n0\r\n\r\n" + smuggled, 400},
	"a size beyond 64 bits": {
		chunked, "10000000000000005\r\nhello\r\n0\r\n\r\n" + smuggled, 400,
	},
	"a chunk too short": {chunked, "4\r\nhello\r\n0\r\n\r\n" + smuggled, 400},
	"HTTP/2.0":          {" HTTP/2.0\r\nHost: x\r\n\r\n", smuggled, 505},
	"HTTP/1.2":          {" HTTP/1.2\r\nHost: x\r\n\r\n", smuggled, 505},
}

// TestAmbiguousFramingIsRefused sends requests that a proxy may read in another way, for a redirect
// and for the control plane, alone and behind others, at once and one after the other. Each is
// refused and ends its connection: what its body pretends to be is never answered.
func TestAmbiguousFramingIsRefused(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	const redirect = "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n"
	const api = "GET /api/echo HTTP/1.1\r\nHost: x\r\n\r\n"
	const post = "POST /api/body HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
	for name, c := range ambiguous {
		for _, target := range []string{
			"GET /abc", "POST /abc", "GET /api/echo", "POST /api/body",
		} {
			for _, before := range [][]string{
				{}, {redirect}, {api}, {redirect, redirect}, {api, post}, {post, redirect},
			} {
				refused := target + c.head + c.body
				for _, parts := range [][]string{
					{strings.Join(before, "") + refused}, append(before, refused),
				} {
					answers := f.all(t, parts...)
					if len(answers) != len(before)+1 {
						t.Errorf("%s, %s behind %d: %d answers, want one and a close", name, target,
							len(before), len(answers))
						continue
					}
					last := answers[len(before)]
					var e struct{ Error string }
					if err := json.Unmarshal([]byte(last.body), &e); err != nil ||
						e.Error == "" || last.status != c.status || !last.closes {
						t.Errorf("%s, %s behind %d: %+v, want %d, a JSON error and a close", name,
							target, len(before), last, c.status)
					}
				}
			}
		}
	}
	if log := f.logged(); strings.Contains(log, "smuggled") {
		t.Error("the body of a request was answered as another one")
	}
}

// TestABareLFBeforeARequest sends empty lines in front of one: RFC 9112 lets a server skip those,
// and ours does when they are whole.
func TestABareLFBeforeARequest(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	for _, target := range []string{"/abc", "/api/echo"} {
		if resp, body := f.raw(t, "\r\n"+get(target)); resp.StatusCode >= 400 {
			t.Errorf("%s behind an empty line: %d %s", target, resp.StatusCode, body)
		}
		for _, before := range []string{"\n", "\r\n\n", "\n\r\n"} {
			if resp, body := f.raw(t, before+get(target)); resp.StatusCode != 400 {
				t.Errorf("%s behind %q: %d %s, want 400", target, before, resp.StatusCode, body)
			}
		}
	}
}

// TestAChunkedBodyEndsItsConnection sends trailer fields that a proxy may read in another way, with
// what they or the bytes behind them pretend to be. The request is answered, and nothing else.
func TestAChunkedBodyEndsItsConnection(t *testing.T) {
	t.Parallel()
	f := newFront(t, nil, nil)
	for _, end := range []string{
		"\r\n" + smuggled, "\n" + smuggled, "A: b\n\r\n" + smuggled, "A: b\n\n" + smuggled,
		"A: b\r\n\n" + smuggled,
		"A: b\r\n\r\n" + smuggled,
	} {
		for _, target := range []string{
			"GET /abc", "POST /abc", "GET /api/echo",
			"POST /api/body",
		} {
			answers := f.all(t,
				target+" HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "+
					"chunked\r\n\r\n5\r\nhello\r\n0\r\n"+end)
			if len(answers) != 1 || answers[0].status >= 400 || !answers[0].closes {
				t.Errorf("%s, trailer %q: %+v, want one answer and a close", target, end, answers)
			}
		}
	}
	if log := f.logged(); strings.Contains(log, "smuggled") {
		t.Error("bytes behind a chunked body were answered as a request")
	}
}

// response is one that was read.
type response struct {
	status int
	body   string
	closes bool
}

// all sends requests on a connection of its own, each part when the one before is answered, and
// returns all that is answered until the server closes it.
func (f *front) all(t *testing.T, parts ...string) (answers []response) {
	t.Helper()
	c, err := f.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(30 * time.Second))
	in := bufio.NewReader(c)
	for {
		if len(parts) > 0 {
			if _, err := io.WriteString(c, parts[0]); err != nil {
				t.Fatal(err)
			}
			parts = parts[1:]
		}
		if _, err := in.Peek(1); err == io.EOF {
			return answers
		}
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatalf("%.200q: %v after %+v", parts, err, answers)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatalf("%.200q: %v after %+v", parts, err, answers)
		}
		answers = append(answers, response{resp.StatusCode, string(body), resp.Close})
	}
}
