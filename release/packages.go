package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	"github.com/goreleaser/nfpm/v2/rpm"
)

// format is a kind of packages.
type format struct {
	nfpm.Packager
	contents func(c *contents, binary []byte) []file
	depends  []string
	scripts  nfpm.Scripts             // their paths in the source
	kinds    func(path string) string // of files, as nfpm names them
}

var formats = []format{
	{
		Packager: deb.Default,
		contents: (*contents).forDebian,
		depends:  []string{"adduser"},
		scripts: nfpm.Scripts{
			PostInstall: "release/deb/postinst",
			PreRemove:   "release/deb/prerm",
			PostRemove:  "release/deb/postrm",
		},
	},
	{
		Packager: rpm.DefaultRPM,
		contents: (*contents).forFedora,
		depends:  []string{"/bin/sh", "systemd"},
		scripts: nfpm.Scripts{
			PreInstall:  "release/rpm/pre",
			PostInstall: "release/rpm/post",
			PreRemove:   "release/rpm/preun",
			PostRemove:  "release/rpm/postun",
		},
		kinds: func(path string) string {
			switch {
			case strings.HasPrefix(path, share+"licenses/"):
				return files.TypeRPMLicense
			case strings.HasPrefix(path, share+"doc/"), strings.HasPrefix(path, share+"man/"):
				return files.TypeRPMDoc
			}
			return files.TypeFile
		},
	},
}

// pack returns the package of a format for an architecture.
func (r *release) pack(format format, arch string, c *contents, binary []byte) (
	name string, packed []byte, err error,
) {
	dir, err := os.MkdirTemp("", "terse-release-")
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, script := range []*string{
		&format.scripts.PreInstall, &format.scripts.PostInstall,
		&format.scripts.PreRemove, &format.scripts.PostRemove,
	} {
		if *script != "" {
			*script = filepath.Join(r.root, *script)
		}
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "terse", Arch: arch, Platform: "linux", Version: r.version, MTime: r.time,
		Section: "web", Priority: "optional", Homepage: r.repository, License: "MIT",
		Maintainer: "the terse authors",
		Description: "URL shortener to host yourself\n" +
			"One binary with an HTTP API, public redirects, click analytics, a\n" +
			"dashboard and a command line. It needs no other server.",
		DisableGlobbing: true,
		Overridables: nfpm.Overridables{
			Depends: format.depends,
			// for TLS connections to databases, and to a server of the command line
			Recommends: []string{"ca-certificates"},
			Scripts:    format.scripts,
			RPM:        nfpm.RPM{BuildHost: "localhost"}, // would be the name of this machine
		},
	})
	for i, f := range format.contents(c, binary) {
		content := &files.Content{
			Destination: f.name,
			FileInfo: &files.ContentFileInfo{
				Owner: "root", Group: "root", Mode: f.mode, MTime: r.time,
			},
		}
		if f.group != "" {
			content.FileInfo.Group = f.group
		}
		switch {
		case f.mode.IsDir():
			content.Type = files.TypeDir
		case f.config:
			content.Type = files.TypeConfigNoReplace
		case format.kinds != nil:
			content.Type = format.kinds(f.name)
		}
		if !f.mode.IsDir() {
			content.Source = filepath.Join(dir, strconv.Itoa(i))
			if err := os.WriteFile(content.Source, f.content, 0o600); err != nil {
				return "", nil, err
			}
		}
		info.Contents = append(info.Contents, content)
	}
	var b bytes.Buffer
	if err := format.Package(info, &b); err != nil {
		return "", nil, err
	}
	return format.ConventionalFileName(info), b.Bytes(), nil
}
