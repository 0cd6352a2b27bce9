// Package longtest marks tests that take long and seldom find what the others don't.
package longtest

import "testing"

// Only skips a test in make test, and says so. make test-long runs it.
func Only(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes long: make test-long runs it")
	}
}
