package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// debianPackage packs files as a package for an architecture. Its scripts are in the folder deb.
func (r *release) debianPackage(arch string, contents []file) (
	name string, packed []byte, err error,
) {
	dir, err := os.MkdirTemp("", "terse-release-")
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	scripts := filepath.Join(r.root, "release", "deb")
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "terse", Arch: arch, Platform: "linux", Version: r.version, MTime: r.time,
		Section: "web", Priority: "optional", Homepage: r.repository,
		Maintainer: "the terse authors",
		Description: "URL shortener to host yourself\n" +
			"One binary with an HTTP API, public redirects, click analytics, a\n" +
			"dashboard and a command line. It needs no other server.",
		DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Depends: []string{"adduser"},
			// for TLS connections to databases, and to a server of the command line
			Recommends: []string{"ca-certificates"},
			Scripts: nfpm.Scripts{
				PostInstall: filepath.Join(scripts, "postinst"),
				PreRemove:   filepath.Join(scripts, "prerm"),
				PostRemove:  filepath.Join(scripts, "postrm"),
			},
		},
	})
	for i, f := range contents {
		source := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(source, f.content, 0o600); err != nil {
			return "", nil, err
		}
		content := &files.Content{
			Source: source, Destination: f.name,
			FileInfo: &files.ContentFileInfo{
				Owner: "root", Group: "root", Mode: f.mode, MTime: r.time,
			},
		}
		if f.config {
			content.Type = files.TypeConfig
		}
		info.Contents = append(info.Contents, content)
	}
	var b bytes.Buffer
	if err := deb.Default.Package(info, &b); err != nil {
		return "", nil, err
	}
	return deb.Default.ConventionalFileName(info), b.Bytes(), nil
}
