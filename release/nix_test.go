package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNix: Nix reads the files, and would get the modules of go.sum. It hashes them as
// buildGoModule of Nixpkgs has it do.
func TestNix(t *testing.T) {
	t.Parallel()
	needs(t, "nix", "nix-instantiate")
	run(t, "env", "NIX_REMOTE=dummy://", "nix-instantiate", "--parse",
		"../deploy/nix/package.nix", "../deploy/nix/module.nix")
	content, err := os.ReadFile("../deploy/nix/package.nix")
	if err != nil {
		t.Fatal(err)
	}
	set := func(name string) string {
		m := regexp.MustCompile(`(?m)^  ` + name + ` = "(.+)";$`).
			FindStringSubmatch(string(content))
		if m == nil {
			t.Fatalf("package.nix has no %s", name)
		}
		return m[1]
	}
	document, err := os.ReadFile("../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	if number := set("version"); !strings.Contains(string(document), "/download/v"+number+"/") {
		t.Errorf("package.nix has version %s, the documents another", number)
	}
	vendor := filepath.Join(t.TempDir(), "vendor")
	r := newRelease("..", "")
	if _, err := r.goCommand(t.Context(), targets[0], "mod", "vendor", "-o", vendor); err != nil {
		t.Fatal(err)
	}
	hash := strings.TrimSpace(run(t, "nix", "--extra-experimental-features", "nix-command", "hash",
		"path", vendor))
	if have := set("vendorHash"); have != hash {
		t.Errorf("package.nix has vendorHash %s, go.mod and go.sum want %s", have, hash)
	}
}
