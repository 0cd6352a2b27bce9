package follow

import (
	"bytes"
	"net/url"
	"slices"
	"time"

	"terse"
)

// SignIn returns what a user becomes when a person signs in, who is known as a user or not. It
// fails with terse.ErrUserDisabled.
func SignIn(known *terse.User, person terse.User, at time.Time) (after terse.User, err error) {
	switch {
	case known == nil:
		after = person
		after.CreatedAt = time.UnixMicro(at.UnixMicro()).UTC()
	case known.Disabled:
		return terse.User{}, terse.ErrUserDisabled
	default:
		after = *known
		after.Email, after.Name, after.Groups = person.Email, person.Name, person.Groups
	}
	after.LastSeenAt = at.UTC().Truncate(time.Minute)
	return after, nil
}

// What the audit says of users, tokens and sessions. Both stores note it in the transaction of the
// change.

// TokenCreated notes that a token was made.
func TokenCreated(t terse.AccessToken) terse.Noted {
	n := TokenDeleted(t)
	n.Action = terse.ActionCreateToken
	if !t.ExpiresAt.IsZero() {
		n.Details["expires_at"] = t.ExpiresAt.UTC().Format(time.RFC3339Nano)
	}
	return n
}

// TokenDeleted notes that a token was taken back.
func TokenDeleted(t terse.AccessToken) terse.Noted {
	return terse.Noted{
		Action: terse.ActionDeleteToken, Target: t.ID,
		Details: map[string]any{"name": t.Name, "identity": t.Identity, "role": t.Role.String()},
	}
}

// UserCreated notes that a service was made, or that a person has come for the first time.
func UserCreated(u terse.User) terse.Noted { return ofUser(terse.ActionCreateUser, u) }

// UserDeleted notes that a user was deleted, with its tokens and sessions.
func UserDeleted(u terse.User) terse.Noted { return ofUser(terse.ActionDeleteUser, u) }

func ofUser(action terse.Action, u terse.User) terse.Noted {
	n := terse.Noted{
		Action: action, Target: u.Identity, Details: map[string]any{"role": u.Role.String()},
	}
	if u.IsPerson() {
		n.Details["email"], n.Details["issuer"] = u.Email, u.Issuer
	}
	return n
}

// maxNamedGroups bounds the groups in an entry: a person may have 1,000 with long names.
const maxNamedGroups = 20

// UserUpdated notes what differs between two states of a user, and reports whether anything does.
func UserUpdated(before, after terse.User) (n terse.Noted, changed bool) {
	n = terse.Noted{
		Action: terse.ActionUpdateUser, Target: after.Identity, Details: map[string]any{},
	}
	differ := func(name string, was, is any) {
		if was != is {
			n.Details[name] = map[string]any{"old": was, "new": is}
		}
	}
	differ("role", before.Role.String(), after.Role.String())
	differ("disabled", before.Disabled, after.Disabled)
	differ("email", before.Email, after.Email)
	differ("name", before.Name, after.Name)
	left, joined := without(before.Groups, after.Groups), without(after.Groups, before.Groups)
	if len(left)+len(joined) > 0 {
		n.Details["groups"] = map[string]any{
			"left": few(left), "joined": few(joined),
		}
	}
	return n, len(n.Details) > 0
}

// few returns the first names of a list, which is not nil.
func few(names []string) []string {
	return append([]string{}, names[:min(len(names), maxNamedGroups)]...)
}

// SessionCreated notes that a user signed in.
func SessionCreated(identity string) terse.Noted {
	return terse.Noted{Action: terse.ActionCreateSession, Target: identity}
}

// SessionsDeleted notes that some sessions of a user were ended.
func SessionsDeleted(identity string, sessions int) terse.Noted {
	n := terse.Noted{Action: terse.ActionDeleteSession, Target: identity}
	if sessions > 1 {
		n.Details = map[string]any{"sessions": sessions}
	}
	return n
}

// DomainUpdated notes which targets of a domain changed, and reports whether any did.
func DomainUpdated(host string, before, after terse.DomainTargets) (n terse.Noted, changed bool) {
	var fields []string
	for _, field := range []struct {
		name    string
		differs bool
	}{
		{"ended_url", before.Ended != after.Ended},
		{"root_url", before.Root != after.Root},
		{"unknown_url", before.Unknown != after.Unknown},
	} {
		if field.differs {
			fields = append(fields, field.name)
		}
	}
	return terse.Noted{
		Action: terse.ActionUpdateDomain, Target: host, Details: map[string]any{"fields": fields},
	}, len(fields) > 0
}

// Share notes that a share was made, changed or taken back: before or after is nil. It reports
// whether anything differs. An entry has neither the share nor its password.
func Share(by *terse.Caller, before, after *terse.Shared) (n terse.Noted, changed bool) {
	of, none := after, terse.Shared{}
	if after == nil {
		of, after = before, &none
	}
	kind := kindOf(&of.Target)
	n = terse.Noted{Action: kind.made, Target: of.Target.Tag, Details: map[string]any{}}
	if of.Target.IsLink() {
		n.Target, n.Domain = of.Target.Link.Code.Text(), of.Target.Link.Code.Domain()
	} else if of.Target.Owner != by.Identity {
		n.Details["owner"] = of.Target.Owner
	}
	switch {
	case of == before:
		n.Action = kind.revoked
		return n, true
	case before != nil:
		n.Action, n.Details["of"] = terse.ActionUpdateShare, kind.name
	default:
		before = &none
	}
	var fields []string
	for _, field := range []struct {
		name    string
		differs bool
	}{
		{"title", before.Title != after.Title},
		{"expires_at", !before.ExpiresAt.Equal(after.ExpiresAt)},
		{"password", before.Password != after.Password},
	} {
		if field.differs {
			fields = append(fields, field.name)
		}
	}
	if len(fields) > 0 {
		n.Details["fields"] = fields
	}
	return n, n.Action != terse.ActionUpdateShare || len(fields) > 0
}

// shareKind is what a share shows, and the actions of making and taking one back.
type shareKind struct {
	name          string
	made, revoked terse.Action
}

func kindOf(t *terse.ShareTarget) shareKind {
	switch {
	case t.IsLink():
		return shareKind{"link", terse.ActionShare, terse.ActionUnshare}
	case t.Tag != "":
		return shareKind{"tag", terse.ActionShareTag, terse.ActionUnshareTag}
	}
	return shareKind{"overview", terse.ActionShareAll, terse.ActionUnshareAll}
}

// What the audit says of webhooks: never a secret, and of an address neither user info nor the
// query, in which there may be one.

// WebhookCreated notes that a webhook was made.
func WebhookCreated(w terse.Webhook) terse.Noted {
	n := ofWebhook(terse.ActionCreateWebhook, w)
	n.Details["events"] = w.Events
	return n
}

// WebhookDeleted notes that a webhook was deleted.
func WebhookDeleted(w terse.Webhook) terse.Noted { return ofWebhook(terse.ActionDeleteWebhook, w) }

func ofWebhook(action terse.Action, w terse.Webhook) terse.Noted {
	n := terse.Noted{
		Action: action, Target: w.ID, Details: map[string]any{"url": withoutQuery(w.URL)},
	}
	if w.Owner != w.CreatedBy {
		n.Details["owner"] = w.Owner
	}
	return n
}

// withoutQuery returns an address without its user info, query and fragment.
func withoutQuery(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}

// WebhookUpdated notes what differs between two states of a webhook, and reports whether anything
// does. Another secret is what is noted if other things differ, too.
func WebhookUpdated(before, after terse.Webhook) (n terse.Noted, changed bool) {
	n = terse.Noted{Action: terse.ActionUpdateWebhook, Target: after.ID}
	var fields []string
	for _, field := range []struct {
		name    string
		differs bool
	}{
		{"description", before.Description != after.Description},
		{"disabled", (before.Disabled == "") != (after.Disabled == "")},
		{"events", !slices.Equal(before.Events, after.Events)},
		{"tags", !slices.Equal(before.Tags, after.Tags)},
		{"url", before.URL != after.URL},
	} {
		if field.differs {
			fields = append(fields, field.name)
		}
	}
	rotated := !bytes.Equal(before.Secret, after.Secret)
	if rotated {
		n.Action = terse.ActionRotateWebhook
	}
	if len(fields) > 0 {
		n.Details = map[string]any{"fields": fields}
		if before.URL != after.URL {
			n.Details["url"] = withoutQuery(after.URL)
		}
		if after.Disabled != before.Disabled && after.Disabled != "" {
			n.Details["disabled_reason"] = string(after.Disabled)
		}
	}
	return n, rotated || len(fields) > 0
}
