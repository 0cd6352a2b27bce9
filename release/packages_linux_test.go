package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/rpm"
)

// TestDebianPackage installs, upgrades, removes and purges the package on this Debian, in a copy of
// its file system that ends with the test. No systemd runs there; the test starts what the unit
// says, as its user.
func TestDebianPackage(t *testing.T) {
	t.Parallel()
	d := newDebian(t)
	second := filepath.Join(t.TempDir(), "second.deb")
	writeNextPackage(t, formats[0], second, nil)
	d.run(t, "cp", second, d.root+"/tmp/second.deb")
	run := func(command string) string {
		t.Helper()
		return d.run(t, d.inside(command)...)
	}
	const wanted = "/etc/systemd/system/multi-user.target.wants/terse.service"

	said := run("dpkg --install /opt/dist/terse_0.1.0_" + runtime.GOARCH + ".deb")
	if !strings.Contains(said, "sudo terse token --data-dir /var/lib/terse") {
		t.Errorf("dpkg says nothing about the token:\n%s", said)
	}
	d.has(t, wanted, "/usr/share/zsh/vendor-completions/_terse")
	code, token := d.tryService(t)

	run("echo BASE_URL=https://go.example.com >>/etc/terse/terse.env")
	run("dpkg --install /tmp/second.deb")
	if v := run("dpkg-query --show --showformat='${Version}' terse"); v != "0.2.0" {
		t.Errorf("version %s is installed", v)
	}
	d.keptService(t, code, token)

	run("dpkg --remove terse")
	d.gone(t, "/usr/bin/terse", unitPath)
	d.has(t, "/etc/terse/terse.env", "/var/lib/terse/terse.db")

	run("cd /var/lib/terse; mkdir before-restore-20260101T000000Z mine; echo >mine/file")
	run("dpkg --purge terse")
	d.gone(t, "/etc/terse", wanted)
	if left := run("ls -A /var/lib/terse"); left != "mine\n" {
		t.Errorf("purging leaves %q of our files and an administrator's", left)
	}
}

// TestFedoraPackage installs, upgrades and removes the package with dnf and rpm, in a copy of this
// Debian that ends with the test, with the presets of Fedora. The scripts run Debian's programs of
// the same names: no file system of Fedora is at hand.
func TestFedoraPackage(t *testing.T) {
	t.Parallel()
	needs(t, "rpm", "dnf", "createrepo_c")
	d := newDebian(t)
	second := filepath.Join(t.TempDir(), "second.rpm")
	writeNextPackage(t, formats[1], second, []byte("# a setting of the later version\n"))
	base := filepath.Join(t.TempDir(), "debian.rpm")
	writeBase(t, base)
	run := func(command string) string {
		t.Helper()
		return d.run(t, d.inside(command)...)
	}
	publish := func(packages ...string) {
		t.Helper()
		d.run(t, append([]string{"cp", "--target-directory", d.root + "/tmp/repository"},
			packages...)...)
		run("createrepo_c --quiet /tmp/repository")
	}
	dnf := func(args string) {
		t.Helper()
		said := run("dnf --assumeyes --disablerepo='*' --repofrompath=terse,/tmp/repository " +
			"--setopt=reposdir=/nowhere --nogpgcheck --refresh --releasever=1 " + args)
		// It goes on when a script fails, or a file's owner does not exist.
		for _, failed := range []string{"Error", "scriptlet failed", "using root"} {
			if strings.Contains(said, failed) {
				t.Errorf("dnf %s says\n%s", args, said)
			}
		}
	}
	const wanted = "/etc/systemd/system/multi-user.target.wants/terse.service"
	preset := func(line string) {
		t.Helper()
		run("mkdir -p /etc/systemd/system-preset")
		run("echo '" + line + "' >/etc/systemd/system-preset/80-test.preset")
	}

	preset("disable *") // as on Fedora, for what has no preset
	run("mkdir /tmp/repository")
	publish(base, fmt.Sprintf("%s/terse-0.1.0-1.%s.rpm", dist(t), machines[runtime.GOARCH]))
	dnf("install terse")
	d.gone(t, wanted)
	d.has(t, "/usr/share/zsh/site-functions/_terse", "/usr/share/licenses/terse/LICENSE",
		"/usr/lib/sysusers.d/terse.conf")
	if changed := run("rpm --verify terse"); changed != "" {
		t.Errorf("just installed, rpm finds changed:\n%s", changed)
	}
	run("systemctl enable terse")
	d.has(t, wanted)
	code, token := d.tryService(t)

	run("echo BASE_URL=https://go.example.com >>/etc/terse/terse.env")
	publish(second)
	dnf("upgrade terse")
	if v := run("rpm --query terse"); !strings.HasPrefix(v, "terse-0.2.0-1.") {
		t.Errorf("installed is %s", v)
	}
	d.has(t, wanted, "/etc/terse/terse.env.rpmnew")
	d.keptService(t, code, token)

	dnf("remove terse")
	d.gone(t, "/usr/bin/terse", unitPath, wanted, "/etc/terse/terse.env",
		"/usr/share/licenses/terse", "/usr/share/doc/terse")
	d.has(t, "/etc/terse/terse.env.rpmsave", "/var/lib/terse/terse.db")
	run("getent passwd terse")

	preset("enable terse.service")
	dnf("install terse")
	d.has(t, wanted)
	if again := strings.TrimSpace(run("terse token --data-dir /var/lib/terse")); again != token {
		t.Error("installed again, it has another token")
	}
}

// machines are rpm's names of architectures.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// TestFedoraMetadata reads the packages for all architectures with rpm, and has rpmlint look at
// them.
func TestFedoraMetadata(t *testing.T) {
	t.Parallel()
	needs(t, "rpm", "rpmlint")
	dir := dist(t)
	user, err := os.ReadFile("rpm/terse.sysusers")
	if err != nil {
		t.Fatal(err)
	}
	for _, machine := range machines {
		path := fmt.Sprintf("%s/terse-0.1.0-1.%s.rpm", dir, machine)
		if out := run(t, "rpm", "--checksig", path); !strings.Contains(out, "digests OK") {
			t.Errorf("rpm --checksig says %s", out)
		}
		query := func(format string) string {
			return strings.TrimSpace(run(t, "rpm", "--query", "--package", "--queryformat", format,
				path))
		}
		want := "terse 0.1.0 1 " + machine + " linux localhost MIT " + repository
		if got := query("%{NAME} %{VERSION} %{RELEASE} %{ARCH} %{OS} %{BUILDHOST} %{LICENSE} " +
			"%{URL}"); got != want {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
		files := query(`[%{FILEMODES:perms} %{FILEUSERNAME} %{FILEGROUPNAME} %{FILEFLAGS:fflags} ` +
			`%{FILENAMES}\n]`)
		for _, want := range []string{
			"-rw-r----- root terse cn /etc/terse/terse.env",
			"-rwxr-xr-x root root  /usr/bin/terse",
			"-rw-r--r-- root root l /usr/share/licenses/terse/THIRD-PARTY-NOTICES",
			"-rw-r--r-- root root  /usr/lib/systemd/system/terse.service",
			"drwxr-xr-x root root  /usr/share/doc/terse",
		} {
			if !slices.Contains(strings.Split(files, "\n"), want) {
				t.Errorf("%s has no file %q:\n%s", path, want, files)
			}
		}
		scripts := run(t, "rpm", "--query", "--package", "--scripts", path)
		if !strings.Contains(scripts, "echo '"+strings.TrimSpace(string(user))+"' |") {
			t.Errorf("the scripts make another user than sysusers:\n%s", scripts)
		}
		cmd := exec.CommandContext(t.Context(), "rpmlint", "--rpmlintrc=rpm/rpmlintrc", path)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("rpmlint: %v\n%s", err, out)
		}
	}
}

// needs skips a test without programs, and fails where all have to run.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
}

const unitPath = "/usr/lib/systemd/system/terse.service"

// has fails unless there are files, none of them empty.
func (d *debian) has(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if d.command(t, d.inside("test -s "+path)...).Run() != nil {
			t.Errorf("%s is missing, or empty", path)
		}
	}
}

func (d *debian) gone(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if d.command(t, d.inside("test -e "+path+" -o -L "+path)...).Run() == nil {
			t.Errorf("%s is still there", path)
		}
	}
}

// asUser returns a command of the service's user.
func (d *debian) asUser(command ...string) []string {
	return append([]string{
		"chroot", d.root, "setpriv", "--reuid=terse", "--regid=terse", "--clear-groups",
		"--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
	}, command...)
}

// serveUnit starts the server of a package that is installed.
func (d *debian) serveUnit(t *testing.T) *server {
	t.Helper()
	environ, command := service(t, d.run(t, d.inside("cat "+unitPath)...),
		d.run(t, d.inside("cat /etc/terse/terse.env")...))
	return d.serve(t, environ, d.asUser(command...)...)
}

// tryService checks the service of a package that was just installed, and creates a link with it.
func (d *debian) tryService(t *testing.T) (code, token string) {
	t.Helper()
	d.has(t, "/usr/share/man/man1/terse.1.gz", "/usr/share/bash-completion/completions/terse",
		"/usr/share/fish/vendor_completions.d/terse.fish")
	if mode := d.run(t, d.inside("stat -c '%a %U %G' /etc/terse/terse.env /var/lib/terse "+
		"/var/lib/terse/token")...); mode !=
		"640 root terse\n700 terse terse\n600 terse terse\n" {
		t.Errorf("settings, data and token are\n%s", mode)
	}
	if _, err := exec.LookPath("systemd-analyze"); err == nil {
		problems := d.run(t, d.inside("systemd-analyze verify --man=no "+unitPath)...)
		if problems != "" {
			t.Errorf("systemd-analyze verify says\n%s", problems)
		}
		d.run(t, d.inside("systemd-analyze security --offline=yes --threshold=20 "+unitPath)...)
	} else {
		t.Log("the unit is not checked, without systemd-analyze")
	}
	s := d.serveUnit(t)
	token = strings.TrimSpace(d.run(t, d.inside("terse token --data-dir /var/lib/terse")...))
	code = s.create(t, token, "https://example.com/package")
	s.wantRedirect(t, code, "https://example.com/package")
	doctor := d.command(t, d.asUser("terse", "doctor")...)
	doctor.Env = s.cmd.Env
	if out, err := doctor.CombinedOutput(); err != nil || !bytes.Contains(out,
		[]byte("/var/lib/terse")) {
		t.Errorf("terse doctor: %v\n%s", err, out)
	}
	s.stop(t)
	return code, token
}

// keptService checks the service of a later package: it has the link, and the address that was set.
func (d *debian) keptService(t *testing.T, code, token string) {
	t.Helper()
	s := d.serveUnit(t)
	s.wantRedirect(t, code, "https://example.com/package")
	link := d.run(t, "curl", "-sS", "-H", "Authorization: Bearer "+token,
		"http://127.0.0.1:8080/api/urls/"+code)
	if !strings.Contains(link, `"https://go.example.com/`+code+`"`) {
		t.Errorf("after the upgrade, the settings are lost: %s", link)
	}
	s.stop(t)
}

// writeBase packs what this Debian has of what our package needs, for rpm, which does not know of
// what dpkg has installed.
func writeBase(t *testing.T, path string) {
	t.Helper()
	for _, program := range []string{"/bin/sh", "/usr/bin/systemctl", "/usr/bin/systemd-sysusers"} {
		if _, err := os.Stat(program); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	err = rpm.DefaultRPM.Package(nfpm.WithDefaults(&nfpm.Info{
		Name: "debian", Arch: runtime.GOARCH, Version: "1", License: "MIT",
		Description: "what is here, whatever it was installed with",
		Overridables: nfpm.Overridables{
			Provides: []string{"/bin/sh", "systemd", "ca-certificates"},
		},
	}), f)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// writeNextPackage packs the binary as another version, with more settings.
func writeNextPackage(t *testing.T, f format, path string, settings []byte) {
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
	c.settings = append(c.settings, settings...)
	_, packed, err := next.pack(f, runtime.GOARCH, c, binary)
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
