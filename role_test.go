package terse_test

import (
	"testing"

	"terse"
)

func TestRoles(t *testing.T) {
	t.Parallel()
	roles := []terse.Role{terse.NoRole, terse.Viewer, terse.Editor, terse.Auditor, terse.Admin}
	// What each role may do, as a set of these powers.
	const read, change, readAll, changeAll = 1, 2, 4, 8
	powers := map[terse.Role]int{
		terse.NoRole: 0, terse.Viewer: read, terse.Editor: read | change,
		terse.Auditor: read | readAll, terse.Admin: read | change | readAll | changeAll,
	}
	for _, a := range roles {
		for _, b := range roles {
			if got, want := a.Allows(b), powers[a]&powers[b] == powers[b]; got != want {
				t.Errorf("%v.Allows(%v) = %v", a, b, got)
			}
			if both := a.And(b); powers[both] != powers[a]&powers[b] {
				t.Errorf("%v.And(%v) = %v", a, b, both)
			}
		}
		if a == terse.NoRole {
			continue
		}
		if parsed, err := terse.ParseRole(a.String()); parsed != a || err != nil {
			t.Errorf("ParseRole(%q) = %v, %v", a, parsed, err)
		}
	}
	for _, name := range []string{"", "Admin", "root", "viewer "} {
		if r, err := terse.ParseRole(name); err == nil {
			t.Errorf("ParseRole(%q) = %v", name, r)
		}
	}
}
