package terse

// Caller is who changes something, and why. Each method of a store that changes links takes one,
// and everything that follows from the change may depend on it.
type Caller struct {
	// Identity is on whose behalf the change is made, for example Identity. Nobody's is empty: time
	// and visits change links, too.
	Identity  string
	RequestID string // of the HTTP request; "" without one
	Cause     Cause
}

// Cause is the kind of event that changes a link.
type Cause uint8

// The causes.
const (
	CauseRequest Cause = iota // a request about the link
	CauseTag                  // a tag is renamed or deleted on all its links
	CauseImport
	CauseTime  // the link starts or expires
	CauseVisit // a visit uses up one of its MaxClicks
)

// Noted is something beside changes of links, to be noted in the transaction that does it.
type Noted struct {
	Action Action
	Target string // a short code, or a tag
}

// Action says what was done.
type Action string

// The actions that are noted.
const (
	ActionReset     Action = "link.reset" // its clicks were deleted
	ActionShare     Action = "link.share"
	ActionUnshare   Action = "link.unshare"
	ActionRenameTag Action = "tag.rename"
	ActionDeleteTag Action = "tag.delete"
)
