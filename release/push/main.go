// Command push pushes the image that release has built to a registry, and prints its digest. It
// signs in with what docker login keeps.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"golang.org/x/mod/semver"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	image := flag.String("image", "../dist/image", "the `folder` with the image")
	version := flag.String("version", "", "the version, such as v1.2.3")
	to := flag.String("to", "", "the image's `name` without a tag, such as ghcr.io/owner/terse")
	flag.Parse()
	digest, err := push(ctx, *image, *version, *to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "push:", err)
		os.Exit(1)
	}
	fmt.Println(digest)
}

// tags returns the tags of a version. Only a final one moves those that are not its own.
func tags(version string) []string {
	number := strings.TrimPrefix(version, "v")
	if semver.Prerelease(version) != "" {
		return []string{number}
	}
	return []string{
		number, strings.TrimPrefix(semver.MajorMinor(version), "v"),
		strings.TrimPrefix(semver.Major(version), "v"), "latest",
	}
}

func push(ctx context.Context, folder, version, to string) (digest string, err error) {
	if !semver.IsValid(version) || semver.Build(version) != "" {
		return "", fmt.Errorf("the version is %q, want one like v1.2.3", version)
	}
	repository, err := name.NewRepository(to)
	if err != nil {
		return "", err
	}
	whole, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return "", err
	}
	list, err := whole.IndexManifest()
	if err != nil {
		return "", err
	}
	if len(list.Manifests) != 1 {
		return "", fmt.Errorf("%s has %d images, want 1", folder, len(list.Manifests))
	}
	index, err := whole.ImageIndex(list.Manifests[0].Digest)
	if err != nil {
		return "", err
	}
	for _, tag := range tags(version) {
		err := remote.WriteIndex(repository.Tag(tag), index, remote.WithContext(ctx),
			remote.WithAuthFromKeychain(authn.DefaultKeychain))
		if err != nil {
			return "", fmt.Errorf("%s: %w", tag, err)
		}
	}
	return list.Manifests[0].Digest.String(), nil
}
