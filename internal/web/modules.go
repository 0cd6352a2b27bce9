package web

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
)

// manifest is the part of vendor/manifest.json that is needed to serve its files.
type manifest struct {
	Files []struct {
		File      string `json:"file"`
		Import    string `json:"import"`
		Integrity string `json:"integrity"`
	} `json:"files"`
}

func readManifest() manifest {
	var m manifest
	if err := json.Unmarshal(read("vendor/manifest.json"), &m); err != nil {
		panic(fmt.Errorf("vendor/manifest.json: %w", err))
	}
	return m
}

func read(name string) []byte {
	content, err := static.ReadFile("static/" + name)
	if err != nil {
		panic(err)
	}
	return content
}

// modules returns the addresses of all modules by what an import of them resolves to: a bare name
// such as "preact" for a vendored one, an address without its hash for one of ours. The page lists
// them all as preloads, so that a browser fetches them at once instead of one level of imports
// after the other.
func (f *files) modules() map[string]string {
	urls := map[string]string{}
	for _, vendored := range readManifest().Files {
		urls[vendored.Import] = f.asset("vendor/" + vendored.File)
	}
	ours, err := fs.Glob(static, "static/*.js")
	if err != nil {
		panic(err)
	}
	for _, file := range ours {
		if name := path.Base(file); name != "first.js" { // a classic script
			urls[assets+name] = f.asset(name)
		}
	}
	return urls
}

// importMap tells a browser where the modules are.
func importMap(modules map[string]string) []byte {
	text, err := json.Marshal(map[string]any{"imports": modules})
	if err != nil {
		panic(err)
	}
	return text
}
