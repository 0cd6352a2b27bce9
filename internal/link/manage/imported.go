package manage

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"terse"
	"terse/internal/link/address"
	"terse/internal/link/manage/option"
	"terse/internal/text/jsonbody"
)

// Imported is a link as an import has it.
type Imported struct {
	Domain    terse.Domain
	Code      terse.Code // zero: the link had none, or Alias
	Alias     string     // the address that it had, where that can't be a code
	URL       terse.URL
	CreatedAt time.Time // zero: not known
	Notes     []string  // what was cut or dropped to keep the link

	// Target is the key of the address of this service to which URL leads; "": it leads elsewhere.
	// Only a row of a table may have one: it describes an alias of the link there, on its domain.
	Target string

	fields   jsonbody.Members // its options, without the password
	password string           // as it was set; "": none, or hash
	hash     string           // of its password
	part     bool             // other options are not known, so they stay as they are
}

// ImportOptions are an Imported's parts beside its options.
type ImportOptions struct {
	Domain    string // the host that it had; "": the default
	Address   string // that it had; "": none
	URL       string
	CreatedAt time.Time
	Hash      string // of its password, checked before; "": none
	// Part says that options that are not among the fields are not known, rather than not set.
	Part bool
}

// IsOption reports whether a link has an option with a name.
func IsOption(name string) bool { return option.Known(name) }

// ParseImported checks a link of an import like one to create, but cuts what decides nothing about
// visits. It changes fields.
func (m *Manager) ParseImported(o ImportOptions, fields jsonbody.Members) (
	i Imported, err error,
) {
	i = Imported{CreatedAt: o.CreatedAt, hash: o.Hash, part: o.Part, fields: fields}
	if o.Domain != "" {
		if i.Domain, err = m.Hosts.Table().DomainForNew(o.Domain); err != nil {
			return i, err
		}
	}
	if i.Code, i.Alias, err = m.parseAddress(i.Domain, o.Address); err != nil {
		return i, err
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		left, lost := option.Cut(name, fields[name])
		fields[name] = left
		i.Notes = append(i.Notes, lost...)
	}
	password, err := fields.TakeString("password")
	if err != nil {
		return i, err
	}
	if password != nil {
		i.password = norm.NFC.String(*password)
		var options terse.LinkOptions
		if err := option.Set(&options, "password", encode(i.password)); err != nil {
			return i, err
		}
	}
	unlimited := 0 // there is no password any more
	if err := m.prepare(fields, &unlimited); err != nil {
		return i, err
	}
	target := &o.URL
	if o.URL == "" {
		target = nil
	}
	i.URL, err = m.parseTarget(target)
	if errors.Is(err, errShortLink) && i.part && o.Address != "" {
		i.Target, err = m.keyOf(i.URL, i.Domain)
	}
	if err != nil {
		return i, err
	}
	text, err := m.patchOptions("", fields)
	if err == nil && i.Alias != "" {
		text, err = addAlias(text, i.Alias)
	}
	if err == nil {
		_, err = m.settleAliases(i.Code, text)
	}
	return i, err
}

// keyOf returns the key of a URL that is a short link of this service. It has to be on a domain.
func (m *Manager) keyOf(u terse.URL, on terse.Domain) (string, error) {
	d, path, _ := m.self.below(u)
	at := norm.NFC.String(strings.TrimSuffix(strings.Join(path, "/"), "+"))
	if !address.Valid(at) || d != on {
		return "", errShortLink
	}
	return d.Key(at), nil
}

// closing are the options that decide whether and where a visitor gets through. An alias can't have
// options of its own.
var closing = []string{"starts_at", "expires_at", "max_clicks", "password", "disabled", "rules"}

// OfTarget returns notes about the options of a link with a Target, which are lost: its address
// becomes an alias. It fails if one of them decides whether a visitor gets through.
func (i Imported) OfTarget() (notes []string, err error) {
	if i.hash != "" || i.password != "" {
		return nil, errClosing("password")
	}
	for _, name := range slices.Sorted(maps.Keys(i.fields)) {
		switch value := string(i.fields[name]); {
		case value == "null" || value == "false" || value == "[]" || name == "aliases":
		case slices.Contains(closing, name):
			return nil, errClosing(name)
		default:
			notes = append(notes, name+" was dropped: that of the link stays")
		}
	}
	return notes, nil
}

func errClosing(name string) error {
	return terse.Invalidf(name, "%s can not be that of an address of another link", name)
}

// WithAliases returns a link with further aliases.
func (m *Manager) WithAliases(link terse.Link, more []string) (terse.Link, error) {
	options, err := link.Options.Decode()
	if err != nil {
		return link, err
	}
	options.Aliases = append(slices.Clone(options.Aliases), more...)
	if link.Options, err = options.Encode(); err != nil {
		return link, err
	}
	link.Options, err = m.settleAliases(link.Code, link.Options)
	return link, err
}

// parseAddress returns the address that a link had as a code on a domain or, if it can't be one, as
// an alias.
func (m *Manager) parseAddress(on terse.Domain, text string) (
	code terse.Code, alias string, err error,
) {
	if text == "" {
		return code, "", nil
	}
	code, err = m.parseChosen(text)
	if err == nil {
		return code.On(on), "", nil
	}
	alias = norm.NFC.String(text)
	switch {
	case !address.Valid(alias):
		return code, "", err
	case m.isReserved(address.First(alias)):
		return code, "", errReserved
	}
	return terse.Code{}, alias, nil
}

// Key returns the key of the address that the link had, "" if it had none.
func (i Imported) Key() string {
	switch {
	case i.Alias != "":
		return i.Domain.Key(i.Alias)
	case i.Code == (terse.Code{}):
		return ""
	}
	return i.Code.String()
}

// Aliases returns the aliases that the link had beside the address of its Key.
func (i Imported) Aliases() []string {
	if _, ok := i.fields["aliases"]; !ok {
		return nil
	}
	var options terse.LinkOptions
	_ = option.Set(&options, "aliases", i.fields["aliases"]) // it was checked
	return options.Aliases
}

// Without returns the link without some of its Aliases.
func (i Imported) Without(taken []string) Imported {
	if len(taken) == 0 {
		return i
	}
	i.fields = maps.Clone(i.fields)
	i.fields["aliases"] = encode(slices.DeleteFunc(i.Aliases(), func(alias string) bool {
		return slices.Contains(taken, alias)
	}))
	return i
}

// Candidates are the codes to try for a link whose code is taken, in order; none if it has no code.
func (m *Manager) Candidates(code terse.Code) (codes []terse.Code) {
	if code == (terse.Code{}) {
		return nil
	}
	for _, suffix := range suffixes {
		text := code.Text()
		text = text[:min(len(text), terse.MaxCodeLength-len(suffix))] + suffix
		if c, err := m.parseChosen(text); err == nil {
			codes = append(codes, c.On(code.Domain()))
		}
	}
	return codes
}

// suffixes make candidates of a code.
var suffixes = func() (all []string) {
	for n := 2; n <= 99; n++ {
		all = append(all, "-"+strconv.Itoa(n))
	}
	return all
}()

// Hasher returns the hash of a password: known, if that is one of it. known may be "".
type Hasher func(known, password string) (hash string, err error)

// hashOf returns the hash of the import's password, "" if it has none.
func (i Imported) hashOf(known string, hasher Hasher) (string, error) {
	if i.password == "" || i.hash != "" {
		return i.hash, nil
	}
	return hasher(known, i.password)
}

// NewLink returns a link to create. Without a Code it generates one, which may be taken.
func (m *Manager) NewLink(owner string, i Imported, hasher Hasher) (
	link terse.NewLink, err error,
) {
	hash, err := i.hashOf("", hasher)
	if err != nil {
		return link, err
	}
	link = terse.NewLink{
		Code: i.Code, URL: i.URL, CreatedBy: owner, CreatedAt: i.CreatedAt,
	}
	if link.Code == (terse.Code{}) {
		link.Code = m.newCode().On(i.Domain)
	}
	if link.Options, err = m.importOptions(i, "", hash, ""); err != nil {
		return link, err
	}
	link.Options, err = m.settleAliases(link.Code, link.Options)
	return link, err
}

// Overwritten returns a link as it is to become by an import. It keeps its code, and the address
// that it has in the import.
func (m *Manager) Overwritten(link terse.Link, i Imported, hasher Hasher) (terse.Link, error) {
	before, err := link.Options.Decode()
	if err != nil && i.part {
		return link, err
	}
	hash, err := i.hashOf(before.Password, hasher)
	if err != nil {
		return link, err
	}
	base, kept := terse.EncodedOptions(""), ""
	if i.part {
		base = link.Options
	}
	if _, at := terse.SplitKey(i.Key()); at != "" && !m.Same(at, link.Code.Text()) {
		kept = at
	}
	link.URL = i.URL
	if link.Options, err = m.importOptions(i, base, hash, kept); err != nil {
		return link, err
	}
	if link.Options, err = m.settleAliases(link.Code, link.Options); err != nil {
		return link, err
	}
	link.Options, err = spellAlike(link.Options, before.Tags)
	return link, err
}

// importOptions returns a link's options: base with those of the import, a password's hash, and an
// address among the aliases.
func (m *Manager) importOptions(i Imported, base terse.EncodedOptions, hash, kept string) (
	terse.EncodedOptions, error,
) {
	text, err := m.patchOptions(base, i.fields)
	if err != nil || hash == "" && i.Alias == "" && kept == "" {
		return text, err
	}
	options, err := text.Decode()
	if err != nil {
		return text, err
	}
	if hash != "" {
		options.Password = hash
	}
	for _, alias := range []string{i.Alias, kept} {
		same := func(other string) bool { return m.Same(alias, other) }
		if alias != "" && !slices.ContainsFunc(options.Aliases, same) {
			options.Aliases = append(options.Aliases, alias)
		}
	}
	return options.Encode()
}

// spellAlike spells tags as they were spelled before.
func spellAlike(text terse.EncodedOptions, before []string) (terse.EncodedOptions, error) {
	if len(before) == 0 || !strings.Contains(string(text), `"tags":`) {
		return text, nil
	}
	options, err := text.Decode()
	if err != nil {
		return text, err
	}
	for n, tag := range options.Tags {
		same := func(other string) bool { return terse.FoldTag(other) == terse.FoldTag(tag) }
		if at := slices.IndexFunc(before, same); at >= 0 {
			options.Tags[n] = before[at]
		}
	}
	return options.Encode()
}
