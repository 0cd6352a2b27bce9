package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"io/fs"
	"slices"
	"strings"
)

// archive packs files into one folder.
func (r *release) archive(folder string, files []file) ([]byte, error) {
	packed := []file{{name: folder + "/", mode: fs.ModeDir | 0o755}}
	for _, f := range files {
		f.name = folder + "/" + f.name
		packed = append(packed, f)
	}
	plain, err := r.tar(packed)
	if err != nil {
		return nil, err
	}
	return compress(plain), nil
}

// tar packs files in the order of their names, with the folders above them.
func (r *release) tar(files []file) ([]byte, error) {
	var plain bytes.Buffer
	w := tar.NewWriter(&plain)
	for _, f := range withFolders(files) {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: strings.TrimPrefix(f.name, "/"),
			Size: int64(len(f.content)), Mode: int64(f.mode.Perm()), ModTime: r.time,
			Format: tar.FormatUSTAR,
		}
		if f.mode.IsDir() {
			header.Typeflag = tar.TypeDir
		}
		if f.mode&fs.ModeSticky != 0 {
			header.Mode |= 0o1000
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return plain.Bytes(), err
}

// withFolders returns files in the order of their names, with the folders above them. Names of
// folders end with a slash.
func withFolders(files []file) []file {
	all := slices.Clone(files)
	for _, f := range files {
		for i, c := range f.name {
			folder := file{name: f.name[:i+1], mode: fs.ModeDir | 0o755}
			if c == '/' && i > 0 && !slices.ContainsFunc(all,
				func(other file) bool { return other.name == folder.name }) {
				all = append(all, folder)
			}
		}
	}
	slices.SortFunc(all, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return all
}

// compress packs bytes as gzip does, without a name and a time.
func compress(plain []byte) []byte {
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, _ = w.Write(plain) // a buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}
