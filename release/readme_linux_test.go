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

// ways are the README's ways to install a release, in its order. Each has at most three commands.
const (
	wayBinary = iota
	wayPackage
	wayFedora
	wayImage
	wayCompose
)

// readmeWay returns the commands of one of the README's ways to install, for this version and this
// machine's architecture.
func readmeWay(t *testing.T, way int) []string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Install\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(blocks) != wayCompose+2 {
		t.Fatalf("the README has %d ways to install", len(blocks))
	}
	if source := blocks[wayCompose+1][1]; !strings.HasPrefix(source, "make build") {
		t.Errorf("building from source is not the last way: %s", source)
	}
	number := regexp.MustCompile(`/releases/download/v([^/]+)/`).FindStringSubmatch(section)
	commands := strings.NewReplacer("\\\n", "", number[1], strings.TrimPrefix(version, "v"),
		"amd64", runtime.GOARCH, "x86_64", machines[runtime.GOARCH]).Replace(blocks[way][1])
	lines := strings.Split(strings.TrimSpace(commands), "\n")
	if len(lines) > 3 {
		t.Errorf("a way to install has %d commands: %q", len(lines), lines)
	}
	return lines
}

// debian is a copy of this machine's file system, which ends with the test, with an empty folder
// for what the README has people do. There curl gets what was built and what is in the source.
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
	lines := readmeWay(t, wayBinary)
	d := newDebian(t)
	d.run(t, d.inside(lines[:2]...)...)
	s := d.serve(t, nil, d.inside("exec "+lines[2])...)
	token := strings.TrimSpace(d.run(t, d.inside("terse token")...))
	code := s.create(t, token, "https://example.com/binary")
	s.wantRedirect(t, code, "https://example.com/binary")
	s.stop(t)
	if log := s.log.String(); !strings.Contains(log, token) ||
		!strings.Contains(log, "http://localhost:8080/ui/") {
		t.Errorf("the first start says nothing about token and dashboard:\n%s", log)
	}
}

func TestReadmePackage(t *testing.T) {
	t.Parallel()
	lines := readmeWay(t, wayPackage)
	newDebian(t).installs(t, lines)
}

// dnf asks before it installs; here a setting answers. Without systemd nothing is started at once.
func TestReadmeFedora(t *testing.T) {
	t.Parallel()
	needs(t, "rpm", "dnf")
	lines := readmeWay(t, wayFedora)
	command, ok := strings.CutSuffix(lines[1], "systemctl enable --now terse")
	if !ok {
		t.Fatalf("the service is not started: %s", lines[1])
	}
	lines[1] = command + "systemctl enable terse"
	d := newDebian(t)
	base := filepath.Join(t.TempDir(), "debian.rpm")
	writeBase(t, base)
	d.run(t, "cp", base, d.root+"/tmp/debian.rpm")
	d.run(t, d.inside("rpm --force-debian --install /tmp/debian.rpm",
		"printf '[main]\nassumeyes=1\nmodule_platform_id=platform:f1\n' >/etc/dnf/dnf.conf")...)
	d.installs(t, lines)
}

// installs runs the README's commands for a package. What systemd does between the second and the
// third, which does not run here, the test does.
func (d *debian) installs(t *testing.T, lines []string) {
	t.Helper()
	d.run(t, d.inside(lines[:2]...)...)
	s := d.serveUnit(t)
	token := strings.TrimSpace(d.run(t, d.inside(lines[2])...))
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

// imageName is the image under which the README's version is published.
func imageName(t *testing.T) string {
	t.Helper()
	address := strings.Fields(readmeWay(t, wayPackage)[0])[2]
	name, _, _ := strings.Cut(strings.TrimPrefix(address, "https://github.com/"), "/releases/")
	return "ghcr.io/" + name + ":" + strings.TrimPrefix(version, "v")
}

// Without Docker, the image's tree is started as Docker would with the README's flags.
func TestReadmeImage(t *testing.T) {
	t.Parallel()
	lines := readmeWay(t, wayImage)
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
func TestReadmeCompose(t *testing.T) {
	t.Parallel()
	lines := readmeWay(t, wayCompose)
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
