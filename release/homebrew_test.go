package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFormula: Homebrew would get what was built, and find in each archive what it installs.
func TestFormula(t *testing.T) {
	t.Parallel()
	needs(t, "ruby", "rubocop")
	dir := dist(t)
	formula, err := os.ReadFile(filepath.Join(dir, "terse.rb"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`url "(.+)/(.+)"\s+sha256 "(.+)"`).
		FindAllStringSubmatch(string(formula), -1) {
		if m[1] != repository+"/releases/download/"+version {
			t.Errorf("it fetches from %s", m[1])
		}
		if !strings.Contains(string(sums), m[3]+"  "+m[2]+"\n") {
			t.Errorf("another file than %s has the hash %s", m[2], m[3])
		}
		names = append(names, m[2])
	}
	_, install, _ := strings.Cut(string(formula), "def install\n")
	install, _, _ = strings.Cut(install, "\n\n")
	installed := regexp.MustCompile(`install (?:Dir\[)?"([^"]+)"(?:, "([^"]+)")?`).
		FindAllStringSubmatch(install, -1)
	if len(installed) != 6 {
		t.Errorf("it installs %q", installed)
	}
	for _, target := range targets {
		folder := fmt.Sprintf("terse_0.1.0_%s_%s", target.os, target.arch)
		if !slices.Contains(names, folder+".tar.gz") {
			t.Errorf("it has no archive for %s, %s", target.os, target.arch)
		}
		packed := unpackArchive(t, folder+".tar.gz", t.TempDir())
		for _, files := range installed {
			for _, pattern := range files[1:] {
				if pattern != "" && !slices.ContainsFunc(packed, func(name string) bool {
					ok, _ := path.Match(folder+"/"+pattern, name)
					return ok
				}) {
					t.Errorf("%s has no %s", folder, pattern)
				}
			}
		}
	}
	if len(names) != len(targets) {
		t.Errorf("it has the archives %q", names)
	}
	run(t, "ruby", "-wc", filepath.Join(dir, "terse.rb"))
	run(t, "rubocop", "--cache=false", "--only=Layout,Lint,Security",
		"--except=Layout/SpaceAroundOperators", // of paths, such as bin/"terse"
		filepath.Join(dir, "terse.rb"))
}
