package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestRedirectCacheAndRobots checks what browsers and crawlers are told, by each way to an answer.
func TestRedirectCacheAndRobots(t *testing.T) {
	t.Parallel()
	const robots = "noindex, nofollow"
	silent := start(t)
	i := start(t, "REDIRECT_CACHE=60", "ROBOTS=NoIndex, nofollow", "DOMAINS=go.example")
	soon := time.Now().Add(50 * time.Second).Format(time.RFC3339)
	late := time.Now().Add(time.Hour).Format(time.RFC3339)
	const kept, once, page = "private, max-age=60", "private, no-store", "no-store"
	for n, c := range []struct {
		options, path, cache string
		status               int
	}{
		{``, "", kept, 302},
		{`,"redirect_status":301`, "", kept, 301},
		{`,"redirect_status":308,"forward_query":true`, "?a=b", kept, 308},
		{`,"forward_path":true`, "/a/b", kept, 302},
		{`,"expires_at":"` + late + `"`, "", kept, 302},
		{`,"expires_at":"` + soon + `"`, "", once, 302},
		{`,"max_clicks":9`, "", once, 302},
		{
			`,"rules":[{"name":"a","when":{"device":["ios"]},"url":"https://example.com/"}]`, "",
			once, 302,
		},
		{`,"expired_url":"https://example.com/","disabled":true`, "", once, 302},
		{`,"password":"secret"`, "", page, 200},
		{`,"disabled":true`, "", page, 410},
		{``, "/not/known", page, 404},
		{``, "+", page, 200},
		{``, ".svg", "public, max-age=3600", 200},
		{``, ".png", "public, max-age=3600", 200},
	} {
		for _, s := range []*instance{i, silent} {
			body := fmt.Sprintf(`{"short_code":"code%d",`+
				`"original_url":"https://example.com/"%s}`, n, c.options)
			if a := s.do(t, "POST /api/urls", body, authorized()); a.StatusCode != 201 {
				t.Fatalf("%s: %s %s", body, a.Status, a.body)
			}
			wantCache, wantRobots := c.cache, robots
			if s == silent {
				wantRobots = ""
				if wantCache == kept {
					wantCache = once
				}
			}
			for _, way := range ways {
				if way.method == "POST" {
					continue
				}
				a := s.raw(t, way.method, fmt.Sprintf("%s /code%d%s %s\r\nHost: x\r\n%s\r\n",
					way.method, n, c.path, way.version, way.fields))
				if got := a.Header.Get("Cache-Control"); a.StatusCode != c.status ||
					got != wantCache || a.Header.Get("X-Robots-Tag") != wantRobots {
					t.Errorf("%s by %s: %s, Cache-Control %q, X-Robots-Tag %q", body, way.name,
						a.Status, got, a.Header.Get("X-Robots-Tag"))
				}
			}
		}
	}
	right := i.do(t, "GET /code9", "", "X-Link-Password: secret")
	form := i.do(t, "POST /code9", "password=secret",
		"Content-Type: application/x-www-form-urlencoded")
	for _, a := range []answer{right, form} {
		if a.Header.Get("Location") == "" || a.Header.Get("Cache-Control") != once ||
			a.Header.Get("X-Robots-Tag") != robots {
			t.Errorf("behind a password: %s %v", a.Status, a.Header)
		}
	}
	set := i.do(t, "PATCH /api/domains/go.example", `{"root_url":"https://example.com/"}`,
		authorized())
	if a := i.at(t, "go.example", "GET /"); set.StatusCode != http.StatusOK ||
		a.Header.Get("Cache-Control") != page || a.Header.Get("X-Robots-Tag") != robots {
		t.Errorf("/ of a domain: %s %v", a.Status, a.Header)
	}
}
