package terse

import (
	"context"
	"encoding/json"
	"time"
)

// Noted is something beside changes of links, to be noted in the transaction that does it.
type Noted struct {
	Action Action
	Target string // what it was done to: a short code, a tag, a token's ID, an identity, a host
	Domain Domain // that a short code is on
	// Details are encoded as a JSON object; nil: none. They never contain a secret or a note. Texts
	// are cut to MaxURLBytes each, and all of them are left out if they are more than
	// MaxAuditDetails.
	Details map[string]any
	// Once means that an equal entry of the last minute stands for this one, too. Equal entries
	// differ in time and request only.
	Once bool
}

// MaxAuditDetails bounds the encoded details of an entry in bytes. The longest URL, with all of its
// characters escaped, takes half.
const MaxAuditDetails = 32 << 10

// Action says what was done.
type Action string

// The actions that are noted.
const (
	ActionCreate        Action = "link.create"
	ActionUpdate        Action = "link.update"
	ActionDelete        Action = "link.delete"
	ActionReset         Action = "link.reset" // its clicks were deleted
	ActionShare         Action = "link.share"
	ActionUnshare       Action = "link.unshare"
	ActionShareTag      Action = "tag.share"
	ActionUnshareTag    Action = "tag.unshare"
	ActionShareAll      Action = "overview.share"
	ActionUnshareAll    Action = "overview.unshare"
	ActionUpdateShare   Action = "share.update"
	ActionRenameTag     Action = "tag.rename"
	ActionDeleteTag     Action = "tag.delete"
	ActionImport        Action = "links.import"
	ActionExport        Action = "links.export"
	ActionCreateToken   Action = "token.create"
	ActionDeleteToken   Action = "token.delete"
	ActionCreateUser    Action = "user.create"
	ActionUpdateUser    Action = "user.update"
	ActionDeleteUser    Action = "user.delete"
	ActionRefuseUser    Action = "user.refused" // a sign-in of somebody who is not allowed
	ActionCreateSession Action = "session.create"
	ActionDeleteSession Action = "session.delete"
	ActionFailSignIn    Action = "sign_in.failed"
	ActionUpdateDomain  Action = "domain.update"
	ActionCreateWebhook Action = "webhook.create"
	ActionUpdateWebhook Action = "webhook.update"
	ActionRotateWebhook Action = "webhook.rotate"
	ActionDeleteWebhook Action = "webhook.delete"
)

// AuditEntry is an entry of the audit: who did what to which link, token or user.
type AuditEntry struct {
	ID        int64 // grows, with gaps
	Time      time.Time
	By        string // an identity; "": nobody is known
	Via       Via
	Token     string // ID of the token; "": none
	Action    Action
	Target    string
	Domain    Domain
	Details   json.RawMessage // a JSON object; nil: none
	RequestID string
	Address   string // of the client
}

// AuditQuery asks for entries of the audit, newest first.
type AuditQuery struct {
	By, Target string // only entries with these; "": any
	Before     int64  // only entries with a lower ID; 0: all
	Limit      int
}

// Audit stores what was done. It is a part of a store, see People. Changes note themselves, in
// their own transactions. A store whose audit is turned off notes nothing and has no entries.
type Audit interface {
	// Note notes what no other method does, in a transaction of its own.
	Note(ctx context.Context, by Caller, what Noted) error

	// Audit returns a page of entries. One of another node that is committed later may have a lower
	// ID.
	Audit(ctx context.Context, q AuditQuery) ([]AuditEntry, error)

	// DropAudit deletes entries from before a time, in many small transactions. Several nodes may
	// do so at once.
	DropAudit(ctx context.Context, before time.Time) error
}

// DroppedAtOnce bounds the entries that a transaction of DropAudit deletes, so that others need not
// wait for long.
const DroppedAtOnce = 500
