package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"terse/internal/tests/freeport"
)

// nginxLocation is the part of deploy's file that says how nginx asks the server.
var nginxLocation = regexp.MustCompile(`(?ms)^\tlocation / \{\n.*?^\t\}\n`)

// startNginx starts nginx in front of a server, on a port for each of the locations, and returns
// the server as it is seen there. Where nginx is missing the test is skipped, or fails if CI is
// "true".
func startNginx(t *testing.T, i *instance, locations ...string) (seen []*instance) {
	t.Helper()
	program := nginxProgram(t)
	dir := t.TempDir()
	var config strings.Builder
	fmt.Fprintf(&config, `daemon off;
master_process off;
pid nginx.pid;
events {}
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	upstream terse { server %s; }
`, strings.TrimPrefix(i.url, "http://"))
	for _, location := range locations {
		address := freeAddress(t)
		fmt.Fprintf(&config, "\tserver {\n\tlisten %s;\n%s\t}\n", address, location)
		seen = append(seen, &instance{url: "http://" + address, log: i.log})
	}
	config.WriteString("}\n")
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	told := startBeside(t, nil, program, "-p", dir, "-c", file, "-e", "stderr")
	for _, i := range seen {
		await(t, "nginx to answer", func() bool {
			if strings.Contains(told.String(), "[emerg]") {
				t.Fatal(told)
			}
			resp, err := http.Get(i.url + "/nothing")
			if err != nil {
				return false
			}
			_ = resp.Body.Close()
			return true
		})
	}
	return seen
}

// startBeside starts another program that serves, and returns what it tells people.
func startBeside(t *testing.T, env []string, command ...string) *output {
	t.Helper()
	// The shell ends it when its input ends, which the end of this process does, too.
	cmd := exec.Command("sh", append([]string{
		"-c", `"$@" </dev/null & cat; kill $!; wait`, "sh",
	}, command...)...)
	cmd.Env = append(os.Environ(), env...)
	told := &output{}
	cmd.Stderr = told
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	return told
}

func nginxProgram(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"nginx", "/usr/sbin/nginx"} { // Debian's users have no sbin
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("nginx is missing; scripts/needs.sh says how to install it")
	}
	t.Skip("NOT TESTED BEHIND NGINX: nginx is missing; scripts/needs.sh says how to install it")
	return ""
}

func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := freeport.Address(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Below a path it does not matter whether nginx cuts the path off: proxy_pass does so if it ends in
// a slash.
func TestBasePathBehindNginx(t *testing.T) {
	t.Parallel()
	location := nginxLocation.FindString(deployFile(t, "nginx/terse.conf"))
	location = strings.Replace(location, "location / {", "location /go/ {", 1)
	location += strings.Join(matches(deployFile(t, "nginx/terse.conf"),
		`^\t#(location = /go/metrics \{.*\})`), "") + "\n"
	cuts := strings.Replace(location, "proxy_pass http://terse;", "proxy_pass http://terse/;", 1)
	if location == cuts {
		t.Fatalf("deploy's file asks the server in another way:\n%s", location)
	}
	i := start(t, "BASE_URL=http://example.com/go", "TRUSTED_PROXIES=127.0.0.1")
	i.shortenAs(t, "abc", "https://a.example/")
	i.makeLink(t, "forward", "https://f.example/x", `"forward_path":true,"forward_query":true`)
	i.makeLink(t, "locked", "https://l.example/", `"password":"secret"`)
	for _, behind := range startNginx(t, i, location, cuts) {
		behind.wantSeen(t,
			seen{"GET /go/abc", "", 302, "Location: https://a.example/\r\n"},
			seen{"GET /abc", "", 404, "nginx"},
			seen{"GET /go/forward/a%20b?x=1", "", 302, "https://f.example/x/a%20b?x=1\r\n"},
			seen{"GET /go", "", 301, "/go/\r\n"}, // nginx's own
			seen{"GET /go/", "", 302, "Location: /go/ui/\r\n"},
			seen{"GET /go/ui", "", 301, "Location: /go/ui/\r\n"},
			seen{"GET /go/ui/", "", 200, `href="/go/ui/overview"`},
			seen{"GET /go/health", "", 200, `{"status":"ok"}`},
			seen{"GET /go/metrics", "", 404, "nginx"},
			seen{"GET /go/%6detrics", "", 404, "nginx"},
			seen{"GET /go//metrics", "", 404, "nginx"},
			seen{"GET /go/openapi.yaml", "", 200, "\nservers:\n  - url: /go\n"},
			seen{"GET /go/api/urls/abc", "", 200, `"short_url":"http://example.com/go/abc"`},
			seen{"POST /go/api/urls", `{"original_url":"https://b.example/"}`, 201, "com/go/"},
			seen{"GET /go/abc+", "", 200, "http://example.com/go/abc"},
			seen{"GET /go/abc.svg", "", 200, "image/svg+xml"},
			seen{"POST /go/locked", "password=secret", 303, "Location: https://l.example/\r\n"},
		)
		a := behind.do(t, "POST /go/ui/session", `{"token":"`+testToken+`"}`)
		if cookies := a.Cookies(); len(cookies) != 1 || cookies[0].Path != "/go/" {
			t.Errorf("signing in: %d %v", a.StatusCode, cookies)
		}
		for _, match := range addresses.FindAllStringSubmatch(behind.do(t, "GET /go/ui/", "").body,
			-1) {
			if a := behind.do(t, "GET "+match[1], ""); a.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", match[1], a.StatusCode)
			}
		}
	}
	i.drain(t)
	if stats := i.clicks(t, "abc", 4); stats.TotalClicks != 4 {
		t.Errorf("%+v", stats)
	}
}
