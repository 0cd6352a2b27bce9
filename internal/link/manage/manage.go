// Package manage creates, changes and deletes an owner's links: it parses requests, checks what
// needs more than the link itself, and calls the store. It also parses which list of links a
// request asks for. It knows nothing of HTTP, and caches nothing.
package manage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"terse"
	"terse/internal/link/hosts"
	"terse/internal/link/manage/option"
	"terse/internal/text/jsonbody"
)

// Links is a store, or a transaction of it.
type Links interface {
	Create(ctx context.Context, by terse.Caller, link terse.NewLink) (terse.Link, error)
	Link(ctx context.Context, code terse.Code) (terse.Link, error)
	Update(ctx context.Context, by terse.Caller, change terse.LinkChange) (terse.Link, error)
	Delete(ctx context.Context, by terse.Caller, link terse.Link) error
}

// LinksInTx is a transaction of a store.
type LinksInTx interface {
	Links
	LinkAll(ctx context.Context, codes []terse.Code) ([]terse.Link, []error, error)
	DeleteAll(ctx context.Context, by terse.Caller, links []terse.Link) ([]error, error)
}

// Options are a Manager's parts; all but Blocked are required.
type Options struct {
	// Hosts are the domains of links. No link may lead to a short URL of any of them.
	Hosts *hosts.Hosts
	// Reserved reports whether a path segment is a route of the server, and so not the first one of
	// an address.
	Reserved func(segment string) bool
	terse.Naming
	// Blocked reports whether no link may lead to a URL; nil: links may lead to any.
	Blocked func(terse.URL) bool
	// HashPassword returns the hash to store for a link's password.
	HashPassword func(string) string
	Users        Users
}

// Users are those of a store.
type Users interface {
	User(ctx context.Context, identity string) (terse.User, error)
	CreateService(ctx context.Context, by terse.Caller, identity string) error
}

// KnowsOwner returns terse.ErrUnknownOwner if no user has an identity.
func (m *Manager) KnowsOwner(ctx context.Context, identity string) error {
	_, err := m.Users.User(ctx, identity)
	if errors.Is(err, terse.ErrUserNotFound) {
		return terse.ErrUnknownOwner
	}
	return err
}

// Manager changes links.
type Manager struct {
	Options
	self shortURLs
	// hashing is held while hashing a password, which takes about 30 ms of a core and 19 MiB.
	hashing sync.Mutex
}

// New returns a Manager.
func New(opts Options) *Manager {
	if opts.Blocked == nil {
		opts.Blocked = func(terse.URL) bool { return false }
	}
	return &Manager{Options: opts, self: newShortURLs(opts.Hosts)}
}

// MayLeadToBlocked reports whether a link with these options leads some visitor at some time where
// no link may lead.
func (m *Manager) MayLeadToBlocked(link terse.Link, o *terse.LinkOptions) bool {
	return m.Blocked(link.URL) || o.ExpiredURL != "" && m.Blocked(o.ExpiredURL) ||
		slices.ContainsFunc(o.Rules, func(r terse.Rule) bool { return m.Blocked(r.URL) })
}

// Hash returns the hash to store for a link's password.
func (m *Manager) Hash(password string) string {
	m.hashing.Lock()
	defer m.hashing.Unlock()
	return m.HashPassword(password)
}

// maxTries bounds how often a taken code is replaced. With a billion links, one code in 1,950 is
// taken; ten in a row mean that something else is wrong.
const maxTries = 10

// Create creates a link of by.Gives. Without a chosen code it generates codes until one is free.
func (m *Manager) Create(
	ctx context.Context, links Links, by terse.Caller, d Draft,
) (terse.Link, error) {
	link := d.link
	link.CreatedBy = by.Gives()
	if link.Code != (terse.Code{}) {
		return m.create(ctx, links, by, link)
	}
	for range maxTries {
		link.Code = m.newCode().On(d.domain)
		created, err := m.create(ctx, links, by, link)
		if !errors.Is(err, terse.ErrCodeTaken) {
			return created, err
		}
	}
	return terse.Link{}, fmt.Errorf("create link: %d generated codes in a row are taken", maxTries)
}

// newCode generates a code.
func (m *Manager) newCode() terse.Code {
	for {
		if code := terse.NewCode(m.IgnoreCase); !m.isReserved(code.Text()) {
			return code
		}
	}
}

func (m *Manager) create(ctx context.Context, links Links, by terse.Caller, link terse.NewLink) (
	_ terse.Link, err error,
) {
	if link.Options, err = m.settleAliases(link.Code, link.Options); err != nil {
		return terse.Link{}, err
	}
	created, err := links.Create(ctx, by, link)
	if err != nil {
		return created, fmt.Errorf("create link %s: %w", link.Code, err)
	}
	return created, nil
}

// FindOrCreate returns the newest link of by.Gives to the draft's URL, or creates one. It also
// creates one if the options of the newest link can't be decoded, because that link leads nowhere.
// links must belong to tx.
func (m *Manager) FindOrCreate(
	ctx context.Context, tx terse.Tx, links Links, by terse.Caller, d Draft,
) (link terse.Link, found bool, err error) {
	link, err = tx.NewestTo(ctx, by.Gives(), d.domain, d.link.URL, time.Now())
	if err == nil {
		_, err = link.Options.Decode()
	}
	switch {
	case err == nil:
		return link, true, nil
	case !errors.Is(err, terse.ErrNotFound) && !errors.Is(err, terse.ErrDamaged):
		return link, false, err
	}
	link, err = m.Create(ctx, links, by, d)
	return link, false, err
}

// Owned returns the link with a code, or forbidden if the caller's request is about the links of
// somebody else. The zero Code stands for what can't be one.
func Owned(
	ctx context.Context, links Links, by terse.Caller, code terse.Code, forbidden error,
) (terse.Link, error) {
	if code == (terse.Code{}) {
		return terse.Link{}, terse.ErrNotFound
	}
	link, err := links.Link(ctx, code)
	if err != nil {
		return link, fmt.Errorf("look up link %s: %w", code, err)
	}
	if !by.Reaches(link.CreatedBy) {
		return link, forbidden
	}
	return link, nil
}

// Update changes a link that the caller reaches, if wanted accepts its version. A patch without
// effect returns the link as it is.
func (m *Manager) Update(
	ctx context.Context, links Links, by terse.Caller, code terse.Code, p Patch,
	wanted func(terse.Link) bool,
) (terse.Link, error) {
	for {
		link, err := Owned(ctx, links, by, code, terse.ErrUpdateForbidden)
		if err != nil {
			return link, err
		}
		if p.gives && !by.Role.Allows(terse.Admin) {
			return link, terse.NeedsRole(terse.Admin)
		}
		changed, err := m.apply(link, p)
		if err == nil && p.gives {
			changed.CreatedBy, err = m.newOwner(ctx, p)
		}
		if err != nil {
			return link, err
		}
		if !wanted(link) {
			return link, terse.ErrChanged
		}
		if changed == link {
			return link, nil
		}
		updated, err := links.Update(ctx, by, terse.LinkChange{Before: link, After: changed})
		if err == nil {
			return updated, nil
		}
		// If another caller was faster, apply the patch to the link's new version.
		if !errors.Is(err, terse.ErrChanged) {
			return link, fmt.Errorf("update link %s: %w", code, err)
		}
	}
}

// newOwner returns to whom a patch gives a link.
func (m *Manager) newOwner(ctx context.Context, p Patch) (string, error) {
	if p.owner == nil {
		return "", terse.ErrUnknownOwner
	}
	return *p.owner, m.KnowsOwner(ctx, *p.owner)
}

// Give gives a link to another owner, if it still belongs to the one that the caller's request is
// about. It fails like Owned if not.
func (m *Manager) Give(
	ctx context.Context, links Links, by terse.Caller, code terse.Code, owner string,
) error {
	for {
		link, err := Owned(ctx, links, by, code, terse.ErrUpdateForbidden)
		if err != nil {
			return err
		}
		given := link
		given.CreatedBy = owner
		_, err = links.Update(ctx, by, terse.LinkChange{Before: link, After: given})
		if !errors.Is(err, terse.ErrChanged) {
			return err
		}
	}
}

// apply returns a link with a patch applied, but for its owner.
func (m *Manager) apply(link terse.Link, p Patch) (terse.Link, error) {
	if p.err != nil {
		return link, p.err
	}
	if _, err := link.Options.Decode(); err != nil && p.retag == nil {
		return link, err // the result could not be shown
	}
	if p.retag != nil {
		return applyTags(link, p.retag)
	}
	fields := maps.Clone(p.fields)
	code := link.Code
	if _, ok := fields["short_code"]; ok {
		var err error
		if code, err = m.takeCode(fields, link.Code); err != nil {
			return link, err
		}
	}
	if _, ok := fields["original_url"]; ok {
		target, err := fields.TakeString("original_url")
		if err != nil {
			return link, err
		}
		if target == nil || *target != string(link.URL) { // that one may be blocked by now
			link.URL, err = m.parseTarget(target)
		}
		if err != nil {
			return link, err
		}
	}
	_, replaced := fields["aliases"]
	var err error
	link.Options, err = m.patchOptions(link.Options, fields)
	if err == nil && !replaced && !m.Same(code.Text(), link.Code.Text()) {
		link.Options, err = addAlias(link.Options, link.Code.Text())
	}
	if err != nil {
		return link, err
	}
	link.Code = code
	link.Options, err = m.settleAliases(code, link.Options)
	return link, err
}

// Delete deletes a link that the caller reaches, if wanted accepts its version.
func (m *Manager) Delete(ctx context.Context, links Links, by terse.Caller, code terse.Code,
	wanted func(terse.Link) bool,
) error {
	for {
		link, err := Owned(ctx, links, by, code, terse.ErrDeleteForbidden)
		if err != nil {
			return err
		}
		if !wanted(link) {
			return terse.ErrChanged
		}
		err = links.Delete(ctx, by, link)
		if err == nil {
			return nil
		}
		// If a change was faster, ask wanted about the link's new version.
		if !errors.Is(err, terse.ErrChanged) {
			return fmt.Errorf("delete link %s: %w", code, err)
		}
	}
}

// DeleteAll deletes links with codes like Delete, one after another, but in fewer
// steps. refused has the error of each.
func (m *Manager) DeleteAll(
	ctx context.Context, links LinksInTx, by terse.Caller, codes []terse.Code,
) (refused []error, err error) {
	refused = make([]error, len(codes))
	var valid []int // indexes in codes
	var parsed []terse.Code
	for i, code := range codes {
		if code == (terse.Code{}) {
			refused[i] = terse.ErrNotFound
			continue
		}
		valid, parsed = append(valid, i), append(parsed, code)
	}
	if len(parsed) == 0 {
		return refused, nil
	}
	found, missing, err := links.LinkAll(ctx, parsed)
	if err != nil {
		return nil, fmt.Errorf("look up %d links: %w", len(parsed), err)
	}
	var owned []int
	var gone []terse.Link
	for k, i := range valid {
		switch {
		case missing[k] != nil:
			refused[i] = missing[k]
		case !by.Reaches(found[k].CreatedBy):
			refused[i] = terse.ErrDeleteForbidden
		default:
			owned, gone = append(owned, i), append(gone, found[k])
		}
	}
	if len(gone) == 0 {
		return refused, nil
	}
	changed, err := links.DeleteAll(ctx, by, gone)
	if err != nil {
		return nil, fmt.Errorf("delete %d links: %w", len(gone), err)
	}
	for k, i := range owned {
		refused[i] = changed[k]
		if errors.Is(changed[k], terse.ErrChanged) { // since it was looked up
			refused[i] = m.Delete(ctx, links, by, codes[i], anyVersion)
		}
	}
	return refused, nil
}

func anyVersion(terse.Link) bool { return true }

// Patch is a change of a link: a JSON Merge Patch (RFC 7396), or a replaced tag. Errors in a merge
// patch show when it is applied, because the check of the owner comes first.
type Patch struct {
	fields jsonbody.Members
	gives  bool    // the link to another owner
	owner  *string // nil: no text was sent
	err    error
	retag  func(tags []string) []string
}

// ReplaceTag returns a patch that replaces a tag by name, or removes it if name is "".
func ReplaceTag(tag, name string) Patch {
	same := func(t string) bool { return terse.FoldTag(t) == terse.FoldTag(tag) }
	return Patch{retag: func(tags []string) []string {
		if !slices.ContainsFunc(tags, same) {
			return tags
		}
		tags = slices.DeleteFunc(tags, same)
		if name != "" {
			tags = append(tags, name)
		}
		return tags
	}}
}

// applyTags returns a link with changed tags. If its options can't be decoded it stays as it is.
func applyTags(link terse.Link, retag func([]string) []string) (terse.Link, error) {
	options, err := link.Options.Decode()
	if err != nil {
		return link, nil //nolint:nilerr // see above
	}
	options.Tags = retag(options.Tags)
	option.SortTags(&options)
	link.Options, err = options.Encode()
	return link, err
}
