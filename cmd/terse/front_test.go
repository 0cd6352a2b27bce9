package main

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"terse/api"
)

// raw sends a request as it stands here, and returns the answer to it.
func (i *instance) raw(t *testing.T, method, request string) answer {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(i.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	return answer{resp, string(body)}
}

// ways are requests that take different ways to the same answer.
var ways = []struct {
	name, method, version, fields string
	clicks                        int64
}{
	{"the lane", "GET", "HTTP/1.1", "", 1},
	{"net/http", "GET", "HTTP/1.1", "Content-Length: 0\r\n", 1},
	{"HTTP/1.0", "GET", "HTTP/1.0", "", 1},
	{"HEAD", "HEAD", "HTTP/1.1", "", 0},
	{"another method", "POST", "HTTP/1.1", "Content-Length: 0\r\n", 0},
}

// TestOneTrailingSlash asks for the same link with and without it. The answers are alike, and so
// are the clicks.
func TestOneTrailingSlash(t *testing.T) {
	t.Parallel()
	i := start(t)
	var clicks int64
	code := i.shorten(t, "https://example.com/")
	for _, way := range ways {
		for _, query := range []string{"", "?utm=x/", "?"} {
			ask := func(path string) answer {
				a := i.raw(t, way.method,
					way.method+" "+path+query+" "+way.version+"\r\nHost: x\r\n"+way.fields+"\r\n")
				a.Header.Del("Date")
				a.Header.Del("X-Request-Id")
				return a
			}
			plain, slash := ask("/"+code), ask("/"+code+"/")
			clicks += 2 * way.clicks
			if way.method != "POST" && plain.StatusCode != 302 || !sameAnswer(plain, slash) {
				t.Errorf("%s, %q: %d %v, with a slash %d %v",
					way.name, query, plain.StatusCode, plain.Header, slash.StatusCode, slash.Header)
			}
			for _, path := range []string{
				"/" + code + "//", "//" + code + "/", "/unknown1/",
				"/" + code + "/x/", "/" + code + "%2F/",
			} {
				if a := ask(path); way.method != "POST" && a.StatusCode != 404 {
					t.Errorf("%s, %s%s: %d, want 404", way.name, path, query, a.StatusCode)
				}
			}
		}
	}
	i.drain(t)
	if got := i.clicks(t, code, clicks).TotalClicks; got != clicks {
		t.Errorf("%d clicks were counted, want %d", got, clicks)
	}
}

func sameAnswer(a, b answer) bool {
	return a.StatusCode == b.StatusCode && a.body == b.body &&
		maps.EqualFunc(a.Header, b.Header, slices.Equal)
}

// TestBidiControls puts characters that turn text around wherever a caller may put text. What
// people read has them escaped; JSON answers have what was stored.
func TestBidiControls(t *testing.T) {
	t.Parallel()
	const rlo, shown = "\u202e", `\u202e`
	i := start(t)
	code := i.shorten(t, "https://example.com/"+rlo+"gnp.exe?"+rlo+"#"+rlo)
	const location = "https://example.com/%E2%80%AEgnp.exe?%E2%80%AE#%E2%80%AE"
	for _, way := range ways[:4] {
		a := i.raw(t, way.method,
			way.method+" /"+code+" "+way.version+"\r\nHost: x\r\n"+way.fields+"\r\n")
		if got := a.Header.Get("Location"); got != location {
			t.Errorf("%s: Location %q, want %q", way.name, got, location)
		}
		a = i.raw(t, way.method,
			way.method+" /"+rlo+" "+way.version+
				"\r\nHost: x\r\nReferer: https://example.com/"+rlo+"\r\n"+
				way.fields+"\r\n")
		if a.StatusCode != 404 || strings.Contains(a.body, rlo) {
			t.Errorf("%s: the page for an unknown code: %d %s", way.name, a.StatusCode, a.body)
		}
	}
	for _, body := range []string{
		`{"` + rlo + `":"x"}`, `{"` + rlo + `":1,"` + rlo + `":1}`, rlo,
		`{"original_url":` + rlo + `}`, `{"original_url":"https://` + rlo + `/"}`,
		`{"original_url":"` + rlo + `"}`, `{"original_url":"https://example.com/","short_code":"` +
			rlo + `"}`,
	} {
		if a := i.do(t, "POST /api/urls", body, authorized()); a.StatusCode != 400 ||
			strings.Contains(a.body, rlo) {
			t.Errorf("%s: %d %s", body, a.StatusCode, a.body)
		}
	}
	for _, query := range []string{
		"/clicks?interval=", "/clicks?time_zone=", "/clicks?country=",
		"/analytics?end_time=2026-01-01T00:00:00Z&start_time=",
	} {
		if a := i.do(t, "GET /api/urls/"+code+query+"%E2%80%AE", "",
			authorized()); a.StatusCode != 400 || strings.Contains(a.body, rlo) {
			t.Errorf("%s: %d %s", query, a.StatusCode, a.body)
		}
	}
	if page := i.do(t, "GET /ui/%E2%80%AE?search=%E2%80%AE", ""); page.StatusCode != 404 ||
		strings.Contains(page.body, rlo) {
		t.Errorf("the dashboard's page: %d %s", page.StatusCode, page.body)
	}
	if lines := i.logLines(t, `"path":"/`+shown+`"`); len(lines) != 4 {
		t.Errorf("logged %q", lines)
	}
	if strings.Contains(i.log.String(), rlo) {
		t.Errorf("a bidi control is in the log: %q", i.log.String())
	}
}

// TestCompression asks for JSON of all lengths, with and without gzip: what is unpacked is the
// same.
func TestCompression(t *testing.T) {
	t.Parallel()
	i := start(t)
	for n := range 60 { // 400 KiB, which no compressor makes short
		i.shorten(t, "https://example.com/"+randomText(7000)+"?"+strconv.Itoa(n))
	}
	short := i.shorten(t, "https://example.com/")
	get := func(request, accepted string) answer {
		// A header of our own keeps the transport from asking for gzip and unpacking it.
		return i.do(t, request, "", authorized(), "Accept-Encoding: "+accepted)
	}
	for path, long := range map[string]bool{
		"/api/urls?limit=100": true, "/api/urls?limit=2": true, "/api/overview": false,
		"/api/urls?limit=1":  false,
		"/api/urls/" + short: false, "/api/urls/nothere": false, "/api/urls?cursor=x": false,
		"/health": false,
	} {
		plain := get("GET "+path, "identity")
		for accepted, packs := range map[string]bool{
			"gzip": true, "br, gzip;q=0.1": true, "*": true, "identity;q=0, gzip": true,
			"br": false, "gzip;q=0": false, "identity;q=0": false, "identity, gzip;q=0.5": false,
		} {
			a, head := get("GET "+path, accepted), get("HEAD "+path, accepted)
			want := ""
			if packs && long {
				want = "gzip"
			}
			if got := a.Header.Get("Content-Encoding"); got != want ||
				a.Header.Get("Vary") != "Accept-Encoding" ||
				a.ContentLength != int64(len(a.body)) || a.StatusCode != plain.StatusCode {
				t.Errorf("%s, %q: %d %v, want %q", path, accepted, a.StatusCode, a.Header, want)
			}
			if want != "" && len(a.body) >= len(plain.body) || unpacked(t, a) != plain.body {
				t.Errorf("%s, %q: %d bytes, %d without compression", path, accepted, len(a.body),
					len(plain.body))
			}
			for _, each := range []answer{a, head} {
				each.Header.Del("Date")
				each.Header.Del("X-Request-Id")
			}
			if head.body != "" || !maps.EqualFunc(a.Header, head.Header, slices.Equal) {
				t.Errorf("%s, %q: HEAD %v, GET %v", path, accepted, head.Header, a.Header)
			}
		}
	}
	long := "https://example.com/?" + strings.Repeat("a", 2000)
	made := i.do(t, "POST /api/urls", `{"original_url":"`+long+`"}`, authorized(),
		"Accept-Encoding: gzip")
	if made.StatusCode != 201 || made.Header.Get("Content-Encoding") != "gzip" ||
		!strings.Contains(unpacked(t, made), long) {
		t.Errorf("create: %d %v", made.StatusCode, made.Header)
	}
	if a := i.do(t, "GET /api/urls", "", "Accept-Encoding: gzip"); a.StatusCode != 401 ||
		a.Header.Get("Content-Encoding") != "" {
		t.Errorf("without a token: %d %v", a.StatusCode, a.Header)
	}
}

func randomText(n int) string {
	b := make([]byte, n/2)
	for i := range b {
		b[i] = byte(rand.Uint32())
	}
	return hex.EncodeToString(b)
}

func unpacked(t *testing.T, a answer) string {
	t.Helper()
	if a.Header.Get("Content-Encoding") == "" {
		return a.body
	}
	packed, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// watched is a transport that counts the answers that were compressed.
type watched struct {
	http.RoundTripper
	unpacked int
}

func (w *watched) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := w.RoundTripper.RoundTrip(r)
	if err == nil && resp.Uncompressed {
		w.unpacked++
	}
	return resp, err
}

func TestTheClientUnpacks(t *testing.T) {
	t.Parallel()
	i := start(t)
	var made []string
	for range 30 {
		made = append(made, i.shorten(t, "https://example.com/"))
	}
	transport := &watched{RoundTripper: http.DefaultTransport.(*http.Transport).Clone()}
	client := i.client()
	client.HTTPClient = &http.Client{Transport: transport}
	var listed []string
	for link, err := range client.All(t.Context(), api.Search{Sort: "oldest", Limit: 20}) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, link.ShortCode)
	}
	if !slices.Equal(listed, made) || transport.unpacked != 2 {
		t.Errorf("%d of %d links in %d compressed pages", len(listed), len(made),
			transport.unpacked)
	}
}
