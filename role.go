package terse

// Role says what somebody may do. An editor may do all that a viewer may, and an admin all that
// anybody may. An auditor reads what a viewer can't, and changes nothing.
type Role uint8

// The roles.
const (
	NoRole  Role = iota
	Viewer       // reads what its identity owns
	Editor       // also changes that
	Auditor      // reads everything
	Admin        // does everything
)

var roleNames = [...]string{"", "viewer", "editor", "auditor", "admin"}

// String returns the role's name; "" for NoRole.
func (r Role) String() string { return roleNames[r] }

// ParseRole parses the name of a role.
func ParseRole(name string) (Role, error) {
	for r := Viewer; r <= Admin; r++ {
		if r.String() == name {
			return r, nil
		}
	}
	return NoRole, Invalidf("role", "role must be viewer, editor, auditor or admin")
}

// Allows reports whether the role suffices where another is needed. Every role suffices where none
// is.
func (r Role) Allows(needed Role) bool {
	return r == needed || r == Admin || needed == NoRole || needed == Viewer && r != NoRole
}

// And returns the role that may do what both roles may.
func (r Role) And(other Role) Role {
	switch {
	case r.Allows(other):
		return other
	case other.Allows(r):
		return r
	}
	return Viewer // of an editor and an auditor
}
