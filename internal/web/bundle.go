package web

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// contentTypes are those of the files that have an address of their own.
var contentTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// bundle gives every file under static an address with the hash of its content, so that
// browsers may keep it for ever, and has modules import each other by these addresses. A module's
// content includes the addresses of its imports: when one changes, so do all that reach it.
type bundle struct {
	byImport map[string]string // from a bare name, such as "preact", to a file below static
	done     map[string]*module
}

type module struct {
	url     string
	content []byte
	imports []string // files
}

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

func newBundle() *bundle {
	b := &bundle{byImport: map[string]string{}, done: map[string]*module{}}
	for _, f := range readManifest().Files {
		b.byImport[f.Import] = "vendor/" + f.File
	}
	return b
}

// importing matches what names a module in an import or re-export, also of minified code:
// `import{h}from"preact"`, `import "./style.js"`.
var importing = regexp.MustCompile(`\b(?:from|import)\s*"([\w@./-]+)"`)

// add puts a file and all that it imports into the bundle.
func (b *bundle) add(name string) *module {
	if m, ok := b.done[name]; ok {
		if m == nil {
			panic("modules import each other in a circle: " + name)
		}
		return m
	}
	b.done[name] = nil
	m := &module{content: read(name)}
	ext := path.Ext(name)
	if ext == ".js" || ext == ".mjs" {
		m.content = importing.ReplaceAllFunc(m.content, func(match []byte) []byte {
			before, specifier, _ := strings.Cut(string(match), `"`)
			imported := b.resolve(name, strings.TrimSuffix(specifier, `"`))
			m.imports = append(m.imports, imported)
			return []byte(before + `"` + b.add(imported).url + `"`)
		})
	}
	m.url = assets + strings.TrimSuffix(path.Base(name), ext) + "." + digest(m.content) + ext
	b.done[name] = m
	return m
}

// resolve returns the file that a module means.
func (b *bundle) resolve(from, specifier string) string {
	if strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../") {
		return path.Join(path.Dir(from), specifier)
	}
	file, ok := b.byImport[specifier]
	if !ok {
		panic(from + " imports " + specifier + ", which is not in vendor/manifest.json")
	}
	return file
}

// url returns a file's address.
func (b *bundle) url(name string) string { return b.add(name).url }

// graph returns the addresses of all that a module reaches, itself first, so that the browser
// can be told to fetch them together.
func (b *bundle) graph(name string) []string {
	var names []string
	var walk func(string)
	walk = func(name string) {
		if slices.Contains(names, name) {
			return
		}
		names = append(names, name)
		for _, imported := range b.add(name).imports {
			walk(imported)
		}
	}
	walk(name)
	urls := make([]string, len(names))
	for i, name := range names {
		urls[i] = b.url(name)
	}
	return urls
}

// files returns what was added, by address.
func (b *bundle) files() map[string]*file {
	all := map[string]*file{}
	for name, m := range b.done {
		f := newFile(contentTypes[path.Ext(name)], m.content)
		f.cacheControl = "public, max-age=31536000, immutable"
		all[m.url] = f
	}
	return all
}
