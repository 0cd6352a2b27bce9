package redirect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"math"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/bcrypt"

	"terse"
	"terse/internal/visit/password"
)

// wantStatus asks and returns the answer, which must have a status.
func (f *fixture) wantStatus(t testing.TB, status int, request string,
	headers ...string,
) *httptest.ResponseRecorder {
	t.Helper()
	w, err := f.ask(request, headers...)
	if err != nil || w.Code != status {
		t.Errorf("%s %q: %d %v %.200s, want %d", request, headers, w.Code, err,
			w.Body, status)
	}
	return w
}

func location(w *httptest.ResponseRecorder) string { return w.Header().Get("Location") }

// told is all that a visitor is told.
func told(w *httptest.ResponseRecorder) string { return fmt.Sprint(w.Code, w.Header(), w.Body) }

// lastRule is what the last click remembers.
func (f *fixture) lastRule(t testing.TB) string {
	t.Helper()
	if len(f.clicks.clicks) == 0 {
		t.Fatal("no click")
	}
	return f.clicks.clicks[len(f.clicks.clicks)-1].Values.Of(terse.ByRule)
}

func TestOptionsAtTheFront(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "launch", "https://example.com/?x=1",
		`rules [{"name":"phones","when":{"device":["ios"]},"url":"https://m.example/"},
			{"name":"here","when":{"country":["AU"],"query":{"p":"q"}},
				"url":"https://au.example/"}]`,
		"forward_query true", "forward_path true", "redirect_status 307")
	const phone = "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) Mobile/15E148"
	for _, test := range []struct{ path, header, location, rule string }{
		{"/launch", "x: y", "https://example.com/?x=1", "default"},
		{"/launch?a=b&x", "x: y", "https://example.com/?a=b&x", "default"},
		{"/launch/a/b?c", phone, "https://m.example/a/b?c", "phones"},
		{"/launch/?p=q", "x: y", "https://au.example/?p=q", "here"},
		{"/l%61unch/?p=q", "CF-IPCountry: DE", "https://au.example/?p=q", "here"},
	} {
		r := f.wantStatus(t, 307, "GET "+test.path, test.header)
		if location(r) != test.location || f.lastRule(t) != test.rule ||
			r.Header().Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s, %s: %s by %s", test.path, test.header, location(r), f.lastRule(t))
		}
	}
	f.wantStatus(t, 404, "GET /launch/../x")
	f.wantStatus(t, 405, "POST /launch x")
}

func TestStates(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "scheduled", "https://example.com/", `starts_at "2999-01-01T00:00:00Z"`)
	f.linkWith(t, "expired", "https://example.com/", `expires_at "2001-01-01T00:00:00Z"`)
	f.linkWith(t, "elsewhere", "https://example.com/", `expires_at "2001-01-01T00:00:00Z"`,
		`expired_url "https://over.example/"`)
	unknown := f.wantStatus(t, 404, "GET /unknown")
	for _, path := range []string{"/scheduled", "/scheduled+", "/scheduled.svg", "/scheduled.png"} {
		if r := f.wantStatus(t, 404, "GET "+path); told(r) != told(unknown) {
			t.Errorf("%s can be told from an unknown code", path)
		}
	}
	for _, path := range []string{"/expired", "/expired+", "/elsewhere+"} {
		r := f.wantStatus(t, 410, "GET "+path)
		if r.Header().Get("Cache-Control") != "no-store" ||
			!strings.Contains(r.Body.String(), "This link is no longer active.") {
			t.Errorf("%s: %s", path, told(r))
		}
	}
	if r := f.wantStatus(t, 302, "GET /elsewhere?a=b"); location(r) != "https://over.example/" {
		t.Error(location(r))
	}
	if len(f.clicks.clicks) != 0 {
		t.Error("counted as clicks")
	}
}

// A link whose options can't be read is closed, and the log hears of it, but not of each visit.
func TestDamagedOptions(t *testing.T) {
	t.Parallel()
	for _, text := range []terse.EncodedOptions{
		`{"title":7}`, `{"password":"$argon2id$v=19$m=19456,t=2`, `{"disabled":tru`,
		`{"max_clicks":"1"}`, `{"starts_at":"2999"}`, `null`,
		`{"rules":[{"name":"r","url":"https://r.example/","when":{"later":["x"]}}]}`,
	} {
		f := newFixture(t)
		code := f.createWith(t, "launch", "https://secret.example/", text).Code
		for _, request := range []string{
			"GET /launch", "HEAD /launch", "POST /launch x", "GET /launch/x", "GET /launch+",
			"GET /launch.svg", "GET /launch.png",
		} {
			f.complained.Store(0)
			w, err := f.ask(request, "X-Link-Password: x")
			if w.Code != 500 || !errors.Is(err, terse.ErrDamaged) ||
				!strings.Contains(fmt.Sprint(err), code.String()) ||
				strings.Contains(fmt.Sprint(w.Header(), w.Body), "secret.example") {
				t.Errorf("%s with %s: %v %d %s", request, text, err, w.Code, w.Body)
			}
			if w, err := f.ask(request); w.Code != 500 || err != nil {
				t.Errorf("%s again: %d %v", request, w.Code, err)
			}
		}
		if len(f.clicks.clicks) != 0 {
			t.Errorf("%d clicks", len(f.clicks.clicks))
		}
	}
}

// A link that other programs have pointed at something else than a web page is closed in the same
// way: nobody is sent there.
func TestAForeignURL(t *testing.T) {
	t.Parallel()
	const web = "https://secret.example/"
	for _, link := range []struct{ url, options string }{
		{"javascript:alert(1)", ""},
		{"data:text/html,x", `{"title":"x"}`},
		{"", ""},
		{"//secret.example/", ""},
		{"file:///etc/passwd", ""},
		{"\r\nX: y", ""},
		{web, `{"disabled":true,"expired_url":"javascript:alert(1)"}`},
		{web, `{"rules":[{"name":"r","url":"javascript:alert(1)"}]}`},
	} {
		f := newFixture(t)
		f.createWith(t, "launch", link.url, terse.EncodedOptions(link.options))
		for _, request := range []string{
			"GET /launch", "HEAD /launch", "GET /launch", "GET /launch+", "GET /launch.svg",
		} {
			f.complained.Store(0)
			w, err := f.ask(request)
			if w.Code != 500 || !errors.Is(err, terse.ErrDamaged) ||
				w.Header().Get("Location") != "" {
				t.Errorf("%s of %+v: %v %d %s", request, link, err, w.Code, w.Header())
			}
		}
		if len(f.clicks.clicks) != 0 {
			t.Errorf("%d clicks", len(f.clicks.clicks))
		}
	}
}

// What a later version has added to a link's options takes away none of the others.
func TestOptionsOfALaterVersion(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for code, option := range map[string]string{
		"locked": `"password":"$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$` +
			`ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7"`,
		"off": `"disabled":true`, "soon": `"starts_at":"2090-01-01T00:00:00Z"`,
		"once": `"max_clicks":1`,
	} {
		f.createWith(t, code, "https://secret.example/",
			terse.EncodedOptions("{"+option+`,"later":{"field":true}}`))
	}
	f.wantStatus(t, 200, "GET /locked")
	f.wantStatus(t, 403, "POST /locked wrong")
	f.wantStatus(t, 410, "GET /off")
	f.wantStatus(t, 404, "GET /soon")
	f.wantStatus(t, 302, "GET /once")
	f.wantStatus(t, 410, "GET /once")
}

func TestMaxClicks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "twice", "https://example.com/", "max_clicks 2", `title "A & B"`)
	f.wantStatus(t, 302, "HEAD /twice")
	for purpose, status := range map[string]int{"prefetch;prerender": 503, "x": 302} {
		r := f.wantStatus(t, status, "HEAD /twice", "Sec-Purpose: "+purpose)
		if status == 503 && r.Header().Get("Cache-Control") != "no-store" {
			t.Error(r)
		}
	}
	f.wantStatus(t, 503, "GET /twice", "Sec-Purpose: prefetch")
	page := f.wantStatus(t, 200, "GET /twice", "User-Agent: Slackbot-LinkExpanding 1.0")
	if !strings.Contains(page.Body.String(), "A &amp; B") {
		t.Errorf("%s", page.Body)
	}
	f.wantStatus(t, 404, "GET /twice/x")
	f.wantStatus(t, 200, "GET /twice+")
	f.wantStatus(t, 302, "GET /twice")
	if a := f.Answer(&Visit{Path: []byte("/twice"), Time: time.Now()},
		Attempt{Wait: time.Minute}); a.Reply != nil || !a.Apart {
		t.Errorf("a click was taken in the loop: %+v", a)
	}
	f.wantStatus(t, 302, "GET /twice")
	for _, request := range []string{"GET /twice", "HEAD /twice", "GET /twice+"} {
		f.wantStatus(t, 410, request)
	}
	f.wantStatus(t, 404, "GET /twice/x")
	f.wantStatus(t, 410, "GET /twice", "Sec-Purpose: prefetch")
	f.wantStatus(t, 410, "GET /twice", "User-Agent: WhatsApp/2.0")
	if len(f.clicks.clicks) != 2 {
		t.Errorf("%d clicks", len(f.clicks.clicks))
	}
}

// Exactly as many redirects are answered as there may be, however many come at once.
func TestMaxClicksAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "some", "https://example.com/", "max_clicks 25",
		`expired_url "https://over.example/"`)
	var all sync.WaitGroup
	var redirected, over atomic.Int64
	for range 8 {
		all.Go(func() {
			for range 10 {
				v := Visit{Path: []byte("/some"), Time: time.Now()}
				a := f.Answer(&v, Attempt{Admitted: true})
				switch string(a.Value) {
				case "https://example.com/":
					redirected.Add(1)
				case "https://over.example/":
					over.Add(1)
				}
			}
		})
	}
	all.Wait()
	if redirected.Load() != 25 || over.Load() != 55 || len(f.clicks.clicks) != 25 {
		t.Errorf("%d redirects, %d over, %d clicks", redirected.Load(), over.Load(),
			len(f.clicks.clicks))
	}
}

// Whoever was taken for a program that fetches previews gets on by the preview's form.
func TestPreviewWithForm(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "once", "https://example.com/", "max_clicks 1", "forward_query true")
	f.linkWith(t, "both", "https://secret.example/", "max_clicks 1", quickHash(t, "right"))
	const fetcher = "User-Agent: WhatsApp/2.23"
	for range 2 { // it takes no click
		r := f.wantStatus(t, 200, "GET /once?a=b", fetcher)
		policy := r.Header().Get("Content-Security-Policy")
		if body := r.Body.String(); !strings.Contains(body, "<form method=\"post\">") ||
			strings.Contains(body, "<a ") || strings.Contains(policy, "form-action") ||
			r.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s", told(r))
		}
	}
	if r := f.wantStatus(t, 200, "GET /once+"); !strings.Contains(r.Body.String(), "<a ") ||
		strings.Contains(r.Body.String(), "<form") {
		t.Errorf("%s", told(r))
	}
	const there = "https://example.com/?a=b"
	if r := f.wantStatus(t, 303, "POST /once?a=b", fetcher); location(r) != there ||
		r.Header().Get("Cache-Control") != "private, no-store" {
		t.Errorf("%s", told(r))
	}
	f.wantStatus(t, 410, "POST /once")
	f.wantStatus(t, 410, "GET /once")
	if len(f.clicks.clicks) != 1 {
		t.Errorf("%d clicks", len(f.clicks.clicks))
	}

	f.wantStatus(t, 200, "GET /both", fetcher)
	for range 2 * maxAttempts { // the form has no password, and is no attempt
		r := f.wantStatus(t, 200, "POST /both", fetcher)
		if !strings.Contains(r.Body.String(), `type="password"`) {
			t.Errorf("%s", told(r))
		}
	}
	f.wantStatus(t, 303, "POST /both right", fetcher)
	f.wantStatus(t, 410, "POST /both right")
}

// A body that is no form is no attempt.
func TestForeignForms(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "locked", "https://example.com/", quickHash(t, "right"))
	f.linkWith(t, "once", "https://example.com/", "max_clicks 1")
	f.link(t, "plain", "https://example.com/")
	const multipart = "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" +
		"right\r\n--x--"
	post := func(path, kind, body string) int {
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", path, strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		if err := f.Serve(w, r, Visit{Path: []byte(path)}); err != nil {
			t.Error(err)
		}
		return w.Code
	}
	for range maxAttempts {
		for kind, body := range map[string]string{
			"multipart/form-data; boundary=x": multipart, "text/plain": "password=right",
			"application/json": `{"password":"right"}`, "": "password=right",
		} {
			if got := post("/locked", kind, body); got != 415 {
				t.Errorf("%s: %d", kind, got)
			}
		}
	}
	for kind, want := range map[string]int{
		"Application/X-WWW-Form-urlencoded ; charset=UTF-8": 303, "": 200,
	} {
		body := ""
		if kind != "" {
			body = "password=right"
		}
		if got := post("/locked", kind, body); got != want {
			t.Errorf("%q: %d, want %d", kind, got, want)
		}
	}
	if got := post("/locked", "application/x-www-form-urlencoded", "password="); got != 403 {
		t.Errorf("an empty password: %d", got)
	}
	for _, path := range []string{"/plain", "/unknown"} {
		if got := post(path, "text/plain", "x"); got != 405 {
			t.Errorf("%s: %d", path, got)
		}
	}
	if got := post("/once", "text/plain", "x"); got != 415 {
		t.Errorf("/once: %d", got)
	}
	if got := post("/once", "", ""); got != 303 {
		t.Errorf("/once: %d", got)
	}
}

func TestMaxClicksStoreAway(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	away := errors.New("away")
	f.opts.Take = func(context.Context, terse.LinkRef) error { return away }
	f.linkWith(t, "once", "https://example.com/", "max_clicks 1")
	if w, err := f.ask("GET /once"); !errors.Is(err, away) || w.Code != 500 {
		t.Errorf("%d %v", w.Code, err)
	}
	f.opts.Take = func(context.Context, terse.LinkRef) error { return terse.ErrNotFound }
	f.wantStatus(t, 404, "GET /once")
	if len(f.clicks.clicks) != 0 {
		t.Error("counted")
	}
}

// quickHash is a hash that costs next to nothing to check.
func quickHash(t testing.TB, secret string) string {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte(secret), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	return `password "` + string(hash) + `"`
}

// holdTurn stands for a check that takes place until the answer is called with what it took.
func (f *fixture) holdTurn() (done func(took time.Duration)) {
	l := &f.locks.line
	w := l.enter(netip.MustParsePrefix("203.0.113.0/24"), "another", 100)
	<-w.turn
	return func(took time.Duration) { l.leave(w, took) }
}

func TestPassword(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "locked", "https://secret.example/", `password "`+password.Hash("päss")+`"`,
		`rules [{"name":"hidden","when":{"query":{"a":null}},"url":"https://rule.example/"}]`,
		`redirect_status 301`, "forward_query true")
	for _, request := range []string{"GET /locked", "HEAD /locked", "GET /locked+"} {
		r := f.wantStatus(t, 200, request)
		policy := r.Header().Get("Content-Security-Policy")
		text := told(r)
		if strings.Contains(text, "secret.example") || strings.Contains(text, "rule.example") ||
			strings.Contains(text, "hidden") ||
			r.Header().Get("Cache-Control") != "no-store" ||
			strings.Contains(policy, "form-action") != (request == "GET /locked+") {
			t.Errorf("%s: %s", request, text)
		}
	}
	if r := f.wantStatus(t, 303, "POST /locked?a päss"); location(r) != "https://rule.example/?a" ||
		f.lastRule(t) != "hidden" {
		t.Errorf("%s", told(r))
	}
	if r := f.wantStatus(t, 301, "GET /locked",
		"X-Link-Password: päss"); location(r) != "https://secret.example/" {
		t.Errorf("%s", told(r))
	}
	wrong := f.wantStatus(t, 403, "POST /locked pass")
	if !strings.Contains(wrong.Body.String(), "Wrong password.") ||
		strings.Contains(told(wrong), "secret.example") {
		t.Errorf("%s", told(wrong))
	}
	if r := f.wantStatus(t, 403, "GET /locked", "X-Link-Password: x"); r.Body.String() !=
		`{"error":"wrong password"}` {
		t.Errorf("%s", told(r))
	}
	f.wantStatus(t, 200, "POST /locked")
	f.wantStatus(t, 403, "POST /locked "+strings.Repeat("x", 1000))
	if len(f.clicks.clicks) != 2 {
		t.Errorf("%d clicks", len(f.clicks.clicks))
	}
	f.wantStatus(t, 405, "POST /locked+ x")
	f.wantStatus(t, 405, "POST /unknown x")
}

func TestWrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "locked", "https://example.com/", quickHash(t, "right"))
	f.linkWith(t, "another", "https://example.com/", quickHash(t, "right"))
	for range 30 {
		f.wantStatus(t, 303, "POST /locked right") // right ones don't count
	}
	for range maxAttempts {
		f.wantStatus(t, 403, "POST /locked wrong")
	}
	for _, request := range []string{"POST /locked wrong", "POST /locked right"} {
		r := f.wantStatus(t, 429, request)
		wait, err := strconv.Atoi(r.Header().Get("Retry-After"))
		if err != nil || wait < 1 || wait > 60 {
			t.Errorf("%s: wait %d, %v", request, wait, err)
		}
	}
	f.wantStatus(t, 429, "GET /locked", "X-Link-Password: right")
	f.wantStatus(t, 200, "GET /locked")
	f.wantStatus(t, 303, "POST /another right")
	other := Visit{
		Path: []byte("/locked"), Post: true, form: []byte("right"), Time: time.Now(),
		Visitor: Visitor{Addr: netip.MustParseAddr("2.2.2.2")},
	}
	if a := f.Answer(&other, Attempt{}); a.Status != 303 {
		t.Errorf("another client: %d", a.Status)
	}
	for _, t := range f.locks.attempts.clients { // a minute later
		for i := range t.wrong {
			t.wrong[i] = t.wrong[i].Add(-attemptWindow)
		}
	}
	f.wantStatus(t, 303, "POST /locked right")
}

// Of many wrong passwords at once no more are checked than may be, one after another.
func TestWrongPasswordsAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "locked", "https://example.com/", quickHash(t, "right"))
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[int]int{}
	for range 30 {
		all.Go(func() {
			v := Visit{
				Path: []byte("/locked"), Post: true, form: []byte("wrong"), Time: time.Now(),
				Visitor: Visitor{Addr: netip.MustParseAddr("1.1.1.1")},
			}
			a := f.Answer(&v, Attempt{Admitted: true})
			mu.Lock()
			defer mu.Unlock()
			got[a.Status]++
		})
	}
	all.Wait()
	if got[403] > maxAttempts || got[403]+got[429]+got[503] != 30 {
		t.Errorf("%v", got)
	}
}

// What does not show in a title, or turns it around, is spelled out. Emoji keep their joiners.
func TestPreviewSpellsOut(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "launch", "https://example.com/\u202egnp.exe",
		`title "a\u202eb\u200bc\u2066d\ufeff👩\u200d🔧❤\ufe0fस्\u200cय"`)
	body := f.wantStatus(t, 200, "GET /launch+").Body.String()
	const shown = "a[U+202E]b[U+200B]c[U+2066]d[U+FEFF]👩\u200d🔧❤\ufe0fस्\u200cय"
	for _, part := range []string{
		"<title>" + shown + "</title>", ">" + shown + "</h1>", "/%E2%80%AEgnp.exe",
	} {
		if !strings.Contains(body, part) {
			t.Errorf("no %s: %s", part, body)
		}
	}
}

// tryPassword posts a password from an address, and returns the answer's status.
func (f *fixture) tryPassword(path, addr, password string) int {
	v := Visit{
		Path: []byte(path), Post: true, form: []byte(password), Time: time.Now(),
		Visitor: Visitor{Addr: netip.MustParseAddr(addr)},
	}
	return f.Answer(&v, Attempt{Admitted: true}).Status
}

// However passwords that are too long and those under way come together, no more wrong ones are
// answered in a minute than may be.
func TestOverlongPasswordsAreCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.linkWith(t, "locked", "https://example.com/", quickHash(t, "right"))
		f.wantStatus(t, 303, "POST /locked right")
		for range maxAttempts - networkPlaces {
			f.wantStatus(t, 403, "POST /locked wrong")
		}
		done := f.holdTurn() // a check is under way
		var waiting sync.WaitGroup
		for range networkPlaces {
			waiting.Go(func() { f.wantStatus(t, 403, "POST /locked wrong") })
		}
		synctest.Wait()
		for range maxAttempts {
			f.wantStatus(t, 429, "POST /locked "+strings.Repeat("x", terse.MaxPassword+1))
		}
		f.wantStatus(t, 429, "POST /locked right") // or it could be guessed meanwhile
		done(0)
		waiting.Wait()
		time.Sleep(attemptWindow)
		for range maxAttempts {
			f.wantStatus(t, 403, "POST /locked "+strings.Repeat("x", terse.MaxPassword+1))
		}
		f.wantStatus(t, 429, "POST /locked right")
		f.Forget()
		f.wantStatus(t, 429, "POST /locked right")
		time.Sleep(attemptWindow)
		f.Forget()
		if len(f.locks.attempts.clients) != 0 {
			t.Errorf("kept: %+v", f.locks.attempts.clients)
		}
		f.wantStatus(t, 303, "POST /locked right")
	})
}

// Strangers who guess as fast as they may do not keep out others.
func TestTheLineForPasswords(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.linkWith(t, "locked", "https://example.com/", quickHash(t, "right"))
		done := f.holdTurn() // a check is under way
		var strangers, person sync.WaitGroup
		queue := func(addr string) {
			strangers.Go(func() {
				if status := f.tryPassword("/locked", addr, "wrong"); status != 403 {
					t.Errorf("%s: %d", addr, status)
				}
			})
			synctest.Wait()
		}
		for i := range 14 { // of 14 networks each has two places
			for _, format := range []string{"10.0.%d.1", "10.0.%d.255"} {
				queue(fmt.Sprintf(format, i))
			}
			if status := f.tryPassword("/locked", fmt.Sprintf("10.0.%d.9", i),
				"right"); status != 503 {
				t.Errorf("a third place of a network: %d", status)
			}
		}
		queue("2001:db8:1:2::3")
		queue("2001:db8:2:2::3")
		person.Go(func() {
			if status := f.tryPassword("/locked", "2001:db8:1:4::5", "right"); status != 303 {
				t.Errorf("the person: %d", status)
			}
		})
		synctest.Wait()
		r := f.wantStatus(t, 503, "GET /locked", "X-Link-Password: right")
		if r.Header().Get("Retry-After") != "1" {
			t.Errorf("%s", told(r))
		}
		f.wantStatus(t, 503, "POST /locked right")
		done(0)
		strangers.Wait()
		person.Wait()
		f.wantStatus(t, 303, "POST /locked right")
		if l := &f.locks.line; l.taken != 0 || len(l.places) != 0 || len(l.waiting) != 0 {
			t.Errorf("%d places are taken, by %v", l.taken, l.places)
		}
	})
}

// A check that comes to nothing is no attempt.
func TestTheLineForPasswordsIsSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.linkWith(t, "locked", "https://example.com/", quickHash(t, "right"))
		done := f.holdTurn()
		for range 2 * maxAttempts {
			began := time.Now()
			f.wantStatus(t, 503, "POST /locked wrong")
			if waited := time.Since(began); waited != maxWait {
				t.Errorf("waited for %v", waited)
			}
		}
		done(0)
		f.wantStatus(t, 303, "POST /locked right")
	})
}

// dear returns a hash that costs seconds to check, as links may have one from before imports had to
// bring cheaper ones.
func dear(cost string) string {
	return `password "$argon2id$v=19$` + cost + `$c29tZXNhbHQ$ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7"`
}

// Strangers who guess the password of one link, of which each check is dear, don't keep visitors of
// another one waiting: neither those of our own hashes nor those of dear ones.
func TestDearChecksKeepToTheirShare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, flooded := range []string{"m=65536,t=4,p=1", "m=262144,t=10,p=1"} {
			l := newLocks(nil)
			strange := strings.TrimSuffix(strings.TrimPrefix(dear(flooded), `password "`), `"`)
			guess := func(net byte) *waiter {
				network := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, net, 0}), 24)
				return l.line.enter(network, strange, password.Cost(strange))
			}
			took := 3 * time.Second // on a busy machine
			var flood sync.WaitGroup
			over := make(chan struct{})
			for net := range byte(12) {
				for range networkPlaces {
					flood.Go(func() {
						for {
							w := guess(net)
							spent := time.Duration(0)
							select {
							case <-over:
								l.line.leave(w, 0)
								return
							case <-w.turn:
								time.Sleep(took)
								spent = took
							case <-time.After(maxWait):
							}
							l.line.leave(w, spent)
						}
					})
				}
			}
			time.Sleep(time.Minute)
			person := netip.MustParsePrefix("192.0.2.0/24")
			for n := range 5 {
				hash := password.Hash(fmt.Sprint("right ", n))
				began := time.Now()
				if ok, _, err := l.check(person, hash, fmt.Append(nil, "right ", n)); !ok {
					t.Errorf("%s: a right password: %v", flooded, err)
				}
				if waited := time.Since(began); waited > took+maxPauses[0] {
					t.Errorf("%s: waited for %v", flooded, waited)
				}
			}
			began := time.Now()
			other := l.line.enter(person, "another", password.Cost(strange))
			<-other.turn
			if waited := time.Since(began); waited > 2*(took+maxPauses[1]) {
				t.Errorf("%s: another dear one waited for %v", flooded, waited)
			}
			l.line.leave(other, took)
			close(over)
			flood.Wait()
			time.Sleep(time.Minute)
			l.line.mu.Lock()
			if l.line.taken != 0 || len(l.line.waiting) != 0 || l.line.desks != [2]desk{
				{clock: l.line.desks[0].clock}, {clock: l.line.desks[1].clock},
			} {
				t.Errorf("left: %+v", &l.line)
			}
			l.line.mu.Unlock()
		}
	})
}

func TestClientsOfWrongPasswordsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := attempts{clients: map[attemptKey]*client{}}
		for i := range maxClients + 1000 {
			try, wait := a.begin(attemptKey{of: uint64(i)})
			if wait > 0 {
				t.Fatal(wait)
			}
			try.end(true)
		}
		if len(a.clients) > maxClients {
			t.Errorf("%d clients", len(a.clients))
		}
		time.Sleep(attemptWindow)
		if a.begin(attemptKey{of: math.MaxUint64}); len(a.clients) != 1 {
			t.Errorf("%d clients whose attempts are over", len(a.clients)-1)
		}
	})
}

// The bound of a password is that of its composed form, in which it may have been set.
func TestPasswordsAreComposed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	composed := strings.Repeat("\u00e4", terse.MaxPassword/2)
	f.linkWith(t, "locked", "https://example.com/", `password "`+password.Hash(composed)+`"`)
	f.wantStatus(t, 303, "POST /locked "+strings.Repeat("a\u0308", terse.MaxPassword/2))
	f.wantStatus(t, 303, "POST /locked "+composed)
	f.wantStatus(t, 403, "POST /locked "+composed+"x")

	var better string
	f.opts.Rehash = func(_ terse.LinkRef, _, hash string) { better = hash }
	f.linkWith(t, "imported", "https://example.com/", quickHash(t, "a\u0308"))
	f.wantStatus(t, 403, "POST /imported \u00e4")
	f.wantStatus(t, 303, "POST /imported a\u0308")
	for _, spelled := range []string{"\u00e4", "a\u0308"} {
		if ok, err := password.Verify(better, spelled); !ok || err != nil {
			t.Errorf("%q: %v %v", spelled, ok, err)
		}
	}
}

// The first right password replaces a hash that another program made, unless that may not tell all
// of the password.
func TestHashesOfOthersAreReplaced(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var better string
	f.opts.Rehash = func(_ terse.LinkRef, _, hash string) { better = hash }
	for code, tt := range map[string]struct {
		hash, right string
		replaced    bool
	}{
		"ours": {`password "` + password.Hash("password") + `"`, "password", false},
		"argon": {
			`password "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$ZVrRXqxlLcWfcXCnMyv0m4Rpvh/bnCi7"`,
			"password", true,
		},
		"bcrypt": {quickHash(t, "right"), "right", true},
		"long":   {quickHash(t, strings.Repeat("x", 72)), strings.Repeat("x", 73), false},
	} {
		better = ""
		f.linkWith(t, code, "https://example.com/", tt.hash)
		f.wantStatus(t, 403, "POST /"+code+" wrong")
		if better != "" {
			t.Errorf("%s: replaced after a wrong password", code)
		}
		f.wantStatus(t, 303, "POST /"+code+" "+tt.right)
		if ok := better != "" && password.IsOurs(better); ok != tt.replaced {
			t.Errorf("%s: replaced by %q", code, better)
		}
	}
}

// A bad hash is an error for the log, and no wrong password.
func TestBadHash(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "locked", "https://example.com/", `password "plain"`)
	if w, err := f.ask("POST /locked plain"); !errors.Is(err, password.ErrBadHash) ||
		w.Code != 500 {
		t.Errorf("%d %v", w.Code, err)
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "launch", "https://us<er@müller.example:8443/a?b=<script>",
		`title "<b>A & B</b>"`)
	f.link(t, "plain", "https://example.com/")
	f.linkWith(t, "letters", "https://example.com/a%20b/F%c3%bc%C3%9Fe%E2%81%84x/אב/"+
		"%E2%80%AE%FF%3Cb%3E%C3/%E4%B8%96%E7%95%8C%?q=%C3%BC",
		`title "`+strings.Repeat("é", 41)+`"`)
	f.linkWith(t, "rules", "https://example.com/",
		`rules [{"name":"r","url":"https://r.example/"}]`)
	for path, parts := range map[string][]string{
		"/launch+": {
			"&lt;b&gt;A &amp; B&lt;/b&gt;", "https://s.example/launch", "https://us&lt;er@<b>" +
				"<bdi>müller.example</bdi>:8443</b>/a?b=&lt;script&gt;", "Created on ",
			"<b>xn--mller-kva.example</b>", "<h1>",
			`<a class="button" href="launch"`, // below whatever path the server is
		},
		"/letters+": {
			`<h1 class="long">`, "<b>example.com</b>/a%20b/<bdi>Füße%E2%81%84x</bdi>/" +
				"<bdi>אב</bdi>/%E2%80%AE%FF%3Cb%3E%C3/<bdi>世界%</bdi>?q=%C3%BC</p>\n<p>Created",
		},
		"/plain%2B": {"https://s.example/plain", "https://<b>example.com</b>/"},
		"/rules+":   {"https://<b>example.com</b>/", "may lead elsewhere"},
	} {
		r := f.wantStatus(t, 200, "GET "+path)
		for _, part := range parts {
			if !strings.Contains(r.Body.String(), part) {
				t.Errorf("%s has no %s: %s", path, part, r.Body)
			}
		}
		if r.Header().Get("Cache-Control") != "no-store" ||
			!strings.Contains(r.Body.String(), `content="noindex"`) ||
			strings.Contains(r.Body.String(), "<script") ||
			strings.Contains(r.Body.String(), "r.example/") && path == "/rules+" &&
				strings.Contains(r.Body.String(), "https://r.example") {
			t.Errorf("%s: %s", path, told(r))
		}
	}
	for _, path := range []string{"/unknown+", "/a+", "/launch++", "/launch+/", "/+"} {
		f.wantStatus(t, 404, "GET "+path)
	}
	if len(f.clicks.clicks) != 0 {
		t.Error("counted as clicks")
	}
	f.wait = time.Second
	f.wantStatus(t, 429, "GET /launch+")
}

func TestPictures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.link(t, "launch", "https://example.com/")
	r := f.wantStatus(t, 200, "GET /launch.svg?color=112233&background=ffeedd&margin=0&level=H")
	if r.Header().Get("Content-Type") != "image/svg+xml" ||
		r.Header().Get("Cache-Control") != "public, max-age=3600" ||
		!strings.Contains(r.Body.String(), "#112233") ||
		!strings.Contains(r.Body.String(), "#ffeedd") {
		t.Errorf("%s", told(r))
	}
	for query, size := range map[string]int{
		"": 512, "?size=64&margin=0": 64, "?size=2048&margin=20": 2048,
	} {
		r := f.wantStatus(t, 200, "GET /launch.png"+query)
		picture, err := png.Decode(r.Body)
		if err != nil || picture.Bounds().Dx() != size {
			t.Errorf("%q: %v", query, err)
		}
	}
	with := f.wantStatus(t, 200, "GET /launch.svg?medium=print_A-1").Body.Bytes()
	if bytes.Equal(with, f.wantStatus(t, 200, "GET /launch.svg").Body.Bytes()) {
		t.Error("the medium is not in the picture")
	}
	for query, want := range map[string]string{
		"size=63": "size must be 64 to 2048", "size=2049": "size must be 64 to 2048",
		"size=x": "size must be 64 to 2048", "margin=-1": "margin must be 0 to 20",
		"margin=21": "margin must be 0 to 20", "level=m": "level must be L, M, Q or H",
		"level=LM": "level must be L, M, Q or H", "color=fff": "color must be six",
		"color=%23ff00ff": "color must be six", "background=gggggg": "background must be six",
		"medium=a+b": "medium must be 1 to 40", "medium=" + strings.Repeat("a", 41): "medium must",
		"medium=a%26b": "medium must be", "a=%zz": "malformed query",
		"size=64&margin=20": "size must be at least 6",
	} {
		for _, suffix := range []string{".svg", ".png"} {
			if suffix == ".svg" && strings.Contains(query, "&") {
				continue // a drawing has any size
			}
			r := f.wantStatus(t, 400, "GET /launch"+suffix+"?"+query)
			if !strings.HasPrefix(r.Body.String(), `{"error":"`+want) {
				t.Errorf("%s: %s, want %s", query, r.Body, want)
			}
		}
	}
	f.wantStatus(t, 404, "GET /unknown.svg")
	f.wantStatus(t, 404, "GET /launch.svg/")
	f.wantStatus(t, 404, "GET /launch.gif")
	if len(f.clicks.clicks) != 0 {
		t.Error("counted as clicks")
	}
}

// A new user agent is recognized by somebody who may take the time; then the loop knows it.
func TestNewUserAgentWaits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.linkWith(t, "launch", "https://example.com/",
		`rules [{"name":"r","when":{"device":["android"]},"url":"https://r.example/"}]`)
	v := agent("Mozilla/5.0 (Linux; Android 13; Pixel 7) Chrome/120.0 Mobile Safari/537.36 Odd/1")
	v.Path, v.Time = []byte("/launch"), time.Now()
	for i, want := range []string{"apart", "https://r.example/", "https://r.example/"} {
		r := Attempt{Wait: []time.Duration{time.Minute, 0, time.Minute}[i]}
		a := f.Answer(&v, r)
		if got := string(a.Value); got != want && (want != "apart" || !a.Apart) {
			t.Errorf("%d: %+v", i, a)
		}
	}
}

func TestOptionsAllocateNothing(t *testing.T) {
	f := newFixture(t)
	f.linkWith(t, "launch", "https://example.com/",
		`rules [{"name":"r","when":{"language":["de"],"query":{"a":"b"}},`+
			`"url":"https://r.example/"}]`,
		"forward_query true", `expires_at "2999-01-01T00:00:00Z"`)
	h := hotHandler(f)
	v := reads("en-GB, en;q=0.9, fr;q=0.5")
	v.Path, v.Query, v.Time = launch, []byte("a=c&d=e"), time.Now()
	if n := testing.AllocsPerRun(1000, func() {
		a := h.Answer(&v, Attempt{Scratch: scratch})
		if a.Reply != h.replies.once.found || len(a.Value) != 28 {
			t.Fatal(a, string(a.Value))
		}
	}); n > 0 {
		t.Errorf("%v allocations a redirect", n)
	}
}

// manyConditions are as many conditions of queries as a link may have. The last rule lacks one.
func manyConditions() string {
	var b strings.Builder
	b.WriteString("rules [")
	for i := range terse.MaxRules {
		fmt.Fprintf(&b, `{"name":"r%d","url":"https://r.example/","when":{"query":{"q0":null`, i)
		for j := range 19 {
			fmt.Fprintf(&b, `,"q%d":"%d"`, j+1, i)
		}
		b.WriteString("}}},")
	}
	return strings.TrimSuffix(b.String(), ",") + "]"
}

func BenchmarkOptions(b *testing.B) {
	rules := `rules [`
	for i, country := range []string{"DE", "DJ", "DK", "DM", "DO"} {
		rules += fmt.Sprintf(`{"name":"r%d","when":{"language":["de","fr"],"country":[%q]},`+
			`"url":"https://r.example/"},`, i, country)
	}
	rules = strings.TrimSuffix(rules, ",") + "]"
	for name, options := range map[string][]string{
		"dates": {
			`starts_at "2001-01-01T00:00:00Z"`, `expires_at "2999-01-01T00:00:00Z"`,
			"redirect_status 307", "forward_query true",
		},
		"rules":                    {rules},
		"plain, with a long query": nil,
		"query":                    {manyConditions()},
	} {
		b.Run(name, func(b *testing.B) {
			f := newFixture(b)
			f.linkWith(b, "launch", "https://example.com/", options...)
			h := hotHandler(f)
			v := reads("en-GB, en;q=0.9, fr;q=0.5")
			v.Path, v.Query, v.Time = launch, []byte("a=c&d=e"), time.Now()
			if strings.Contains(name, "query") { // as long as a request may be
				v.Query = []byte(strings.Repeat("&", 7000) + strings.Repeat("q1=z&a%20=b&", 700))
			}
			b.ReportAllocs()
			for b.Loop() {
				if a := h.Answer(&v, Attempt{Scratch: scratch}); a.Name == "" {
					b.Fatal(a)
				}
			}
		})
	}
}
