package main

import (
	"bytes"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// TestChart has Helm check the chart of a release, push it to a registry, as the workflow does, and
// render it from there.
func TestChart(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(registry.New())
	t.Cleanup(server.Close)
	charts := strings.TrimPrefix(server.URL, "http://") + "/owner/charts"
	path, err := filepath.Abs(filepath.Join(dist(t), "terse-0.1.0.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	helm := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"tool", "helm"}, args...)...)
		cmd.Dir = "../deploy/helm"
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("helm %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	helm("lint", "--strict", path)
	pushed := helm("push", "--plain-http", path, "oci://"+charts)
	digest := regexp.MustCompile(`(?m)^Digest: (sha256:[0-9a-f]{64})$`).FindStringSubmatch(pushed)
	if digest == nil {
		t.Fatalf("helm push says %s", pushed)
	}
	tag, err := name.NewTag(charts + "/terse:0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	if head, err := remote.Head(tag); err != nil || head.Digest.String() != digest[1] {
		t.Errorf("%s is %v, want %s: %v", tag, head, digest[1], err)
	}
	there := helm("template", "terse", "oci://"+charts+"/terse", "--version", "0.1.0",
		"--plain-http", "--set", "dashboard.enabled=true,prometheusRule.enabled=true")
	for _, text := range []string{
		"image: \"ghcr.io/terse/terse:0.1.0\"", "alert: TerseDown", "histogram_quantile",
	} {
		if !strings.Contains(there, text) {
			t.Errorf("the chart in the registry has no %s", text)
		}
	}
}

// TestChartVersion: a release has a chart of its own version.
func TestChartVersion(t *testing.T) {
	t.Parallel()
	r := newRelease("..", "")
	r.version = "v1.2.3-rc.1"
	file, packed, err := r.chart()
	if err != nil || file != "terse-1.2.3-rc.1.tgz" {
		t.Fatalf("%s: %v", file, err)
	}
	dir := t.TempDir()
	unpackGzip(t, bytes.NewReader(packed), dir)
	for name, want := range map[string]string{
		"Chart.yaml": "\nversion: 1.2.3-rc.1\nappVersion: \"1.2.3-rc.1\"\n",
		"README.md":  "/v1.2.3-rc.1/docs/settings.md",
	} {
		if text := tree(t, filepath.Join(dir, "terse"))[name]; !strings.Contains(text, want) {
			t.Errorf("%s has no %q:\n%s", name, want, text)
		}
	}
}
