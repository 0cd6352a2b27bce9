package moving

import (
	"errors"
	"hash/maphash"
	"iter"

	"terse/internal/move/archive"
)

// maxAddresses bounds those that Addresses knows to have returned, in memory some 100 MiB. Further
// ones may come twice.
const maxAddresses = 2_000_000

// Addresses returns the addresses of the file's links where they are now, codes and aliases, each
// once. It returns "" for a record that has none.
func (m *Import) Addresses() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		source, err := m.open()
		if err != nil {
			yield("", err)
			return
		}
		seed, seen := maphash.MakeSeed(), map[uint64]struct{}{}
		for line, err := range source.Lines() {
			if err != nil {
				yield("", err)
				return
			}
			for _, address := range addressesOf(line) {
				hash := maphash.String(seed, address)
				if _, again := seen[hash]; again && address != "" {
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
