package manage

import (
	"slices"
	"strings"

	"terse"
	"terse/internal/link/address"
)

// isReserved reports whether no address may begin with a segment.
func (m *Manager) isReserved(segment string) bool {
	segment = m.Key(segment)
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
	seen := map[string]bool{m.Key(code.Text()): true}
	options.Aliases = slices.DeleteFunc(options.Aliases, func(alias string) bool {
		key := m.Key(alias)
		defer func() { seen[key] = true }()
		return seen[key]
	})
	if len(options.Aliases) > terse.MaxAliases {
		return text, terse.Invalidf("aliases", "at most %d aliases", terse.MaxAliases)
	}
	return options.Encode()
}
