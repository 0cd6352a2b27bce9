package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"encoding/pem"
	"io"
	"io/fs"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageConfig is how containers run the image. The user is a number, so that a supervisor can tell
// that it is not root. Healthcheck is Docker's; OCI's standard has none, and others ignore it.
//
//go:embed image.json
var imageConfig []byte

// image writes the image for all architectures of Linux as an OCI layout: the binary, root
// certificates and an empty data folder; no shell, no package manager. The binary has its own data
// of time zones. Nothing but /data is ever written.
func (r *release) image(c *contents, binaries map[target][]byte) error {
	var config v1.Config
	decoder := json.NewDecoder(bytes.NewReader(imageConfig))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&config); err != nil {
		return err
	}
	config.Labels = map[string]string{
		"org.opencontainers.image.title":       "terse",
		"org.opencontainers.image.description": "A URL shortener to host yourself",
		"org.opencontainers.image.version":     r.number(),
		"org.opencontainers.image.revision":    r.revision,
		"org.opencontainers.image.source":      r.repository,
		"org.opencontainers.image.licenses":    "MIT",

		"org.opencontainers.image.documentation": r.repository + "/blob/" + r.version +
			"/README.md",
	}
	base, err := r.layer([]file{
		// A new volume gets this mode. Stores and operators choose the user, and any has to be able
		// to write. What terse creates there is open to its user only.
		{name: "/data/", mode: fs.ModeDir | fs.ModeSticky | 0o777},
		// for TLS connections to databases and proxies
		{name: "/etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: rootCertificates()},
		c.copyright(),
	})
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, t := range targets {
		if t.os != "linux" {
			continue
		}
		binary, err := r.layer([]file{{name: "/terse", mode: 0o755, content: binaries[t]}})
		if err != nil {
			return err
		}
		image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1),
			types.OCIConfigJSON)
		image, err = mutate.ConfigFile(image, &v1.ConfigFile{
			OS: t.os, Architecture: t.arch, Created: v1.Time{Time: r.time}, Config: config,
			RootFS: v1.RootFS{Type: "layers"},
		})
		if err != nil {
			return err
		}
		history := v1.History{Created: v1.Time{Time: r.time}, CreatedBy: "make release"}
		image, err = mutate.Append(image, mutate.Addendum{Layer: base, History: history},
			mutate.Addendum{Layer: binary, History: history})
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image,
			Descriptor: v1.Descriptor{
				Platform: &v1.Platform{OS: t.os, Architecture: t.arch},
			},
		})
	}
	// Registries show these of an image for several architectures.
	index, _ = mutate.Annotations(index, config.Labels).(v1.ImageIndex)
	path, err := layout.Write(filepath.Join(r.out, "image"), empty.Index)
	if err != nil {
		return err
	}
	return path.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": r.number(),
	}))
}

func (r *release) layer(files []file) (v1.Layer, error) {
	plain, err := r.tar(files)
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(plain)), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching,
		tarball.WithCompressionLevel(gzip.BestCompression))
}

// rootCertificates returns those of Mozilla that are trusted without a condition: a file of
// certificates can't express conditions.
func rootCertificates() []byte {
	var text bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
		}
	}
	return text.Bytes()
}
