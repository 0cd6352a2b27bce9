// Command release builds what is published of a version: archives, packages for Debian and Fedora,
// Homebrew's formula, the Helm chart, the image for containers, and SHA256SUMS. It is a module of
// its own, so that the server has none of its dependencies.
//
// What it writes depends only on the source, the version of Go and its flags, and not on the
// machine, the folder or the time. It reads the time of the source's commit from SOURCE_DATE_EPOCH
// and gives it to all that it packs: https://reproducible-builds.org/specs/source-date-epoch.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	var r release
	flag.StringVar(&r.version, "version", "", "the version, such as v1.2.3")
	flag.StringVar(&r.revision, "revision", "", "the commit of the source")
	flag.StringVar(&r.repository, "repository", "", "the `URL` where the source is")
	flag.StringVar(&r.root, "root", "..", "the `folder` of the source")
	flag.StringVar(&r.out, "out", "../dist", "the `folder` to write, which must not exist yet")
	flag.Parse()
	err := r.readTime(os.Getenv("SOURCE_DATE_EPOCH"))
	if err == nil {
		err = r.build(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one version of terse.
type release struct {
	version    string    // with its "v"
	revision   string    // the commit
	repository string    // the address of the source
	time       time.Time // of the commit
	root       string    // the folder with the source
	out        string    // the folder to write
}

// number returns the version without its "v".
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

func (r *release) readTime(epoch string) error {
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH is %q, want the seconds since 1970 of the commit",
			epoch)
	}
	r.time = time.Unix(seconds, 0).UTC()
	return nil
}

// file is a file or a folder of an archive, a package or the image.
type file struct {
	name    string
	mode    fs.FileMode
	content []byte
	config  bool   // the operator changes it, so a newer package must not replace it
	group   string // root if empty
}

func (r *release) build(ctx context.Context) error {
	// A build has more version numbers in front than it has behind: v0.1.0-3-gabc is fine, v1 not.
	if !semver.IsValid(r.version) || strings.Count(r.version, ".") < 2 {
		return fmt.Errorf("the version is %q, want one like v1.2.3", r.version)
	}
	if r.revision == "" || r.repository == "" {
		return errors.New("-revision and -repository are missing")
	}
	if err := os.Mkdir(r.out, 0o755); err != nil { //nolint:gosec // what everybody may read
		return err
	}
	c, err := r.readContents(ctx)
	if err != nil {
		return err
	}
	binaries, sums := map[target][]byte{}, map[target]string{}
	for _, t := range targets {
		if binaries[t], err = r.compile(ctx, t); err != nil {
			return err
		}
		name := fmt.Sprintf("terse_%s_%s_%s", r.number(), t.os, t.arch)
		archive, err := r.archive(name, c.forArchive(binaries[t]))
		if err != nil {
			return err
		}
		if err := r.write(name+".tar.gz", archive); err != nil {
			return err
		}
		sums[t] = fmt.Sprintf("%x", sha256.Sum256(archive))
		if t.os != "linux" {
			continue
		}
		for _, f := range formats {
			name, packed, err := r.pack(f, t.arch, c, binaries[t])
			if err != nil {
				return err
			}
			if err := r.write(name, packed); err != nil {
				return err
			}
		}
	}
	formula, err := r.formula(sums)
	if err != nil {
		return fmt.Errorf("formula: %w", err)
	}
	if err := r.write("terse.rb", formula); err != nil {
		return err
	}
	name, packed, err := r.chart()
	if err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	if err := r.write(name, packed); err != nil {
		return err
	}
	if err := r.image(c, binaries); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	return r.sum()
}

func (r *release) write(name string, content []byte) error {
	return os.WriteFile(filepath.Join(r.out, name), content, 0o644) //nolint:gosec // public
}

// sum writes the hashes of all that is downloaded as files. The image's blobs have theirs as names.
func (r *release) sum() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(r.out, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), entry.Name())
	}
	return r.write("SHA256SUMS", []byte(sums.String()))
}
