package manage

import (
	"slices"
	"strings"

	"terse"
	"terse/internal/address"
)

// key returns the form of an address that is compared.
func (m *Manager) key(address string) string {
	if m.IgnoreCase {
		return terse.FoldAddress(address)
	}
	return address
}

// same reports whether two addresses are one.
func (m *Manager) same(a, b string) bool { return m.key(a) == m.key(b) }

// isReserved reports whether no address may begin with a segment.
func (m *Manager) isReserved(segment string) bool {
	segment = m.key(segment)
	return segment == address.WellKnown || m.Reserved(segment)
}

// addAlias adds an alias at the end.
func addAlias(text terse.EncodedOptions, alias string) (terse.EncodedOptions, error) {
	options, err := text.Decode()
	if err != nil {
		return text, err
	}
	options.Aliases = append(options.Aliases, alias)
	return options.Encode()
}

// settleAliases leaves out the aliases of a link that are its code or come twice, and bounds their
// number.
func (m *Manager) settleAliases(code terse.Code, text terse.EncodedOptions) (
	terse.EncodedOptions, error,
) {
	if !strings.Contains(string(text), `"aliases":`) {
		return text, nil
	}
	options, err := text.Decode()
	if err != nil {
		return text, err
	}
	seen := map[string]bool{m.key(code.String()): true}
	options.Aliases = slices.DeleteFunc(options.Aliases, func(alias string) bool {
		key := m.key(alias)
		defer func() { seen[key] = true }()
		return seen[key]
	})
	if len(options.Aliases) > terse.MaxAliases {
		return text, terse.Invalidf("aliases", "at most %d aliases", terse.MaxAliases)
	}
	return options.Encode()
}
