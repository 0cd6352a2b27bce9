package oidctest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Config is how one of npm's providers behaves; provider.mjs explains its fields.
type Config struct {
	Issuer    string              `json:"issuer"`
	Port      int                 `json:"port,omitempty"`
	Client    map[string]any      `json:"client"`
	Claims    map[string][]string `json:"claims"`
	Account   map[string]any      `json:"account"`
	InIDToken bool                `json:"inIDToken"`
	Metadata  map[string]any      `json:"metadata,omitempty"`
	Rotate    bool                `json:"rotate,omitempty"`
	Stop      bool                `json:"stop,omitempty"`
}

// Certified runs npm's oidc-provider, which the OpenID Foundation has certified.
type Certified struct {
	in     io.Writer
	out    *bufio.Scanner
	stderr strings.Builder
}

// StartCertified starts the process in which the providers run. It ends with the test. Without
// Node, or npm's packages, the test is skipped, and fails if CI is "true".
func StartCertified(t testing.TB) *Certified {
	t.Helper()
	_, file, _, _ := runtime.Caller(0) //nolint:dogsled // only the file is needed
	dir := filepath.Join(filepath.Dir(file), "provider")
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "node_modules", "oidc-provider"))
	}
	if err != nil {
		loud := "SIGN-IN IS NOT TESTED WITH A CERTIFIED PROVIDER (scripts/needs.sh installs it): " +
			err.Error()
		if os.Getenv("CI") == "true" {
			t.Fatal(loud)
		}
		t.Skip(loud)
	}
	c := &Certified{}
	// It ends when its input does, which is after the test's context.
	cmd := exec.CommandContext( //nolint:gosec // our own file
		context.WithoutCancel(t.Context()), node, filepath.Join(dir, "provider.mjs"))
	cmd.Stderr = &c.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // which ends it
		_ = cmd.Wait()
	})
	c.in, c.out = in, bufio.NewScanner(out)
	return c
}

// Run runs a provider in place of one with the same issuer.
func (c *Certified) Run(t testing.TB, config Config) {
	t.Helper()
	line, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.in.Write(append(line, '\n')); err != nil || !c.out.Scan() ||
		!strings.Contains(c.out.Text(), config.Issuer) {
		t.Fatalf("%v %q\n%s", err, c.out.Text(), &c.stderr)
	}
}
