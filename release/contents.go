package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is an operating system and an architecture, by Go's names.
type target struct{ os, arch string }

var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}}

// compile returns the binary for a target.
func (r *release) compile(ctx context.Context, t target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "terse-release-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary := filepath.Join(dir, "terse")
	_, err = r.goCommand(ctx, t, "build", "-trimpath", "-buildvcs=false", "-ldflags",
		"-s -w -X main.version="+r.version, "-o", binary, "./cmd/terse")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(binary)
}

// goCommand runs the go command in the source for a target, and returns what it prints. Settings of
// this machine that would change the binary have no effect.
func (r *release) goCommand(ctx context.Context, t target, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // arguments of this program
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOFLAGS=",
		"GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=",
		fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.time.Unix()))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, &stderr)
	}
	return out, nil
}

// contents is what comes with each binary.
type contents struct {
	licence, notice, thirdParty, changelog, unit, settings []byte
	bash, zsh, fish                                        []byte // completion
	user                                                   []byte // of the service, for sysusers
	manual                                                 []file // a page each
}

func (r *release) readContents(ctx context.Context) (*contents, error) {
	var c contents
	for name, into := range map[string]*[]byte{
		"LICENSE":                      &c.licence,
		"NOTICE":                       &c.notice,
		"CHANGELOG.md":                 &c.changelog,
		"deploy/systemd/terse.service": &c.unit,
		"deploy/systemd/terse.env":     &c.settings,
		"release/rpm/terse.sysusers":   &c.user,

		"cmd/terse/completion/terse.bash": &c.bash,
		"cmd/terse/completion/terse.zsh":  &c.zsh,
		"cmd/terse/completion/terse.fish": &c.fish,
	} {
		var err error
		if *into, err = os.ReadFile(filepath.Join(r.root, name)); err != nil {
			return nil, err
		}
	}
	var err error
	if c.thirdParty, err = r.thirdParty(ctx); err != nil {
		return nil, err
	}
	c.manual, err = r.readManual(ctx)
	return &c, err
}

// readManual returns the pages that terse writes about itself.
func (r *release) readManual(ctx context.Context) ([]file, error) {
	dir, err := os.MkdirTemp("", "terse-release-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	here := target{runtime.GOOS, runtime.GOARCH}
	if _, err := r.goCommand(ctx, here, "run", "-trimpath", "./cmd/terse", "man", dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var pages []file
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		pages = append(pages, file{name: entry.Name(), mode: 0o644, content: content})
	}
	return pages, nil
}

func (c *contents) forArchive(binary []byte) []file {
	files := []file{
		{name: "terse", mode: 0o755, content: binary},
		{name: "LICENSE", mode: 0o644, content: c.licence},
		{name: "NOTICE", mode: 0o644, content: c.notice},
		{name: "THIRD-PARTY-NOTICES", mode: 0o644, content: c.thirdParty},
		{name: "systemd/terse.service", mode: 0o644, content: c.unit},
		{name: "systemd/terse.env", mode: 0o644, content: c.settings},
		{name: "completion/terse.bash", mode: 0o644, content: c.bash},
		{name: "completion/_terse", mode: 0o644, content: c.zsh},
		{name: "completion/terse.fish", mode: 0o644, content: c.fish},
	}
	for _, page := range c.manual {
		page.name = "man/man1/" + page.name
		files = append(files, page)
	}
	return files
}

// share is where packages have what does not depend on the architecture.
const share = "/usr/share/"

// forPackage returns what packages of all formats have at the same place.
func (c *contents) forPackage(binary []byte) []file {
	unit := bytes.ReplaceAll(c.unit, []byte("/usr/local/bin/"), []byte("/usr/bin/"))
	files := []file{
		{name: "/usr/bin/terse", mode: 0o755, content: binary},
		{name: "/usr/lib/systemd/system/terse.service", mode: 0o644, content: unit},
		{name: share + "bash-completion/completions/terse", mode: 0o644, content: c.bash},
		{name: share + "fish/vendor_completions.d/terse.fish", mode: 0o644, content: c.fish},
	}
	for _, page := range c.manual {
		page.name, page.content = share+"man/man1/"+page.name+".gz", compress(page.content)
		files = append(files, page)
	}
	return files
}

// forDebian returns where Debian's rules want everything.
func (c *contents) forDebian(binary []byte) []file {
	return append(
		c.forPackage(binary),
		// The group follows when the user exists.
		file{name: "/etc/terse/terse.env", mode: 0o640, content: c.settings, config: true},
		file{
			name: share + "doc/terse/CHANGELOG.md.gz", mode: 0o644, content: compress(c.changelog),
		},
		file{name: share + "zsh/vendor-completions/_terse", mode: 0o644, content: c.zsh},
		c.copyright(),
	)
}

// forFedora returns where Fedora's rules want everything, which openSUSE's allow.
func (c *contents) forFedora(binary []byte) []file {
	const licences = share + "licenses/terse/"
	return append(
		c.forPackage(binary),
		// Who removes the package has its folders removed, too.
		file{name: "/etc/terse/", mode: fs.ModeDir | 0o755},
		file{
			name: "/etc/terse/terse.env", mode: 0o640, content: c.settings, config: true,
			group: "terse",
		},
		file{name: "/usr/lib/sysusers.d/terse.conf", mode: 0o644, content: c.user},
		file{name: share + "doc/terse/", mode: fs.ModeDir | 0o755},
		file{name: share + "doc/terse/CHANGELOG.md", mode: 0o644, content: c.changelog},
		file{name: licences, mode: fs.ModeDir | 0o755},
		file{name: licences + "LICENSE", mode: 0o644, content: c.licence},
		file{name: licences + "NOTICE", mode: 0o644, content: c.notice},
		file{name: licences + "THIRD-PARTY-NOTICES", mode: 0o644, content: c.thirdParty},
		file{name: share + "zsh/site-functions/_terse", mode: 0o644, content: c.zsh},
	)
}

// copyright is the file with the licence of terse and those of all that is in the binary.
func (c *contents) copyright() file {
	return file{
		name: "/usr/share/doc/terse/copyright", mode: 0o644,
		content: slices.Concat(c.licence, []byte("\n"), c.notice, []byte("\n"), c.thirdParty),
	}
}

// thirdParty returns the licences of Go, of all modules that are linked in for any target, and of
// the dashboard's third-party code.
func (r *release) thirdParty(ctx context.Context) ([]byte, error) {
	licences := map[string][]string{} // of a module, or of something else: the files
	goRoot, err := r.goCommand(ctx, targets[0], "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	if err := findLicences(strings.TrimSpace(string(goRoot)), licences, "Go"); err != nil {
		return nil, err
	}
	for _, t := range targets {
		out, err := r.goCommand(ctx, t, "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}"+
				"{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/terse")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			module, folders, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				continue // of the standard library, or of terse itself
			}
			top, folder, _ := strings.Cut(folders, "\t")
			for ; strings.HasPrefix(folder, top); folder = filepath.Dir(folder) {
				if err := findLicences(folder, licences, module); err != nil {
					return nil, err
				}
			}
		}
	}
	const vendor = "internal/web/src/vendor"
	if err := findLicences(filepath.Join(r.root, vendor), licences, "the dashboard"); err != nil {
		return nil, err
	}
	return joinLicences(licences)
}

// findLicences adds the files in a folder that say how its content may be used.
func findLicences(folder string, licences map[string][]string, of string) error {
	if _, ok := licences[of]; !ok {
		licences[of] = nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := strings.ToLower(entry.Name())
		path := filepath.Join(folder, entry.Name())
		if entry.Type().IsRegular() && filepath.Ext(name) != ".go" &&
			slices.ContainsFunc([]string{
				"licen", "copying", "copyright", "notice", "patents",
			}, func(start string) bool { return strings.HasPrefix(name, start) }) &&
			!slices.Contains(licences[of], path) {
			licences[of] = append(licences[of], path)
		}
	}
	return nil
}

func joinLicences(licences map[string][]string) ([]byte, error) {
	var text bytes.Buffer
	text.WriteString("terse contains the following, under the licences below.\n")
	var missing []error
	names := make([]string, 0, len(licences))
	for of := range licences {
		names = append(names, of)
	}
	slices.Sort(names)
	for _, of := range names {
		if len(licences[of]) == 0 {
			missing = append(missing, fmt.Errorf("%s has no file with its licence", of))
		}
		slices.Sort(licences[of])
		for _, path := range licences[of] {
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&text, "\n%s\n%s: %s\n\n%s\n", strings.Repeat("=", 78), of,
				filepath.Base(path), bytes.TrimSpace(content))
		}
	}
	return text.Bytes(), errors.Join(missing...)
}
