package web

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// contentTypes are those of the files that have an address of their own.
var contentTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
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

// script joins a module and all that it reaches to one, because to fetch two dozen took a browser a hundred milliseconds. Each
// module becomes a function that is called once and returns what the module exports:
//
//	const m2=(()=>{
//	const{request}=m1;
//	…
//	return{open,more};
//	})();
//
// It understands how our modules and the vendored ones are written, not all of JavaScript, and panics when something is
// imported that it did not find exported.
type script struct {
	byImport map[string]string  // from a bare name, such as "preact", to a file below static
	modules  map[string]*module // by file; nil for those whose imports are being added
	n        int                // of modules that are done
	text     strings.Builder
}

type module struct {
	name    string            // in the joined script, for example "m2"
	exports map[string]string // from the name outside to that inside
}

func newScript(name string) []byte {
	s := &script{byImport: map[string]string{}, modules: map[string]*module{}}
	for _, f := range readManifest().Files {
		s.byImport[f.Import] = "vendor/" + f.File
	}
	s.add(name)
	return []byte(s.text.String())
}

// The forms of import and export, also of minified code: `import{h as a}from"preact"`, `import htm from "htm"`,
// `export const a = `, `export{b as c}`, `export default function`.
var (
	importing = regexp.MustCompile(`\bimport\s*(?:([\w$]+)|\{([^}]*)\})\s*from\s*"([\w@./-]+)";?`)
	declaring = regexp.MustCompile(`(?m)^export ((?:const|class|function|async function) ([\w$]+))`)
	listing   = regexp.MustCompile(`\bexport\s*\{([^}]*)\};?`)
	standard  = regexp.MustCompile(`\bexport default `)
)

// add appends a module after all that it imports.
func (s *script) add(file string) *module {
	if m, ok := s.modules[file]; ok {
		if m == nil {
			panic("modules import each other in a circle: " + file)
		}
		return m
	}
	s.modules[file] = nil
	m := &module{exports: map[string]string{}}
	text := replace(importing, string(read(file)), func(groups []string) string { return s.importFrom(file, groups) })
	text = m.export(text)
	s.n++
	m.name = "m" + strconv.Itoa(s.n)
	var exports []string
	for outside, inside := range m.exports {
		exports = append(exports, outside+":"+inside)
	}
	slices.Sort(exports)
	fmt.Fprintf(&s.text, "const %s=(()=>{ // %s\n%s\nreturn{%s};\n})();\n", m.name, file, text, strings.Join(exports, ","))
	s.modules[file] = m
	return m
}

// importFrom returns what takes the place of an import.
func (s *script) importFrom(file string, groups []string) string {
	from := s.add(s.resolve(file, groups[3]))
	names := [][2]string{{"default", groups[1]}}
	if groups[1] == "" {
		names = pairs(groups[2])
	}
	var parts []string
	for _, n := range names {
		if _, found := from.exports[n[0]]; !found {
			panic(file + " imports " + n[0] + " from " + groups[3] + ", which does not export it")
		}
		parts = append(parts, n[0]+":"+n[1])
	}
	return "const{" + strings.Join(parts, ",") + "}=" + from.name + ";"
}

// export notes what a module exports, and returns its text without that.
func (m *module) export(text string) string {
	text = replace(declaring, text, func(groups []string) string {
		m.exports[groups[2]] = groups[2]
		return groups[1]
	})
	text = replace(listing, text, func(groups []string) string {
		for _, n := range pairs(groups[1]) {
			m.exports[n[1]] = n[0]
		}
		return ""
	})
	return replace(standard, text, func([]string) string {
		m.exports["default"] = "standard"
		return "const standard="
	})
}

// replace is ReplaceAllStringFunc with the groups of each match.
func replace(pattern *regexp.Regexp, text string, f func(groups []string) string) string {
	return pattern.ReplaceAllStringFunc(text, func(match string) string { return f(pattern.FindStringSubmatch(match)) })
}

// pairs reads "a, b as c": what is named, and as what.
func pairs(list string) (names [][2]string) {
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, as, renamed := strings.Cut(part, " as ")
		if !renamed {
			as = name
		}
		names = append(names, [2]string{name, as})
	}
	return names
}

// resolve returns the file that a module means.
func (s *script) resolve(from, specifier string) string {
	if strings.HasPrefix(specifier, "./") || strings.HasPrefix(specifier, "../") {
		return path.Join(path.Dir(from), specifier)
	}
	file, ok := s.byImport[specifier]
	if !ok {
		panic(from + " imports " + specifier + ", which is not in vendor/manifest.json")
	}
	return file
}
