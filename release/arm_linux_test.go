package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestARM runs the binary for arm64 in an emulator.
func TestARM(t *testing.T) {
	t.Parallel()
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skip("needs qemu-user-static")
	}
	dir := t.TempDir()
	unpackArchive(t, "terse_0.1.0_linux_arm64.tar.gz", dir)
	m := newMachine(t, "")
	environ := []string{"AUTH_TOKEN=0123456789abcdef", "DATA_DIR=" + filepath.Join(dir, "data")}
	s := m.serve(t, environ, qemu, filepath.Join(dir, "terse_0.1.0_linux_arm64", "terse"), "serve")
	code := s.create(t, "0123456789abcdef", "https://example.com/arm")
	s.wantRedirect(t, code, "https://example.com/arm")
	s.stop(t)
}
