// Package tersetest gives tests the program that they start as a process. It is not part of the
// server.
//
// `make test` builds it once, for all packages. A package whose tests are run alone builds its own.
package tersetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Variable names the variable with the path of the program, if one was built.
const Variable = "TERSE_TEST_BINARY"

// built is the folder of the program that this test binary has built, "" if it has built none.
var built string

// binary is stripped as by `make build`. Like the others that are built for tests, it keeps the
// paths of files: so it is linked from packages that are compiled anyway.
var binary = sync.OnceValues(func() (path string, err error) {
	if path := os.Getenv(Variable); path != "" {
		return path, nil
	}
	if built, err = os.MkdirTemp("", "terse-test-"); err != nil {
		return "", err
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "terse").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	path = filepath.Join(built, "terse")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, "./cmd/terse")
	build.Dir = strings.TrimSpace(string(root)) // tests of another module want our versions, too
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// Binary returns the path of the program.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Clean removes what Binary has built. Call it in TestMain, after the tests.
func Clean() {
	if built != "" {
		_ = os.RemoveAll(built) // a folder for temporary files
	}
}
