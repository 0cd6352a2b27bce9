package webapi_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terse/internal/move/archive/sources/webapi"
)

// key has all that an answer may escape.
const key = "admin:p/ä&ss+word"

// pipes is a listener without a network, so that time can be that of synctest.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (pipes) Close() error   { return nil }
func (pipes) Addr() net.Addr { return &net.IPAddr{} }

// ask runs a test with a Client of a server, in time of its own.
func ask(t *testing.T, answer http.HandlerFunc, test func(*testing.T, *webapi.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		listener := make(pipes)
		server := http.Server{Handler: answer}
		go func() { _ = server.Serve(listener) }()
		client, err := webapi.New("http://old.test/base/", key)
		if err != nil {
			t.Fatal(err)
		}
		client.Dial(func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			listener <- there
			return here, nil
		})
		defer func() {
			client.Close()
			close(listener)
			_ = server.Close()
			time.Sleep(time.Minute) // handlers end
		}()
		test(t, client)
	})
}

// refused asks, and fails the test unless it is refused with a text, and without the key.
func refused(t *testing.T, c *webapi.Client, want string) error {
	t.Helper()
	var into any
	err := c.Get(t.Context(), "list", url.Values{"key": {key}}, http.Header{"X-Key": {key}}, &into)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want %q", err, want)
	} else if text := err.Error(); strings.Contains(text, "word") ||
		strings.Contains(text, "/base") || len(text) > 400 {
		t.Errorf("the error has the key or the address, or is long: %v", err)
	}
	return err
}

func TestGet(t *testing.T) {
	t.Parallel()
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.EscapedPath() != "/base/list/a%2Fb" || r.URL.Query().Get("key") != key ||
			r.Header.Get("X-Key") != key {
			t.Errorf("it asks for %v", r.URL)
		}
		_, _ = io.WriteString(w, "\n{\"names\": [\"a\x01b\nc\", \"\xff\", null], \"more\": 1}")
	}
	ask(t, answer, func(t *testing.T, c *webapi.Client) {
		var into struct {
			Names webapi.List[string] `json:"names"`
		}
		err := c.Get(t.Context(), "list/"+url.PathEscape("a/b"), url.Values{"key": {key}},
			http.Header{"X-Key": {key}}, &into)
		if got := fmt.Sprintf("%q", into.Names); err != nil || got != `["a b c" "�" ""]` {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

// Only servers are asked, and no error has what may be secret in an address.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "old.test", "file:///etc/passwd", "ftp://old.test", "http://", "http://:80",
		"http://admin:s3cr3t@old.test", "http://admin:%s3cr3t@old.test",
		"http://old.test?key=s3cr3t", "http://old.test/#s3cr3t",
	} {
		_, err := webapi.New(address, "")
		if err == nil || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"http://other.test/list?key=" + key: "redirects to another server, http://other.test",
		"https://old.test/":                 "redirects to another server, https://old.test",
		"http://old.test:8080/":             "redirects to another server, http://old.test:8080",
		"http://127.0.0.1/":                 "redirects to another server",
		"//169.254.169.254/":                "redirects to another server",
		"file:///etc/passwd":                "redirects to another server",
		"http://%zz/" + key:                 "list: ",
		"/again?key=" + key:                 "redirects too often",
	} {
		asked := 0
		answer := func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		}
		ask(t, answer, func(t *testing.T, c *webapi.Client) {
			_ = refused(t, c, want)
			if asked > 6 {
				t.Errorf("%s: asked %d times", to, asked)
			}
		})
	}
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/there" {
			http.Redirect(w, r, "http://OLD.test:80/there", http.StatusFound)
		}
		_, _ = io.WriteString(w, "{}")
	}
	ask(t, answer, func(t *testing.T, c *webapi.Client) {
		var into struct{}
		if err := c.Get(t.Context(), "list", nil, nil, &into); err != nil {
			t.Error(err)
		}
	})
}

// A source from which nothing useful comes is given up after a minute, whatever it does instead.
func TestStalls(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"no header": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"slow header": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				w.WriteHeader(http.StatusEarlyHints)
				time.Sleep(20 * time.Second)
			}
		},
		"slow redirects": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(20 * time.Second)
			http.Redirect(w, r, "/again", http.StatusFound)
		},
		"drip":             drip(http.StatusOK),
		"drip of an error": drip(http.StatusBadGateway),
	} {
		ask(t, answer, func(t *testing.T, c *webapi.Client) {
			start := time.Now()
			_ = refused(t, c, "list: nothing useful came for 1m0s")
			if after := time.Since(start); after != time.Minute {
				t.Errorf("%s: given up after %v", name, after)
			}
		})
	}
	slow := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `"`)
		for range 300 {
			_, _ = io.WriteString(w, strings.Repeat("a", 2<<10))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Second)
		}
		_, _ = io.WriteString(w, `"`)
	}
	ask(t, slow, func(t *testing.T, c *webapi.Client) {
		var into string
		err := c.Get(t.Context(), "list", nil, nil, &into)
		if err != nil || len(into) != 300*2<<10 {
			t.Errorf("%d bytes, %v", len(into), err)
		}
	})
}

// drip sends a byte a second without an end.
func drip(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Second)
		}
	}
}

// Large answers are refused in bounded memory, and read no further.
func TestLargeAnswers(t *testing.T) {
	large := func(w io.Writer) {
		block := []byte(strings.Repeat(" ", 1<<20))
		for range 1 << 10 {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"endless": {func(w http.ResponseWriter, _ *http.Request) { large(w) }, "more than 64 MiB"},
		"announced": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(1<<30))
			_ = http.NewResponseController(w).Flush()
		}, "more than 64 MiB"},
		"bomb": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			packer := gzip.NewWriter(w)
			large(packer)
			_ = packer.Close()
		}, "more than 64 MiB"},
		"header": {func(w http.ResponseWriter, _ *http.Request) {
			for i := range 1000 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("a", 1<<10))
			}
		}, "headers exceeded"},
		"nested": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("[", 1<<20))
		}, "the answer is not as expected"},
		"nested members": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(`{"`+key+`":`, 1<<16))
		}, "the answer is not as expected"},
		"elements": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "["+strings.Repeat("{},", 1<<20)+"{}]")
		}, "a list has more than 524288 elements"},
	} {
		ask(t, c.answer, func(t *testing.T, client *webapi.Client) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if name == "elements" {
				var into webapi.List[struct{ A, B, C, D string }]
				err := client.Get(t.Context(), "list", nil, nil, &into)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v", name, err)
				}
			} else {
				_ = refused(t, client, c.want)
			}
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 600<<20 {
				t.Errorf("%s: it took %d MiB", name, n>>20)
			}
		})
	}
}

// What may pass is asked for again, a few times.
func TestAgain(t *testing.T) {
	t.Parallel()
	cut := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "{")
	}
	status := func(status int, after string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(status)
		}
	}
	for name, c := range map[string]struct {
		fail  func(http.ResponseWriter)
		times int
		tries int
		takes time.Duration
		want  string
	}{
		"lost":         {cut, 2, 3, 3 * time.Second, ""},
		"always lost":  {cut, 9, 5, 15 * time.Second, "list: unexpected EOF"},
		"500":          {status(500, ""), 4, 5, 15 * time.Second, ""},
		"always 503":   {status(503, "x"), 9, 5, 15 * time.Second, "503 Service Unavailable"},
		"429":          {status(429, "7"), 1, 2, 7 * time.Second, ""},
		"429 for long": {status(429, "9999"), 1, 2, time.Minute, ""},
		"429 until": {
			status(429, "Sat, 01 Jan 2000 00:00:30 GMT"), 1, 2, 30 * time.Second, "",
		},
		"429 since": {status(429, "Sat, 01 Jan 1999 00:00:30 GMT"), 1, 2, time.Second, ""},
		"404":       {status(404, "7"), 1, 1, 0, "list: it answers 404 Not Found"},
		"304":       {status(304, ""), 1, 1, 0, "list: it answers 304 Not Modified"},
	} {
		tries := 0
		answer := func(w http.ResponseWriter, _ *http.Request) {
			if tries++; tries <= c.times {
				c.fail(w)
				return
			}
			_, _ = io.WriteString(w, "{}")
		}
		ask(t, answer, func(t *testing.T, client *webapi.Client) {
			start := time.Now()
			var into struct{}
			if c.want != "" {
				_ = refused(t, client, c.want)
			} else if err := client.Get(t.Context(), "list", nil, nil, &into); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if took := time.Since(start); tries != c.tries || took != c.takes {
				t.Errorf("%s: %d tries in %v", name, tries, took)
			}
		})
	}
}

// An address at which nobody ever answered is not asked again.
func TestNobody(t *testing.T) {
	t.Parallel()
	ask(t, nil, func(t *testing.T, c *webapi.Client) {
		c.Dial(func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("no " + key)
		})
		start := time.Now()
		_ = refused(t, c, "no ***")
		if took := time.Since(start); took != 0 {
			t.Errorf("it took %v", took)
		}
	})
}

// An error shows a piece of the answer, harmless and without the key, however that is escaped.
func TestStatus(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"detail":"no such key"}`: `: {"detail":"no such key"}`,
		"a\x1b[31m\n\tb\u202e":     ": a[U+001B][31m b[U+202E]",
		"\xff<b>":                  ": \ufffd<b>",
		"":                         "",
		key + " ":                  ": ***",
		`"p\/\u00e4&ss+word"`:      `: "p\/\u00e4&ss+***"`,
		url.QueryEscape(key):       ": ***",
		"YWRtaW46cC/DpCZzcyt3b3Jk": ": ***",
		strings.Repeat("a", 1000):  ": " + strings.Repeat("a", 200) + "…",
		strings.Repeat(" ", 1600-len(key)+2) + key + "\n!": "",
		strings.Repeat(" ", 790) + key + "\n!":             ": *** !",
		strings.Repeat("ä", 99) + "a" + "ää":               ": " + strings.Repeat("ä", 99) + "a…",
	} {
		answer := func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, body)
		}
		ask(t, answer, func(t *testing.T, c *webapi.Client) {
			err := refused(t, c, "")
			status, ok := errors.AsType[*webapi.StatusError](err)
			if !ok || status.Status != 403 || err.Error() != "list: it answers 403 Forbidden"+want {
				t.Errorf("%q: %q", body, err)
			}
		})
	}
}

func TestAtOnce(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int64
	answer := func(w http.ResponseWriter, _ *http.Request) {
		most.Store(max(most.Load(), now.Add(1)))
		time.Sleep(time.Second)
		now.Add(-1)
		_, _ = io.WriteString(w, "{}")
	}
	ask(t, answer, func(t *testing.T, c *webapi.Client) {
		for range 20 {
			go func() {
				var into struct{}
				if err := c.Get(t.Context(), "list", nil, nil, &into); err != nil {
					t.Error(err)
				}
			}()
		}
		time.Sleep(time.Minute)
		if most.Load() != 4 {
			t.Errorf("%d requests at once", most.Load())
		}
	})
}

// The end of the context ends a wait for the answer, for another try, and for a turn.
func TestContext(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"pause": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "60")
			w.WriteHeader(http.StatusServiceUnavailable)
		},
	} {
		ask(t, answer, func(t *testing.T, c *webapi.Client) {
			var all sync.WaitGroup
			for i := range 6 {
				wait := 10 * time.Second
				if i > 3 { // wait for their turn
					synctest.Wait()
					wait = 5 * time.Second
				}
				all.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), wait)
					defer cancel()
					start := time.Now()
					var into struct{}
					err := c.Get(ctx, "list", nil, nil, &into)
					took := time.Since(start)
					if !errors.Is(err, context.DeadlineExceeded) || took != wait {
						t.Errorf("%s: %v after %v", name, err, took)
					}
				})
			}
			all.Wait()
		})
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	var p webapi.Pages
	for i, c := range []struct {
		ids    string
		news   int
		cursor string
		want   string
	}{
		{"a b", 2, "", ""},
		{"b c", 1, "x", ""}, // shifted
		{"d", 1, "y", ""},
		{"a e", 1, "x", "the source repeats a cursor"},
		{"b a", 0, "z", "the source repeats a page"},
		{"", 0, "", "the source repeats a page"},
	} {
		news := 0
		for id := range strings.FieldsSeq(c.ids) {
			if p.New(id) {
				news++
			}
		}
		if err := p.Turn(c.cursor); fmt.Sprint(err) != c.want && (c.want != "" || err != nil) ||
			news != c.news {
			t.Errorf("page %d: %d are new, %v", i, news, err)
		}
	}
	for i := range 2_000_000 {
		p.New(strconv.Itoa(i))
	}
	if err := p.Turn(""); err == nil {
		t.Error("there is no bound")
	}
}
