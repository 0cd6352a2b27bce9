package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

const (
	version    = "v0.1.0"
	revision   = "0123456789abcdef0123456789abcdef01234567"
	repository = "https://example.com/terse"
)

func newRelease(root, out string) *release {
	return &release{
		version: version, revision: revision, repository: repository,
		time: time.Date(2026, time.November, 27, 8, 0, 0, 0, time.UTC), root: root, out: out,
	}
}

var (
	buildOnce sync.Once
	built     string // the folder with what was built
	errBuild  error
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

// dist returns a release of this source, which tests share.
func dist(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: make test-long runs it")
	}
	buildOnce.Do(func() {
		//nolint:usetesting // it outlives the test that builds
		dir, err := os.MkdirTemp("", "terse-dist-")
		if err != nil {
			errBuild = err
			return
		}
		built = filepath.Join(dir, "dist")
		errBuild = newRelease("..", built).build(t.Context())
	})
	if errBuild != nil {
		t.Fatal(errBuild)
	}
	return built
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, &stderr)
	}
	return string(out)
}

// unpack writes a tar archive into a folder, with the modes of its files.
func unpack(t *testing.T, plain io.Reader, folder string) (names []string) {
	t.Helper()
	for r := tar.NewReader(plain); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
		path := filepath.Join(folder, filepath.FromSlash(header.Name))
		if header.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o755)
		} else {
			var content []byte
			if content, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(path, content, 0o600)
			}
		}
		if err == nil {
			err = os.Chmod(path, header.FileInfo().Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func unpackArchive(t *testing.T, name, folder string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(dist(t), name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return unpackGzip(t, f, folder)
}

func unpackGzip(t *testing.T, packed io.Reader, folder string) []string {
	t.Helper()
	plain, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	return unpack(t, plain, folder)
}

func TestArchives(t *testing.T) {
	t.Parallel()
	for _, target := range targets {
		dir := t.TempDir()
		folder := fmt.Sprintf("terse_0.1.0_%s_%s", target.os, target.arch)
		names := unpackArchive(t, folder+".tar.gz", dir)
		for _, name := range []string{
			"terse", "LICENSE", "NOTICE", "THIRD-PARTY-NOTICES", "systemd/terse.service",
			"systemd/terse.env", "completion/terse.bash", "completion/_terse",
			"completion/terse.fish", "man/man1/terse.1", "man/man1/terse-serve.1",
		} {
			info, err := os.Stat(filepath.Join(dir, folder, name))
			if err != nil || info.Size() == 0 {
				t.Errorf("%s: %s: %v", folder, name, err)
			}
		}
		if !slices.IsSorted(names) {
			t.Errorf("%s has its files in the order %q", folder, names)
		}
		binary := filepath.Join(dir, folder, "terse")
		info, err := buildinfo.ReadFile(binary)
		if err != nil {
			t.Fatal(err)
		}
		notices, err := os.ReadFile(filepath.Join(dir, folder, "THIRD-PARTY-NOTICES"))
		if err != nil {
			t.Fatal(err)
		}
		for _, module := range info.Deps {
			if !bytes.Contains(notices, []byte("\n"+module.Path+" "+module.Version+": LICENSE")) &&
				!bytes.Contains(notices, []byte("\n"+module.Path+" "+module.Version+": COPYING")) {
				t.Errorf("%s: no licence of %s %s", folder, module.Path, module.Version)
			}
		}
		settings := map[string]string{}
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
		if settings["GOOS"] != target.os || settings["GOARCH"] != target.arch ||
			settings["CGO_ENABLED"] != "0" || settings["vcs.revision"] != "" {
			t.Errorf("%s is built with %v", folder, settings)
		}
		if target.os == runtime.GOOS && target.arch == runtime.GOARCH {
			if v := run(t, binary, "version"); !strings.HasPrefix(v, "terse v0.1.0, ") {
				t.Errorf("the binary is %q", v)
			}
		}
	}
}

// TestReproducible builds the same source in another folder.
func TestReproducible(t *testing.T) {
	t.Parallel()
	first := dist(t)
	root := filepath.Join(t.TempDir(), "somewhere", "else")
	files := run(t, "git", "-C", "..", "ls-files", "-z", "--cached", "--others",
		"--exclude-standard")
	for name := range strings.SplitSeq(strings.TrimRight(files, "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join("..", name))
		if errors.Is(err, fs.ErrNotExist) { // deleted, which git does not know yet
			continue
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(root, name), content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	second := filepath.Join(t.TempDir(), "dist")
	if err := newRelease(root, second).build(t.Context()); err != nil {
		t.Fatal(err)
	}
	ours, theirs := tree(t, first), tree(t, second)
	// 3 archives, 4 packages, a formula, a chart, sums; of the image 2 files and blobs
	if len(ours) < 16 {
		t.Errorf("a release has %d files", len(ours))
	}
	for name, content := range ours {
		if theirs[name] != content {
			t.Errorf("%s differs", name)
		}
		delete(theirs, name)
	}
	for name := range theirs {
		t.Errorf("%s is in one only", name)
	}
}

// tree returns the files in a folder.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	dir := os.DirFS(folder)
	err := fs.WalkDir(dir, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(dir, path)
		files[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSums(t *testing.T) {
	t.Parallel()
	dir := dist(t)
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(sums)) {
		names = append(names, strings.Fields(line)[1])
	}
	want := []string{
		"terse-0.1.0-1.aarch64.rpm", "terse-0.1.0-1.x86_64.rpm", "terse-0.1.0.tgz", "terse.rb",
		"terse_0.1.0_amd64.deb", "terse_0.1.0_arm64.deb", "terse_0.1.0_darwin_arm64.tar.gz",
		"terse_0.1.0_linux_amd64.tar.gz", "terse_0.1.0_linux_arm64.tar.gz",
	}
	if !slices.Equal(names, want) {
		t.Errorf("SHA256SUMS has %q", names)
	}
	check := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = dir
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
}

func TestImage(t *testing.T) {
	t.Parallel()
	whole, err := layout.ImageIndexFromPath(filepath.Join(dist(t), "image"))
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(whole); err != nil { // hashes, sizes and types of everything
		t.Error(err)
	}
	list, err := whole.IndexManifest()
	if err != nil || len(list.Manifests) != 1 {
		t.Fatalf("index.json: %+v %v", list, err)
	}
	index, err := whole.ImageIndex(list.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	images, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{
		"source": repository, "revision": revision, "version": "0.1.0", "licenses": "MIT",
		"documentation": repository + "/blob/v0.1.0/README.md",
	}
	var platforms []string
	for _, described := range images.Manifests {
		platforms = append(platforms, described.Platform.String())
		image, err := index.Image(described.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if config.OS+"/"+config.Architecture != described.Platform.String() {
			t.Errorf("%s is for %s", described.Platform, config.Architecture)
		}
		for name, want := range labels {
			if got := config.Config.Labels["org.opencontainers.image."+name]; got != want {
				t.Errorf("%s: %s is %q, want %q", described.Platform, name, got, want)
			}
		}
	}
	if !slices.Equal(platforms, []string{"linux/amd64", "linux/arm64"}) {
		t.Errorf("the image is for %q", platforms)
	}
}

// TestRefused: what is wrong with a release is said before anything is built.
func TestRefused(t *testing.T) {
	t.Parallel()
	if err := new(release).readTime(""); err == nil {
		t.Error("a release needs no time")
	}
	for _, version := range []string{"", "0.1.0", "v0.1", "v1", "latest"} {
		r := newRelease("..", filepath.Join(t.TempDir(), "dist"))
		r.version = version
		if err := r.build(t.Context()); err == nil || !strings.Contains(err.Error(), "v1.2.3") {
			t.Errorf("version %q: %v", version, err)
		}
	}
	if err := newRelease("..", t.TempDir()).build(t.Context()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("into a folder that exists: %v", err)
	}
}
