package cli

import (
	"io"
	"testing"
)

func TestOnlyWebAddressesAreOpened(t *testing.T) {
	t.Parallel()
	env := &remote{Env: Env{Vars: map[string]string{"BROWSER": "true"}}}
	for address, want := range map[string]int{
		"file:///etc/passwd": ExitFailure, "https://example.com/": ExitOK,
	} {
		if err := env.browse(t.Context(), address); Report(io.Discard, err) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}
