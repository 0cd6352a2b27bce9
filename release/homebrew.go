package main

import (
	"bytes"
	_ "embed"
	"text/template"
)

//go:embed terse.rb.tmpl
var formulaTemplate string

// formula returns what Homebrew installs the archives with, of which sums are the hashes.
func (r *release) formula(sums map[target]string) ([]byte, error) {
	parsed, err := template.New("terse.rb").Funcs(template.FuncMap{
		"sum": func(os, arch string) string { return sums[target{os, arch}] },
	}).Parse(formulaTemplate)
	if err != nil {
		return nil, err
	}
	var formula bytes.Buffer
	err = parsed.Execute(&formula, map[string]string{
		"repository": r.repository, "number": r.number(),
		"archives": r.repository + "/releases/download/" + r.version + "/terse_" + r.number(),
	})
	return formula.Bytes(), err
}
