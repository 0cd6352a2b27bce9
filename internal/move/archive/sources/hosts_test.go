package sources_test

import (
	"strconv"
	"testing"

	"terse/internal/move/archive/sources"
	"terse/internal/tests/longtest"
)

// As many links as there are may be at one host. Of several hosts the codes have to be known.
func TestManyLinksAtHosts(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	var h sources.Hosts
	add := func(host, code, want string) error {
		other, err := h.Other(host, "", code)
		if other != want {
			t.Fatalf("%s at %s is at %q, too; want %q", code, host, other, want)
		}
		return err
	}
	for i := range 2_000_100 {
		if err := add("one.example", strconv.Itoa(i), ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := add("two.example", "1", "one.example"); err != nil {
		t.Error(err)
	}
	if err := add("two.example", "new", ""); err == nil {
		t.Error("it is not known whether the code is at the other host")
	}
}
