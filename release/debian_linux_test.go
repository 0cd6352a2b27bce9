package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDebianPackage installs, upgrades, removes and purges the package on this Debian, in a copy of
// its file system that ends with the test. No systemd runs there; the test starts what the unit
// says, as its user.
func TestDebianPackage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("dpkg"); err != nil || os.Geteuid() != 0 {
		t.Skip("needs root on Debian")
	}
	first := fmt.Sprintf("%s/terse_0.1.0_%s.deb", dist(t), runtime.GOARCH)
	second := filepath.Join(t.TempDir(), "second.deb")
	writeNextPackage(t, second)

	dir := t.TempDir()
	m := newMachine(t, fmt.Sprintf(`
		mount -t tmpfs tmpfs %[1]s
		cd %[1]s
		mkdir upper work root
		mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
		mount -t proc proc root/proc
		mount --rbind /dev root/dev
		mount -t tmpfs tmpfs root/run
		mount -t tmpfs tmpfs root/tmp
		cp %[2]s root/tmp/first.deb
		cp %[3]s root/tmp/second.deb`, dir, first, second))
	inside := func(command ...string) []string {
		return append([]string{
			"env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive",
			"chroot", dir + "/root",
		}, command...)
	}
	run := func(command ...string) string {
		t.Helper()
		return m.run(t, inside(command...)...)
	}
	gone := func(path string) {
		t.Helper()
		if m.command(t, inside("test", "-e", path)...).Run() == nil {
			t.Errorf("%s is still there", path)
		}
	}
	const unit = "/usr/lib/systemd/system/terse.service"
	const wanted = "/etc/systemd/system/multi-user.target.wants/terse.service"

	said := run("dpkg", "--install", "/tmp/first.deb")
	if !strings.Contains(said, "sudo terse token --data-dir /var/lib/terse") {
		t.Errorf("dpkg says nothing about the token:\n%s", said)
	}
	for _, path := range []string{
		wanted, "/usr/share/man/man1/terse.1.gz", "/usr/share/bash-completion/completions/terse",
		"/usr/share/zsh/vendor-completions/_terse",
		"/usr/share/fish/vendor_completions.d/terse.fish",
	} {
		run("test", "-s", path)
	}
	if mode := run("stat", "-c", "%a %U %G", "/etc/terse/terse.env", "/var/lib/terse",
		"/var/lib/terse/token"); mode != "640 root terse\n700 terse terse\n600 terse terse\n" {
		t.Errorf("settings, data and token are\n%s", mode)
	}
	if _, err := exec.LookPath("systemd-analyze"); err == nil {
		if problems := run("systemd-analyze", "verify", "--man=no", unit); problems != "" {
			t.Errorf("systemd-analyze verify says\n%s", problems)
		}
		run("systemd-analyze", "security", "--offline=yes", "--threshold=20", unit)
	} else {
		t.Log("the unit is not checked, without systemd-analyze")
	}

	asUser := func(command ...string) []string {
		return append([]string{
			"chroot", dir + "/root", "setpriv", "--reuid=terse", "--regid=terse", "--clear-groups",
			"--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
		}, command...)
	}
	serve := func() *server {
		t.Helper()
		environ, command := service(t, run("cat", unit), run("cat", "/etc/terse/terse.env"))
		return m.serve(t, environ, asUser(command...)...)
	}
	s := serve()
	token := strings.TrimSpace(run("terse", "token", "--data-dir", "/var/lib/terse"))
	code := s.create(t, token, "https://example.com/package")
	s.wantRedirect(t, code, "https://example.com/package")
	doctor := m.command(t, asUser("terse", "doctor")...)
	doctor.Env = s.cmd.Env
	if out, err := doctor.CombinedOutput(); err != nil || !bytes.Contains(out,
		[]byte("/var/lib/terse")) {
		t.Errorf("terse doctor: %v\n%s", err, out)
	}
	s.stop(t)

	run("sh", "-c", "echo BASE_URL=https://go.example.com >>/etc/terse/terse.env")
	run("dpkg", "--install", "/tmp/second.deb")
	if v := run("dpkg-query", "--show", "--showformat=${Version}", "terse"); v != "0.2.0" {
		t.Errorf("version %s is installed", v)
	}
	s = serve()
	s.wantRedirect(t, code, "https://example.com/package")
	link := m.run(t, "curl", "-sS", "-H", "Authorization: Bearer "+token,
		"http://127.0.0.1:8080/api/urls/"+code)
	if !strings.Contains(link, `"https://go.example.com/`+code+`"`) {
		t.Errorf("after the upgrade, the settings are lost: %s", link)
	}
	s.stop(t)

	run("dpkg", "--remove", "terse")
	gone("/usr/bin/terse")
	gone(unit)
	run("test", "-e", "/etc/terse/terse.env")
	run("test", "-e", "/var/lib/terse/terse.db")

	run("sh", "-c",
		"cd /var/lib/terse; mkdir before-restore-20260101T000000Z mine; echo >mine/file")
	run("dpkg", "--purge", "terse")
	gone("/etc/terse")
	if left := run("ls", "-A", "/var/lib/terse"); left != "mine\n" {
		t.Errorf("purging leaves %q of our files and an administrator's", left)
	}
	gone(wanted)
}

// writeNextPackage packs the binary as another version.
func writeNextPackage(t *testing.T, path string) {
	t.Helper()
	dir := t.TempDir()
	name := "terse_0.1.0_linux_" + runtime.GOARCH
	unpackArchive(t, name+".tar.gz", dir)
	binary, err := os.ReadFile(filepath.Join(dir, name, "terse"))
	if err != nil {
		t.Fatal(err)
	}
	next := newRelease("..", "")
	next.version = "v0.2.0"
	c, err := next.readContents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, packed, err := next.debianPackage(runtime.GOARCH, c.forDebian(binary))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, packed, 0o600); err != nil {
		t.Fatal(err)
	}
}

// service returns how systemd would start a unit. It reads of unit and file what is in ours.
func service(t *testing.T, unit, settings string) (environ, command []string) {
	t.Helper()
	set := func(name string) []string {
		var values []string
		for line := range strings.Lines(unit) {
			if value, ok := strings.CutPrefix(line, name+"="); ok {
				value = strings.ReplaceAll(strings.TrimSpace(value), "%S", "/var/lib")
				values = append(values, value)
			}
		}
		return values
	}
	if user := set("User"); len(user) != 1 || user[0] != "terse" {
		t.Errorf("the unit's user is %q", user)
	}
	if file := set("EnvironmentFile"); len(file) != 1 || file[0] != "/etc/terse/terse.env" {
		t.Errorf("the unit's settings are %q", file)
	}
	environ = set("Environment")
	for line := range strings.Lines(settings) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			environ = append(environ, line)
		}
	}
	return environ, strings.Fields(set("ExecStart")[0])
}
