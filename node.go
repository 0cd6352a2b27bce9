package terse

import "context"

// Node is what a node of terse needs of a store for itself, see Links.
type Node interface {
	// KeepUnknown stores the codes without a link that a node counted on a day, replacing what it
	// stored for that day before. It deletes days more than UnknownDays older.
	KeepUnknown(ctx context.Context, node string, day Day, codes UnknownCodes) error

	// Unknown returns what each node stored for a day, by node.
	Unknown(ctx context.Context, day Day) (map[string]UnknownCodes, error)

	// Check reports whether the store can read and write now.
	Check(ctx context.Context) error

	// Watch calls changed with each address of a link that others than this Store change, its
	// addresses before included, or all when it cannot tell which links changed, within a second
	// while the database is reachable.
	// After the call the store's answers reflect the change. It returns nil when ctx ends.
	Watch(ctx context.Context, changed func(address string), all func()) error

	// Close waits for operations in progress and releases the store.
	Close() error
}
