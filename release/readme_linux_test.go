package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// way returns the commands of one of the ways to install a release, for this version and this
// machine's architecture: those of the first block below a heading of docs/install.md, or of the
// README.
func way(t *testing.T, document, heading string) []string {
	t.Helper()
	text, err := os.ReadFile("../" + document)
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(section)
	number := regexp.MustCompile(`/releases/download/v([^/]+)/`).FindStringSubmatch(string(text))
	if !found || block == nil || number == nil {
		t.Fatalf("%s has no commands below %s", document, heading)
	}
	commands := strings.NewReplacer("\\\n", "", number[1], strings.TrimPrefix(version, "v"),
		"amd64", runtime.GOARCH, "x86_64", machines[runtime.GOARCH]).Replace(block[1])
	lines := strings.Split(strings.TrimSpace(commands), "\n")
	if len(lines) > 5 {
		t.Errorf("%s has %d commands: %q", heading, len(lines), lines)
	}
	return lines
}

// The headings of docs/install.md whose commands are run here.
const (
	install    = "docs/install.md"
	wayBinary  = "The binary"
	wayPackage = "Debian and Ubuntu"
	wayFedora  = "Fedora and its relatives"
	wayImage   = "Docker"
	wayCompose = "Compose"
)

// debian is a copy of this machine's file system, which ends with the test, with an empty folder
// for what the documents have people do. There curl gets what was built and what is in the source.
type debian struct {
	*machine
	root string
}

func newDebian(t *testing.T) *debian {
	t.Helper()
	if _, err := exec.LookPath("apt"); err != nil || os.Geteuid() != 0 {
		t.Skip("needs root on Debian")
	}
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`(?m)^REPOSITORY \?= https://github\.com/(\S+)$`).
		FindSubmatch(makefile)
	if name == nil {
		t.Fatal("the Makefile does not say where the source is")
	}
	dir := t.TempDir()
	programs := map[string]string{
		"sudo": "exec \"$@\"",
		"curl": fmt.Sprintf(`[ "$1" = -fLO ] && [ $# = 2 ] || exit 2
			case $2 in
			https://github.com/%[1]s/releases/download/%[2]s/*) cp "/opt/dist/${2##*/}" . ;;
			https://raw.githubusercontent.com/%[1]s/%[2]s/*) cp "/opt/source/${2#*/%[2]s/}" . ;;
			*) exit 22 ;;
			esac`, name[1], version),
	}
	for program, script := range programs {
		path := filepath.Join(dir, program)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(dir, "root")
	return &debian{root: root, machine: newMachine(t, fmt.Sprintf(`
		mkdir %[1]s/root %[1]s/changes
		mount -t tmpfs tmpfs %[1]s/changes
		mkdir %[1]s/changes/upper %[1]s/changes/work
		mount -t overlay overlay \
			-o lowerdir=/,upperdir=%[1]s/changes/upper,workdir=%[1]s/changes/work %[1]s/root
		cd %[1]s/root
		mount -t proc proc proc
		mount --rbind /dev dev
		mount -t tmpfs tmpfs run
		mount -t tmpfs tmpfs tmp
		mkdir -p opt/dist opt/source opt/programs tmp/empty
		mount --bind %[2]s opt/dist
		mount --bind %[3]s opt/source
		cp %[1]s/curl %[1]s/sudo opt/programs`, dir, dist(t), source))}
}

// inside returns a command that runs lines in the empty folder.
func (d *debian) inside(lines ...string) []string {
	return []string{
		"env", "-i", "PATH=/opt/programs:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME=/root", "DEBIAN_FRONTEND=noninteractive", "chroot", d.root,
		"sh", "-ec", "cd /tmp/empty\n" + strings.Join(lines, "\n"),
	}
}

func TestReadmeBinary(t *testing.T) {
	t.Parallel()
	newDebian(t).serves(t, way(t, "README.md", "Install"))
}

func TestInstallBinary(t *testing.T) {
	t.Parallel()
	newDebian(t).serves(t, way(t, install, wayBinary))
}

// serves runs commands of which the last starts the server.
func (d *debian) serves(t *testing.T, lines []string) {
	t.Helper()
	last := len(lines) - 1
	d.run(t, d.inside(lines[:last]...)...)
	s := d.serve(t, nil, d.inside("exec "+lines[last])...)
	token := strings.TrimSpace(d.run(t, d.inside("terse token")...))
	code := s.create(t, token, "https://example.com/binary")
	s.wantRedirect(t, code, "https://example.com/binary")
	s.stop(t)
	if log := s.log.String(); !strings.Contains(log, token) ||
		!strings.Contains(log, "http://localhost:8080/ui/") {
		t.Errorf("the first start says nothing about token and dashboard:\n%s", log)
	}
}

// A download that is not what was published stops the installation.
func TestInstallChecksTheDownload(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{wayBinary, wayPackage, wayFedora} {
		lines := way(t, install, heading)
		if !strings.HasPrefix(lines[2], "sha256sum ") {
			t.Fatalf("%s: the download is not checked: %q", heading, lines)
		}
		file := filepath.Base(strings.Fields(lines[0])[2])
		d := newDebian(t)
		d.run(t, d.inside(lines[0], lines[1], "printf x >>"+file, "! "+lines[2])...)
	}
}

func TestInstallPackage(t *testing.T) {
	t.Parallel()
	lines := way(t, install, wayPackage)
	newDebian(t).installs(t, lines)
}

// dnf asks before it installs; here a setting answers. Without systemd nothing is started at once.
func TestInstallFedora(t *testing.T) {
	t.Parallel()
	needs(t, "rpm", "dnf")
	lines := way(t, install, wayFedora)
	second := len(lines) - 2
	command, ok := strings.CutSuffix(lines[second], "systemctl enable --now terse")
	if !ok {
		t.Fatalf("the service is not started: %s", lines[second])
	}
	lines[second] = command + "systemctl enable terse"
	d := newDebian(t)
	base := filepath.Join(t.TempDir(), "debian.rpm")
	writeBase(t, base)
	d.run(t, "cp", base, d.root+"/tmp/debian.rpm")
	d.run(t, d.inside("rpm --force-debian --install /tmp/debian.rpm",
		"printf '[main]\nassumeyes=1\nmodule_platform_id=platform:f1\n' >/etc/dnf/dnf.conf")...)
	d.installs(t, lines)
}

// installs runs the commands for a package, of which the last prints the token. What systemd does
// before that, which does not run here, the test does.
func (d *debian) installs(t *testing.T, lines []string) {
	t.Helper()
	last := len(lines) - 1
	d.run(t, d.inside(lines[:last]...)...)
	s := d.serveUnit(t)
	token := strings.TrimSpace(d.run(t, d.inside(lines[last])...))
	code := s.create(t, token, "https://example.com/package")
	s.wantRedirect(t, code, "https://example.com/package")
	s.stop(t)
}

// container runs the image's tree as a container with a new volume, read-only but for that.
type container struct {
	*machine
	*server
	config v1.Config
	inside func(command ...string) []string
}

func newContainer(t *testing.T) *container {
	t.Helper()
	root := t.TempDir()
	c := &container{config: unpackImage(t, root)}
	c.machine = newMachine(t, fmt.Sprintf(`mount --bind %[1]s %[1]s
		mode=$(stat -c %%a %[1]s/data)
		mount -o remount,bind,ro %[1]s
		mount -t tmpfs -o mode=$mode tmpfs %[1]s/data`, root))
	c.inside = func(command ...string) []string {
		environ := append([]string{"env", "-i", "PATH=" + os.Getenv("PATH")}, c.config.Env...)
		return slices.Concat(environ, []string{
			"setpriv", "--no-new-privs", "chroot", "--userspec=" + c.config.User, "--groups=", root,
		}, command)
	}
	c.server = c.serve(t, nil, c.inside(append(c.config.Entrypoint, c.config.Cmd...)...)...)
	return c
}

// redirects creates a link with the token that a command prints, and follows it.
func (c *container) redirects(t *testing.T, command []string) {
	t.Helper()
	token := strings.TrimSpace(c.run(t, c.inside(command...)...))
	code := c.create(t, token, "https://example.com/container")
	c.wantRedirect(t, code, "https://example.com/container")
	c.stop(t)
}

// imageName is the image under which the documents' version is published.
func imageName(t *testing.T) string {
	t.Helper()
	address := strings.Fields(way(t, install, wayPackage)[0])[2]
	name, _, _ := strings.Cut(strings.TrimPrefix(address, "https://github.com/"), "/releases/")
	return "ghcr.io/" + name + ":" + strings.TrimPrefix(version, "v")
}

// Without Docker, the image's tree is started as Docker would with the document's flags.
func TestInstallImage(t *testing.T) {
	t.Parallel()
	lines := way(t, install, wayImage)
	args := strings.Fields(lines[0])
	flags := map[string]string{}
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") {
			flags[arg] = args[i+1]
		}
	}
	c := newContainer(t)
	published, port, _ := strings.Cut(flags["-p"], ":")
	volume, target, _ := strings.Cut(flags["-v"], ":")
	_, exposed := c.config.ExposedPorts[port+"/tcp"]
	_, kept := c.config.Volumes[target]
	if args[len(args)-1] != imageName(t) || published != "8080" || !exposed ||
		volume == "" || !kept {
		t.Errorf("%s does not fit to the image %s: %+v", lines[0], imageName(t), c.config)
	}
	execute := strings.Fields(lines[1])
	if want := []string{"docker", "exec", flags["--name"]}; !slices.Equal(execute[:3], want) {
		t.Fatalf("%s, want %q", lines[1], want)
	}
	c.redirects(t, execute[3:])
}

// The file is read by Compose's own loader in the tests of deploy. Here it is fetched and its
// commands are run in the image's tree.
func TestInstallCompose(t *testing.T) {
	t.Parallel()
	lines := way(t, install, wayCompose)
	d := newDebian(t)
	fetched := d.run(t, d.inside(lines[0], "cat compose.yaml")...)
	if ours, err := os.ReadFile("../deploy/compose.yaml"); err != nil || string(ours) != fetched {
		t.Errorf("it fetches %s, %v", fetched, err)
	}
	image := regexp.MustCompile(`(?m)^  (\w+):\n    image: (\S+)$`).FindStringSubmatch(fetched)
	if image == nil || image[2] != imageName(t) {
		t.Fatalf("the file has the image %q", image)
	}
	execute := strings.Fields(lines[2])
	if want := []string{"docker", "compose", "exec", image[1]}; lines[1] !=
		"docker compose up -d --wait" || !slices.Equal(execute[:4], want) {
		t.Fatalf("%q", lines)
	}
	newContainer(t).redirects(t, execute[4:])
}
