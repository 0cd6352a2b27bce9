package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"terse/api"
	"terse/internal/tests/pgtest"
)

// Three nodes show a share, and its cookie opens it on all. When it is withdrawn on one, given
// another password, or ended, all refuse it within a second.
func TestNodesRefuseWithdrawnShares(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	var nodes [clusterNodes]*instance
	for i := range nodes {
		nodes[i] = startProcess(t, t.TempDir(), "DATABASE_URL="+url, "BASE_URL=http://localhost")
	}
	admin := nodes[0].client()
	if _, err := admin.Create(t.Context(), api.CreateRequest{
		OriginalURL: "https://example.com/", ShortCode: new("spring"),
		LinkOptions: api.LinkOptions{Tags: []string{"news"}},
	}); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for name, take := range map[string]func(*api.Client, api.Shareable) error{
		"withdrawn": func(c *api.Client, what api.Shareable) error {
			return c.UnshareOf(ctx, what)
		},
		"another password": func(c *api.Client, what api.Shareable) error {
			_, err := c.UpdateShare(ctx, what, api.Changes{"password": "other"})
			return err
		},
		"ended": func(c *api.Client, what api.Shareable) error {
			_, err := c.UpdateShare(ctx, what, api.Changes{
				"expires_at": time.Now().Add(100 * time.Millisecond),
			})
			return err
		},
	} {
		for data, what := range map[string]api.Shareable{
			"/clicks": api.ShareableLink("spring"), "/overview": api.ShareableTag("news"),
		} {
			share, err := admin.ShareWith(ctx, what, api.ShareOptions{Password: "open"})
			if err != nil {
				t.Fatal(err)
			}
			path := share.URL[strings.Index(share.URL, "/ui/share/"):]
			opened := nodes[1].do(t, "POST "+path, "password=open",
				"Content-Type: application/x-www-form-urlencoded")
			cookies := opened.Cookies()
			if opened.StatusCode != http.StatusSeeOther || len(cookies) != 1 {
				t.Fatalf("%s: %d %s", name, opened.StatusCode, opened.body)
			}
			cookie := "Cookie: terse_share=" + cookies[0].Value
			for i, node := range nodes {
				if a := node.do(t, "GET "+path+data, "", cookie); a.StatusCode != http.StatusOK {
					t.Errorf("%s, node %d, before: %d %s", name, i, a.StatusCode, a.body)
				}
			}
			if err := take(nodes[2].client(), what); err != nil {
				t.Fatal(err)
			}
			done := time.Now()
			await(t, "a second", func() bool { return time.Since(done) > time.Second })
			for i, node := range nodes {
				for _, at := range []string{path, path + data} {
					a := node.do(t, "GET "+at, "", cookie)
					form := name == "another password" && at == path
					if !form && a.StatusCode < http.StatusBadRequest ||
						form && !strings.Contains(a.body, `type="password"`) ||
						a.Header.Get("Cache-Control") != "no-store" {
						t.Errorf("%s, node %d, %s afterwards: %d %s", name, i,
							fmt.Sprint(len(at)), a.StatusCode, a.body)
					}
				}
			}
			_ = admin.UnshareOf(ctx, what) // for the next one
		}
	}
}
