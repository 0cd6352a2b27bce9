package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"terse/api"
)

// copyLinks runs scripts/copy-links.sh, and returns what it prints.
func copyLinks(t *testing.T, from, to *instance, token string) (out string, err error) {
	t.Helper()
	for _, tool := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: scripts/copy-links.sh is not tested without %s", tool)
		}
	}
	script := exec.CommandContext(t.Context(), "../../scripts/copy-links.sh")
	script.Env = append(os.Environ(), "OLD="+from.url, "OLD_TOKEN="+testToken, "NEW="+to.url,
		"NEW_TOKEN="+token)
	printed, err := script.CombinedOutput()
	return string(printed), err
}

// Links are copied with their codes, over more than a page. What can't be copied is named, and the
// script fails.
func TestCopyLinks(t *testing.T) {
	t.Parallel()
	from, to := start(t), start(t)
	want := map[string]string{}
	for n := range 110 {
		url := fmt.Sprintf("https://example.com/%d", n)
		want[from.shorten(t, url)] = url
	}
	for _, url := range []string{
		"https://münchen.example/ü?q=%22x%22",
		`https://example.com/"quote"\back`, "https://example.com/$HOME/`x`/'a&b",
	} {
		want[from.shorten(t, url)] = url
	}
	code := from.shorten(t, "https://taken.example/")
	if _, err := to.client().Create(
		t.Context(), api.CreateRequest{
			OriginalURL: "https://other.example/",
			ShortCode:   &code,
		}); err != nil {
		t.Fatal(err)
	}
	out, err := copyLinks(t, from, to, testToken)
	const before = `not copied: {"original_url":"https://taken.example/","short_code":"`
	if err == nil || !strings.Contains(out, before+code+`"}: 409 `) ||
		!strings.HasSuffix(out, "113 links copied, 0 were there, 1 failed\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if err := from.client().Delete(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	for code, url := range want { // a few are enough for what was copied before
		n, err := strconv.Atoi(strings.TrimPrefix(url, "https://example.com/"))
		if err != nil || n < 7 {
			continue
		}
		if err := from.client().Delete(t.Context(), code); err != nil {
			t.Fatal(err)
		}
	}
	if out, err = copyLinks(t, from, to, testToken); err != nil ||
		out != "0 links copied, 10 were there, 0 failed\n" {
		t.Errorf("again: %v\n%s", err, out)
	}
	for code, url := range want {
		var copied api.URL
		answer := to.do(t, "GET /api/urls/"+code, "", authorized())
		if err := json.Unmarshal([]byte(answer.body), &copied); err != nil ||
			copied.OriginalURL != url {
			t.Errorf("%s: %s", url, answer.body)
		}
	}
	if out, err = copyLinks(t, from, to, "wrong"); err == nil ||
		!strings.Contains(out, "can be created at "+to.url+": 401 Unauthorized") {
		t.Errorf("with a wrong token: %v\n%s", err, out)
	}
	from.stop(t)
	if out, err = copyLinks(t, from, to, testToken); err == nil ||
		!strings.Contains(out, "can't be listed: 000") {
		t.Errorf("without the server: %v\n%s", err, out)
	}
}
