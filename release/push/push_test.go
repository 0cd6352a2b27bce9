package main

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// writeImage writes an image for two architectures as a layout.
func writeImage(t *testing.T) (folder string, digest v1.Hash) {
	t.Helper()
	index, err := random.Index(1024, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	path, err := layout.Write(t.TempDir(), empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := path.AppendIndex(index); err != nil {
		t.Fatal(err)
	}
	digest, err = index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return string(path), digest
}

func TestPush(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(registry.New())
	t.Cleanup(server.Close)
	to := strings.TrimPrefix(server.URL, "http://") + "/owner/terse"
	repository, err := name.NewRepository(to)
	if err != nil {
		t.Fatal(err)
	}
	digests := map[string]v1.Hash{}
	for _, c := range []struct {
		version string
		moved   []string // the tags that then lead to it
	}{
		{"v1.2.3", []string{"1.2.3", "1.2", "1", "latest"}},
		{"v1.3.0-rc.1", []string{"1.3.0-rc.1"}},
		{"v1.2.4", []string{"1.2.4", "1.2", "1", "latest"}},
	} {
		folder, digest := writeImage(t)
		got, err := push(t.Context(), folder, c.version, to)
		if err != nil || got != digest.String() {
			t.Fatalf("%s: pushed %s, want %s: %v", c.version, got, digest, err)
		}
		for _, tag := range c.moved {
			digests[tag] = digest
		}
		tags, err := remote.List(repository)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(tags)
		if len(tags) != len(digests) {
			t.Errorf("after %s, the registry has the tags %q", c.version, tags)
		}
		for tag, want := range digests {
			head, err := remote.Head(repository.Tag(tag))
			if err != nil || head.Digest != want || !head.MediaType.IsIndex() {
				t.Errorf("after %s, %s is %v, want %s: %v", c.version, tag, head, want, err)
			}
		}
	}
	folder, _ := writeImage(t)
	for _, version := range []string{"", "1.2.3", "v1.2.3+build"} {
		if _, err := push(t.Context(), folder, version, to); err == nil {
			t.Errorf("%q was pushed", version)
		}
	}
}
