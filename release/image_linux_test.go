package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

// unpackImage writes the image's tree for this machine into a folder.
func unpackImage(t *testing.T, folder string) v1.Config {
	t.Helper()
	whole, err := layout.ImageIndexFromPath(filepath.Join(dist(t), "image"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := whole.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	index, err := whole.ImageIndex(list.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	images, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, described := range images.Manifests {
		if described.Platform.Architecture != runtime.GOARCH {
			continue
		}
		image, err := index.Image(described.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		plain := mutate.Extract(image)
		unpack(t, plain, folder)
		if err := plain.Close(); err != nil {
			t.Fatal(err)
		}
		return config.Config
	}
	t.Skipf("there is no image for %s", runtime.GOARCH)
	return v1.Config{}
}

// TestImageUsers starts the image's tree as its own user and as those that stores choose. Only its
// volume can be written.
func TestImageUsers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	config := unpackImage(t, root)
	for _, user := range []string{config.User, "568:568", "99:100", "1000:1000"} {
		for _, owned := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s owned=%v", user, owned), func(t *testing.T) {
				t.Parallel()
				testImageUser(t, root, config, user, owned)
			})
		}
	}
}

func testImageUser(t *testing.T, root string, config v1.Config, user string, owned bool) {
	t.Helper()
	uid, gid, _ := strings.Cut(user, ":")
	wantUID, err := strconv.Atoi(uid)
	if err != nil {
		t.Fatal(err)
	}
	wantGID, err := strconv.Atoi(gid)
	if err != nil {
		t.Fatal(err)
	}
	// A new volume is a copy of the image's folder; a folder of the machine is its owner's.
	inImage, err := os.Stat(filepath.Join(root, "data"))
	if err != nil {
		t.Fatal(err)
	}
	volume, mode := t.TempDir(), inImage.Mode()
	if owned {
		mode = 0o700
		if err := os.Chown(volume, wantUID, wantGID); err != nil {
			t.Skipf("needs root: %v", err)
		}
	}
	if err := os.Chmod(volume, mode); err != nil {
		t.Fatal(err)
	}
	m := newMachine(t, fmt.Sprintf("mount --bind %[1]s %[1]s\nmount -o remount,bind,ro %[1]s\n"+
		"mount --bind %[2]s %[1]s/data", root, volume))
	inside := func(command []string) []string {
		return append([]string{
			"setpriv", "--no-new-privs", "chroot", "--userspec=" + user, "--groups=", root,
		}, command...)
	}
	environ := append([]string{"AUTH_TOKEN=0123456789abcdef"}, config.Env...)
	s := m.serve(t, environ, inside(append(config.Entrypoint, config.Cmd...))...)
	code := s.create(t, "0123456789abcdef", "https://example.com/image")
	s.wantRedirect(t, code, "https://example.com/image")
	if check := config.Healthcheck.Test; len(check) < 2 || check[0] != "CMD" {
		t.Errorf("the health check is %q", check)
	} else {
		m.run(t, inside(check[1:])...)
	}
	s.stop(t)
	files := 0
	err = filepath.WalkDir(volume, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == volume {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files++
		owner, _ := info.Sys().(*syscall.Stat_t)
		if int(owner.Uid) != wantUID || int(owner.Gid) != wantGID || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is of %d:%d with mode %v", path, owner.Uid, owner.Gid, info.Mode())
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("the volume has %d files: %v", files, err)
	}
}
