package moving

import (
	"errors"
	"hash/maphash"
	"iter"

	"github.com/go-json-experiment/json"

	"terse/internal/move/archive"
	"terse/internal/move/archive/formats"
)

// maxAddresses bounds those that Addresses knows to have returned, in memory some 100 MiB. Further
// ones may come twice.
const maxAddresses = 2_000_000

// Address is a code or an alias, with the hosts at which it is at the server that the file comes
// from, and at the one that it goes to; "": the default one.
type Address struct{ There, Here, Path string }

// Addresses returns the addresses of the file's links, codes and aliases, each once. It returns one
// without a path for a record that has none. Of another product only the default host is known.
func (m *Import) Addresses() iter.Seq2[Address, error] {
	return func(yield func(Address, error) bool) {
		source, err := m.open()
		if err != nil {
			yield(Address{}, err)
			return
		}
		seed, seen := maphash.MakeSeed(), map[uint64]struct{}{}
		for line, err := range source.Lines() {
			if err != nil {
				yield(Address{}, err)
				return
			}
			here, there := domainOf(line), ""
			if m.Format.Name == formats.Default {
				if there = here; line.IsMoved {
					there = line.Origin
				}
			}
			for _, path := range addressesOf(line) {
				address := Address{there, here, path}
				hash := maphash.Comparable(seed, address)
				if _, again := seen[hash]; again && path != "" {
					continue
				}
				if len(seen) < maxAddresses {
					seen[hash] = struct{}{}
				}
				if !yield(address, nil) {
					return
				}
			}
		}
	}
}

// domainOf returns the domain of a link, "" for the default one.
func domainOf(line *archive.Line) (domain string) {
	for _, f := range line.Fields {
		if f.Name == "domain" {
			_ = json.Unmarshal(f.Value, &domain) // the server says what is wrong
		}
	}
	return domain
}

// addressesOf returns the addresses of a line, also those of a link that can't be imported.
func addressesOf(line *archive.Line) []string {
	if known, ok := errors.AsType[*archive.LineError](line.Err); ok {
		return []string{known.Code}
	}
	switch {
	case line.Err != nil:
		return []string{""}
	case line.Type != archive.TypeLink:
		return nil
	}
	if addresses := line.Addresses(); len(addresses) > 0 {
		return addresses
	}
	return []string{""}
}
