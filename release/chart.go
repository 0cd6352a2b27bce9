package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// chartVersion finds the version of terse that the chart is for.
var chartVersion = regexp.MustCompile(`(?m)^appVersion: "(.+)"$`)

// chart packs the Helm chart as helm package does. It gets the version of the release.
func (r *release) chart() (name string, packed []byte, err error) {
	root := os.DirFS(filepath.Join(r.root, "deploy", "helm"))
	about, err := fs.ReadFile(root, "terse/Chart.yaml")
	if err != nil {
		return "", nil, err
	}
	version := chartVersion.FindSubmatch(about)
	if version == nil {
		return "", nil, errors.New("no appVersion in Chart.yaml")
	}
	var files []file
	err = fs.WalkDir(root, "terse", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		switch path {
		case "terse/Chart.yaml", "terse/README.md": // they name it, also in links
			content = bytes.ReplaceAll(content, version[1], []byte(r.number()))
		}
		files = append(files, file{name: path, mode: 0o644, content: content})
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	plain, err := r.tar(files)
	if err != nil {
		return "", nil, err
	}
	return "terse-" + r.number() + ".tgz", compress(plain), nil
}
